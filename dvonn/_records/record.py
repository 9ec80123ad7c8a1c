"""Game records as text: headers, then numbered moves.

    [White "Ann"]
    [Black "Bob"]
    [Coordinates "standard"]
    [Result "1-0"]
    [Termination "resignation"]

    1. d2 2. c3 3. f5 ...
    50. a1-a2 {Black passes} 51. ...
    1-0

This is PGN, as in chess, except that each ply has its own number (`record_text`). The reader
accepts all of PGN's import format (`record_reader`). A forced pass is not a ply but an automatic
comment. A game that does not begin on the empty board has a Start header with its first position as
one line (`position_text`).
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from html import escape
from types import MappingProxyType
from typing import Final

from dvonn._records.game_nodes import GameNode
from dvonn._records.position_text import PrintedPosition, placed, position_to_text
from dvonn._records.record_reader import ParsedRecord, parsed
from dvonn._records.record_text import (
    COORDINATES,
    RESULT,
    RESULTS,
    START,
    TAG,
    TERMINATION,
    UNFINISHED,
    WON_BY,
    header_line,
    move_lines,
    start_of,
)
from dvonn._records.tree import Node
from dvonn._rules.board import Coordinates, Point
from dvonn._rules.errors import RecordError, RecordProblem
from dvonn._rules.frozen import Value
from dvonn._rules.move import Move
from dvonn._rules.pieces import Color
from dvonn._rules.position import Phase, Position

_SCORE: Final = "Score"
_LONE_SURROGATE: Final = re.compile("[\ud800-\udfff]")
"""Pattern of a lone surrogate, which can't be encoded as UTF-8."""
RESIGNATION: Final = "resignation"
"""The Termination header of a game that ended by resignation."""

_CONTRADICTIONS: Final = {
    COORDINATES: RecordProblem.WRONG_COORDINATES,
    RESULT: RecordProblem.WRONG_RESULT,
    _SCORE: RecordProblem.WRONG_SCORE,
    START: RecordProblem.WRONG_START,
}


class GameRecord(Value):
    """The moves of one game from its start, with its headers, comments and variations.

    The headers Coordinates and Result always exist. A finished game also has Score ("21-5", White's
    pieces first). They are filled in if they are not given. If the game is unfinished, a result
    other than "*" needs a Termination header, such as "resignation".

    Args:
        moves: The played moves, or the root of a tree with comments and variations.
        headers: Headers by their tags.
        coordinates: The coordinate system of the text.
        start: The position before the first move, possibly from a printed board.

    Attributes:
        moves: Placements, then movements. Never a pass.
        start: The position before the first move. The default is the position of the Start header,
            or the empty board. It is a full board if the players did not place the pieces.

    Raises:
        IllegalMoveError: if a move is illegal.
        RecordError: if a header is malformed or contradicts the moves. Its `line` is None.
    """

    moves: tuple[Move, ...]
    coordinates: Coordinates
    start: Position
    _headers: tuple[tuple[str, str], ...]
    # None if there are no comments or variations
    _tree: Node | None

    def __init__(
        self,
        moves: Iterable[Move] | Node,
        headers: Mapping[str, str] = MappingProxyType({}),
        coordinates: Coordinates = Coordinates.STANDARD,
        *,
        start: Position | PrintedPosition | None = None,
    ) -> None:
        tree, played = None, moves
        if isinstance(played, Node):
            tree, played = played, _mainline(played)
        played = tuple(played)
        printed = _start(headers, start)
        start_position = printed.position
        if printed.assumed:  # the header may spell the same stacks differently
            headers = {**headers, START: position_to_text(start_position, printed.assumed)}
        final = _replayed(start_position, played)[-1]
        if tree is not None and tree.is_plain:
            tree = None
        elif tree is not None:
            _check(start_position, tree)
        settled = _completed_headers(headers, coordinates, start_position, final)
        super().__init__(played, coordinates, start_position, settled, tree)

    @classmethod
    def from_text(cls, text: str) -> "GameRecord":
        """Parse a game in this package's format or in PGN.

        >>> record = GameRecord.from_text('[White "Ann"] 1. d2 2. c3 {near} *')
        >>> record.headers["White"], [str(move) for move in record.moves]
        ('Ann', ['d2', 'c3'])
        >>> [node.comment for node in record.root.mainline()]
        ['', 'near']

        Raises:
            RecordError: for any other text, with the line and the reason.
        """
        return _record(next(parsed(text, several=False)))

    @property
    def tree(self) -> Node:
        """All moves with their comments and variations. The main line is `moves`."""
        return Node.line(self.moves) if self._tree is None else self._tree

    @property
    def root(self) -> GameNode:
        """The root node of the game. Its `next` and `variations` lead to the moves."""
        return GameNode(self.tree, None, self.start)

    @property
    def headers(self) -> Mapping[str, str]:
        """All headers in order, including the filled-in ones. Read-only."""
        return MappingProxyType(dict(self._headers))

    @property
    def result(self) -> str:
        """The Result header: "1-0" (White won), "0-1", "1/2-1/2", or "*" by default."""
        return self.headers[RESULT]

    @property
    def assumed(self) -> tuple[Point, ...]:
        """The points of stacks in the start position whose inner pieces are assumed."""
        return start_of(self.headers).assumed

    def positions(self) -> tuple[Position, ...]:
        """Return the start position, then the position after each ply."""
        return tuple(_replayed(self.start, self.moves))

    def from_empty_board(self) -> "GameRecord":
        """Return the game as a record from the empty board.

        If the game starts on a full board, its pieces are placed first.

        Raises:
            RecordError: if no placements lead to its start position.
        """
        placements, position = placed(self.start.stacks)
        if position != self.start:
            raise RecordError(None, RecordProblem.FOREIGN_START, position_to_text(self.start))
        headers = {tag: value for tag, value in self._headers if tag != START}
        whole = self.tree
        for move in reversed(placements):
            whole = Node(variations=(whole.replace(move=move),))
        return GameRecord(whole, headers, self.coordinates)

    def __str__(self) -> str:
        return self.to_text()

    def _repr_html_(self) -> str:
        """Return the HTML for notebooks: the players, the last board, and the text."""
        names = (escape(self.headers.get(tag, "?")) for tag in ("White", "Black"))
        last = self.moves[-1] if self.moves else None
        return (
            f"<p><b>{' – '.join(names)}</b> {escape(self.result)}</p>"
            f"{self.positions()[-1].svg(last=last, coordinates=self.coordinates)}"
            f"<details><summary>{len(self.moves)} moves</summary>"
            f"<pre>{escape(self.to_text())}</pre></details>"
        )

    def to_text(self) -> str:
        """Return the text, which `from_text` can parse, with moves wrapped at 80 columns."""
        headers = (header_line(tag, value) for tag, value in self._headers)
        lines = move_lines(self.tree, self.start, self.coordinates)
        return "\n".join([*headers, "", *lines, self.result, ""])


def _start(headers: Mapping[str, str], start: Position | PrintedPosition | None) -> PrintedPosition:
    """Return a game's start position, with inner pieces from the Start header if both agree."""
    header_start = start_of(headers)
    if start is None or start in {header_start, header_start.position}:
        return header_start
    return PrintedPosition(start) if isinstance(start, Position) else start


def _mainline(tree: Node) -> list[Move]:
    return [node.move for node in tree.mainline() if node.move is not None]


def _check(start: Position, tree: Node) -> None:
    """Play all variations to check them.

    Raises:
        IllegalMoveError: if a move is illegal.
    """
    waiting = [(start, tree)]
    while waiting:
        position, node = waiting.pop()
        waiting += [
            (position.play(variation.move), variation)
            for variation in node.variations
            if variation.move
        ]


def _replayed(start: Position, moves: Iterable[Move]) -> list[Position]:
    positions = [start]
    for move in moves:
        positions.append(positions[-1].play(move))
    return positions


def _completed_headers(
    headers: Mapping[str, str], coordinates: Coordinates, start: Position, final: Position
) -> tuple[tuple[str, str], ...]:
    """Return the headers, with missing ones filled in from the game.

    Raises:
        RecordError: if one is malformed or contradicts the game.
    """
    for tag, value in headers.items():
        if not TAG.fullmatch(tag):
            raise RecordError(None, RecordProblem.BAD_HEADER, tag)
        if not _is_text(value):
            raise RecordError(None, RecordProblem.BAD_HEADER, f"{tag} {value!r}")
    settled = {**headers}
    _fill_in(settled, COORDINATES, coordinates.value)
    if START in settled or start != Position.initial():
        assumed = start_of(settled).assumed
        _fill_in(settled, START, position_to_text(start, assumed))
    if final.phase is Phase.OVER:
        white, black = map(final.score, Color)
        _fill_in(settled, RESULT, WON_BY[final.winner])
        _fill_in(settled, _SCORE, f"{white}-{black}")
        return tuple(settled.items())
    result = settled.setdefault(RESULT, UNFINISHED)
    if result not in RESULTS:
        raise RecordError(None, RecordProblem.WRONG_RESULT, result)
    if result != UNFINISHED and TERMINATION not in settled:
        raise RecordError(None, RecordProblem.NO_TERMINATION, result)
    if _SCORE in settled:
        raise RecordError(None, RecordProblem.WRONG_SCORE, settled[_SCORE])
    return tuple(settled.items())


def _is_text(value: object) -> bool:
    """Return True if a value is a string that can be encoded as UTF-8."""
    return isinstance(value, str) and _LONE_SURROGATE.search(value) is None


def _fill_in(headers: dict[str, str], tag: str, value: str) -> None:
    """Add a header that follows from the game, or check the existing one."""
    if headers.setdefault(tag, value) != value:
        raise RecordError(None, _CONTRADICTIONS[tag], headers[tag])


def records_of(text: str) -> Iterator[GameRecord]:
    """Yield the games in a text. There must be at least one, and each must begin with headers.

    Raises:
        RecordError: as in `GameRecord.from_text`.
    """
    return map(_record, parsed(text, several=True))


def _record(parsed: ParsedRecord) -> GameRecord:
    try:
        return GameRecord(parsed.root, parsed.headers, parsed.coordinates)
    except RecordError as error:
        tag = _SCORE if error.reason is RecordProblem.WRONG_SCORE else RESULT
        line, column = parsed.places[tag]
        raise RecordError(line, error.reason, error.part, column) from error
