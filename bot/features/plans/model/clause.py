"""Parses one line of a plan, word by word, following the rules of the game."""

from dataclasses import dataclass
from enum import Enum, auto
from typing import Final, NoReturn

import dvonn
from bot.features.plans.model.refusals import BadLines, LineProblem
from bot.features.plans.model.tree import Line, OpponentStep, OwnStep
from bot.play.model.typed import PlacementList, read_plan

_MAX_QUOTE: Final = 60
"""Maximum length in characters of the valid part that is quoted with an error."""


class TokenKind(Enum):
    """Kinds of tokens in a clause."""

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


@dataclass(frozen=True, slots=True)
class Token:
    """A token and its position in the text."""

    kind: TokenKind
    text: str
    at: int


class Clause:
    """Parser of one line, with the position after the moves parsed so far."""

    def __init__(
        self,
        text: str,
        tokens: list[Token],
        end: int,
        coordinates: dvonn.Coordinates,
        position: dvonn.Position,
        own_color: dvonn.Color,
        *,
        else_next: bool,
        before: str = "",
    ) -> None:
        """Parse one line of a text.

        With `else_next`, a taken space in its list is replaced by the next free one. Errors quote
        `before`, the text in front of this line.
        """
        self._text = text
        self._tokens = tokens
        self._end = end
        self._else_next = else_next
        self._before = before
        self._coordinates = coordinates
        self._next = 0
        self._own = own_color
        self._position = position
        self._is_known = True
        """True if the position is known. If it isn't, the last known one is used."""

    @property
    def is_empty(self) -> bool:
        return not self._tokens and not self._else_next

    @property
    def offset(self) -> int:
        """Number of characters parsed so far."""
        return self._peek().at

    def line(self) -> Line:
        steps: list[OpponentStep | OwnStep | PlacementList] = []
        while True:
            is_marked = self._skip(TokenKind.IF, TokenKind.FILLER)
            steps += self._condition(is_marked=is_marked)
            steps += self._reply()
            self._skip(TokenKind.COMMA, TokenKind.FILLER)
            if self._peek().kind is TokenKind.END:
                return tuple(steps)
            if self._peek().kind is TokenKind.THEN:
                self._next += 1

    def own_moves(self) -> tuple[dvonn.Move, ...]:
        """Parse the moves to play immediately, before the first condition.

        Raises:
            IllegalMoveError: if one is illegal.
        """
        moves: list[dvonn.Move] = []
        while self._position.turn is self._own and self._peek().kind is TokenKind.POINT:
            move = self._move(self._position.phase)
            self._position = self._position.play(move)
            moves.append(move)
            self._skip(TokenKind.COMMA)
        self._skip(TokenKind.THEN)
        return tuple(moves)

    def _condition(self, *, is_marked: bool) -> list[OpponentStep | OwnStep | PlacementList]:
        if not self._is_known:
            self._refuse(LineProblem.AFTER_ELSE)
        if self._position.turn is None:
            self._refuse(LineProblem.OVER)
        if self._position.turn is self._own:
            self._refuse(LineProblem.YOU_AGAIN)
        if self._skip(TokenKind.ANYTHING, TokenKind.ELSE):
            self._skip(TokenKind.THEN, TokenKind.COMMA)
            self._is_known = False
            return [OpponentStep(None)]
        steps: list[OpponentStep | OwnStep | PlacementList] = []
        while self._position.turn not in (self._own, None):
            if steps and self._peek().kind is not TokenKind.POINT:
                if self._peek_past(TokenKind.THEN, TokenKind.COMMA).kind is TokenKind.ASK:
                    break
                self._refuse(LineProblem.THEY_AGAIN)
            move = self._play(LineProblem.ILLEGAL_THEIRS)
            steps.append(OpponentStep(move))
        if not (self._skip(TokenKind.THEN, TokenKind.COMMA, needs=TokenKind.THEN) or is_marked):
            self._refuse(LineProblem.UNREADABLE)
        return steps

    def _reply(self) -> list[OpponentStep | OwnStep | PlacementList]:
        self._skip(TokenKind.FILLER)
        if self._skip(TokenKind.ASK):
            self._skip(TokenKind.FILLER)
            if self._peek().kind is not TokenKind.END:
                self._refuse(LineProblem.UNREADABLE)
            return []
        if self._is_known and self._position.turn is None:
            self._refuse(LineProblem.OVER)
        placing = self._is_placing_next
        if placing and (not self._is_known or self._is_list()):
            return [self._list()]
        if not self._is_known:
            return [OwnStep(self._move(dvonn.Phase.MOVEMENT))]
        steps: list[OpponentStep | OwnStep | PlacementList] = []
        while self._position.turn is self._own:
            steps.append(OwnStep(self._play(LineProblem.ILLEGAL)))
            if self._position.turn is self._own:
                if self._peek_past(TokenKind.COMMA).kind is not TokenKind.POINT:
                    break
                self._skip(TokenKind.COMMA)
        return steps

    @property
    def _is_placing_next(self) -> bool:
        """True if the player is known to place a piece next."""
        is_placing = self._position.phase is dvonn.Phase.PLACEMENT
        return is_placing and (self._is_known or not self._fills_board)

    @property
    def _fills_board(self) -> bool:
        return len(self._position.legal_moves()) == 1

    def _is_list(self) -> bool:
        """Return True if the rest is a list: several spaces, or one with "else next free"."""
        rest = self._tokens[self._next :]
        spaces = [token for token in rest if token.kind is TokenKind.POINT]
        plain = all(token.kind in (TokenKind.POINT, TokenKind.COMMA) for token in rest)
        return plain and (len(spaces) > 1 or self._else_next)

    def _list(self) -> PlacementList:
        rest = self._text[self.offset : self._end]
        self._skip(TokenKind.POINT, TokenKind.COMMA)
        if self._peek().kind is not TokenKind.END:
            self._refuse(LineProblem.AFTER_ELSE)
        try:
            return read_plan(rest, self._coordinates, self._position)
        except dvonn.NotationError as error:
            is_off_board = error.problem is dvonn.NotationProblem.OFF_BOARD
            problem = LineProblem.OFF_BOARD if is_off_board else LineProblem.UNREADABLE
            raise BadLines(problem, wrong_part=rest.strip()) from error

    def _play(self, problem: LineProblem) -> dvonn.Move:
        first = self._next
        move = self._move(self._position.phase)
        try:
            self._position = self._position.play(move)
        except dvonn.IllegalMoveError as error:
            self._next = first
            move_text = dvonn.format_move(move, self._coordinates)
            raise BadLines(
                problem, self._valid_part, move_text, refusal=(error, self._coordinates)
            ) from error
        return move

    def _move(self, phase: dvonn.Phase) -> dvonn.Move:
        source = self._point()
        if phase is dvonn.Phase.PLACEMENT:
            return dvonn.Move(target=source)
        kinds = [token.kind for token in self._tokens[self._next : self._next + 2]]
        if kinds == [TokenKind.JOINT, TokenKind.POINT] or (
            kinds == [TokenKind.THEN, TokenKind.POINT] and self._peek().text == ":"
        ):
            self._next += 1
        if self._peek().kind is not TokenKind.POINT:
            self._next -= 1
            self._refuse(LineProblem.HALF)
        return dvonn.Move(target=self._point(), source=source)

    def _point(self) -> dvonn.Point:
        token = self._peek()
        if token.kind is not TokenKind.POINT:
            self._refuse(LineProblem.UNREADABLE)
        point = self._coordinates.point(token.text.lower())
        if point is None:
            self._refuse(LineProblem.OFF_BOARD)
        self._next += 1
        return point

    def _skip(self, *kinds: TokenKind, needs: TokenKind | None = None) -> bool:
        """Skip tokens of some kinds.

        Return True if there were any, or with `needs`, one of that kind.
        """
        before = self._next
        while self._peek().kind in kinds:
            self._next += 1
        passed = self._tokens[before : self._next]
        return bool(passed) if needs is None else any(token.kind is needs for token in passed)

    def _peek(self) -> Token:
        if self._next < len(self._tokens):
            return self._tokens[self._next]
        return Token(TokenKind.END, "", self._end)

    def _peek_past(self, *kinds: TokenKind) -> Token:
        before = self._next
        self._skip(*kinds)
        token, self._next = self._peek(), before
        return token

    @property
    def _valid_part(self) -> str:
        """The text that was understood so far, or only its end if it is long."""
        return (self._before + self._text[: self._peek().at]).strip()[-_MAX_QUOTE:]

    def _refuse(self, problem: LineProblem) -> NoReturn:
        raise BadLines(problem, self._valid_part, self._peek().text)
