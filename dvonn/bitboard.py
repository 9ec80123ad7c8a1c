"""Sets of points as integers, and the tables that make the rules quick.

Point (column, row) is bit 12 * row + column. The twelfth column is never used, so that a step to a
neighbour is a shift by 1, 12 or 13 bits that cannot land on a point of another row.
"""

from collections.abc import Iterator
from typing import Final

from dvonn.board import COLUMNS, DIRECTIONS, POINTS, Point, column_row, point_at
from dvonn.move import Move

_WIDTH: Final = COLUMNS + 1


def _index(point: Point) -> int:
    column, row = column_row(point)
    return _WIDTH * row + column


INDEX: Final = {point: _index(point) for point in POINTS}
"""The bit index of each point."""

SIZE: Final = max(INDEX.values()) + 1
"""How long a sequence must be to be read at each bit index."""

POINT_AT_INDEX: Final = {index: point for point, index in INDEX.items()}


def indices(mask: int) -> Iterator[int]:
    """The indices of the bits that are set, in row order."""
    while mask:
        lowest = mask & -mask
        yield lowest.bit_length() - 1
        mask ^= lowest


def surrounded(occupied: int) -> int:
    """Those of the occupied points whose six neighbours are all occupied."""
    return (
        occupied
        & (occupied << 1)
        & (occupied >> 1)
        & (occupied << 12)
        & (occupied >> 12)
        & (occupied << 13)
        & (occupied >> 13)
    )


def linked(occupied: int, seeds: int) -> int:
    """Those of the occupied points that chains of neighbours join to the seeds, seeds included."""
    reached, before = seeds, 0
    while reached != before:
        before = reached
        reached |= (
            reached << 1
            | reached >> 1
            | reached << 12
            | reached >> 12
            | reached << 13
            | reached >> 13
        ) & occupied
    return reached


def _ring(point: Point) -> list[int | None]:
    """The bits of the six places around a point, against the clock; None where the board ends."""
    column, row = column_row(point)
    around = (point_at(column + across, row + up) for across, up in DIRECTIONS)
    return [None if beside is None else 1 << INDEX[beside] for beside in around]


def _splits(point: Point) -> frozenset[int]:
    """The sets of occupied neighbours that fall into two runs or more around a point."""
    ring = _ring(point)
    bits = [bit for bit in ring if bit is not None]
    found = set()
    for choice in range(1 << len(bits)):
        mask = sum(bit for number, bit in enumerate(bits) if choice >> number & 1)
        taken = [bit is not None and bool(bit & mask) for bit in ring]
        runs = sum(here and not taken[number - 1] for number, here in enumerate(taken))
        if runs > 1:
            found.add(mask)
    return frozenset(found)


NEIGHBOURS: Final = {INDEX[point]: sum(bit or 0 for bit in _ring(point)) for point in POINTS}
"""The neighbours of each bit index, as a set."""

SPLITS: Final = {INDEX[point]: _splits(point) for point in POINTS}
"""The sets of occupied neighbours that the point between them alone may have joined."""


class _Landings(dict[int, tuple[Move, ...]]):
    """From the occupied landing points of one source and height to the moves there."""

    def __init__(self, source: Point, height: int) -> None:
        super().__init__()
        self.source = source
        column, row = column_row(source)
        ends = (point_at(column + across * height, row + up * height) for across, up in DIRECTIONS)
        self.reach = sum(1 << INDEX[end] for end in ends if end is not None)

    def __missing__(self, targets: int) -> tuple[Move, ...]:
        moves = tuple(
            Move(target=POINT_AT_INDEX[index], source=self.source) for index in indices(targets)
        )
        self[targets] = moves
        return moves


# By height, then by bit index: what a stack can reach, and the moves there. No line is longer than
# ten spaces, but a stack may be higher.
_TABLE: Final = tuple(
    {INDEX[point]: _Landings(point, height) for point in POINTS} for height in range(COLUMNS)
)


def movements(cells: tuple[str, ...], occupied: int, movers: int) -> tuple[Move, ...]:
    """All moves of the stacks in `movers`, none of them surrounded, in row order of sources."""
    moves: list[Move] = []
    for source in indices(movers):
        height = len(cells[source])
        if height < COLUMNS:
            landings = _TABLE[height][source]
            if targets := occupied & landings.reach:
                moves += landings[targets]
    return tuple(moves)
