"""Positions in printed form: as one line, as a diagram, or as a list of stacks.

>>> from dvonn_lessons.printed import printed_position
>>> found = printed_position("a1 B6, b1 W3+1, b2 R, c1 W; White to move")
>>> found.position.height("a1"), found.position.reds("b1"), found.assumed
(6, 1, ('a1', 'b1'))

A list names each stack by its space, its owner and height, and its red pieces after a plus sign, or
by all its pieces from bottom to top. The player to move comes last.
"""

import re
from typing import Final

from dvonn._records.diagram import printed_from_diagram, stack_of
from dvonn._records.position_text import PrintedPosition, printed, printed_from_text
from dvonn._rules.board import Coordinates, Point
from dvonn._rules.errors import (
    DiagramError,
    DiagramProblem,
    PositionError,
    PositionTextError,
)
from dvonn._rules.pieces import Color

_ENTRY: Final = re.compile(
    r"\s*+([a-k][0-9]{1,2})[ \t]*+(?:[:=][ \t]*+)?([RWB][RWB0-9+]*)(?=[\s,;.|/]|\Z)"
)
_BETWEEN: Final = re.compile(r"[\s,;.|/]*")
_TURN: Final = re.compile(
    r"(white|black|w|b)(?:[ \t]+(?:to[ \t]+)?(?:move|play|moves|plays))?\W*", re.IGNORECASE
)


def printed_position(text: str, coordinates: Coordinates = Coordinates.STANDARD) -> PrintedPosition:
    """Parse a position in any of the three forms.

    Args:
        text: The position and nothing else.
        coordinates: The system in which a list names points. A diagram has its own labels.

    Raises:
        DiagramError: if the text has none of these forms, with the line.
    """
    try:
        return printed_from_text(text)
    except PositionTextError as error:
        if _ENTRY.match(text) is not None:
            return _listed(text, coordinates)
        try:
            return printed_from_diagram(text)
        except DiagramError as problem:
            raise problem from error


def _listed(text: str, coordinates: Coordinates) -> PrintedPosition:
    stacks: dict[Point, str] = {}
    at = 0
    while (entry := _ENTRY.match(text, at)) is not None:
        line = text.count("\n", 0, entry.start(1)) + 1
        point, pieces = coordinates.point(entry[1]), stack_of(entry[2])
        if point is None or pieces is None or point in stacks:
            raise DiagramError(line, DiagramProblem.BAD_STACK, entry[0].strip())
        stacks[point] = pieces
        between = _BETWEEN.match(text, entry.end())
        at = entry.end() if between is None else between.end()
    line, content = text.count("\n", 0, at) + 1, text[at:].strip()
    turn = _TURN.fullmatch(content)
    if turn is None:
        raise DiagramError(line, DiagramProblem.BAD_TURN, content)
    try:
        return printed(stacks, Color(turn[1][0].upper()), placing=False)
    except PositionError as error:
        raise DiagramError(line, DiagramProblem.IMPOSSIBLE, content) from error
