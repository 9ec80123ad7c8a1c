r"""Reader for games in PGN's import format, used by `GameRecord`.

    [White "Ann"] [Black "Bob"]
    ; a comment to the end of its line
    % a line that is ignored
    1.d2 c3!? {quiet} (1... f5 $2 2. c3) 2. f5 1-0

All tokens of the standard are read: tag pairs anywhere before the moves, both kinds of comments,
lines that begin with a percent sign, move numbers with and without periods, `$5` and `!?`, nested
variations, and several games. Beyond the standard, results may have any dash, forced passes may be
written, and numbers may count plies, as in this package's texts, or pairs of plies.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Final, NamedTuple

from dvonn._records.record_text import (
    COORDINATES,
    DEEPEST,
    HIGHEST_NAG,
    IN_COMMENTS,
    IN_HEADERS,
    LONGEST_FOUND,
    MARKS,
    MOST_MOVES,
    RESULT,
    START,
    TAG,
    TERMINATION,
    UNFINISHED,
    UNKNOWN,
    passes_of,
    start_of,
    unescaped,
)
from dvonn._records.tree import Node, NodeDraft
from dvonn._rules.board import Coordinates
from dvonn._rules.errors import NotationError, RecordError, RecordProblem
from dvonn._rules.frozen import Value
from dvonn._rules.notation import parse_move
from dvonn._rules.position import IllegalMoveError, Phase, Position

DASHES: Final = "\u002d\u2010-\u2015\u2212"
"""Dashes, for use inside a regular expression's brackets. Word processors turn hyphens into them.
"""
_DASH: Final = rf"[ \t\u00a0]*[{DASHES}][ \t\u00a0]*"
_HALF: Final = "(?:1/2|\u00bd)"
RESULT_TOKEN: Final = rf"(?:1{_DASH}0|0{_DASH}1|{_HALF}{_DASH}{_HALF}|\*)"
"""Pattern of a game result, such as "1-0"."""
_TOKEN: Final = re.compile(
    rf"""
      (?P<blank>\s+|(?m:^)%[^\n]*)
    | (?P<line>;[^\n]*)
    | (?P<result>{RESULT_TOKEN}(?![^\s{{}}();*\[\]]))
    | (?P<number>[0-9]+(?:\s*[.\u2026]+)+|[0-9]+(?=[\s{{}}();]|\Z)|[.\u2026]+)
    | (?P<mark>\$[0-9]{{1,3}}(?![0-9])|[!?\u203c\u2047-\u2049]{{1,2}})
    | (?P<comment>\{{)
    | (?P<open>\()
    | (?P<close>\))
    | (?P<header>\[)
    | (?P<move>[^\s{{}}();$*\[\]!?\u203c\u2047-\u2049"]+|.)
    """,
    re.VERBOSE | re.DOTALL,
)
HEADER: Final = re.compile(rf'\[\s*({TAG.pattern})\s*"((?:[^"\\\n]|\\[^\n])*+)"\s*\]', re.DOTALL)
"""Pattern of a header: its tag, and its value in escaped form."""
_CHUNK: Final = re.compile(r"\S*")
_REST_OF_LINE: Final = re.compile(r"[^\r\n]*")
_BRACE: Final = re.compile(r"[{}]")
_DIGITS: Final = re.compile(r"[0-9]+")
_LONGEST_NUMBER: Final = 9
_PASSES: Final = frozenset({"pass", "--"})

_Place = tuple[int, int]
"""A line and a column, both from 1."""


class ParsedRecord(Value, kw_only=True):
    """A parsed game whose result has not been checked yet.

    Attributes:
        root: The root of all moves.
        headers: Headers by their tags, in the order of the text.
        places: Line and column (from 1) of each header, and of the result even if it is not a
            header.
        coordinates: The coordinate system of the text.
    """

    root: Node
    headers: Mapping[str, str]
    places: Mapping[str, _Place]
    coordinates: Coordinates


def parsed(text: str, *, several: bool) -> Iterator[ParsedRecord]:
    """Yield the games of a text.

    Args:
        text: The text of one or more games.
        several: False to refuse a second game.

    Raises:
        RecordError: if the text cannot be parsed to its end, with the line and column.
    """
    return _Reader(text, several=several).games()


class _Ply(NamedTuple):
    """A move of the current line, its number in the text, and the position after it."""

    draft: NodeDraft
    position: Position
    number: int


class _Reader:
    """A parser of one or more games in a text."""

    def __init__(self, text: str, *, several: bool) -> None:
        self._text = text
        self._several = several
        self._at = self._end = 0  # start and end index of the current token
        self._counted: _Place = (0, 1)  # an index in the text, and the number of its line
        self._takes: Mapping[str, Callable[[str], None]] = {
            "header": self._header,
            "comment": self._comment,
            "line": self._comment_line,
            "number": self._number,
            "mark": self._mark,
            "open": self._open,
            "close": self._close,
            "result": self._result_token,
            "move": self._move,
        }
        self._begin()

    def _begin(self) -> None:
        """Reset the state for the next game."""
        self._places: dict[str, _Place] = {}
        self._headers: dict[str, str] = {}
        self._coordinates = Coordinates.STANDARD
        self._line = [_Ply(NodeDraft(), Position.initial(), 0)]
        self._outer: list[list[_Ply]] = []  # the enclosing line of each open bracket
        self._move_count = 0  # number of moves so far, including variations
        self._opened = False  # True right after an opening bracket
        self._pending_number = 0  # a move number whose move has not been read yet, or 0
        self._by_plies: bool | None = None  # True if numbers count plies, None if unknown
        self._result: str | None = None

    def games(self) -> Iterator[ParsedRecord]:
        while self._end < len(self._text):
            self._at = self._end
            kind, text = self._next()
            if kind == "blank":
                continue
            if self._result is not None and kind not in {"comment", "line"}:
                if not self._several:
                    raise self._error(RecordProblem.AFTER_RESULT, self._chunk(text))
                yield self._game()
                self._begin()
            self._takes[kind](text)
        self._at = len(self._text)
        if self._result is None:
            raise self._error(RecordProblem.NO_RESULT)
        yield self._game()

    def _next(self) -> tuple[str, str]:
        """Advance to the next token. Return its kind and its text."""
        match = _TOKEN.match(self._text, self._at)
        if match is None or match.lastgroup is None:
            raise AssertionError("every character matches a token")
        self._end = match.end()
        return match.lastgroup, match[0]

    def _game(self) -> ParsedRecord:
        return ParsedRecord(
            root=self._line[0].draft.node(),
            headers=self._headers,
            places=self._places,
            coordinates=self._coordinates,
        )

    def _error(self, reason: RecordProblem, excerpt: str = "") -> RecordError:
        line, column = self._place()
        return RecordError(line, reason, excerpt[:LONGEST_FOUND], column)

    def _place(self) -> _Place:
        at, (counted_to, line) = self._at, self._counted
        line += self._text.count("\n", counted_to, at)
        self._counted = at, line
        return line, at - self._text.rfind("\n", 0, at)

    def _chunk(self, text: str) -> str:
        """Return the text to quote in an error: the token, or "[" and all up to a blank."""
        chunk = _CHUNK.match(self._text, self._at) if text == "[" else None
        return text if chunk is None else chunk[0]

    def _header(self, token: str) -> None:
        if len(self._line) > 1 or self._outer:
            raise self._error(RecordProblem.NO_RESULT, self._chunk(token))
        match = HEADER.match(self._text, self._at)
        if match is None:
            rest = _REST_OF_LINE.match(self._text, self._at)
            raise self._error(RecordProblem.BAD_HEADER, "" if rest is None else rest[0].rstrip())
        tag, value = match[1], unescaped(match[2], IN_HEADERS)
        if tag in self._headers:
            raise self._error(RecordProblem.HEADER_TWICE, tag)
        self._headers[tag] = value if tag != RESULT else _plain_result(value)
        self._places[tag] = self._place()
        if tag == COORDINATES:
            try:
                self._coordinates = Coordinates(value)
            except ValueError:
                raise self._error(RecordProblem.WRONG_COORDINATES, value) from None
        elif tag == START:
            try:
                start = start_of(self._headers).position
            except RecordError as error:
                raise self._error(error.reason, error.part) from error.__cause__
            self._line = [_Ply(self._line[0].draft, start, 0)]
        self._end = match.end()

    def _comment(self, _token: str) -> None:
        end = self._comment_end()
        lines = self._text[self._end : end].split("\n")
        self._end = end + 1
        self._add_comment(
            unescaped(" ".join(line.removesuffix("\r") for line in lines), IN_COMMENTS)
        )

    def _comment_end(self) -> int:
        """Return the index of the brace that closes a comment.

        In this package's texts, which have a Coordinates header, each "}" in a comment is escaped
        by a backslash. PGN has no such escape. So in other texts, an escaped brace closes the
        comment, unless another closing brace follows before the next opening one.
        """
        end = self._end
        while (end := self._text.find("}", end)) >= 0:
            if not self._is_escaped(end):
                return end
            end += 1
        raise self._error(RecordProblem.UNCLOSED_COMMENT)

    def _is_escaped(self, brace: int) -> bool:
        first = brace
        while self._text[first - 1] == "\\":
            first -= 1
        if (brace - first) % 2 == 0:
            return False
        following = _BRACE.search(self._text, brace + 1)
        return COORDINATES in self._headers or (following is not None and following[0] == "}")

    def _comment_line(self, token: str) -> None:
        self._add_comment(token[1:])

    def _add_comment(self, text: str) -> None:
        ply, text = self._line[-1], text.strip()
        if self._result is None and text not in passes_of(ply.position):
            ply.draft.comments.append(text)

    def _mark(self, token: str) -> None:
        number = int(token[1:]) if token[0] == "$" else MARKS[token]
        if number > HIGHEST_NAG:
            raise self._error(RecordProblem.NOT_A_MOVE, token)
        self._line[-1].draft.nags.append(number)

    def _number(self, token: str) -> None:
        digits = _DIGITS.match(token)
        if digits is None:  # periods without a number, which some programs write
            return
        number, ply = int(digits[0][:_LONGEST_NUMBER]), len(self._line)
        if ply > 1 and self._by_plies is None:
            self._by_plies = number == ply
        before = self._pending_number or self._line[-1].number
        is_first = before == 0 and START in self._headers
        fits_pairs = is_first or number in {before, before + 1, (ply + 1) // 2}
        if not (number == ply if self._by_plies else fits_pairs):
            raise self._error(RecordProblem.MOVE_NUMBER, token)
        self._pending_number = number

    def _open(self, token: str) -> None:
        """Begin a variation at the position before the last move."""
        if self._opened or len(self._line) == 1:
            raise self._error(RecordProblem.BAD_VARIATION, token)
        if len(self._outer) == DEEPEST:
            raise self._error(RecordProblem.TOO_DEEP, token)
        self._outer.append(self._line)
        self._line, self._opened, self._pending_number = self._line[:-1], True, 0

    def _close(self, token: str) -> None:
        if self._opened or not self._outer:
            raise self._error(RecordProblem.BAD_VARIATION, token)
        self._line, self._pending_number = self._outer.pop(), 0

    def _move(self, token: str) -> None:
        ply = self._line[-1]
        if ply.position.passed and token.lower() in _PASSES:
            return
        try:
            move = parse_move(token, self._coordinates)
            after = ply.position.play(move)
        except NotationError as error:
            raise self._error(RecordProblem.NOT_A_MOVE, token) from error
        except IllegalMoveError as error:
            raise self._error(RecordProblem.ILLEGAL_MOVE, token) from error
        self._move_count += 1
        if self._move_count > MOST_MOVES:
            raise self._error(RecordProblem.TOO_MANY_MOVES, token)
        number = self._pending_number or ply.number
        self._line.append(_Ply(ply.draft.child(move), after, number))
        self._opened, self._pending_number = False, 0

    def _result_token(self, token: str) -> None:
        if self._outer:
            raise self._error(RecordProblem.NOT_A_MOVE, token)
        self._result = result = _plain_result(token)
        if self._headers.setdefault(RESULT, result) != result:
            raise self._error(RecordProblem.WRONG_RESULT, token)
        self._places.setdefault(RESULT, self._place())
        is_over = self._line[-1].position.phase is Phase.OVER
        if result == UNFINISHED and is_over:
            del self._headers[RESULT]  # the text has no result although the game is over
        elif result != UNFINISHED and not is_over:
            self._headers.setdefault(TERMINATION, UNKNOWN)


def _plain_result(text: str) -> str:
    """Return a result in standard notation, or the text itself if it is not a result."""
    return re.sub(_DASH, "-", text).replace("\u00bd", "1/2").strip()
