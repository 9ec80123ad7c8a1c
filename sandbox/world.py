"""The world of a sandbox's people."""

from dataclasses import dataclass

from sandbox.answers import Patience
from sandbox.cdn import Cdn
from sandbox.sessions import Sessions
from sandbox.state import State


@dataclass(frozen=True, slots=True)
class World:
    """Discord, as far as its people meet it.

    Attributes:
        sessions: whether a bot is there that hears them.
        cdn: where their files lie.
        patience: what they wait for where the bot thinks first; see :class:`Person`.
    """

    state: State
    sessions: Sessions
    cdn: Cdn
    patience: Patience | None = None
