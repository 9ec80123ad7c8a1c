"""Sets of points as integers, and lookup tables that make the rules fast.

Point (column, row) is bit 12 * row + column. The twelfth column is never used, so that a step to an
adjacent point is a shift by 1, 12 or 13 bits that can't land on a point in another row. In a table
with an entry for each bit index, the entries of unused bits are meaningless.

Most entries are computed on first use. Computing all of them would take longer than the rest of the
import.
"""

from itertools import product
from typing import Final

from dvonn._rules.board import COLUMNS, DIRECTIONS, POINTS, ROWS, Point, column_row, point_at
from dvonn._rules.move import Move

_WIDTH: Final = COLUMNS + 1

INDEX: Final = {
    point: _WIDTH * row + column for point in POINTS for column, row in [column_row(point)]
}
"""The bit index of each point."""

POINT_AT_INDEX: Final = {index: point for point, index in INDEX.items()}

SIZE: Final = max(POINT_AT_INDEX) + 1
"""Length of a list with an entry for each bit index."""


class _RowIndices(dict[int, tuple[int, ...]]):
    """Maps each set of columns to the bit indices of those columns in a row."""

    def __init__(self, row: int) -> None:
        self._row = row

    def __missing__(self, columns: int) -> tuple[int, ...]:
        row_indices = [_WIDTH * self._row + n for n in range(COLUMNS) if columns >> n & 1]
        return self.setdefault(columns, tuple(row_indices))


_ROW_0, _ROW_1, _ROW_2, _ROW_3, _ROW_4 = map(_RowIndices, range(ROWS))
_ROW: Final = (1 << COLUMNS) - 1
_TWO_ROWS: Final = (1 << 2 * _WIDTH) - 1


def indices(mask: int) -> tuple[int, ...]:
    """Return the indices of the bits that are set, in row order."""
    # A table lookup for each row is three times as fast as taking the lowest bit repeatedly.
    # Splitting the mask into two halves first is faster still.
    low, high = mask & _TWO_ROWS, mask >> 24
    return (
        _ROW_0[low & _ROW]
        + _ROW_1[low >> 12]
        + _ROW_2[high & _ROW]
        + _ROW_3[high >> 12 & _ROW]
        + _ROW_4[high >> 24]
    )


def surrounded(occupied: int) -> int:
    """Return the occupied points whose six neighbors are all occupied."""
    # A bit of `pairs` is a point that is occupied together with the one to its left. A point and
    # the ring around it are four such pairs: two that share the point, one above them and one
    # below.
    pairs = occupied & occupied << 1
    return pairs & pairs >> 1 & pairs << 12 & pairs >> 13


def unlinked(occupied: int, red: int, witnesses: int) -> int:
    """Return the occupied points that aren't linked to a red piece by a chain of neighbors.

    Args:
        occupied: The points of all stacks.
        red: The points of stacks that contain a red piece.
        witnesses: Stacks chosen so that if all of them are linked, every stack is. The search ends
            once it has reached them.
    """
    reached = red
    while witnesses & ~reached:
        right = reached | reached << 1
        wider = (right | reached >> 1 | right << 12 | right >> 13) & occupied
        if wider == reached:
            return occupied & ~reached
        reached = wider
    return 0


def _lines(point: Point) -> tuple[tuple[int, ...], ...]:
    """Return the bit indices from a point to the edge of the board, in each of the `DIRECTIONS`."""
    column, row = column_row(point)
    lines: list[tuple[int, ...]] = []
    for across, up in DIRECTIONS:
        end = point_at(column + across, row + up)
        line: list[int] = []
        while end is not None:
            line.append(INDEX[end])
            steps = len(line) + 1
            end = point_at(column + across * steps, row + up * steps)
        lines.append(tuple(line))
    return tuple(lines)


_LINES: Final = {point: _lines(point) for point in POINTS}


def _ends(point: Point, steps: int) -> list[int]:
    """Return the bit indices of the points `steps` away in a straight line, in row order."""
    return sorted([line[steps - 1] for line in _LINES[point] if steps <= len(line)])


def _mask(ends: list[int]) -> int:
    return sum([1 << index for index in ends])


_RING: Final = tuple(across + _WIDTH * up for across, up in DIRECTIONS)
"""Differences between the bit index of a point and the bit indices of its neighbors."""

_LOWEST: Final = -min(_RING)

_SPLIT_RINGS: Final = tuple(
    sum([1 << _LOWEST + beside for beside, is_in in zip(_RING, ring, strict=True) if is_in])
    for ring in product((False, True), repeat=len(_RING))
    if sum([is_in and not ring[number - 1] for number, is_in in enumerate(ring)]) > 1
)
"""All sets of neighbors of bit `_LOWEST` that form two or more separate runs around it."""


def _splits(index: int, neighbors: int) -> frozenset[int]:
    """Return the `_SPLIT_RINGS`, shifted to a point, that use only neighbors on the board."""
    missing = ~(neighbors << _LOWEST >> index)
    return frozenset([ring << index >> _LOWEST for ring in _SPLIT_RINGS if not ring & missing])


PLACEMENTS: Final = {
    Move(target=point): (index, 1 << index, sum(1 << INDEX[before] for before in POINTS[:rank]))
    for rank, (point, index) in enumerate(INDEX.items())
}
"""All placements in row order: the target as a bit index and as a set, and the points before it."""


class _Movements(dict[Move, tuple[int, int, int, int, int, frozenset[int]]]):
    def __missing__(self, move: Move) -> tuple[int, int, int, int, int, frozenset[int]]:
        if move.source is None:
            raise KeyError(move)
        source, target = INDEX[move.source], INDEX[move.target]
        neighbors = _mask(_ends(move.source, 1))
        splits = _splits(source, neighbors)
        return self.setdefault(move, (source, target, 1 << source, 1 << target, neighbors, splits))


MOVEMENTS: Final = _Movements()
"""Maps each possible movement to precomputed sets, filled on first use.

Each entry contains the source and target as bit indices, then both as sets, then the neighbors of
the source. The last item is a set of sets: if the occupied neighbors are one of them, they may be
linked only through the source.
"""


class _Landings(dict[int, tuple[Move, ...]]):
    """Maps each set of occupied points within a stack's reach to the moves onto them.

    Args:
        source: Point of the stack.
        ends: The stack's possible landings, as bit indices in row order.
    """

    def __init__(self, source: Point, ends: list[int]) -> None:
        self._source, self._ends = source, ends

    def __missing__(self, occupied: int) -> tuple[Move, ...]:
        targets = [POINT_AT_INDEX[index] for index in self._ends if occupied >> index & 1]
        moves = tuple([Move(target=target, source=self._source) for target in targets])
        return self.setdefault(occupied, moves)


_NOWHERE: Final = 0, _Landings(POINTS[0], [])


def _landings_by_index(height: int) -> tuple[tuple[int, _Landings], ...]:
    """Return the landing points and the moves of a stack of this height at each bit index."""
    landings: list[tuple[int, _Landings]] = [_NOWHERE] * SIZE
    for point, index in INDEX.items():
        if ends := _ends(point, height):
            landings[index] = _mask(ends), _Landings(point, ends)
    return tuple(landings)


# Indexed by height, then by bit index. Stacks taller than ten pieces exist, but can't move.
_LANDINGS: Final = (
    (_NOWHERE,) * SIZE,
    *(_landings_by_index(height) for height in range(1, COLUMNS)),
    *((_NOWHERE,) * SIZE for _ in range(COLUMNS, len(POINTS) + 1)),
)


def movements(cells: list[str], occupied: int, own_bits: int) -> tuple[Move, ...]:
    """Return all moves of a player's stacks, ordered by source, then by target.

    Args:
        cells: Pieces at each bit index.
        occupied: The points of all stacks.
        own_bits: The points of the player's stacks.
    """
    table = _LANDINGS
    moves: list[Move] = []
    for source in indices(own_bits & ~surrounded(occupied)):
        reach, landings = table[len(cells[source])][source]
        moves += landings[occupied & reach]
    return tuple(moves)
