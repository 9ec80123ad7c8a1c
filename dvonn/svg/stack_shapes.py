"""Dimensions of stacks, and the parts of them that are visible."""

from collections.abc import Iterator
from typing import Final, NamedTuple

# Lengths in half-cells (see `dvonn.svg.geometry`).
OUTER: Final = 0.83  # radius of a piece
HOLE: Final = 0.55  # radius of a ring's hole, wide enough for the name of the space
FACE: Final = (
    0.7  # radius of a stack's flat top, wide enough for its number and the name of its space
)
LONE_FACE: Final = 0.62  # radius of a single red piece's flat top, whose bright ring is wider
RED_RIM: Final = 0.13  # width of the red rim of a stack that contains red
DASH: Final = 0.1  # width of the dashed outline of a stack that was just removed
DASHED_AT: Final = 0.94  # outer radius of the dashed outline, which clears any name
HATCH: Final = 0.08  # width of a line of a hatched piece
HATCH_STEP: Final = 0.21  # distance between two hatching lines
SEAM: Final = 0.035  # half the width of the line between two spaces
STEP: Final = 0.14  # height of a piece
FOOT: Final = 0.14  # distance of a stack's base below the center of its space
NUMBER_AT: Final = -0.23  # from the center of a stack's top to its number
NAME_AT: Final = 0.37  # from the center of a stack's top to the name of its space
# NUMBER_AT and NAME_AT for a stack that was just removed, clear of its dashed outline.
LEFT_NUMBER_AT: Final = -0.29
LEFT_NAME_AT: Final = 0.3
MARK: Final = 0.21  # from a mark's center to its upper corner
MARK_EDGE: Final = 0.055
SPACE: Final = 0.68  # font size of a space's name on the board
LONG_SPACE: Final = 0.66
_ON_STACK: Final = 0.57  # font size of a space's name on a stack, below its number
_LONG_ON_STACK: Final = 0.55
_ONE_DIGIT: Final = 1.0  # font size of a number
_TWO_DIGITS: Final = 0.9
_LOST: Final = 0.8  # font size of the number on a stack that was just removed, with its minus sign
_MARKS_AT: Final = ((0.74, 0.17), (-0.74, 0.17), (0.0, 1.03))
"""The places of up to three marks on a stack, relative to the center of its top. Two are beside its
number and name, and one is below them, where no stack in front covers it.
"""
_LONE_AT: Final = -0.27
_LONE: Final = 1.45  # factor for the size of the mark on a single red piece

LAYERS: Final = 6
"""Maximum number of visible pieces in a stack. It keeps tall stacks within their own space."""


class StackFace(NamedTuple):
    """The visible properties of a stack.

    Attributes:
        pieces: The top LAYERS pieces, bottom to top.
        height: Height of the stack in pieces.
        reds: Number of red pieces in the stack.
        dimmed: True if the player to move owns it but can't move it.
        movable: True if the player to move can move it.
        moved: True if the last move ended on it.
    """

    pieces: str
    height: int
    reds: int = 0
    dimmed: bool = False
    movable: bool = False
    moved: bool = False

    @classmethod
    def from_pieces(
        cls, pieces: str, *, dimmed: bool = False, movable: bool = False, moved: bool = False
    ) -> "StackFace":
        return cls(pieces[-LAYERS:], len(pieces), pieces.count("R"), dimmed, movable, moved)

    @property
    def shows_ground(self) -> bool:
        """True if the space and its name are visible through a ring."""
        return not self.stacked and not self.moved

    @property
    def stacked(self) -> bool:
        """True if a number or a mark is above the name of the space."""
        return self.height > 1 or self.top == "R"

    @property
    def top(self) -> str:
        """The stack's top piece. It is red only if it is a single piece."""
        return self.pieces[-1]

    @property
    def layers(self) -> int:
        """Number of visible pieces in a stack, or 0 for a single piece."""
        return len(self.pieces) if self.height > 1 else 0


def lift(layers: int) -> float:
    """Return the height of a stack's top above the center of its space, in half-cells."""
    return STEP * layers - FOOT


def mark_places(reds: int, *, stacked: bool) -> Iterator[tuple[float, float, float]]:
    """Yield the places of a stack's marks, relative to the center of its top, and their sizes.

    All lengths are in half-cells. The marks are at the rim, or above the name on a single red
    piece.
    """
    if not stacked and reds:
        yield 0.0, _LONE_AT, _LONE
        return
    for across, down in _MARKS_AT[:reds]:
        yield across, down, 1.0


def mark_spots(face: StackFace) -> tuple[tuple[float, float], ...]:
    """Return the places of a stack's marks in half-cells, relative to the center of its space."""
    up = lift(len(face.pieces))
    places = mark_places(face.reds, stacked=face.height > 1)
    return tuple((across, down - up) for across, down, _ in places)


def number_size(text: str) -> float:
    """Return a number's font size in half-cells."""
    if text.startswith("−"):
        return _LOST
    return _ONE_DIGIT if len(text) == 1 else _TWO_DIGITS


def name_size(name: str, *, stacked: bool) -> float:
    """Return the font size in half-cells of a space's name inside a ring or below a number."""
    long = len(name) >= len("b11")
    if stacked:
        return _LONG_ON_STACK if long else _ON_STACK
    return LONG_SPACE if long else SPACE
