"""The geometry of the board, and its two notations for points.

A point is always identified by its standard name, such as "d2". Columns and rows count from 0, so
a1 is (0, 0) and k5 is (10, 4). Row 0 is at the bottom. The point (column, row) is drawn at x =
column - row / 2, which makes the board an elongated hexagon.
"""

from collections.abc import Iterator, Mapping
from enum import StrEnum
from types import MappingProxyType
from typing import TYPE_CHECKING, Final, NewType, TypeVar, overload

from dvonn._rules.errors import UnknownPointError

_T = TypeVar("_T")

Point = NewType("Point", str)
"""The standard name of a point of the board."""

if TYPE_CHECKING:

    class ByPoint(Mapping[Point, str]):
        """A read-only mapping from points, which also accepts a point's name as a plain string."""

        def __init__(self, texts: dict[Point, str], /) -> None: ...
        def __iter__(self) -> Iterator[Point]: ...
        def __len__(self) -> int: ...
        def __getitem__(self, point: str, /) -> str: ...
        @overload
        def get(self, point: str, /) -> str | None: ...
        @overload
        def get(self, point: str, /, default: str) -> str: ...
        @overload
        def get(self, point: str, /, default: _T) -> str | _T: ...
        def get(self, point: str, /, default: object = None) -> object:
            """Return the value for a point, or else the default."""

else:
    ByPoint = MappingProxyType

COLUMNS: Final = 11
ROWS: Final = 5

DIRECTIONS: Final = ((1, 0), (1, 1), (0, 1), (-1, 0), (-1, -1), (0, -1))
"""The steps to adjacent points as (columns, rows): east first, then counterclockwise."""


class Coordinates(StrEnum):
    """A notation for points. The texts of a game are parsed only in the game's own notation."""

    STANDARD = "standard"
    """Columns a to k, rows 1 to 5 from the bottom: "d2"."""
    PERGIOCO = "pergioco"
    """Rows e to a from the bottom, columns 1 to 11: standard b2 is "d2"."""

    def column_label(self, column: int) -> str:
        """Return the label of a column, counted from 0."""
        return "abcdefghijk"[column] if self is Coordinates.STANDARD else str(column + 1)

    def row_label(self, row: int) -> str:
        """Return the label of a row, counted from 0 at the bottom."""
        return str(row + 1) if self is Coordinates.STANDARD else "edcba"[row]

    def label(self, point: Point | str) -> str:
        """Return a point's label in the coordinate system.

        Raises:
            UnknownPointError: if it is not the standard name of a point.
        """
        if point not in _GRID:
            raise UnknownPointError(point)
        return _LABELS[self][Point(point)]

    def point(self, label: str) -> Point | None:
        """Return the point with exactly this label, or None."""
        return _POINTS_BY_LABEL[self].get(label)


def _make_label(coordinates: Coordinates, column: int, row: int) -> str:
    across, up = coordinates.column_label(column), coordinates.row_label(row)
    return across + up if coordinates is Coordinates.STANDARD else up + across


# The short rows lack columns: on the right at the bottom, and on the left at the top.
_GRID: Final = {
    Point(_make_label(Coordinates.STANDARD, column, row)): (column, row)
    for row in range(ROWS)
    for column in range(max(0, row - 2), min(COLUMNS, row + 9))
}
_BY_GRID: Final = {grid: point for point, grid in _GRID.items()}
_LABELS: Final = {
    coordinates: {point: _make_label(coordinates, *grid) for point, grid in _GRID.items()}
    for coordinates in Coordinates
}
_POINTS_BY_LABEL: Final = {
    coordinates: {label: point for point, label in labels.items()}
    for coordinates, labels in _LABELS.items()
}

POINTS: Final = tuple(_GRID)
"""All 49 points in row order: a1 to i1, a2 to j2, a3 to k3, b4 to k4, c5 to k5."""


def column_row(point: Point | str) -> tuple[int, int]:
    """Return the column of a point, from 0 to 10, and its row, from 0 to 4.

    Raises:
        UnknownPointError: if it is not the standard name of a point.
    """
    try:
        return _GRID[Point(point)]
    except KeyError:
        raise UnknownPointError(point) from None


def point_at(column: int, row: int) -> Point | None:
    """Return the point in a column and a row, counted from 0, or None off the board."""
    return _BY_GRID.get((column, row))


def opposite(point: Point | str) -> Point:
    """Return the image of a point when the board is rotated by 180 degrees.

    Raises:
        UnknownPointError: if it is not the standard name of a point.
    """
    column, row = column_row(point)
    return _BY_GRID[COLUMNS - 1 - column, ROWS - 1 - row]


def mirrored(point: Point | str) -> Point:
    """Return the mirror image of a point: the leftmost point of a row becomes the rightmost.

    Raises:
        UnknownPointError: if it is not the standard name of a point.
    """
    column, row = column_row(point)
    return _BY_GRID[COLUMNS - ROWS // 2 - 1 + row - column, row]


SYMMETRIES: Final[tuple[Mapping[Point, Point], ...]] = (
    {point: point for point in POINTS},
    {point: opposite(point) for point in POINTS},
    {point: mirrored(point) for point in POINTS},
    {point: opposite(mirrored(point)) for point in POINTS},
)
"""The board's four symmetries as maps from each point to its image. The identity comes first."""


def neighbours(point: Point | str) -> tuple[Point, ...]:
    """Return the adjacent points, in the order of `DIRECTIONS`: six, or fewer at the edge.

    Raises:
        UnknownPointError: if it is not the standard name of a point.
    """
    column, row = column_row(point)
    points = (point_at(column + across, row + up) for across, up in DIRECTIONS)
    return tuple(beside for beside in points if beside is not None)


def distance(source: Point | str, target: Point | str) -> int | None:
    """Return the number of steps between two points, or None if they are not on a straight line.

    Raises:
        UnknownPointError: if one of them is not the standard name of a point.
    """
    (column, row), (other_column, other_row) = column_row(source), column_row(target)
    across, up = other_column - column, other_row - row
    if across and up and across != up:
        return None
    return max(abs(across), abs(up))


def steps_between(source: Point | str, target: Point | str) -> int:
    """Return the number of steps on the shortest path between two points, ignoring stacks."""
    (column, row), (other_column, other_row) = column_row(source), column_row(target)
    across, up = other_column - column, other_row - row
    return max(abs(across), abs(up), abs(across - up))
