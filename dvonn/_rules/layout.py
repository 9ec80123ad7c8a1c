"""Layout of stacks as a text diagram. `from_diagram` parses it and documents the format."""

from collections.abc import Iterator, Mapping
from typing import Final

from dvonn._rules.board import (
    COLUMNS,
    POINTS,
    ROWS,
    Coordinates,
    Point,
    column_row,
    opposite,
    point_at,
)
from dvonn._rules.pieces import Color

EMPTY: Final = "."
PLACE, _MOVE = "place", "move"
_GAME_OVER: Final = "Game over"


def diagram_text(
    stacks: Mapping[Point, str],
    turn: Color | None,
    coordinates: Coordinates = Coordinates.STANDARD,
    *,
    placing: bool,
    legend: bool = True,
    turned: bool = False,
) -> str:
    """Return the diagram that `dvonn._records.diagram.to_diagram` describes."""
    lines = list(_board_lines(stacks, coordinates, turned=turned))
    if legend:
        lines += [
            f"{coordinates.label(point)} {pieces}"
            for point, pieces in stacks.items()
            if len(pieces) > 1
        ]
    return "\n".join([*lines, turn_line(turn, placing=placing)])


def turn_line(turn: Color | None, *, placing: bool) -> str:
    """Return the diagram's last line, such as "White to move"."""
    if turn is None:
        return _GAME_OVER
    return f"{turn.name.capitalize()} to {PLACE if placing else _MOVE}"


def _board_lines(
    stacks: Mapping[Point, str], coordinates: Coordinates, *, turned: bool
) -> Iterator[str]:
    views = {
        point: top_view(stacks.get(opposite(point) if turned else point, "")) for point in POINTS
    }
    # Each row is shifted by half a cell from the next one, so cells must have an even width.
    half = (max(map(len, views.values())) + 2) // 2
    rows: list[dict[int, str]] = [{} for _ in range(ROWS + 1)]
    for point, view in views.items():
        column, row = column_row(point)
        rows[row + 1][_offset(column, row, half)] = view
    for row in range(ROWS):
        name = coordinates.row_label(ROWS - 1 - row if turned else row)
        rows[row + 1][_offset(_first_column(row) - 1, row, half)] = name
    for column in range(COLUMNS):
        row = row_below(column)
        name = coordinates.column_label(COLUMNS - 1 - column if turned else column)
        rows[row + 1][_offset(column, row, half)] = name
    for cells in reversed(rows):
        line = ""
        for offset in sorted(cells):
            line = line.ljust(offset) + cells[offset]
        yield line


def _offset(column: int, row: int, half: int) -> int:
    """Return the column in a text line of a point or label. The label of row 2 is at 0."""
    return half * (2 * column - row + 4)


def _first_column(row: int) -> int:
    return next(column for column in range(COLUMNS) if point_at(column, row))


def row_below(column: int) -> int:
    """Return the row of a column's label, just below the column's lowest point."""
    return next(row for row in range(ROWS) if point_at(column, row)) - 1


def top_view(pieces: str) -> str:
    """Return a point's top view: ".", a single piece, or a stack's owner, height and red pieces."""
    if len(pieces) < 2:  # noqa: PLR2004 - one piece is not a stack yet
        return pieces or EMPTY
    reds = pieces.count("R")
    return f"{pieces[-1]}{len(pieces)}" + (f"+{reds}" if reds else "")
