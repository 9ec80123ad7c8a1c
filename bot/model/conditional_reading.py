"""Trees of what is decided ahead, as players type them.

    if d2-d4 then e3-e5, if g3-g4 then h4-h5; if f1-f3 then g3-g4; else ask
    d2-d4: e3-e5, g3-g4: h4-h5; f1-f3: g3-g4

Between semicolons, or on lines of their own, stand its lines: a comma goes on with one, and what
two have in common is written again. `else`, or `*`, stands for whatever else the other player does.
On one's own turn one's move comes first. Each move is held to the rules where it would be played.
"""

import re
from dataclasses import dataclass
from enum import Enum, auto
from typing import Final, NoReturn

from bot.model.conditional import (
    MOST,
    Ahead,
    Line,
    Own,
    Prepared,
    Theirs,
    Waiting,
    grown,
    lines_of,
    may_follow,
    overrules,
    size,
)
from bot.model.lists import Plan, read_plan, read_typed, split_else_next, visible
from bot.model.refusals import BadLines, BadList, LineProblem, ListProblem
from dvonn import (
    Color,
    Coordinates,
    IllegalMoveError,
    Move,
    NotationError,
    NotationProblem,
    Phase,
    Point,
    Position,
    format_move,
    parse_moves,
)

LONGEST_LINES: Final = 1_000
"""How many characters are read of a tree."""


class _Kind(Enum):
    POINT = auto()
    JOINT = auto()
    COMMA = auto()
    IF = auto()
    THEN = auto()
    ELSE = auto()
    ANYTHING = auto()
    ASK = auto()
    FILLER = auto()
    UNKNOWN = auto()
    END = auto()


_WORDS: Final = {
    word: kind
    for kind, words in {
        _Kind.JOINT: "to x",
        _Kind.IF: "if when wenn falls se si als",
        _Kind.THEN: "then dann allora alors entonces dan",
        _Kind.ELSE: "else otherwise sonst altrimenti sinon anders",
        _Kind.ANYTHING: "any anything alles qualsiasi tout todo",
        _Kind.ASK: "ask frag fragen chiedi chiedimi demande demander pregunta vraag",
        _Kind.FILLER: "and me they play mich mir und e et y en i you",
    }.items()
    for word in words.split()
}
_TOKEN: Final = re.compile(
    r"(?P<POINT>[A-Za-z][1-9][0-9]*)|(?P<WORD>[^\W\d_]+(?![0-9]))"
    r"|(?P<JOINT>->|[-\u2010-\u2014\u2212\u2192>])|(?P<THEN>:)|(?P<COMMA>,)|(?P<ANYTHING>\*)"
    r"|(?P<BLANK>[\s`.]+)|(?P<UNKNOWN>.)",
    re.DOTALL,
)
_CLAUSE: Final = re.compile(r"[^;\n]+")
_SHOWN: Final = 60
"""So much of what was understood is told with a fault."""


@dataclass(frozen=True, slots=True)
class _Token:
    kind: _Kind
    text: str
    at: int


@dataclass(frozen=True, slots=True)
class TypedTurn:
    """What the text of a player who is to move asks for."""

    moves: tuple[Move, ...]
    """What they play now, in one go: at least one."""
    ahead: Ahead | None = None
    """What they have decided for their next turns."""


def read_ahead(text: str, coordinates: Coordinates, position: Position, own: Color) -> Ahead:
    """Read what a player decides ahead while the other is to move.

    One movement without a condition is played whatever the other player does, if it can be.

    Raises:
        NotationError: if it is neither a tree nor a move nor a list of spaces.
        BadList: if a list cannot be kept, or the text is too long.
        BadLines: if a tree cannot be.
    """
    text = _measured(text)
    if _has_conditions(text, position, enough=1):
        return _conditions(text, coordinates, position, own)
    if position.phase is Phase.PLACEMENT:
        return read_plan(text, coordinates, position)
    body, else_next = split_else_next(text)
    move, *more = parse_moves(body, coordinates)
    if else_next or move.source is None:
        raise BadList(ListProblem.NOT_PLACING)
    if more:
        raise NotationError(text, 0, NotationProblem.SEVERAL_MOVES)
    ahead = Waiting((), Prepared(move))
    if not may_follow(ahead, position, own):
        raise BadLines(LineProblem.NEVER, found=format_move(move, coordinates))
    return ahead


def read_turn(text: str, coordinates: Coordinates, position: Position) -> TypedTurn:
    """Read what the player to move has typed: as `read_typed` does, or a move and a tree after it.

    Raises:
        NotationError: if the text is nothing of that.
        IllegalMoveError: if the rules refuse what is played at once.
        BadList: if a list for later cannot be kept, or the text is too long.
        BadLines: if a tree cannot be.
    """
    if len(text) > LONGEST_LINES or not _has_conditions(visible(text), position, enough=2):
        entry = read_typed(text, coordinates, position)
        return TypedTurn(entry.moves, entry.plan)
    own = position.turn
    assert own is not None  # they are to move  # noqa: S101
    text = visible(text)
    first = next(_CLAUSE.finditer(text))
    reader = _Clause(text, first.start(), first.end(), coordinates, position, own)
    moves = reader.own_moves()
    if not moves:
        raise BadLines(LineProblem.NO_OWN_MOVE)
    for move in moves:
        position = position.play(move)
    rest = text[reader.at :].lstrip(" ,;\n\r\t")
    before = text[: len(text) - len(rest)]
    return TypedTurn(moves, _conditions(rest, coordinates, position, own, before=before))


def _measured(text: str) -> str:
    if len(text) > LONGEST_LINES:
        raise BadList(ListProblem.TOO_LONG, limit=LONGEST_LINES)
    return visible(text)


def _tokens(text: str, start: int, end: int) -> list[_Token]:
    found = []
    for match in _TOKEN.finditer(text, start, end):
        name = match.lastgroup or ""
        if name == "BLANK":
            continue
        kind = _WORDS.get(match[0].casefold(), _Kind.UNKNOWN) if name == "WORD" else _Kind[name]
        found.append(_Token(kind, match[0], match.start()))
    return found


def _has_conditions(text: str, position: Position, *, enough: int) -> bool:
    """Whether a text has nothing but what a tree is written of, and more than a list has.

    A colon between two spaces may be that of a movement: what it follows must be a move, and on
    one's own turn not the first (`enough` is how many placements stand before it).
    """
    if len(text) > LONGEST_LINES:
        return False
    needed = 2 * enough if position.phase is Phase.MOVEMENT else enough
    points, found = 0, False
    for clause in _CLAUSE.finditer(text):
        body, _ = split_else_next(clause[0])
        for token in _tokens(body, 0, len(body)):
            match token.kind:
                case _Kind.UNKNOWN:
                    return False
                case _Kind.POINT:
                    points += 1
                case _Kind.IF | _Kind.ELSE | _Kind.ANYTHING:
                    found = True
                case _Kind.THEN if token.text != ":" or points >= needed:
                    found = True
    return found


def _conditions(
    text: str, coordinates: Coordinates, position: Position, own: Color, *, before: str = ""
) -> Ahead:
    """Read a tree on a position in which the other player is to move.

    Args:
        text: The tree.
        coordinates: How spaces are named.
        position: Where it begins.
        own: Whose tree it is.
        before: What stood before it, to be told with a fault.
    """
    ahead: Ahead | None = None
    for clause in _CLAUSE.finditer(text):
        reader = _Clause(
            text, clause.start(), clause.end(), coordinates, position, own, before=before
        )
        if reader.is_empty:
            continue
        line = reader.line()
        if overrules(ahead, line):
            raise BadLines(LineProblem.TWICE, found=clause[0].strip())
        ahead = grown(ahead, line)
        if size(ahead) > MOST:
            raise BadLines(LineProblem.TOO_MANY, limit=MOST)
    if ahead is None or all(isinstance(step, Theirs) for one in lines_of(ahead) for step in one):
        raise BadLines(LineProblem.NOTHING)
    _check_otherwise(ahead, coordinates, position, own)
    return ahead


def _check_otherwise(
    ahead: Ahead | None, coordinates: Coordinates, position: Position, own: Color
) -> None:
    """See that whatever is played "otherwise" can be, at least once."""
    match ahead:
        case Prepared(move, then):
            if position.turn is own:
                _check_otherwise(then, coordinates, position.play(move), own)
        case Waiting(known, otherwise):
            for move, then in known:
                _check_otherwise(then, coordinates, position.play(move), own)
            if otherwise is None or may_follow(ahead, position, own):
                return
            if isinstance(otherwise, Prepared):
                found = format_move(otherwise.move, coordinates)
                raise BadLines(LineProblem.NEVER, found=found)
            raise BadLines(LineProblem.NOTHING_ELSE)
        case _:
            pass


class _Clause:
    """One line as it is read, and the position to which it has led."""

    def __init__(
        self,
        text: str,
        start: int,
        end: int,
        coordinates: Coordinates,
        position: Position,
        own: Color,
        *,
        before: str = "",
    ) -> None:
        body, self._else_next = split_else_next(text[:end])
        self._text = text
        self._end = end
        self._before = before
        self._coordinates = coordinates
        self._tokens = _tokens(text, start, len(body))
        self._next = 0
        self._own = own
        self._position = position
        self._is_known = True
        """Whether the position is; else it is the last that was."""

    @property
    def is_empty(self) -> bool:
        """Whether nothing stands there."""
        return not self._tokens and not self._else_next

    @property
    def at(self) -> int:
        """How far it was read."""
        return self._peek().at

    def line(self) -> Line:
        """Read all of it."""
        steps: list[Theirs | Own | Plan] = []
        while True:
            is_marked = self._skip(_Kind.IF, _Kind.FILLER)
            steps += self._condition(is_marked=is_marked)
            steps += self._reply()
            self._skip(_Kind.COMMA, _Kind.FILLER)
            if self._peek().kind is _Kind.END:
                return tuple(steps)
            if self._peek().kind is _Kind.THEN:
                self._next += 1

    def own_moves(self) -> tuple[Move, ...]:
        """What is played at once, before the first condition.

        Raises:
            IllegalMoveError: if the rules refuse it.
        """
        moves: list[Move] = []
        while self._position.turn is self._own and self._peek().kind is _Kind.POINT:
            move = self._move(self._position.phase)
            self._position = self._position.play(move)
            moves.append(move)
            self._skip(_Kind.COMMA)
        self._skip(_Kind.THEN)
        return tuple(moves)

    def _condition(self, *, is_marked: bool) -> list[Theirs | Own | Plan]:
        if not self._is_known:
            self._refuse(LineProblem.AFTER_ELSE)
        if self._position.turn is None:
            self._refuse(LineProblem.OVER)
        if self._position.turn is self._own:
            self._refuse(LineProblem.YOU_AGAIN)
        if self._skip(_Kind.ANYTHING, _Kind.ELSE):
            self._skip(_Kind.THEN, _Kind.COMMA)
            self._is_known = False
            return [Theirs(None)]
        steps: list[Theirs | Own | Plan] = []
        while self._position.turn not in (self._own, None):
            if steps and self._peek().kind is not _Kind.POINT:
                if self._peek_past(_Kind.THEN, _Kind.COMMA).kind is _Kind.ASK:
                    break
                self._refuse(LineProblem.THEY_AGAIN)
            move = self._play(LineProblem.ILLEGAL_THEIRS)
            steps.append(Theirs(move))
        if not (self._skip(_Kind.THEN, _Kind.COMMA, needs=_Kind.THEN) or is_marked):
            self._refuse(LineProblem.UNREADABLE)
        return steps

    def _reply(self) -> list[Theirs | Own | Plan]:
        self._skip(_Kind.FILLER)
        if self._skip(_Kind.ASK):
            self._skip(_Kind.FILLER)
            if self._peek().kind is not _Kind.END:
                self._refuse(LineProblem.UNREADABLE)
            return []
        if self._is_known and self._position.turn is None:
            self._refuse(LineProblem.OVER)
        placing = self._places_next
        if placing and (not self._is_known or self._is_list()):
            return [self._list()]
        if not self._is_known:
            return [Own(self._move(Phase.MOVEMENT))]
        steps: list[Theirs | Own | Plan] = []
        while self._position.turn is self._own:
            steps.append(Own(self._play(LineProblem.ILLEGAL)))
            if self._position.turn is self._own:
                if self._peek_past(_Kind.COMMA).kind is not _Kind.POINT:
                    break
                self._skip(_Kind.COMMA)
        return steps

    @property
    def _places_next(self) -> bool:
        """Whether a piece is placed next, by the player, as far as is known."""
        is_placing = self._position.phase is Phase.PLACEMENT
        return is_placing and (self._is_known or not self._fills_board)

    @property
    def _fills_board(self) -> bool:
        return len(self._position.legal_moves()) == 1

    def _is_list(self) -> bool:
        """Whether all that is left is more than one space, or goes on with the next free one."""
        rest = self._tokens[self._next :]
        spaces = [token for token in rest if token.kind is _Kind.POINT]
        plain = all(token.kind in (_Kind.POINT, _Kind.COMMA) for token in rest)
        return plain and (len(spaces) > 1 or self._else_next)

    def _list(self) -> Plan:
        """All that is left, as a list."""
        rest = self._text[self.at : self._end]
        self._skip(_Kind.POINT, _Kind.COMMA)
        if self._peek().kind is not _Kind.END:
            self._refuse(LineProblem.AFTER_ELSE)
        try:
            return read_plan(rest, self._coordinates, self._position)
        except NotationError as error:
            off = error.problem is NotationProblem.OFF_BOARD
            problem = LineProblem.OFF_BOARD if off else LineProblem.UNREADABLE
            raise BadLines(problem, found=rest.strip()) from error

    def _play(self, problem: LineProblem) -> Move:
        """Read a move, and play it."""
        first = self._next
        move = self._move(self._position.phase)
        try:
            self._position = self._position.play(move)
        except IllegalMoveError as error:
            self._next = first
            found = format_move(move, self._coordinates)
            raise BadLines(
                problem, self._read, found, refusal=(error, self._coordinates)
            ) from error
        return move

    def _move(self, phase: Phase) -> Move:
        source = self._point()
        if phase is Phase.PLACEMENT:
            return Move(target=source)
        kinds = [token.kind for token in self._tokens[self._next : self._next + 2]]
        if kinds == [_Kind.JOINT, _Kind.POINT] or (
            kinds == [_Kind.THEN, _Kind.POINT] and self._peek().text == ":"
        ):
            self._next += 1
        if self._peek().kind is not _Kind.POINT:
            self._next -= 1
            self._refuse(LineProblem.HALF)
        return Move(target=self._point(), source=source)

    def _point(self) -> Point:
        token = self._peek()
        if token.kind is not _Kind.POINT:
            self._refuse(LineProblem.UNREADABLE)
        point = self._coordinates.point(token.text.lower())
        if point is None:
            self._refuse(LineProblem.OFF_BOARD)
        self._next += 1
        return point

    def _skip(self, *kinds: _Kind, needs: _Kind | None = None) -> bool:
        """Go past some kinds; whether there was one, or the one that is needed."""
        before = self._next
        while self._peek().kind in kinds:
            self._next += 1
        passed = self._tokens[before : self._next]
        return bool(passed) if needs is None else any(one.kind is needs for one in passed)

    def _peek(self) -> _Token:
        if self._next < len(self._tokens):
            return self._tokens[self._next]
        return _Token(_Kind.END, "", self._end)

    def _peek_past(self, *kinds: _Kind) -> _Token:
        before = self._next
        self._skip(*kinds)
        token, self._next = self._peek(), before
        return token

    @property
    def _read(self) -> str:
        """What was understood so far, as much of its end as is told."""
        return (self._before + self._text[: self._peek().at]).strip()[-_SHOWN:]

    def _refuse(self, problem: LineProblem) -> NoReturn:
        raise BadLines(problem, self._read, self._peek().text)
