"""Puzzles, with answers to every move."""

from collections.abc import Sequence
from enum import StrEnum
from functools import lru_cache
from typing import Any, Final

from dvonn._records.position_text import position_from_text
from dvonn._rules.errors import DvonnError
from dvonn._rules.frozen import Value
from dvonn._rules.move import Move
from dvonn._rules.packed_moves import PackedMoves
from dvonn._rules.pieces import Color
from dvonn._rules.position import Phase, Position
from dvonn.reviews.lines import positions
from dvonn.reviews.reasons import costs, reasons
from dvonn.reviews.review import ProvenReason
from dvonn_lessons.puzzles.themes import PuzzleTheme
from dvonn_lessons.solver import Solver

RIGHT: Final = "+"
WRONG: Final = "!"
NOT_STORED: Final = "."
"""Mark for a position that `Solver` can solve quickly, or for the end of a judged line."""
_PERCENT_DIGITS: Final = 2


class Aim(StrEnum):
    """The kinds of puzzle tasks."""

    WIN = "win"
    DRAW = "draw"
    MARGIN = "margin"
    """Win by more, or lose by less, than with any other move."""
    FIGHT = "fight"
    """Stay ahead in the middle of the game, as judged by searches."""
    PLACEMENT = "placement"
    """Place a piece on the best point, as judged by many full boards."""


class PuzzleAnswer(Value, kw_only=True):
    """The puzzle's answer to a move.

    Attributes:
        right: True if the goal can still be reached after the move.
        replies: The moves after it: the opponent's reply, and after a right move also the solver's
            forced moves and the replies to them.
        position: Position after the move and the replies. Either the solver is to move, or the game
            is over.
        solved: True if there is nothing left to find, because several moves reach the goal from
            here on.
    """

    right: bool
    replies: tuple[Move, ...]
    position: Position
    solved: bool


class Puzzle(Value, kw_only=True):
    """A position where exactly one move reaches the goal against any defense.

    This is proven, unless `judged` is positive. A judged puzzle holds the results of searches:
    `goal` and `best` are the solver's winning chances in percent, `line` ends after a few plies,
    and `others` has, after each sign, the chance in two digits, a few plies and `NOT_STORED`.

    Attributes:
        id: Unique ID of eight characters.
        text: The position, as `dvonn.position_to_text` writes it.
        aim: The aim of the solver.
        goal: Minimum margin at the end: the solver's pieces minus the opponent's.
        best: The margin after best play by both.
        rating: Initial estimate of the rating, on the scale of Elo and Glicko.
        themes: Its themes. A retired puzzle has none, and is found only by its ID.
        moves: Number of moves to find. Each is the only one that reaches the goal.
        seed: Seed of the game that the position is from.
        ply: Number of plies in that game's movement phase before the position.
        line: Best play by both to the end. This and the next two are in the form of
            `dvonn._rules.packed_moves`.
        others: For each turn of the solver in `line`: every other move with a sign for whether it
            reaches the goal, and best play after it where `Solver` is too slow.
        book: After the first move of `line`: an answer to each defense, then to each defense
            against that, and so on, where `Solver` is too slow.
        judged: Number of positions searched to judge it, or 0 if it is proven.
        error: Standard error of the difference in winning chance between the best move and the next
            one, in percentage points, or 0 without sampling.
    """

    id: str
    text: str
    aim: Aim
    goal: int
    best: int
    rating: int
    themes: tuple[PuzzleTheme, ...]
    moves: int
    seed: int
    ply: int
    line: str
    others: str
    book: str
    judged: int = 0
    error: int = 0

    @classmethod
    def from_json(cls, data: Sequence[Any]) -> "Puzzle":
        """Parse the output of `to_json`.

        Raises:
            KeyError, TypeError, DvonnError: if the data is malformed.
        """
        fields = cls._fields if len(data) == len(cls._fields) else cls._fields[: -len(_OF_JUDGED)]
        values: dict[str, Any] = dict(zip(fields, data, strict=True))
        values["aim"] = _AIMS[values["aim"]]
        values["themes"] = tuple([_THEMES[theme] for theme in values["themes"].split()])
        return cls(**values)

    def to_json(self) -> list[Any]:
        """Return the values of the attributes in order, as JSON data."""
        texts = {"aim": self.aim.value, "themes": " ".join(self.themes)}
        values = list((self.as_dict() | texts).values())
        return values if self.judged else values[: -len(_OF_JUDGED)]

    @property
    def position(self) -> Position:
        """The position before the solver's move, without its history."""
        return position_from_text(self.text)

    @property
    def solver(self) -> Color:
        """The player who has to reach the goal. They are to move."""
        return Color(self.text.split()[1])  # it ends in "W move" or "B place"

    @property
    def is_rescue(self) -> bool:
        """True if the game is lost, and the task is to lose by less than with any other move."""
        return self.best < 0

    def fits(self, theme: PuzzleTheme | None) -> bool:
        """Return True if a player may get the puzzle, given their chosen theme, if any."""
        if self.is_rescue or theme is None:
            return self.is_rescue is (theme is PuzzleTheme.SAVE)
        return theme in self.themes

    @property
    def solution(self) -> tuple[Move, ...]:
        """Best play by both sides to the end of the game. Its first move is the move to find."""
        return self.play_on(())

    def answer(self, so_far: Sequence[Move], move: Move) -> PuzzleAnswer:
        """Return whether a move is right, and the replies to it.

        Args:
            so_far: Moves of both players since the puzzle's position.
            move: The solver's move now.

        Raises:
            IllegalMoveError: if the rules refuse one of the moves.
            DvonnError: if it is not the solver's turn.
        """
        course = positions(self.position, so_far)
        before = course[-1]
        if before.turn is not self.solver:
            raise DvonnError(f"it is not the solver's turn: {before!r}")
        data, solver, position = _puzzle_data(self), Solver(self.solver), before.play(move)
        right = data.is_right(before, move, solver)
        replies: list[Move] = []
        while position.turn is not None:
            if position.turn is self.solver and not (right and len(position.legal_moves()) == 1):
                break
            reply = data.best(position, solver)
            if reply is None:
                break
            replies.append(reply)
            position = position.play(reply)
        count = sum(
            reached.turn is self.solver and len(reached.legal_moves()) > 1 for reached in course
        )
        solved = right and (position.turn is None or count >= self.moves)
        return PuzzleAnswer(right=right, replies=tuple(replies), position=position, solved=solved)

    def play_on(self, so_far: Sequence[Move]) -> tuple[Move, ...]:
        """Return the moves to the end of the game after any moves, including mistakes.

        The opponent plays best, and so does the solver, or at least well enough to reach the goal.
        A judged puzzle has only a few plies, and none after moves that are not in its data.

        Raises:
            IllegalMoveError: if the rules refuse one of the moves.
        """
        data, position = _puzzle_data(self), positions(self.position, so_far)[-1]
        solver = Solver(self.solver)
        line: list[Move] = []
        while position.turn is not None and (move := data.best(position, solver)) is not None:
            line.append(move)
            position = position.play(move)
        return tuple(line)

    def chance(self, move: Move) -> int:
        """Return the solver's winning chance in percent after a first move of a judged puzzle.

        Raises:
            KeyError: if the puzzle is proven, or there is no such move.
        """
        return _puzzle_data(self).chances[move]

    @property
    def best_other_chance(self) -> int:
        """The largest winning chance, in percent, of any other first move of a judged puzzle."""
        best = self.solution[0]
        return max(chance for move, chance in _puzzle_data(self).chances.items() if move != best)

    def reason(self, so_far: Sequence[Move], wrong: Move) -> ProvenReason | None:
        """Return the main cost of a wrong move, or None. It does not reveal the right move."""
        position = positions(self.position, so_far)[-1]
        if position.phase is Phase.PLACEMENT:
            return None
        answer = self.play_on((*so_far, wrong))
        find = reasons if self.judged else costs
        losses = find(position, wrong, answer, self.play_on(so_far))
        own_losses = (
            loss for loss in losses if loss.sufferer is self.solver and loss.better is None
        )
        return next(own_losses, None)


_OF_JUDGED: Final = ("judged", "error")
"""The trailing fields, which the JSON data of proven puzzles leave out."""
_AIMS: Final = {aim.value: aim for aim in Aim}
_THEMES: Final = {theme.value: theme for theme in PuzzleTheme}


class _PuzzleData:
    """A puzzle's stored answers, decoded. `Solver` computes the others."""

    def __init__(self, puzzle: Puzzle) -> None:
        self._color, self._goal = puzzle.solver, puzzle.goal
        self._next: dict[Position, Move] = {}
        self._right: dict[Position, frozenset[Move]] = {}
        self.chances: dict[Move, int] = {}
        self._is_judged = puzzle.judged > 0
        if self._is_judged:
            self._read_judged(puzzle)
            return
        line = PackedMoves(puzzle.line).line(puzzle.position)
        self._next.update(line)
        self._read_others(line, PackedMoves(puzzle.others))
        first, move = line[0]
        self._read_book(first.play(move), PackedMoves(puzzle.book))

    def is_right(self, position: Position, move: Move, solver: Solver) -> bool:
        """Return True if a move of the solver reaches the goal."""
        if position in self._right:
            return move in self._right[position]
        if self._is_judged:
            return move == self._next.get(position)
        return solver.reaches(position.play(move), self._goal)

    def best(self, position: Position, solver: Solver) -> Move | None:
        """Return either player's best move, or None if a judged puzzle does not hold it."""
        legal = position.legal_moves()
        if self._is_judged or position in self._next:
            return self._next.get(position)
        return legal[0] if len(legal) == 1 else solver.best(position, self._goal)

    def _read_judged(self, puzzle: Puzzle) -> None:
        position, reader = puzzle.position, PackedMoves(puzzle.line)
        best = reader.move(position)
        self._read_plies(position.play(best), reader)
        self._next[position], self._right[position] = best, frozenset({best})
        self.chances[best] = puzzle.best
        reader = PackedMoves(puzzle.others)
        for move in position.legal_moves():
            if move != best:
                reader.take(WRONG)
                self.chances[move] = reader.number(_PERCENT_DIGITS)
                self._read_plies(position.play(move), reader)

    def _read_plies(self, position: Position, reader: PackedMoves) -> None:
        while reader.has_more and not reader.take(NOT_STORED):
            move = reader.move(position)
            self._next.setdefault(position, move)
            position = position.play(move)

    def _read_others(self, line: list[tuple[Position, Move]], reader: PackedMoves) -> None:
        for position, best in line:
            if position.turn is not self._color or not reader.has_more:
                continue
            right = {best}
            for move in position.legal_moves():
                if move is best:
                    continue
                if reader.take(RIGHT):
                    right.add(move)
                else:
                    reader.take(WRONG)
                for before, following in reader.line(position.play(move)):
                    self._next.setdefault(before, following)
            self._right[position] = frozenset(right)

    def _read_book(self, position: Position, reader: PackedMoves) -> None:
        if position.turn is None or not reader.has_more:
            return
        if position.turn is not self._color:
            for move in position.legal_moves():
                self._read_book(position.play(move), reader)
            return
        if not reader.take(NOT_STORED):
            answer = reader.move(position)
            self._next.setdefault(position, answer)
            self._read_book(position.play(answer), reader)


@lru_cache(maxsize=16)
def _puzzle_data(puzzle: Puzzle) -> _PuzzleData:
    return _PuzzleData(puzzle)
