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
from collections.abc import Mapping
from typing import Final

from dvonn.board import POINTS, ROWS, Coordinates, Point, column_row
from dvonn.errors import DiagramError, DiagramProblem, PositionError
from dvonn.layout import PLACE, labels_below, laid_out, top_view, turn_line
from dvonn.pieces import PIECE_COUNTS, Color
from dvonn.position import Phase, Position
from dvonn.position_text import placed

_UNDER_ALL: Final = -1  # the row of labels under the lowest row of points
_TOP_VIEW: Final = re.compile(r"[RWB.]|[WB][1-9][0-9]*(?:\+[1-3])?")
_LEGEND: Final = re.compile(r"([a-z][0-9]+) ([RWB]{2,})")
_TURN: Final = re.compile(r"(White|Black) to (place|move)|Game over")

_Line = tuple[int, str]
"""The number of a line, from 1, and what it says."""


def to_diagram(
    position: Position,
    coordinates: Coordinates = Coordinates.STANDARD,
    *,
    legend: bool = True,
    turned: bool = False,
) -> str:
    """Return the diagram of a position: at most 71 columns, and well under 1000 characters.

    Args:
        position: what to show.
        coordinates: what the labels and the legend name the points by.
        legend: whether to list the pieces of tall stacks, without which the diagram cannot be
            read back.
        turned: whether Black's side of the board is at the bottom; such a one is not read back.
    """
    placing = position.phase is Phase.PLACEMENT
    lines = laid_out(
        position.stacks, position.turn, coordinates, placing=placing, legend=legend, turned=turned
    )
    return lines + "\n"


def from_diagram(text: str) -> Position:
    """Return the position of a diagram with a legend, in the coordinates that its labels show.

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


def _coordinates(line: _Line) -> Coordinates:
    label = line[1].split()[0]
    for coordinates in Coordinates:
        if label == coordinates.row_label(ROWS - 1):
            return coordinates
    raise DiagramError(line[0], DiagramProblem.BAD_ROW, label)


def _read_row(line: _Line, row: int, coordinates: Coordinates) -> dict[Point, tuple[int, str]]:
    """Return the top views of a row, each with the number of its line."""
    number, said = line
    points = [point for point in POINTS if column_row(point)[1] == row]
    label, *rest = said.split()
    views, ending = rest[: len(points)], rest[len(points) :]
    if (
        label != coordinates.row_label(row)
        or len(views) != len(points)
        or ending != labels_below(row, coordinates)
    ):
        raise DiagramError(number, DiagramProblem.BAD_ROW, said)
    for view in views:
        if not _TOP_VIEW.fullmatch(view):
            raise DiagramError(number, DiagramProblem.BAD_STACK, view)
    return {point: (number, view) for point, view in zip(points, views, strict=True)}


def _read_column_labels(line: _Line, coordinates: Coordinates) -> None:
    if line[1].split() != labels_below(_UNDER_ALL, coordinates):
        raise DiagramError(line[0], DiagramProblem.BAD_ROW, line[1])


def _read_legend(
    lines: list[_Line], views: Mapping[Point, tuple[int, str]], coordinates: Coordinates
) -> dict[Point, str]:
    """Return the stacks, from the legend where they are tall and from their top view where not."""
    listed: dict[Point, str] = {}
    for number, said in lines:
        match = _LEGEND.fullmatch(said)
        if match is None:
            raise DiagramError(number, DiagramProblem.BAD_STACK, said)
        point = coordinates.point(match[1])
        if point is None or point in listed or top_view(match[2]) != views[point][1]:
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
        if match[2] == PLACE:
            position = placed(stacks)[1]
        else:
            position = Position.from_stacks(stacks, turn=turn)
    except PositionError as error:
        raise DiagramError(number, DiagramProblem.IMPOSSIBLE, said) from error
    # The position knows better if the turn is a pass, or if the pieces are not placed in turn.
    kept = turn_line(position.turn, placing=position.phase is Phase.PLACEMENT)
    if kept != said or position.stacks != stacks:
        raise DiagramError(number, DiagramProblem.IMPOSSIBLE, said)
    return position
