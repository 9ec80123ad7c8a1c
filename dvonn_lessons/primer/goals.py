"""The goals of the primer's steps.

Each goal uses the rules to decide whether a legal move reaches it.
"""

from abc import ABC, abstractmethod
from typing import Final

from dvonn._rules.board import POINTS, Point, steps_between
from dvonn._rules.frozen import Value
from dvonn._rules.move import Move
from dvonn._rules.pieces import Color
from dvonn._rules.position import Position
from dvonn.reviews.lines import is_too_high, moves_by_stack
from dvonn_lessons.puzzles import Puzzle, find
from dvonn_lessons.solver import Solver

_SHOWN: Final = 3
"""Maximum number of moves of a judged line to show."""


class Goal(Value, ABC):
    """A goal for a single move."""

    @abstractmethod
    def is_reached(self, position: Position, move: Move) -> bool:
        """Return True if a legal move reaches the goal."""

    def shown_by(self, position: Position, move: Move) -> tuple[Move, ...]:  # noqa: ARG002
        """Return moves after a legal move that show why it is right or wrong."""
        return ()


class AnyMove(Goal):
    """Play any legal move.

    Attributes:
        stack: The point of the stack to move, or None for any.
    """

    stack: Point | None = None

    def is_reached(self, position: Position, move: Move) -> bool:
        return move in position.legal_moves() and self.stack in (None, move.source)


class LandOn(Goal):
    """Land on a stack of an owner.

    Attributes:
        owner: The owner, or None for a single red piece.
    """

    owner: Color | None

    def is_reached(self, position: Position, move: Move) -> bool:
        return position.owner(move.target) is self.owner


class CutOff(Goal):
    """Cut off pieces of the opponent, and none of the player's own.

    Attributes:
        pieces: Minimum number of pieces.
    """

    pieces: int

    def is_reached(self, position: Position, move: Move) -> bool:
        own_count, other_count = lost(position, move)
        return not own_count and other_count >= self.pieces


class KeepAll(Goal):
    """Lose nothing to a cut, neither by the move itself nor by any reply."""

    def is_reached(self, position: Position, move: Move) -> bool:
        return not lost(position, move)[0] and not self.shown_by(position, move)

    def shown_by(self, position: Position, move: Move) -> tuple[Move, ...]:
        """Return the reply that cuts off the most pieces, or nothing if no reply cuts any off."""
        after, player = position.play(move), position.turn
        if after.turn is player or lost(position, move)[0]:
            return ()
        costs = {reply: lost(after, reply)[1] for reply in after.legal_moves()}
        worst = max(costs, key=lambda reply: costs[reply], default=None)
        return () if worst is None or not costs[worst] else (worst,)


class Free(Goal):
    """Let a surrounded stack of the player move again."""

    def is_reached(self, position: Position, move: Move) -> bool:
        """Return True if the move frees a surrounded stack other than the one it lands on."""
        after = position.play(move)
        own_position = Position.from_stacks(after.stacks, turn=position.turn or Color.WHITE)
        if own_position.turn is not position.turn:
            return False
        return any(
            position.is_surrounded(point)
            and position.owner(point) is position.turn
            and own_position.destinations(point)
            for point in own_position.stacks
            if point != move.target
        )


class Overload(Goal):
    """Make a stack too high to land anywhere, even if it is taken back.

    Attributes:
        point: Point of the stack, which the opponent owns before the move.
    """

    point: Point

    def is_reached(self, position: Position, move: Move) -> bool:
        """Return True if the stack can't move afterward, even if a reply lands on it."""
        if move.target != self.point:
            return False
        return is_too_high(position.play(move), self.point) and not self.shown_by(position, move)

    def shown_by(self, position: Position, move: Move) -> tuple[Move, ...]:
        """Return a move that the stack still has, or the reply that lets it move again."""
        after = position.play(move)
        if after.turn is position.turn:
            return ()
        replies = after.legal_moves()
        if leaving := [reply for reply in replies if reply.source == self.point]:
            return (leaving[0],)
        retakes = [reply for reply in replies if move.target == reply.target == self.point]
        return next(
            ((retake,) for retake in retakes if not is_too_high(after.play(retake), self.point)), ()
        )


class Silence(Goal):
    """Leave the opponent without a move, so that they have to pass."""

    def is_reached(self, position: Position, move: Move) -> bool:
        return position.play(move).turn is position.turn

    def shown_by(self, position: Position, move: Move) -> tuple[Move, ...]:
        """Return a move that the opponent still has."""
        after = position.play(move)
        return () if after.turn is position.turn else after.legal_moves()[:1]


class End(Goal):
    """End the game with at least a given lead, against any defense.

    Attributes:
        margin: Minimum lead of the player at the end, in pieces.
    """

    margin: int

    def is_reached(self, position: Position, move: Move) -> bool:
        """Return True if a search to the end of the game proves the margin."""
        solver = Solver(position.turn or Color.WHITE)
        return solver.reaches(position.play(move), self.margin)

    def shown_by(self, position: Position, move: Move) -> tuple[Move, ...]:
        """Return best play by both sides to the end of the game."""
        solver = Solver(position.turn or Color.WHITE)
        line: list[Move] = []
        after = position.play(move)
        while after.turn is not None:
            line.append(solver.best(after, self.margin))
            after = after.play(line[-1])
        return tuple(line)


class Best(Goal):
    """Find the move that long searches prefer, in a position too early for a proof.

    Attributes:
        move: The preferred move.
        puzzle: The ID of the judged puzzle that asks for the same move.
    """

    move: Move
    puzzle: str

    @property
    def judged(self) -> Puzzle:
        """The puzzle, with the chances of all moves and their continuations."""
        solution = find(self.puzzle)
        assert solution is not None  # retired puzzles are found, too  # noqa: S101
        return solution

    def is_reached(self, position: Position, move: Move) -> bool:  # noqa: ARG002
        return move == self.move

    def shown_by(self, position: Position, move: Move) -> tuple[Move, ...]:  # noqa: ARG002
        """Return the replies to a worse move."""
        return () if move == self.move else self.judged.play_on((move,))[:_SHOWN]


class PlaceWell(Goal):
    """Place a piece that meets bounds on its distances to red pieces.

    Attributes:
        reds: Minimum number of adjacent red pieces.
        steps: Maximum distance to the nearest red piece.
        apart: Minimum sum of the distances to all red pieces.
    """

    reds: int = 0
    steps: int = len(POINTS)
    apart: int = 0

    def is_reached(self, position: Position, move: Move) -> bool:
        away = steps_to_reds(position, move.target)
        if min(away) > self.steps or sum(away) < self.apart:
            return False
        return away.count(1) >= self.reds


def steps_to_reds(position: Position, point: Point) -> list[int]:
    """Count the steps from a point to each red piece, across any points."""
    return [steps_between(point, red) for red in filter(position.reds, POINTS)]


def lost(position: Position, move: Move) -> tuple[int, int]:
    """Count the pieces that a movement cuts off from the mover's and the opponent's stacks."""
    removed = position.play(move).removed.values()
    own_count = sum(len(stack) for stack in removed if stack[-1] == position.turn)
    return own_count, sum(map(len, removed)) - own_count


def movers(position: Position, player: Color) -> tuple[int, int]:
    """Count the movable stacks of a player and of the opponent, as if it were their turn."""
    return len(moves_by_stack(position, player)), len(moves_by_stack(position, player.opponent))
