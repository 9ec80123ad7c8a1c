"""`Format`, which describes a text format, and `GameDraft`, which reads a game ply by ply."""

import re
from collections.abc import Callable, Iterable, Iterator
from itertools import count
from typing import Any, Final, TypeVar, cast

from dvonn._records.record import RESIGNATION, GameRecord
from dvonn._records.record_text import (
    LONGEST_FOUND,
    MARKS,
    MOST_MOVES,
    RESULT,
    TERMINATION,
    UNKNOWN,
    WON_BY,
)
from dvonn._records.tree import NodeDraft
from dvonn._rules.errors import NotationError, RecordError, RecordProblem
from dvonn._rules.frozen import Value
from dvonn._rules.move import Move
from dvonn._rules.notation import parse_move
from dvonn._rules.pieces import Color
from dvonn._rules.position import IllegalMoveError, Phase, Position

Place = tuple[int, int]
"""A line number and a column number in a text, both from 1."""

PASS: Final = "pass"  # noqa: S105 - a word of the game
RESIGN: Final = "resign"

_Copied = TypeVar("_Copied")
_MARKED: Final = re.compile(
    r"([^!?\u203c\u2047-\u2049]+)([!?\u203c\u2047-\u2049]{1,2})[!?\u203c\u2047-\u2049]*"
)
_RESERVED: Final = {"coordinates", "result", "score", "start", "termination"}


class Format(Value, kw_only=True):
    """A text format for games.

    Attributes:
        name: Name for programs.
        title: Name for people.
        suffix: File name extension, with the dot.
        detect: Function that returns True if a text looks like this format. Otherwise the text is
            not parsed as this format.
        games: Function that returns the games in a text, which must contain at least one. It raises
            RecordError, with the line, for any other text.
        text: Function that returns the text of a game. Parsing the text gives the same moves. It
            raises RecordError (FOREIGN_START) if placements alone can't reach the game's start
            position.
        between: Separator between the texts of two games.
    """

    name: str
    title: str
    suffix: str
    detect: Callable[[str], bool]
    games: Callable[[str], Iterable[GameRecord]]
    text: Callable[[GameRecord], str]
    between: str = ""

    def read(self, text: str) -> tuple[GameRecord, ...]:
        return tuple(self.games(text))

    def write(self, records: Iterable[GameRecord]) -> str:
        return self.between.join(map(self.text, records))


class GameDraft:
    """A game that is being read from another program's text.

    In these formats, forced passes are plies, which may be left out. `pass_` records one.

    Attributes:
        begun: True if any part of the game has been read.
        passes: Number of passes that were recorded.
        draft: The last move. Comments are added to it.
    """

    __slots__ = (
        *("_due", "_numbers", "_root", "_winner", "begun", "draft", "headers", "passes"),
        "position",
    )

    def __init__(self) -> None:
        self.headers: dict[str, str] = {}
        self.position = Position.initial()
        self.passes = 0
        self.begun = False
        self.draft = self._root = NodeDraft()
        self._due: tuple[Color, ...] = ()
        self._winner: Color | None = None
        # Counts all moves in the order of reading, including variations.
        self._numbers = count(1)

    @property
    def ended(self) -> bool:
        """True if the game ended by the rules or by a resignation."""
        return self.position.phase is Phase.OVER or self._winner is not None

    @property
    def turn(self) -> Color | None:
        """The player who moves or passes next, or None at the end."""
        return self._due[0] if self._due else self.position.turn

    def head(self, place: Place, tag: str, value: str) -> None:
        """Store a header, unless it is empty or can be derived from the game."""
        self.begun = True
        if tag.lower() in _RESERVED or value in {"", "?"}:
            return
        if tag in self.headers:
            raise refusal(place, RecordProblem.HEADER_TWICE, tag)
        self.headers[tag] = value

    def word(self, place: Place, word: str) -> None:
        """Play a move, which may have a mark such as "!", or apply "pass" or "resign"."""
        self.begun = True
        if (marked := _MARKED.fullmatch(word)) is not None:
            self.word(place, marked[1])
            self.draft.nags.append(MARKS.get(marked[2], MARKS[marked[2][0]]))
        elif word.lower() == PASS:
            self.pass_(place)
        elif word.lower() == RESIGN:
            self.resign(place, self.turn)
        else:
            try:
                move = parse_move(word)
            except NotationError as error:
                raise refusal(place, RecordProblem.NOT_A_MOVE, word) from error
            self.play(place, move)

    def play(self, place: Place, move: Move) -> None:
        """Play a move, whether or not forced passes before it were recorded."""
        if self.ended:
            raise refusal(place, RecordProblem.AFTER_RESULT, str(move))
        try:
            self.position = self.position.play(move)
        except IllegalMoveError as error:
            raise refusal(place, RecordProblem.ILLEGAL_MOVE, str(move)) from error
        if next(self._numbers) > MOST_MOVES:
            raise refusal(place, RecordProblem.TOO_MANY_MOVES, str(move))
        self.draft = self.draft.child(move)
        self._due = self.position.passed

    def pass_(self, place: Place) -> None:
        """Record a forced pass. At the end of the game both players may pass."""
        if self._winner is not None:
            raise refusal(place, RecordProblem.AFTER_RESULT, PASS)
        if self._due:
            self._due = self._due[1:]
        elif self.position.phase is not Phase.OVER:
            raise refusal(place, RecordProblem.NOT_A_PASS, PASS)
        self.passes += 1

    def resign(self, place: Place, loser: Color | None) -> None:
        """Record the resignation of one player."""
        if loser is None or self.ended:
            raise refusal(place, RecordProblem.AFTER_RESULT, RESIGN)
        self._winner = loser.opponent
        self.headers |= {RESULT: WON_BY[self._winner], TERMINATION: RESIGNATION}

    def settle(self, result: str, termination: str) -> None:
        """Store the result and termination as headers if the game did not end by the rules."""
        if not self.ended and result in WON_BY.values():
            self.headers |= {RESULT: result, TERMINATION: termination or UNKNOWN}

    def fork(self) -> "GameDraft":
        """Return a copy for reading another variation from here on."""
        other = forked(self)
        other.headers = dict(self.headers)
        return other

    def record(self) -> GameRecord:
        return GameRecord(self._root.node(), self.headers)


def forked(value: _Copied) -> _Copied:
    """Return a shallow copy of an object with slots."""
    other = object.__new__(type(value))
    slots: tuple[str, ...] = cast("Any", value).__slots__
    for name in slots:
        setattr(other, name, getattr(value, name))
    return other


def refusal(place: Place, reason: RecordProblem, excerpt: str) -> RecordError:
    """Return an error that quotes the refused text, shortened if necessary."""
    line, column = place
    return RecordError(line, reason, excerpt[:LONGEST_FOUND], column)


def end_of(text: str) -> Place:
    """Return the place after the last character of a text."""
    return text.count("\n") + 1, len(text) - text.rfind("\n")


def lines_of(text: str) -> Iterator[tuple[int, str]]:
    """Yield the lines of a text with their numbers, from 1."""
    return enumerate(text.split("\n"), start=1)


def one_line(value: str, forbidden: str = "") -> str:
    """Return a header's value on one line, without forbidden characters."""
    return " ".join("".join(" " if c in forbidden else c for c in value).split())


def looks_like(pattern: str) -> Callable[[str], bool]:
    """Return a function that tests whether a text begins with a pattern, after any whitespace."""
    expression = re.compile(rf"\s*(?:{pattern})")
    return lambda text: expression.match(text) is not None


Ply = tuple[Color, Move | str]
"""A player, and a move, PASS or RESIGN."""


def plies_of(record: GameRecord) -> list[Ply]:
    """List all plies from the empty board on: moves, forced passes and a resignation.

    Only the player to move can resign by a ply, so the other player's resignation is left out.

    Raises:
        RecordError: if no placements lead to the record's start position.
    """
    return [ply for turn in turns_of(record.from_empty_board()) for ply in turn]


def turns_of(record: GameRecord) -> list[list[Ply]]:
    """Return a list of plies for each move: the move and the passes after it. See `plies_of`."""
    positions = record.positions()
    turns = list(map(turn_of, positions, record.moves, positions[1:]))
    loser = next((color for color in Color if record.result == WON_BY[color.opponent]), None)
    if loser is not None and record.headers.get(TERMINATION) == RESIGNATION:
        if turns and turns[-1][-1] == (loser, PASS):
            turns[-1][-1] = loser, RESIGN
        elif loser is positions[-1].turn:
            turns.append([(loser, RESIGN)])
    return turns


def turn_of(before: Position, move: Move, after: Position) -> list[Ply]:
    """Return a move and the passes that follow it."""
    return [(before.turn or Color.WHITE, move), *((color, PASS) for color in after.passed)]


def squeezed(ply: Move | str) -> str:
    """Return a ply in the notation of most programs: `a1`, `a1b2`, `pass`, `resign`."""
    return str(ply).replace("-", "")
