"""The end of a game: its cause, its winner, and the margin."""

from dataclasses import dataclass
from enum import StrEnum

from dvonn import Color, Position


class How(StrEnum):
    """Causes of a game's end."""

    COUNT = "count"
    """The game was played out, and the pieces were counted."""
    RESIGNATION = "resignation"
    TIME = "time"
    """A player's time was up."""
    AGREEMENT = "agreement"
    """The players agreed on a draw."""
    ABORT = "abort"
    """The game was ended without a result."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """The outcome of a game. A running game has none."""

    how: How
    winner: Color | None = None
    """None for a draw, and where there is no result."""
    margin: int | None = None
    """Pieces by which the winner is ahead, 0 in a draw; only where pieces were counted."""

    @classmethod
    def counted(cls, position: Position) -> "Outcome":
        """Return the outcome of a game that was played out to a position."""
        white, black = (position.score(color) for color in Color)
        return cls(How.COUNT, position.winner, abs(white - black))

    @property
    def has_result(self) -> bool:
        """True if it is won, lost or drawn."""
        return self.how is not How.ABORT

    @property
    def is_draw(self) -> bool:
        """True if it has a result and no winner."""
        return self.has_result and self.winner is None
