"""The pieces and the two players who place and move them."""

from enum import StrEnum
from typing import Final, Literal

from dvonn._rules.errors import UnknownColorError

Piece = Literal["R", "W", "B"]
"""One piece: red (a DVONN piece), white or black. A stack is a string of pieces, bottom to top."""

PIECE_COUNTS: Final[dict[str, int]] = {"R": 3, "W": 23, "B": 23}
"""The number of pieces of each kind in a game. Together they fill the board."""


class Color(StrEnum):
    """A player, named by the letter of their pieces. Red pieces have no owner."""

    WHITE = "W"
    BLACK = "B"

    @classmethod
    def _missing_(cls, value: object) -> None:
        raise UnknownColorError(value)

    @property
    def opponent(self) -> "Color":
        return Color.BLACK if self is Color.WHITE else Color.WHITE
