"""Two lines of play from one position, followed equally far, and what they leave of each."""

from functools import cached_property

from dvonn.board import Point
from dvonn.frozen import Value
from dvonn.motifs import moves_left, positions
from dvonn.move import Move
from dvonn.pieces import Color
from dvonn.position import Phase, Position


class ComparedLine(Value):
    """A line of play, and what becomes of each piece in it, seen by a player.

    A piece is known by the point and the level at which it lies at first; it is worth 1 to the
    player who owns its stack, -1 to the other, 0 where nobody does.
    """

    start: Position
    moves: tuple[Move, ...]
    player: Color

    @cached_property
    def boards(self) -> tuple[Position, ...]:
        return positions(self.start, self.moves)

    @cached_property
    def fates(self) -> dict[tuple[Point, int], tuple[int, int, Point]]:
        """The worth of each piece at the end, the move that made it so (-1: none), the place."""
        lying = {at: [(at, n) for n in range(len(s))] for at, s in self.start.stacks.items()}
        found = {one: (self.worth(at), -1, at) for at, own in lying.items() for one in own}
        for number, (move, after) in enumerate(zip(self.moves, self.boards[1:], strict=True)):
            assert move.source is not None  # both lines are of the movement phase  # noqa: S101
            lying[move.target] += lying.pop(move.source)
            worth = 1 if self.boards[number].turn is self.player else -1
            for one in lying[move.target]:
                before, since, _ = found[one]
                found[one] = worth, since if before == worth else number, move.target
            for at in after.removed:
                for one in lying.pop(at):
                    found[one] = 0, number, at
        return found

    def worth(self, at: Point) -> int:
        owner = self.start.owner(at)
        return 0 if owner is None else 1 if owner is self.player else -1

    def chosen(self, length: int) -> tuple[int, int]:
        """Return how many moves the player and the other have after so many moves."""
        before = self.moves[:length]
        return (
            moves_left(self.start, before, self.player),
            moves_left(self.start, before, self.player.opponent),
        )

    @property
    def lead(self) -> int:
        """The pieces by which the player is ahead at the end."""
        end = self.boards[-1]
        return end.score(self.player) - end.score(self.player.opponent)


def equally_long(
    position: Position, bad: tuple[Move, ...], good: tuple[Move, ...]
) -> tuple[tuple[Move, ...], tuple[Move, ...]]:
    """Both lines cut to the shorter one's length, unless that goes to the end of the game."""
    longer = max(len(bad), len(good))
    length = min(
        longer if positions(position, one)[-1].phase is Phase.OVER else len(one)
        for one in (bad, good)
    )
    return bad[:length], good[:length]


def lacking(line: ComparedLine, other: ComparedLine, length: int) -> int:
    """Count the moves that the player lacks, and the other has gained, after so many moves."""
    (own, opponents), (spared, others) = line.chosen(length), other.chosen(length)
    return spared - own + opponents - others
