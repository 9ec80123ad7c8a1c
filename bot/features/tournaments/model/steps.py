"""The next steps of a tournament."""

from dataclasses import dataclass
from datetime import datetime

from bot.features.tournaments.model.terms import Pairing


@dataclass(frozen=True, slots=True)
class PairUp:
    """These are to be opened now.

    Whatever has a result already (a bye, an opponent who has left) is only written down.
    """

    round: int
    """The round that begins, or the present one again: knockouts replay draws, arenas go on."""
    pairings: tuple[Pairing, ...]


@dataclass(frozen=True, slots=True)
class Wait:
    """A wait for the end of a running game."""

    until: datetime | None = None
    """The next look, whether or not a game has ended; None: no time is set."""


@dataclass(frozen=True, slots=True)
class Finished:
    """It is over: the standings are final."""


Step = PairUp | Wait | Finished
