"""Comparison of two equally long lines of play from the same position, piece by piece."""

from collections import Counter
from functools import cached_property
from typing import Self

from dvonn._rules.board import Point, neighbours
from dvonn._rules.frozen import Value
from dvonn._rules.move import Move
from dvonn._rules.pieces import Color
from dvonn._rules.position import Phase, Position
from dvonn.reviews.lines import positions


class ComparedLine(Value):
    """A line of play and the fate of each piece in it, from one player's point of view.

    A piece is identified by its point and its level in the stack at the start. It is worth 1 if the
    player owns its stack, -1 if the opponent does, and 0 if nobody does.
    """

    start: Position
    moves: tuple[Move, ...]
    player: Color

    @cached_property
    def boards(self) -> tuple[Position, ...]:
        return positions(self.start, self.moves)

    @cached_property
    def fates(self) -> dict[tuple[Point, int], tuple[int, int]]:
        """Each piece's value at the end, and the index of the move that caused it (-1 for none)."""
        lying = {at: [(at, n) for n in range(len(s))] for at, s in self.start.stacks.items()}
        fates = {piece: (self.worth(at), -1) for at, pieces in lying.items() for piece in pieces}
        for number, (move, after) in enumerate(zip(self.moves, self.boards[1:], strict=True)):
            assert move.source is not None  # both lines belong to the movement phase # noqa: S101
            lying[move.target] += lying.pop(move.source)
            worth = 1 if self.boards[number].turn is self.player else -1
            for piece in lying[move.target]:
                before, since = fates[piece]
                fates[piece] = worth, since if before == worth else number
            for at in after.removed:
                for piece in lying.pop(at):
                    fates[piece] = 0, number
        return fates

    def losses_against(self, other: Self) -> tuple[Counter[int], Counter[int], Counter[int]]:
        """Count, by move, what the player loses in this line but not in the other.

        Returns:
            The loss in value, the part of it that was cut off, and the gain in value.
        """
        lost, cut, gained = Counter[int](), Counter[int](), Counter[int]()
        for piece, (worth, number) in self.fates.items():
            at_first = self.worth(piece[0])
            least = min(other.fates[piece][0], at_first)
            lost[number] += max(least - worth, 0)
            cut[number] += not worth and least > 0
            gained[number] += max(worth - at_first, 0)
        return lost, cut, gained

    def worth(self, at: Point) -> int:
        owner = self.start.owner(at)
        return 0 if owner is None else 1 if owner is self.player else -1

    @cached_property
    def moves_after_passes(self) -> list[int]:
        """Indices of the opponent's moves before which the player had to pass."""
        turns = [board.turn is self.player.opponent for board in self.boards[:-1]]
        return [number for number in range(1, len(turns)) if turns[number - 1] and turns[number]]

    def is_retaken(self, number: int) -> bool:
        """Return True if the player later lands on the stack that moved, or could at the end."""
        place = self.moves[number].target
        for board, move in zip(self.boards[number + 1 :], self.moves[number + 1 :], strict=False):
            if move.target == place and board.turn is self.player:
                return True
            place = move.target if move.source == place else place
        end = self.boards[-1]
        return end.turn is self.player and any(move.target == place for move in end.legal_moves())

    @property
    def lead(self) -> int:
        """The player's lead in pieces at the end."""
        end = self.boards[-1]
        return end.score(self.player) - end.score(self.player.opponent)


def compared(
    position: Position, player: Color, bad: tuple[Move, ...], good: tuple[Move, ...]
) -> tuple[ComparedLine, ComparedLine]:
    """Return both lines, cut to equal length unless the shorter one ends the game."""
    longer = max(len(bad), len(good))
    length = min(
        longer if positions(position, line)[-1].phase is Phase.OVER else len(line)
        for line in (bad, good)
    )
    return (
        ComparedLine(position, bad[:length], player),
        ComparedLine(position, good[:length], player),
    )


def hanging_on(position: Position, point: Point) -> set[Point]:
    """Return the points that would be cut off if the stack on a point left the board."""
    points = set(position.stacks) - {point}
    linked = [at for at in points if position.reds(at)]
    lost = points.difference(linked)
    while linked:
        beside = lost.intersection(neighbours(linked.pop()))
        lost -= beside
        linked += beside
    return lost
