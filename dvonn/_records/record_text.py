r"""Formatting of game records: headers, numbered moves, comments and variations.

    1. d2 $1 {quiet} (1. f5 {also good} 2. c3) 2. c3

A move is followed by its marks as PGN numbers, its comment in braces, and alternatives in
parentheses. In a comment, a backslash escapes "}" and itself, `\n` is a line break, and a line
break in the text is a blank. `record_reader` reads all of this, and more.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from dvonn._records.position_text import PrintedPosition, position_to_text, printed_from_text
from dvonn._records.tree import Node
from dvonn._rules.board import Coordinates
from dvonn._rules.errors import PositionTextError, RecordError, RecordProblem
from dvonn._rules.notation import format_move
from dvonn._rules.pieces import Color
from dvonn._rules.position import Position

START: Final = "Start"
COORDINATES: Final = "Coordinates"
RESULT: Final = "Result"

UNFINISHED: Final = "*"
TERMINATION: Final = "Termination"
UNKNOWN: Final = "unknown"
"""The Termination header of a game that ended early for an unknown reason."""
WON_BY: Final = {Color.WHITE: "1-0", Color.BLACK: "0-1", None: "1/2-1/2"}
RESULTS: Final = (*WON_BY.values(), UNFINISHED)

DEEPEST: Final = 250
"""Maximum nesting depth of variations. A game has fewer plies."""
MOST_MOVES: Final = 50_000
"""Maximum number of moves of one game, including its variations."""

MARKS: Final = {
    "!": 1,
    "?": 2,
    "!!": 3,
    "??": 4,
    "!?": 5,
    "?!": 6,
    "\u203c": 3,
    "\u2047": 4,
    "\u2049": 5,
    "\u2048": 6,
}
"""PGN numbers of the marks after a move. The single-character forms are included."""
HIGHEST_NAG: Final = 255
LONGEST_FOUND: Final = 60
"""Maximum number of characters that an error quotes from a text."""

_COLUMNS: Final = 80
TAG: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9_]*")
_OPEN: Final = "("
_CLOSE: Final = ")"
_BETWEEN_WORDS: Final = re.compile(r"(?<=\S) (?=\S)")
# The backslash comes first because the others are escaped with one.
_ESCAPES: Final = {"\\": "\\", "n": "\n", "r": "\r"}
IN_STRINGS: Final = {"\\": "\\", '"': '"'}
IN_HEADERS: Final = {**_ESCAPES, '"': '"'}
IN_COMMENTS: Final = {**_ESCAPES, "}": "}"}


def header_line(tag: str, value: str) -> str:
    """Return a header as a line of text."""
    return f'[{tag} "{escaped(value, IN_HEADERS)}"]'


def escaped(value: str, escapes: Mapping[str, str]) -> str:
    """Return a value with backslashes before special characters."""
    for letter, char in escapes.items():
        value = value.replace(char, f"\\{letter}")
    return value


def unescaped(value: str, escapes: Mapping[str, str]) -> str:
    """Return a value without the backslashes that `escaped` added."""
    return re.sub(r"\\(.)", lambda match: escapes.get(match[1], match[0]), value)


def start_of(headers: Mapping[str, str]) -> PrintedPosition:
    """Return the position of the Start header, or the empty board if there is none.

    Raises:
        RecordError: if the header is not a position. Its `line` is None.
    """
    text = headers.get(START)
    if text is None:
        return PrintedPosition(Position.initial())
    try:
        start = printed_from_text(text)
    except PositionTextError as error:
        raise RecordError(None, RecordProblem.WRONG_START, text) from error
    # A stack with assumed pieces has several valid spellings.
    if not start.assumed and position_to_text(start.position) != text:
        raise RecordError(None, RecordProblem.WRONG_START, text)
    return start


def passes_of(position: Position) -> tuple[str, ...]:
    """Return the comments that the writer adds for forced passes."""
    return tuple(f"{color.name.capitalize()} passes" for color in position.passed)


def move_lines(root: Node, start: Position, coordinates: Coordinates) -> Iterator[str]:
    """Yield a game's moves as lines of text. The movement phase begins on a new line."""
    tokens, position, node = _comment_pieces(root.comment), start, root
    is_placing = True
    for number, main in enumerate(root.mainline(), start=1):
        if is_placing and main.move is not None and main.move.source is not None:
            yield from wrapped(tokens)
            tokens, is_placing = [], False
        tokens += _ply(node, number, position, coordinates)
        position, node = _position_after(position, main), main
    yield from wrapped(tokens)


def _ply(before: Node, number: int, position: Position, coordinates: Coordinates) -> list[str]:
    """Return the tokens of a node's main move, with its comment, and of the other variations."""
    main, *variations = before.variations
    tokens = _move(main, number, position, coordinates)
    for other in variations:
        line = _move(other, number, position, coordinates)
        node, after = other, _position_after(position, other)
        for further, following in enumerate(other.mainline(), start=number + 1):
            line += _ply(node, further, after, coordinates)
            node, after = following, _position_after(after, following)
        tokens += [f"{_OPEN}{line[0]}", *line[1:]]
        tokens[-1] += _CLOSE
    return tokens


def _move(node: Node, number: int, position: Position, coordinates: Coordinates) -> list[str]:
    """Return the tokens of a move: number, notation, forced passes after it, and comment."""
    if node.move is None:
        return []
    passes = "".join(f" {{{remark}}}" for remark in passes_of(_position_after(position, node)))
    nags = "".join(f" ${nag}" for nag in node.nags)
    move = f"{number}. {format_move(node.move, coordinates)}{nags}{passes}"
    return [move, *_comment_pieces(node.comment)]


def _position_after(position: Position, node: Node) -> Position:
    return position if node.move is None else position.play(node.move)


def _comment_pieces(comment: str) -> list[str]:
    """Split a comment into pieces between which a line may break."""
    if not comment:
        return []
    return _BETWEEN_WORDS.split(f"{{{escaped(comment, IN_COMMENTS)}}}")


def wrapped(tokens: Iterable[str], columns: int = _COLUMNS) -> Iterator[str]:
    """Yield the tokens as lines of at most `columns` characters, joined by blanks."""
    line = ""
    for token in tokens:
        longer = f"{line} {token}".lstrip()
        if len(longer) > columns:
            yield line
            longer = token
        line = longer
    if line:
        yield line
