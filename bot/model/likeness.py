"""Whether a position is that of a game, turned or mirrored or with the colours changed.

Whose turn it is does not matter here: who asks what the other player threatens is helped as well.
"""

from collections.abc import Iterable
from typing import Final

from dvonn import COLUMNS, POINTS, ROWS, Point, Position, column_row, point_at

Cells = tuple[str, ...]
"""The pieces on each point of the board, in the order of `POINTS`, bottom to top."""

_AHEAD: Final = 2
"""So many plies on from a game, a position tells of the game's next move."""


def is_like(position: Position, present: Position, past: Iterable[Position] = ()) -> bool:
    """Whether what is said of a position helps in a game: it is there, just was, or may soon be.

    Args:
        position: What is asked about.
        present: How the game stands.
        past: The positions just before that.
    """
    forms = alike(position)
    return any(cells(one) in forms for one in past) or _leads_to(present, forms, _AHEAD)


def alike(position: Position) -> frozenset[Cells]:
    """A position in all the ways in which it is the same: four by symmetry, each in two colours."""
    here = cells(position)
    turned = [tuple(here[index] for index in order) for order in _ORDERS]
    return frozenset([*turned, *(tuple(map(_recoloured, one)) for one in turned)])


def cells(position: Position) -> Cells:
    """What stands on each point."""
    stacks = position.stacks
    return tuple(stacks.get(point, "") for point in POINTS)


def _leads_to(position: Position, targets: frozenset[Cells], plies: int) -> bool:
    """Whether one of some positions may come about within so many plies."""
    here = cells(position)
    if here in targets:
        return True
    # What a ply leaves on the board differs from what was there on one point at most.
    near = frozenset(one for one in targets if _changed(here, one) <= plies)
    return bool(near and plies) and any(
        _leads_to(position.play(move), near, plies - 1) for move in position.legal_moves()
    )


def _changed(before: Cells, after: Cells) -> int:
    """On how many points something else stands than before."""
    return sum(1 for old, new in zip(before, after, strict=True) if new and new != old)


_SWAPPED: Final = str.maketrans("WB", "BW")


def _recoloured(pieces: str) -> str:
    return pieces.translate(_SWAPPED)


def _turned(point: Point) -> Point:
    """Where a point lies after half a turn of the board."""
    column, row = column_row(point)
    return _point(COLUMNS - 1 - column, ROWS - 1 - row)


def _mirrored(point: Point) -> Point:
    """Where a point lies in the mirror: at the other end of its row."""
    column, row = column_row(point)
    columns = [column_row(one)[0] for one in POINTS if column_row(one)[1] == row]
    return _point(columns[0] + columns[-1] - column, row)


def _point(column: int, row: int) -> Point:
    point = point_at(column, row)
    assert point is not None  # the board is symmetric  # noqa: S101
    return point


_ORDERS: Final = tuple(
    tuple(POINTS.index(form(point)) for point in POINTS)
    for form in (
        lambda point: point,
        _turned,
        _mirrored,
        lambda point: _turned(_mirrored(point)),
    )
)
