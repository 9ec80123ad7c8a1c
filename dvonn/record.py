"""A game as a text that people and programs can keep: headers, then numbered moves.

    [White "Ann"]
    [Black "Bob"]
    [Coordinates "standard"]
    [Result "1-0"]
    [Termination "resignation"]

    1. d2 2. c3 3. f5 ...
    50. a1-a2 {Black passes} 51. ...
    1-0

The form is that of chess's PGN, with each ply under its own number. A forced pass is no ply: it is
told in a comment and, as all comments, skipped when the text is read. A game that does not begin on
the empty board has a Start header with its first position in one line (`position_text`).
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Final

from dvonn.board import Coordinates
from dvonn.errors import (
    NotationError,
    PositionTextError,
    RecordError,
    RecordProblem,
)
from dvonn.move import Move
from dvonn.notation import format_move, parse_move
from dvonn.pieces import Color
from dvonn.position import IllegalMoveError, Phase, Position
from dvonn.position_text import placed, position_from_text, position_to_text

_START: Final = "Start"
_COORDINATES: Final = "Coordinates"
RESULT: Final = "Result"
_SCORE: Final = "Score"
TERMINATION: Final = "Termination"
RESIGNATION: Final = "resignation"
"""The Termination header of a game that a player gave up."""

_UNFINISHED: Final = "*"
WON_BY: Final = {Color.WHITE: "1-0", Color.BLACK: "0-1", None: "1/2-1/2"}
_RESULTS: Final = (*WON_BY.values(), _UNFINISHED)

_COLUMNS: Final = 80
_TAG: Final = re.compile(r"[A-Za-z][A-Za-z0-9_]*")
HEADER: Final = re.compile(rf'\[({_TAG.pattern}) "((?:[^"\\]|\\["\\nr])*+)"\]')
"""A header as it is written: its tag, and its value before it is unescaped."""
_NUMBER: Final = re.compile(r"[0-9]+\.")
_TOKEN: Final = re.compile(r"\{|[^\s{]+")
# The backslash comes first: the others are written with one.
_ESCAPES: Final = {"\\": "\\", '"': '"', "n": "\n", "r": "\r"}
_CONTRADICTIONS: Final = {
    _COORDINATES: RecordProblem.WRONG_COORDINATES,
    RESULT: RecordProblem.WRONG_RESULT,
    _SCORE: RecordProblem.WRONG_SCORE,
    _START: RecordProblem.WRONG_START,
}


@dataclass(frozen=True, slots=True, init=False)
class GameRecord:
    """The moves of one game from its start, and what is known about it.

    The headers Coordinates and Result are always there, and Score ("21-5", White's pieces first)
    when the game is over: what is not given is filled in. A result other than "*" before the end
    needs a Termination header, such as "resignation".

    Attributes:
        moves: placements, then movements; never a pass.
        coordinates: the system in which the text names points.
        start: the position before the first move; where it is not given, that of the Start header,
            or the empty board. A board that nobody placed is told best as a start.

    Raises:
        IllegalMoveError: if the rules refuse one of the moves.
        RecordError: if a header is malformed or contradicts the moves; its `line` is None.
    """

    moves: tuple[Move, ...]
    coordinates: Coordinates
    start: Position
    _headers: tuple[tuple[str, str], ...] = field(repr=False)

    def __init__(
        self,
        moves: Iterable[Move],
        headers: Mapping[str, str] = MappingProxyType({}),
        coordinates: Coordinates = Coordinates.STANDARD,
        *,
        start: Position | None = None,
    ) -> None:
        played = tuple(moves)
        begun = _start(headers) if start is None else start
        final = _replayed(begun, played)[-1]
        # The only way to set a frozen field.
        object.__setattr__(self, "moves", played)
        object.__setattr__(self, "coordinates", coordinates)
        object.__setattr__(self, "start", begun)
        object.__setattr__(self, "_headers", _settled(headers, coordinates, begun, final))

    @classmethod
    def from_text(cls, text: str) -> "GameRecord":
        return next(_Reader(text, several=False).records())

    @property
    def headers(self) -> Mapping[str, str]:
        """All headers in their order, the filled-in ones included; read-only."""
        return MappingProxyType(dict(self._headers))

    @property
    def result(self) -> str:
        """The Result header: "1-0" (White won), "0-1", "1/2-1/2", or "*" without one."""
        return self.headers[RESULT]

    def positions(self) -> tuple[Position, ...]:
        """Return the start, then the position after each ply."""
        return tuple(_replayed(self.start, self.moves))

    def from_empty_board(self) -> "GameRecord":
        """Return the game as a record that begins on the empty board, with a full one placed first.

        Raises:
            RecordError: if no placements lead to its start.
        """
        placements, position = placed(self.start.stacks)
        if position != self.start:
            raise RecordError(None, RecordProblem.FOREIGN_START, position_to_text(self.start))
        headers = {tag: value for tag, value in self._headers if tag != _START}
        return GameRecord((*placements, *self.moves), headers, self.coordinates)

    def to_text(self) -> str:
        """The text of the record, which `from_text` reads back; moves wrapped at 80 columns."""
        headers = [f'[{tag} "{_escape(value)}"]' for tag, value in self._headers]
        tokens = list(self._tokens())
        number = sum(move.source is None for move in self.moves)
        placements, movements = tokens[:number], tokens[number:]
        lines = [*headers, "", *_wrapped(placements), *_wrapped(movements), self.result]
        return "\n".join(lines) + "\n"

    def _tokens(self) -> Iterator[str]:
        """Each ply with its number, and with the passes that follow it: what a line never parts."""
        after = self.positions()[1:]
        for number, (move, position) in enumerate(zip(self.moves, after, strict=True), start=1):
            passes = "".join(f" {{{color.name.capitalize()} passes}}" for color in position.passed)
            yield f"{number}. {format_move(move, self.coordinates)}{passes}"


def _replayed(start: Position, moves: Iterable[Move]) -> list[Position]:
    positions = [start]
    for move in moves:
        positions.append(positions[-1].play(move))
    return positions


def _escape(value: str) -> str:
    for letter, meant in _ESCAPES.items():
        value = value.replace(meant, f"\\{letter}")
    return value


def _unescape(value: str) -> str:
    return re.sub(r"\\(.)", lambda match: _ESCAPES[match[1]], value)


def _wrapped(tokens: list[str]) -> Iterator[str]:
    line = ""
    for token in tokens:
        longer = f"{line} {token}".lstrip()
        if len(longer) > _COLUMNS:
            yield line
            longer = token
        line = longer
    if line:
        yield line


def _start(headers: Mapping[str, str]) -> Position:
    """Return the position of the Start header; without one, the empty board."""
    text = headers.get(_START)
    if text is None:
        return Position.initial()
    try:
        position = position_from_text(text)
    except PositionTextError as error:
        raise RecordError(None, RecordProblem.WRONG_START, text) from error
    if position_to_text(position) != text:
        raise RecordError(None, RecordProblem.WRONG_START, text)
    return position


def _settled(
    headers: Mapping[str, str], coordinates: Coordinates, start: Position, final: Position
) -> tuple[tuple[str, str], ...]:
    """Return the headers, with those that follow from the game filled in.

    Raises:
        RecordError: if one is malformed or contradicts the game.
    """
    for tag in headers:
        if not _TAG.fullmatch(tag):
            raise RecordError(None, RecordProblem.BAD_HEADER, tag)
    settled = {**headers}
    _fill_in(settled, _COORDINATES, coordinates.value)
    if _START in settled or start != Position.initial():
        _fill_in(settled, _START, position_to_text(start))
    if final.phase is Phase.OVER:
        white, black = map(final.score, Color)
        _fill_in(settled, RESULT, WON_BY[final.winner])
        _fill_in(settled, _SCORE, f"{white}-{black}")
        return tuple(settled.items())
    result = settled.setdefault(RESULT, _UNFINISHED)
    if result not in _RESULTS:
        raise RecordError(None, RecordProblem.WRONG_RESULT, result)
    if result != _UNFINISHED and TERMINATION not in settled:
        raise RecordError(None, RecordProblem.NO_TERMINATION, result)
    if _SCORE in settled:
        raise RecordError(None, RecordProblem.WRONG_SCORE, settled[_SCORE])
    return tuple(settled.items())


def _fill_in(headers: dict[str, str], tag: str, value: str) -> None:
    """Add a header that follows from the game, or see that it says so already."""
    if headers.setdefault(tag, value) != value:
        raise RecordError(None, _CONTRADICTIONS[tag], headers[tag])


def records_of(text: str) -> tuple[GameRecord, ...]:
    """Return the records of a text, one or more; each after the first begins with its headers.

    Raises:
        RecordError: as `GameRecord.from_text`.
    """
    return tuple(_Reader(text, several=True).records())


class _Reader:
    """One text, and what has been read of it so far."""

    def __init__(self, text: str, *, several: bool) -> None:
        self.text = text
        self.several = several
        self.line = 0  # the number of the line that is being read
        self.begin()

    def begin(self) -> None:
        """Begin the next record."""
        self.header_lines: dict[str, int] = {}
        self.headers: dict[str, str] = {}
        self.coordinates = Coordinates.STANDARD
        self.moves: list[Move] = []
        self.position = Position.initial()
        self.numbered = False  # whether the last token was the next ply's number
        self.comment_line: int | None = None  # where the open comment began
        self.result: str | None = None
        self.in_headers = True

    def refusal(self, reason: RecordProblem, found: str = "") -> RecordError:
        return RecordError(self.line, reason, found)

    def records(self) -> Iterator[GameRecord]:
        # Not splitlines, which also splits where a header's value may hold a strange blank.
        for line in self.text.split("\n"):
            self.line += 1
            is_header = line.startswith("[") and self.comment_line is None
            if is_header and self.result is not None and self.several:
                yield self.record()
                self.begin()
            if is_header and self.in_headers:
                self.header(line)
            else:
                self.move_text(line)
        if self.comment_line is not None:
            raise RecordError(self.comment_line, RecordProblem.UNCLOSED_COMMENT)
        if self.result is None:
            raise self.refusal(RecordProblem.NO_RESULT)
        yield self.record()

    def record(self) -> GameRecord:
        try:
            return GameRecord(self.moves, self.headers, self.coordinates)
        except RecordError as error:
            tag = _SCORE if error.reason is RecordProblem.WRONG_SCORE else RESULT
            raise RecordError(self.header_lines[tag], error.reason, error.found) from error

    def header(self, line: str) -> None:
        match = HEADER.fullmatch(line.rstrip())
        if match is None:
            raise self.refusal(RecordProblem.BAD_HEADER, line)
        tag, value = match[1], _unescape(match[2])
        if tag in self.headers:
            raise self.refusal(RecordProblem.HEADER_TWICE, tag)
        self.headers[tag] = value
        self.header_lines[tag] = self.line
        if tag == _COORDINATES:
            try:
                self.coordinates = Coordinates(value)
            except ValueError:
                raise self.refusal(RecordProblem.WRONG_COORDINATES, value) from None
        elif tag == _START:
            try:
                self.position = _start(self.headers)
            except RecordError as error:
                raise self.refusal(error.reason, error.found) from error.__cause__

    def move_text(self, line: str) -> None:
        at = 0
        while True:
            if self.comment_line is not None:
                at = line.find("}", at) + 1
                if not at:
                    return
                self.comment_line = None
            match = _TOKEN.search(line, at)
            if match is None:
                return
            at, self.in_headers = match.end(), False
            if match[0] == "{":
                self.comment_line = self.line
            else:
                self.token(match[0])

    def token(self, token: str) -> None:
        if self.result is not None:
            raise self.refusal(RecordProblem.AFTER_RESULT, token)
        if token in _RESULTS and not self.numbered:
            self.end(token)
        elif _NUMBER.fullmatch(token) and not self.numbered:
            if token != f"{len(self.moves) + 1}.":
                raise self.refusal(RecordProblem.MOVE_NUMBER, token)
            self.numbered = True
        else:
            self.move(token)

    def move(self, token: str) -> None:
        try:
            move = parse_move(token, self.coordinates)
            self.position = self.position.play(move)
        except NotationError as error:
            raise self.refusal(RecordProblem.NOT_A_MOVE, token) from error
        except IllegalMoveError as error:
            raise self.refusal(RecordProblem.ILLEGAL_MOVE, token) from error
        self.moves.append(move)
        self.numbered = False

    def end(self, result: str) -> None:
        self.result = result
        if self.headers.setdefault(RESULT, result) != result:
            raise self.refusal(RecordProblem.WRONG_RESULT, result)
        self.header_lines.setdefault(RESULT, self.line)
