"""Parsing and formatting of moves, in either coordinate system.

A text is parsed only in the coordinates that the caller specifies. Any unambiguous spelling is
accepted. Anything else raises an error with the index in the text and the problem.
"""

import re
from typing import Final

from dvonn._rules.board import Coordinates, Point
from dvonn._rules.errors import NotationError, NotationProblem
from dvonn._rules.move import Move

# ASCII is spelled out because \d, \w and case folding include letters and digits of other scripts.
_BLANKS: Final = " \t\r\n\u00a0\u202f"
_POINT: Final = re.compile(r"([A-Za-z])([1-9][0-9]*)")
_INNER_BLANKS: Final = re.compile(r"[ \t\u00a0\u202f]*")
_SEPARATOR: Final = re.compile(r"[-\u2010\u2011\u2012\u2013\u2014\u2212]>?|\u2192|[tT][oO]|[xX:]")
_BETWEEN_ENTRIES: Final = re.compile(r"[\s,;/.`]*")
# Allowed separators between two entries of a list.
_LIST_GAP: Final = re.compile(r"(?:[\s,;/.>\u2192\u2010-\u2014\u2212xX:-]|[tT][oO])*")


def format_move(move: Move, coordinates: Coordinates = Coordinates.STANDARD) -> str:
    """Return the text of a move: "d2" for a placement, "d2-d4" for a movement."""
    target = coordinates.label(move.target)
    return target if move.source is None else f"{coordinates.label(move.source)}-{target}"


def parse_move(text: str, coordinates: Coordinates = Coordinates.STANDARD) -> Move:
    """Parse exactly one move.

    One point is a placement, and two points are a movement.

    Uppercase, whitespace around points, backticks around the whole, and a period after it are
    accepted. Two points may be joined directly, or separated by a dash of any kind, an arrow, a
    colon, "to" or "x".

    >>> parse_move("D2 → D4")
    Move(target='d4', source='d2')

    Raises:
        NotationError: for any other text, including "pass" and lists.
    """
    return _Reader(text, coordinates).move()


def parse_moves(text: str, coordinates: Coordinates = Coordinates.STANDARD) -> tuple[Move, ...]:
    """Parse one or more moves.

    Two points joined by a dash, an arrow, a colon, "to" or "x" are a movement. Every other point is
    a placement. Entries may be joined directly, or separated by whitespace, commas, semicolons,
    slashes and periods. Everything that `parse_move` accepts around a move is accepted here.

    Raises:
        NotationError: for any other text.
    """
    return _Reader(text, coordinates).moves()


def parse_point(text: str, coordinates: Coordinates = Coordinates.STANDARD) -> Point:
    """Parse exactly one point, in any spelling that `parse_move` accepts.

    Raises:
        NotationError: for any other text.
    """
    return _Reader(text, coordinates).only_point()


class _Reader:
    """A parser of moves and points in a text."""

    def __init__(self, text: str, coordinates: Coordinates) -> None:
        self.text = text
        self.coordinates = coordinates
        wrapping = _BLANKS + "`"
        self.at = len(text) - len(text.lstrip(wrapping))
        stripped = text.rstrip(wrapping)
        self.end = max(self.at, len(stripped.removesuffix(".").rstrip(wrapping)))

    def error(self, problem: NotationProblem) -> NotationError:
        return NotationError(self.text, self.at, problem)

    def skip(self, pattern: re.Pattern[str]) -> bool:
        """Skip the pattern if it is next. Return True if any text was skipped."""
        match = pattern.match(self.text, self.at, self.end)
        if match is None or match.end() == self.at:
            return False
        self.at = match.end()
        return True

    def only_point(self) -> Point:
        self.start()
        point = self.point()
        self.finish()
        return point

    def move(self) -> Move:
        self.start()
        first = self.point()
        if self.at == self.end:
            return Move(target=first)
        after_first = self.at
        if not self.separator() and _POINT.match(self.text, self.at, self.end) is None:
            self.at = after_first
            self.finish()
        second = self.point()
        self.finish()
        return Move(target=second, source=first)

    def moves(self) -> tuple[Move, ...]:
        self.start()
        moves: list[Move] = []
        while True:
            first = self.point()
            after_first = self.at
            if self.separator():
                moves.append(Move(target=self.point(), source=first))
            else:
                self.at = after_first
                moves.append(Move(target=first))
            self.skip(_BETWEEN_ENTRIES)
            if self.at == self.end:
                return tuple(moves)

    def separator(self) -> bool:
        """Skip a separator and the blanks around it. Return True if there was one."""
        self.skip(_INNER_BLANKS)
        if not self.skip(_SEPARATOR):
            return False
        self.skip(_INNER_BLANKS)
        if self.at == self.end:
            raise self.error(NotationProblem.INCOMPLETE)
        return True

    def start(self) -> None:
        if self.at == self.end:
            raise self.error(NotationProblem.EMPTY)
        if self.text[self.at : self.end].lower() == "pass":
            raise self.error(NotationProblem.PASS)

    def point(self) -> Point:
        match = _POINT.match(self.text, self.at, self.end)
        if match is None:
            raise self.error(NotationProblem.NOT_A_POINT)
        point = self.coordinates.point(match[0].lower())
        if point is None:
            raise self.error(NotationProblem.OFF_BOARD)
        self.at = match.end()
        return point

    def finish(self) -> None:
        """Raise an error if any text is left."""
        if self.at == self.end:
            return
        gap = _LIST_GAP.match(self.text, self.at, self.end)
        if gap is not None and _POINT.match(self.text, gap.end(), self.end):
            self.at = gap.end()
            raise self.error(NotationProblem.SEVERAL_MOVES)
        self.skip(_INNER_BLANKS)
        raise self.error(NotationProblem.TRAILING_TEXT)
