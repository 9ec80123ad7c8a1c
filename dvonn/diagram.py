"""A position as a text diagram, for monospaced fonts, and back.

          5     .     .     .     .     .     .     .     .     .
       4     .     .     .     .     .     R     .     W5+1  W2+1  B3
    3     .     .     .     .     .     .     .     .     .     .     .
       2     .     .     .     .     .     .     .     .     .     .     k
          1     .     .     .     .     .     .     .     .     .     j
                   a     b     c     d     e     f     g     h     i
    i4 WBRWW
    j4 RW
    k4 WBB
    Game over

A point shows its top view: "." is empty, a letter one piece, "B3" a stack of three that Black owns,
and "W5+1" one of five with one red piece inside. Rows are named at their left, columns where they
leave the board at the bottom. Then a legend line for each stack of two pieces or more gives them
bottom to top, and the last line says whose turn it is. So nothing is lost but how the position came
about.
"""

import re
from collections.abc import Iterator, Mapping
from typing import Final

from dvonn.board import COLUMNS, POINTS, ROWS, Coordinates, Point, column_row, opposite, point_at
from dvonn.errors import DiagramError, DiagramProblem, PositionError
from dvonn.pieces import PIECE_COUNTS, Color
from dvonn.position import Phase, Position
from dvonn.position_text import placed

_UNDER_ALL: Final = -1  # the row of labels under the lowest row of points
_EMPTY: Final = "."
_TOP_VIEW: Final = re.compile(r"[RWB.]|[WB][1-9][0-9]*(?:\+[1-3])?")
_LEGEND: Final = re.compile(r"([a-z][0-9]+) ([RWB]{2,})")
_TURN: Final = re.compile(r"(White|Black) to (place|move)|Game over")
_PLACE, _MOVE = "place", "move"

_Line = tuple[int, str]
"""The number of a line, from 1, and what it says."""


def to_diagram(
    position: Position,
    coordinates: Coordinates = Coordinates.STANDARD,
    *,
    legend: bool = True,
    turned: bool = False,
) -> str:
    """The diagram of a position: at most 71 columns, and well under 1000 characters.

    Args:
        position: what to show.
        coordinates: what the labels and the legend name the points by.
        legend: whether to list the pieces of tall stacks, without which the diagram cannot be
            read back.
        turned: whether Black's side of the board is at the bottom; such a one is not read back.
    """
    stacks = position.stacks
    lines = list(_board_lines(stacks, coordinates, turned=turned))
    if legend:
        lines += [
            f"{coordinates.label(point)} {pieces}"
            for point, pieces in stacks.items()
            if len(pieces) > 1
        ]
    return "\n".join([*lines, _turn_line(position)]) + "\n"


def from_diagram(text: str) -> Position:
    """The position of a diagram with a legend, in the coordinates that its labels show.

    Blank lines, and blanks around what a line says, do not matter.

    Raises:
        DiagramError: with the first line that cannot be read, or fits no position, and why.
    """
    numbered = enumerate(text.split("\n"), start=1)
    lines = [(number, line.strip()) for number, line in numbered if line.strip()]
    if len(lines) < ROWS + 2:
        raise DiagramError(text.count("\n") + 1, DiagramProblem.MISSING_LINE)
    coordinates = _coordinates(lines[0])
    views: dict[Point, tuple[int, str]] = {}
    for row, line in zip(reversed(range(ROWS)), lines, strict=False):
        views |= _read_row(line, row, coordinates)
    _read_column_labels(lines[ROWS], coordinates)
    stacks = _read_legend(lines[ROWS + 1 : -1], views, coordinates)
    return _read_turn(lines[-1], stacks)


def _board_lines(
    stacks: Mapping[Point, str], coordinates: Coordinates, *, turned: bool
) -> Iterator[str]:
    views = {
        point: _top_view(stacks.get(opposite(point) if turned else point, "")) for point in POINTS
    }
    # Half a cell is how far one row is shifted against the next, so a cell has an even width.
    half = (max(map(len, views.values())) + 2) // 2
    rows: list[dict[int, str]] = [{} for _ in range(ROWS + 1)]
    for point, view in views.items():
        column, row = column_row(point)
        rows[row + 1][_offset(column, row, half)] = view
    for row in range(ROWS):
        name = coordinates.row_label(ROWS - 1 - row if turned else row)
        rows[row + 1][_offset(_first_column(row) - 1, row, half)] = name
    for column in range(COLUMNS):
        row = _row_below(column)
        name = coordinates.column_label(COLUMNS - 1 - column if turned else column)
        rows[row + 1][_offset(column, row, half)] = name
    for cells in reversed(rows):
        line = ""
        for offset in sorted(cells):
            line = line.ljust(offset) + cells[offset]
        yield line


def _offset(column: int, row: int, half: int) -> int:
    """How many characters stand left of a place; that of row 2's label is 0."""
    return half * (2 * column - row + 4)


def _first_column(row: int) -> int:
    return next(column for column in range(COLUMNS) if point_at(column, row))


def _row_below(column: int) -> int:
    """The row in which a column has just left the board, and its label stands."""
    return next(row for row in range(ROWS) if point_at(column, row)) - 1


def _labels_below(row: int, coordinates: Coordinates) -> list[str]:
    """The labels of the columns that have just left the board in a row."""
    return [coordinates.column_label(c) for c in range(COLUMNS) if _row_below(c) == row]


def _top_view(pieces: str) -> str:
    if len(pieces) < 2:  # noqa: PLR2004 - one piece is no stack yet
        return pieces or _EMPTY
    reds = pieces.count("R")
    return f"{pieces[-1]}{len(pieces)}" + (f"+{reds}" if reds else "")


def _turn_line(position: Position) -> str:
    if position.turn is None:
        return "Game over"
    action = _PLACE if position.phase is Phase.PLACEMENT else _MOVE
    return f"{position.turn.name.capitalize()} to {action}"


def _coordinates(line: _Line) -> Coordinates:
    label = line[1].split()[0]
    for coordinates in Coordinates:
        if label == coordinates.row_label(ROWS - 1):
            return coordinates
    raise DiagramError(line[0], DiagramProblem.BAD_ROW, label)


def _read_row(line: _Line, row: int, coordinates: Coordinates) -> dict[Point, tuple[int, str]]:
    """The top views of a row, each with the number of its line."""
    number, said = line
    points = [point for point in POINTS if column_row(point)[1] == row]
    label, *rest = said.split()
    views, ending = rest[: len(points)], rest[len(points) :]
    if (
        label != coordinates.row_label(row)
        or len(views) != len(points)
        or ending != _labels_below(row, coordinates)
    ):
        raise DiagramError(number, DiagramProblem.BAD_ROW, said)
    for view in views:
        if not _TOP_VIEW.fullmatch(view):
            raise DiagramError(number, DiagramProblem.BAD_STACK, view)
    return {point: (number, view) for point, view in zip(points, views, strict=True)}


def _read_column_labels(line: _Line, coordinates: Coordinates) -> None:
    if line[1].split() != _labels_below(_UNDER_ALL, coordinates):
        raise DiagramError(line[0], DiagramProblem.BAD_ROW, line[1])


def _read_legend(
    lines: list[_Line], views: Mapping[Point, tuple[int, str]], coordinates: Coordinates
) -> dict[Point, str]:
    """The stacks, from the legend where they are tall and from their top view where not."""
    listed: dict[Point, str] = {}
    for number, said in lines:
        match = _LEGEND.fullmatch(said)
        if match is None:
            raise DiagramError(number, DiagramProblem.BAD_STACK, said)
        point = coordinates.point(match[1])
        if point is None or point in listed or _top_view(match[2]) != views[point][1]:
            raise DiagramError(number, DiagramProblem.BAD_LEGEND, said)
        listed[point] = match[2]
    for point, (number, view) in views.items():
        if len(view) > 1 and point not in listed:
            raise DiagramError(number, DiagramProblem.BAD_LEGEND, view)
    singles = {point: view for point, (_, view) in views.items() if view in PIECE_COUNTS}
    return singles | listed


def _read_turn(line: _Line, stacks: Mapping[Point, str]) -> Position:
    number, said = line
    match = _TURN.fullmatch(said)
    if match is None:
        raise DiagramError(number, DiagramProblem.BAD_TURN, said)
    turn = Color.BLACK if match[1] == "Black" else Color.WHITE
    try:
        if match[2] == _PLACE:
            position = placed(stacks)[1]
        else:
            position = Position.from_stacks(stacks, turn=turn)
    except PositionError as error:
        raise DiagramError(number, DiagramProblem.IMPOSSIBLE, said) from error
    # The position knows better if the turn is a pass, or if the pieces are not placed in turn.
    if _turn_line(position) != said or position.stacks != stacks:
        raise DiagramError(number, DiagramProblem.IMPOSSIBLE, said)
    return position
