"""Positions as numbers for machine learning. numpy is not required but can use them directly.

>>> from dvonn import Position
>>> from dvonn.arrays import PLANES, cells, planes
>>> position = Position.initial().after("a1", "b1", "c1", "d1", "e1")
>>> cells(position)[:6]
[1, 1, 1, 3, 2, 0]
>>> planes(position).shape == (len(PLANES), 5, 11)
True

`numpy.asarray(planes(position))` is an array of that shape, without copying.
"""

from typing import Final

from dvonn._rules.bitboard import INDEX, indices, surrounded
from dvonn._rules.board import COLUMNS, POINTS, ROWS, column_row
from dvonn._rules.pieces import Color
from dvonn._rules.position import Phase, Position

PLANES: Final = (
    "board",
    "own",
    "other",
    "red",
    "height",
    "stuck",
    "placing",
    "placing red",
    "white",
)
"""The planes in order, each of 5 rows and 11 columns, with a1 at [0, 0] and k5 at [4, 10].

- board: 1 where the board has a point.
- own, other: 1 where the player to move (or their opponent) owns the stack.
- red: the number of red pieces in the stack.
- height: the number of pieces on the point.
- stuck: 1 where a stack is surrounded.
- placing, placing red, white: 1 everywhere in the placement phase, if the next piece is red, or if
  White is to move.
"""


def cells(position: Position) -> list[int]:
    """Encode the contents of each of the `POINTS` as a number.

    The number is 0 for an empty point and 1 for a single red piece, otherwise 4 x height + 2 x (1
    if it contains a red piece) + (1 if Black owns it) - 2, as in programs for CodeCup.
    """
    return [_cell(pieces) for pieces in map(position.stacks.get, POINTS)]


def _cell(pieces: str | None) -> int:
    if pieces is None or pieces == "R":
        return 0 if pieces is None else 1
    return 4 * len(pieces) + 2 * ("R" in pieces) + (pieces[-1] == Color.BLACK) - 2


def planes(position: Position) -> memoryview:
    """Return the `PLANES` of a position as the mover sees it: bytes of shape (9, 5, 11).

    After the end of a game, White counts as the player to move.
    """
    occupied, white, black, red = position._sets  # noqa: SLF001 # pyright: ignore[reportPrivateUsage]
    cells = position._cells  # noqa: SLF001 # pyright: ignore[reportPrivateUsage]
    turn = position.turn
    own_bits, other = (black, white) if turn is Color.BLACK else (white, black)
    buffer = bytearray(_EMPTY)
    placing = position.phase is Phase.PLACEMENT
    flags = (placing, position.to_place == "R", turn is not Color.BLACK)
    for at, is_so in zip(_WHOLE_PLANES, flags, strict=True):
        if is_so:
            buffer[at : at + _SIZE] = _ONES
    for number, points in enumerate((own_bits, other), start=1):
        for index in indices(points):
            buffer[number * _SIZE + _AT[index]] = 1
    for index in indices(red):
        buffer[3 * _SIZE + _AT[index]] = cells[index].count("R")
    for index in indices(occupied):
        buffer[4 * _SIZE + _AT[index]] = len(cells[index])
    for index in indices(surrounded(occupied)):
        buffer[5 * _SIZE + _AT[index]] = 1
    return memoryview(buffer).cast("B", (len(PLANES), ROWS, COLUMNS))


_SIZE: Final = ROWS * COLUMNS
_AT: Final = {
    INDEX[point]: row * COLUMNS + column for point in POINTS for column, row in [column_row(point)]
}
"""Maps each bit index of a point to its index in a plane."""
_WHOLE_PLANES: Final = tuple(number * _SIZE for number in range(6, len(PLANES)))
_ONES: Final = bytes([1]) * _SIZE
_EMPTY: Final = bytes(at in _AT.values() for at in range(_SIZE)).ljust(len(PLANES) * _SIZE, b"\0")
"""The planes of an empty position: only the first one, `board`, has ones."""
