r"""The text of a game, below `GameRecord`: how it is read, and how its moves are written.

    1. d2 {quiet} (1. f5 {also good} 2. c3) 2. c3

Behind a move stand what is said of it, in braces, and in brackets what else could have been played
in its place. In a comment a backslash stands before "}" and itself, and `\n` is a new line. Where a
comment goes on in the next line, that is a blank.
"""

import re
from collections.abc import Iterator, Mapping
from typing import Final

from dvonn.board import Coordinates
from dvonn.errors import NotationError, PositionTextError, RecordError, RecordProblem
from dvonn.frozen import Value
from dvonn.notation import format_move, parse_move
from dvonn.pieces import Color
from dvonn.position import IllegalMoveError, Position
from dvonn.position_text import position_from_text, position_to_text
from dvonn.tree import Node, NodeDraft

START: Final = "Start"
COORDINATES: Final = "Coordinates"
RESULT: Final = "Result"

UNFINISHED: Final = "*"
WON_BY: Final = {Color.WHITE: "1-0", Color.BLACK: "0-1", None: "1/2-1/2"}
RESULTS: Final = (*WON_BY.values(), UNFINISHED)

DEEPEST: Final = 250
"""Maximum number of variations inside each other. A game has fewer plies."""
MOST_MOVES: Final = 50_000
"""Maximum number of moves of one game, those of its variations included."""

_COLUMNS: Final = 80
TAG: Final = re.compile(r"[A-Za-z][A-Za-z0-9_]*")
HEADER: Final = re.compile(rf'\[({TAG.pattern}) "((?:[^"\\]|\\["\\nr])*+)"\]')
"""A header as it is written: its tag, and its value before it is unescaped."""
_OPEN: Final = "("
_CLOSE: Final = ")"
_NUMBER: Final = re.compile(r"[0-9]+\.")
_TOKEN: Final = re.compile(r"[{()]|[^\s{()]+")
_SAID: Final = re.compile(r"(?:[^\\}]|\\[\\}]|\\)*+")
_BETWEEN_WORDS: Final = re.compile(r"(?<=\S) (?=\S)")
# The backslash comes first: the others are written with one.
_ESCAPES: Final = {"\\": "\\", "n": "\n", "r": "\r"}
_IN_HEADERS: Final = {**_ESCAPES, '"': '"'}
_IN_COMMENTS: Final = {**_ESCAPES, "}": "}"}


def header_line(tag: str, value: str) -> str:
    """Return a header as it is written."""
    return f'[{tag} "{_escaped(value, _IN_HEADERS)}"]'


def _escaped(value: str, escapes: Mapping[str, str]) -> str:
    for letter, meant in escapes.items():
        value = value.replace(meant, f"\\{letter}")
    return value


def _unescaped(value: str, escapes: Mapping[str, str]) -> str:
    return re.sub(r"\\(.)", lambda match: escapes.get(match[1], match[0]), value)


def start_of(headers: Mapping[str, str]) -> Position:
    """Return the position of the Start header; without one, the empty board.

    Raises:
        RecordError: if the header is no position; its `line` is None.
    """
    text = headers.get(START)
    if text is None:
        return Position.initial()
    try:
        position = position_from_text(text)
    except PositionTextError as error:
        raise RecordError(None, RecordProblem.WRONG_START, text) from error
    if position_to_text(position) != text:
        raise RecordError(None, RecordProblem.WRONG_START, text)
    return position


def passes_of(position: Position) -> tuple[str, ...]:
    """Return what is said of the players who are passed over; no comment of anybody's."""
    return tuple(f"{color.name.capitalize()} passes" for color in position.passed)


def written(root: Node, start: Position, coordinates: Coordinates) -> Iterator[str]:
    """Yield the lines of a game's moves; the movements begin on one of their own."""
    tokens, position, node = _said(root.comment), start, root
    is_placing = True
    for number, main in enumerate(root.mainline(), start=1):
        if is_placing and main.move is not None and main.move.source is not None:
            yield from _wrapped(tokens)
            tokens, is_placing = [], False
        tokens += _ply(node, number, position, coordinates)
        position, node = _after(position, main), main
    yield from _wrapped(tokens)


def _ply(before: Node, number: int, position: Position, coordinates: Coordinates) -> list[str]:
    """Return the main move after a node, what is said of it, and the other variations."""
    main, *others = before.variations
    tokens = _move(main, number, position, coordinates)
    for other in others:
        line = _move(other, number, position, coordinates)
        node, after = other, _after(position, other)
        for further, following in enumerate(other.mainline(), start=number + 1):
            line += _ply(node, further, after, coordinates)
            node, after = following, _after(after, following)
        tokens += [f"{_OPEN}{line[0]}", *line[1:]]
        tokens[-1] += _CLOSE
    return tokens


def _move(node: Node, number: int, position: Position, coordinates: Coordinates) -> list[str]:
    """Return a move with its number and the passes that follow, and what is said of it."""
    if node.move is None:
        return []
    passes = "".join(f" {{{said}}}" for said in passes_of(_after(position, node)))
    return [f"{number}. {format_move(node.move, coordinates)}{passes}", *_said(node.comment)]


def _after(position: Position, node: Node) -> Position:
    return position if node.move is None else position.play(node.move)


def _said(comment: str) -> list[str]:
    """Return a comment in pieces between which a line may end."""
    if not comment:
        return []
    return _BETWEEN_WORDS.split(f"{{{_escaped(comment, _IN_COMMENTS)}}}")


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


class Parsed(Value, kw_only=True):
    """A game as its text tells it.

    Attributes:
        root: all moves.
        headers: by their tags, in their order.
        lines: the line of each header, from 1; of the result too, which may be no header.
        coordinates: the system in which the text names points.
    """

    root: Node
    headers: Mapping[str, str]
    lines: Mapping[str, int]
    coordinates: Coordinates


def parsed(text: str, *, several: bool) -> Iterator[Parsed]:
    """Yield the games of a text; each after the first begins with its headers.

    Args:
        text: of one game or more.
        several: False if a second game is refused.

    Raises:
        RecordError: with the line, for what cannot be read to its end.
    """
    return _Reader(text, several=several).games()


_Line = list[tuple[NodeDraft, Position]]
"""The moves from the root to where we are, and the positions after them."""


class _Reader:
    """One text, and what has been read of it so far."""

    def __init__(self, text: str, *, several: bool) -> None:
        self.text = text
        self.several = several
        self.number = 0  # of the line that is being read
        self.begin()

    def begin(self) -> None:
        """Begin the next game."""
        self.lines: dict[str, int] = {}
        self.headers: dict[str, str] = {}
        self.coordinates = Coordinates.STANDARD
        self.line: _Line = [(NodeDraft(), Position.initial())]
        self.outer: list[_Line] = []  # the lines that go on after the bracket
        self.read = 0  # moves, those of variations included
        self.opened = False  # whether a bracket has just been opened
        self.numbered = False  # whether the last token was the next ply's number
        self.comment: list[str] | None = None  # what has been read of an open comment
        self.comment_line = 0  # where it began
        self.result: str | None = None
        self.in_headers = True

    def refusal(self, reason: RecordProblem, found: str = "") -> RecordError:
        return RecordError(self.number, reason, found)

    def games(self) -> Iterator[Parsed]:
        # Not splitlines, which also splits where a header's value may hold a strange blank.
        for line in self.text.split("\n"):
            self.number += 1
            is_header = line.startswith("[") and self.comment is None
            if is_header and self.result is not None and self.several:
                yield self.game()
                self.begin()
            if is_header and self.in_headers:
                self.header(line)
            else:
                self.move_text(line.removesuffix("\r"))
        if self.comment is not None:
            raise RecordError(self.comment_line, RecordProblem.UNCLOSED_COMMENT)
        if self.result is None:
            raise self.refusal(RecordProblem.NO_RESULT)
        yield self.game()

    def game(self) -> Parsed:
        root = self.line[0][0].node()
        return Parsed(
            root=root, headers=self.headers, lines=self.lines, coordinates=self.coordinates
        )

    def header(self, line: str) -> None:
        match = HEADER.fullmatch(line.rstrip())
        if match is None:
            raise self.refusal(RecordProblem.BAD_HEADER, line)
        tag, value = match[1], _unescaped(match[2], _IN_HEADERS)
        if tag in self.headers:
            raise self.refusal(RecordProblem.HEADER_TWICE, tag)
        self.headers[tag] = value
        self.lines[tag] = self.number
        if tag == COORDINATES:
            try:
                self.coordinates = Coordinates(value)
            except ValueError:
                raise self.refusal(RecordProblem.WRONG_COORDINATES, value) from None
        elif tag == START:
            try:
                self.line = [(self.line[0][0], start_of(self.headers))]
            except RecordError as error:
                raise self.refusal(error.reason, error.found) from error.__cause__

    def move_text(self, line: str) -> None:
        at = 0
        while True:
            if self.comment is not None:
                said = _SAID.match(line, at)
                at = len(line) if said is None else said.end()
                self.comment.append("" if said is None else said[0])
                if at == len(line):
                    return
                at += 1
                self.close_comment(self.comment)
            match = _TOKEN.search(line, at)
            if match is None:
                return
            at, self.in_headers = match.end(), False
            if match[0] == "{":
                self.comment, self.comment_line = [], self.number
            else:
                self.token(match[0])

    def close_comment(self, lines: list[str]) -> None:
        self.comment = None
        draft, position = self.line[-1]
        said = " ".join(lines).strip()
        if self.result is None and said not in passes_of(position):
            draft.said.append(_unescaped(said, _IN_COMMENTS))

    def token(self, token: str) -> None:
        if self.result is not None:
            raise self.refusal(RecordProblem.AFTER_RESULT, token)
        if token == _OPEN:
            self.open_variation()
        elif token == _CLOSE:
            self.close_variation()
        elif token in RESULTS and not self.numbered and not self.outer:
            self.end(token)
        elif _NUMBER.fullmatch(token) and not self.numbered:
            if token != f"{len(self.line)}.":
                raise self.refusal(RecordProblem.MOVE_NUMBER, token)
            self.numbered = True
        else:
            self.move(token)

    def open_variation(self) -> None:
        """Go back to before the last move."""
        if self.numbered or self.opened or len(self.line) == 1:
            raise self.refusal(RecordProblem.BAD_VARIATION, _OPEN)
        if len(self.outer) == DEEPEST:
            raise self.refusal(RecordProblem.TOO_DEEP, _OPEN)
        self.outer.append(self.line)
        self.line, self.opened = self.line[:-1], True

    def close_variation(self) -> None:
        if self.numbered or self.opened or not self.outer:
            raise self.refusal(RecordProblem.BAD_VARIATION, _CLOSE)
        self.line = self.outer.pop()

    def move(self, token: str) -> None:
        draft, position = self.line[-1]
        try:
            move = parse_move(token, self.coordinates)
            after = position.play(move)
        except NotationError as error:
            raise self.refusal(RecordProblem.NOT_A_MOVE, token) from error
        except IllegalMoveError as error:
            raise self.refusal(RecordProblem.ILLEGAL_MOVE, token) from error
        self.read += 1
        if self.read > MOST_MOVES:
            raise self.refusal(RecordProblem.TOO_MANY_MOVES, token)
        self.line.append((draft.after(move), after))
        self.numbered = self.opened = False

    def end(self, result: str) -> None:
        self.result = result
        if self.headers.setdefault(RESULT, result) != result:
            raise self.refusal(RecordProblem.WRONG_RESULT, result)
        self.lines.setdefault(RESULT, self.number)
