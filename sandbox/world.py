"""The part of a sandbox that simulated users need."""

from dataclasses import dataclass

from sandbox.answers import Patience
from sandbox.cdn import Cdn
from sandbox.sessions import Sessions
from sandbox.state import State


@dataclass(frozen=True, slots=True)
class World:
    """The state and services that simulated users work with.

    Attributes:
        sessions: The gateway's sessions.
        cdn: Stores uploaded files.
        patience: How long users wait while the bot is thinking. See :class:`Person`.
    """

    state: State
    sessions: Sessions
    cdn: Cdn
    patience: Patience | None = None
