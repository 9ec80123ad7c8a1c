"""Positions as numbers, for programs that learn. numpy is not needed, and takes them as they are.

>>> from dvonn import Position
>>> from dvonn.arrays import PLANES, cells, planes
>>> position = Position.initial().after("a1", "b1", "c1", "d1", "e1")
>>> cells(position)[:6]
[1, 1, 1, 3, 2, 0]
>>> planes(position).shape == (len(PLANES), 5, 11)
True

`numpy.asarray(planes(position))` is an array of that shape, and copies nothing.
"""

from typing import Final

from dvonn.board import COLUMNS, POINTS, ROWS, column_row
from dvonn.pieces import Color
from dvonn.position import Phase, Position

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
"""The planes in their order, each of 5 rows and 11 columns, a1 at [0, 0] and k5 at [4, 10].

- board: 1 where the board has a point.
- own, other: 1 where the player whose turn it is owns the stack, or their opponent does.
- red: the number of red pieces in the stack.
- height: the number of pieces on the point.
- stuck: 1 where a stack is surrounded.
- placing, placing red, white: 1 everywhere if pieces are placed, a red one is, or White is on turn.
"""


def cells(position: Position) -> list[int]:
    """Return a number for each of the `POINTS`, all that the rules ask of its stack.

    0 for nothing and 1 for a single red piece, else 4 x height + 2 x (1 if a red piece is in it)
    + (1 if Black owns it) - 2, as the programs of CodeCup count.
    """
    return [_cell(pieces) for pieces in map(position.stacks.get, POINTS)]


def _cell(pieces: str | None) -> int:
    if pieces is None or pieces == "R":
        return 0 if pieces is None else 1
    return 4 * len(pieces) + 2 * ("R" in pieces) + (pieces[-1] == Color.BLACK) - 2


def planes(position: Position) -> memoryview:
    """Return the `PLANES` of a position: unsigned bytes of shape (9, 5, 11), as the mover sees it.

    At the end of a game White is taken for the mover.
    """
    size = ROWS * COLUMNS
    mover = position.turn or Color.WHITE
    found = bytearray(len(PLANES) * size)
    said = (position.phase is Phase.PLACEMENT, position.to_place == "R", mover is Color.WHITE)
    for number, is_so in enumerate(said, start=len(PLANES) - len(said)):
        found[number * size : (number + 1) * size] = bytes([is_so]) * size
    for point in POINTS:
        found[_AT[point]] = 1
    for point, pieces in position.stacks.items():
        at, top = _AT[point], pieces[-1]
        told = (
            top == mover,
            top == mover.opponent,
            pieces.count("R"),
            len(pieces),
            position.is_surrounded(point),
        )
        for plane, value in enumerate(told, start=1):
            found[plane * size + at] = value
    return memoryview(found).cast("B", (len(PLANES), ROWS, COLUMNS))


_AT: Final = {
    point: row * COLUMNS + column for point in POINTS for column, row in [column_row(point)]
}
