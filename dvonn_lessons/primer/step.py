"""Steps of the primer, and the evaluation of answers to them."""

from functools import cached_property

from dvonn._records.position_text import position_from_text
from dvonn._rules.board import Point
from dvonn._rules.frozen import Value
from dvonn._rules.move import Move
from dvonn._rules.pieces import Color
from dvonn._rules.position import IllegalMoveError, Position
from dvonn_lessons.primer.goals import Goal, lost


class StepAnswer(Value, kw_only=True):
    """The evaluation of a move as the answer to a step.

    Attributes:
        move: The move.
        right: True if it reaches the goal.
        refused: The error if the rules refuse the move, or None. A refused move changes nothing.
        after: The position after it.
        cut: Numbers of pieces that it cuts off: from its own player's stacks, and from the
            opponent's.
        shown: The continuation, up to the point where it shows why the move is right or wrong.
        end: The position at its end, or `after` if nothing is shown.
    """

    move: Move
    right: bool
    refused: IllegalMoveError | None
    after: Position
    cut: tuple[int, int] = (0, 0)
    shown: tuple[Move, ...] = ()
    end: Position


class PrimerStep(Value, kw_only=True):
    """A position and a goal that the player to move has to reach.

    Attributes:
        name: Unique name in lowercase letters.
        text: The position, as `dvonn.position_to_text` writes it.
        goal: The goal of the player to move.
        choices: The moves to choose from, which may include illegal ones. Empty if every legal move
            is a choice.
        stack: The point of the stack that the step is about, or None.
    """

    name: str
    text: str
    goal: Goal
    choices: tuple[Move, ...] = ()
    stack: Point | None = None

    @cached_property
    def position(self) -> Position:
        """The position before the move, without its history."""
        return position_from_text(self.text)

    @property
    def player(self) -> Color:
        """The player who has to reach the goal."""
        assert self.position.turn is not None  # no step begins at the end of a game  # noqa: S101
        return self.position.turn

    @cached_property
    def solutions(self) -> tuple[Move, ...]:
        """Every move that reaches the goal."""
        legal = self.position.legal_moves()
        return tuple(move for move in legal if self.goal.is_reached(self.position, move))

    @cached_property
    def most_cut(self) -> int:
        """The largest number of the opponent's pieces that one move can cut off.

        This is not defined for placements.
        """
        return max(lost(self.position, move)[1] for move in self.position.legal_moves())

    def answer(self, move: Move) -> StepAnswer:
        """Judge a move: right, wrong or refused."""
        position = self.position
        try:
            after = position.play(move)
        except IllegalMoveError as error:
            return StepAnswer(move=move, right=False, refused=error, after=position, end=position)
        right = self.goal.is_reached(position, move)
        demonstration, end = self.goal.shown_by(position, move), after
        for reply in demonstration:
            end = end.play(reply)
        return StepAnswer(
            move=move,
            right=right,
            refused=None,
            after=after,
            cut=(0, 0) if move.source is None else lost(position, move),
            shown=demonstration,
            end=end,
        )


class Chapter(Value, kw_only=True):
    """Steps about one subject, in the recommended order."""

    name: str
    steps: tuple[PrimerStep, ...]
