"""Text diagrams of positions, for monospaced fonts, and a parser for them.

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

Each point shows its top view: "." is an empty point, a letter is a single piece, "B3" is a stack of
three that Black owns, and "W5+1" is a stack of five that White owns and that contains one red
piece. Rows are labeled on the left, columns at the bottom where they leave the board. Below the
board, each stack of two or more pieces has a legend line that lists its pieces from bottom to top.
The last line gives the player to move. The position's history is left out. If a stack has no legend
line, its inner pieces are assumed. No rule depends on them.
"""

import re
from collections.abc import Mapping
from typing import Final

from dvonn._records.position_text import PrintedPosition, printed
from dvonn._rules.board import COLUMNS, POINTS, ROWS, Coordinates, Point, column_row, opposite
from dvonn._rules.errors import DiagramError, DiagramProblem, PositionError
from dvonn._rules.layout import EMPTY, PLACE, diagram_text, row_below, top_view, turn_line
from dvonn._rules.pieces import Color
from dvonn._rules.position import Phase, Position
from dvonn._rules.stacks import view_stack, with_assumed_pieces

_BELOW_BOARD: Final = -1  # index of the row of column labels below the board
_PIECES: Final = re.compile(r"[RWB]+")
_TOP_VIEW: Final = re.compile(r"([WB])([1-9][0-9]?)(?:\+([1-3]))?")
_LEGEND: Final = re.compile(r"([a-z][0-9]+) ([RWB]{2,})")
_TURN: Final = re.compile(r"(White|Black) to (place|move)|Game over")

_Line = tuple[int, str]
"""A line number, starting at 1, and the text of the line."""


def to_diagram(
    position: Position,
    coordinates: Coordinates = Coordinates.STANDARD,
    *,
    legend: bool = True,
    turned: bool = False,
) -> str:
    """Return a position's diagram: at most 71 columns and well under 1000 characters.

    Args:
        position: The position.
        coordinates: Coordinate system of the labels and the legend.
        legend: True to list the pieces of stacks. Without the list, a parser has to assume their
            inner pieces.
        turned: True to rotate the board by 180 degrees, so that Black's side is at the bottom.
    """
    placing = position.phase is Phase.PLACEMENT
    lines = diagram_text(
        position.stacks, position.turn, coordinates, placing=placing, legend=legend, turned=turned
    )
    return lines + "\n"


def from_diagram(text: str) -> Position:
    """Parse a diagram into a position, using the coordinates that its labels show.

    Blank lines, and spaces at both ends of a line, are ignored. `printed_from_diagram` reports the
    stacks with assumed pieces.

    Raises:
        DiagramError: if the text is not a diagram, with the number of the first wrong line and the
            reason.
    """
    return printed_from_diagram(text).position


def printed_from_diagram(text: str) -> PrintedPosition:
    """Parse a diagram into a position, and list the stacks whose inner pieces it does not show.

    Raises:
        DiagramError: as in `from_diagram`.
    """
    numbered = enumerate(text.split("\n"), start=1)
    lines = [(number, line.strip()) for number, line in numbered if line.strip()]
    if len(lines) < ROWS + 2:
        raise DiagramError(text.count("\n") + 1, DiagramProblem.MISSING_LINE)
    coordinates, turned = _orientation(lines[0])
    views: dict[Point, tuple[int, str]] = {}
    for row, line in zip(reversed(range(ROWS)), lines, strict=False):
        views |= _read_row(line, row, coordinates, turned=turned)
    if _joined(lines[ROWS][1].split()) != _labels_below(_BELOW_BOARD, coordinates, turned=turned):
        raise DiagramError(lines[ROWS][0], DiagramProblem.BAD_ROW, lines[ROWS][1])
    if turned:
        views = {opposite(point): view for point, view in views.items()}
    stacks = _read_legend(lines[ROWS + 1 : -1], views, coordinates)
    return _read_turn(lines[-1], stacks)


def _orientation(line: _Line) -> tuple[Coordinates, bool]:
    """Return the coordinate system of the labels, and whether Black's side is at the bottom."""
    label = line[1].split()[0]
    for coordinates in Coordinates:
        for turned in (False, True):
            if label == _row_label(ROWS - 1, coordinates, turned=turned):
                return coordinates, turned
    raise DiagramError(line[0], DiagramProblem.BAD_ROW, label)


def _row_label(row: int, coordinates: Coordinates, *, turned: bool) -> str:
    return coordinates.row_label(ROWS - 1 - row if turned else row)


def _labels_below(row: int, coordinates: Coordinates, *, turned: bool) -> str:
    """Return the labels of the columns whose lowest point is just above a row, without spaces."""
    columns = [column for column in range(COLUMNS) if row_below(column) == row]
    if turned:
        columns = [COLUMNS - 1 - column for column in columns]
    return _joined(map(coordinates.column_label, columns))


# There may be no space between two-digit labels, so labels are compared without spaces.
_joined: Final = "".join


def _read_row(
    line: _Line, row: int, coordinates: Coordinates, *, turned: bool
) -> dict[Point, tuple[int, str]]:
    """Return the top views in a row, each with its line number."""
    number, text = line
    points = [point for point in POINTS if column_row(point)[1] == row]
    label, *rest = text.split()
    views, ending = rest[: len(points)], rest[len(points) :]
    if (
        label != _row_label(row, coordinates, turned=turned)
        or len(views) != len(points)
        or _joined(ending) != _labels_below(row, coordinates, turned=turned)
    ):
        raise DiagramError(number, DiagramProblem.BAD_ROW, text)
    for view in views:
        if view != EMPTY and stack_of(view) is None:
            raise DiagramError(number, DiagramProblem.BAD_STACK, view)
    return {point: (number, view) for point, view in zip(points, views, strict=True)}


def stack_of(text: str) -> str | None:
    """Parse a stack, written as all its pieces ("WRB") or as its top view ("B3+1").

    Return its pieces from bottom to top, or None if the text is not a stack.
    """
    if _PIECES.fullmatch(text):
        return text
    match = _TOP_VIEW.fullmatch(text)
    height, reds = (0, 0) if match is None else (int(match[2]), int(match[3] or 0))
    return view_stack(match[1], height, reds) if match is not None and reds < height else None


def _read_legend(
    lines: list[_Line], views: Mapping[Point, tuple[int, str]], coordinates: Coordinates
) -> dict[Point, str]:
    """Return the stacks, from the legend if it has them and from their top views otherwise."""
    listed: dict[Point, str] = {}
    for number, text in lines:
        match = _LEGEND.fullmatch(text)
        if match is None:
            raise DiagramError(number, DiagramProblem.BAD_STACK, text)
        point = coordinates.point(match[1])
        if point is None or point in listed or top_view(match[2]) != views[point][1]:
            raise DiagramError(number, DiagramProblem.BAD_LEGEND, text)
        listed[point] = match[2]
    stacks_by_point = {point: stack_of(view) for point, (_, view) in views.items() if view != EMPTY}
    return {point: pieces for point in POINTS if (pieces := (stacks_by_point | listed).get(point))}


def _read_turn(line: _Line, stacks: Mapping[Point, str]) -> PrintedPosition:
    number, text = line
    match = _TURN.fullmatch(text)
    if match is None:
        raise DiagramError(number, DiagramProblem.BAD_TURN, text)
    turn = Color.BLACK if match[1] == "Black" else Color.WHITE
    try:
        result = printed(stacks, turn, placing=match[2] == PLACE)
    except PositionError as error:
        raise DiagramError(number, DiagramProblem.IMPOSSIBLE, text) from error
    # Creating the position resolves passes and checks that pieces were placed in turn, so a wrong
    # last line shows up as a difference.
    position = result.position
    expected = turn_line(position.turn, placing=position.phase is Phase.PLACEMENT)
    if expected != text or position.stacks != with_assumed_pieces(stacks):
        raise DiagramError(number, DiagramProblem.IMPOSSIBLE, text)
    return result
