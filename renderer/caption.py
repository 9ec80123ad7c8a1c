"""What is written above a board that its position does not tell: who plays, and how it ended."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from dvonn import Color
from renderer.lettering import letterable


class Ending(StrEnum):
    """By what a game has ended."""

    COUNT = "count"
    """It was played out, and the pieces were counted."""
    RESIGNATION = "resignation"
    TIME = "time"
    """A player's time was up."""
    AGREEMENT = "agreement"
    """The players agreed on a draw."""
    ABORT = "abort"
    """It was ended without a result."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Caption:
    """What a picture tells of a game beside its position.

    Attributes:
        white: White's name; what cannot be lettered is left out. Empty: not known.
        black: Black's name.
        ending: how the game ended; None while it runs, or where the position itself says so.
        winner: who has won; None for a draw, and where there is no result.
        choosing: whether Black's player for now is choosing a colour, so that nobody is to move.
        scores: White's and Black's counts since the board was full, for the chart at the end.
    """

    white: str = ""
    black: str = ""
    ending: Ending | None = None
    winner: Color | None = None
    choosing: bool = False
    scores: tuple[tuple[int, int], ...] = ()

    def name(self, color: Color) -> str:
        """A player's name as far as it can be lettered, empty where it is not known."""
        return letterable(self.white if color is Color.WHITE else self.black)


NO_CAPTION: Final = Caption()
