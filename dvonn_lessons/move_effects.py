"""Effects of a movement that follow from the rules: its landing, cuts and possible replies.

All texts that describe moves to players use this module. It needs only the rules, no engine.
"""

from collections.abc import Mapping

from dvonn._rules.board import Point
from dvonn._rules.frozen import Value
from dvonn._rules.move import Move
from dvonn._rules.pieces import Color
from dvonn._rules.position import Phase, Position
from dvonn.reviews.lines import moves_by_stack


class Landing(Value):
    """The stack that a movement lands on, before the landing.

    Attributes:
        owner: Its owner, or None for a single red piece.
        height: Number of its pieces.
        reds: Number of red pieces in it.
    """

    owner: Color | None
    height: int
    reds: int

    @classmethod
    def from_position(cls, position: Position, point: Point) -> "Landing":
        """Return the stack that a movement to an occupied point lands on."""
        return cls(position.owner(point), position.height(point), position.reds(point))


class Threat(Value):
    """The costliest cut that a player can make next.

    Attributes:
        pieces: Number of pieces that the other player would lose. At least one.
        by: The cutting move.
    """

    pieces: int
    by: Move


class MoveEffects:
    """The effects of a movement.

    Args:
        before: The position before it, in the movement phase.
        move: The movement.

    Raises:
        IllegalMoveError: if the rules refuse it.

    Attributes:
        before: The position before the move.
        move: The move.
        after: The position after it.
        mover: The player who makes it.
        landing: The stack that it lands on.

    Example:
        >>> from dvonn import Color, Position, parse_move
        >>> row = {"a1": "R", "b1": "W", "c1": "B", "d1": "W", "e1": "B", "f1": "WW"}
        >>> position = Position.from_stacks(row, turn=Color.WHITE)
        >>> effects = MoveEffects(position, parse_move("b1-a1"))
        >>> effects.landing.owner is None  # it lands on the red piece
        True
        >>> effects.lost(Color.WHITE), effects.lost(Color.BLACK)
        (3, 2)
        >>> [str(point) for point in effects.cut_off(Color.BLACK)]
        ['c1', 'e1']
    """

    def __init__(self, before: Position, move: Move) -> None:
        self.before = before
        self.move = move
        self.after = before.play(move)
        # A move that the rules accept has a mover, and a movement has a stack to land on.
        self.mover = before.turn or Color.WHITE
        self.landing = Landing.from_position(before, move.target)

    @property
    def takes(self) -> bool:
        """True if it lands on a stack of the opponent."""
        return self.landing.owner is self.mover.opponent

    def cut_off(self, player: Color) -> Mapping[Point, int]:
        """Return the cut-off stacks of a player, as points with numbers of pieces."""
        return {
            point: len(pieces)
            for point, pieces in self.after.removed.items()
            if pieces[-1] == player
        }

    def lost(self, player: Color) -> int:
        """Return the number of pieces that a player loses in cut-off stacks."""
        return sum(self.cut_off(player).values())

    @property
    def ends_game(self) -> bool:
        return self.after.phase is Phase.OVER

    @property
    def moves_again(self) -> bool:
        """True if the opponent cannot answer, and the same player moves again."""
        return self.after.turn is self.mover

    @property
    def threat(self) -> Threat | None:
        """The opponent's costliest possible cut, the first of equal ones, or None."""
        if self.after.turn is not self.mover.opponent:
            return None
        cuts = [
            Threat(MoveEffects(self.after, reply).lost(self.mover), reply)
            for reply in self.after.legal_moves()
        ]
        worst = max(cuts, key=lambda cut: cut.pieces)
        return worst if worst.pieces else None

    def freed(self, player: Color) -> tuple[Point, ...]:
        """Return the points of a player's stacks that could not move before and now can."""
        return self._changed(player, self.before, self.after)

    def blocked(self, player: Color) -> tuple[Point, ...]:
        """Return the points of a player's stacks that could move before and now cannot.

        Only stacks that still belong to that player and are on the board.
        """
        return self._changed(player, self.after, self.before)

    def _changed(self, player: Color, without: Position, with_moves: Position) -> tuple[Point, ...]:
        """Return the points of a player's stacks that can move in only the second position."""
        stays = (
            point
            for point in self.after.stacks
            if self.after.owner(point) is player and self.before.owner(point) is player
        )
        have, lack = moves_by_stack(with_moves, player), moves_by_stack(without, player)
        return tuple(point for point in stays if point in have and point not in lack)
