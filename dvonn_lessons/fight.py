"""Measures of the fight, the stage of a game from the full board until 25 stacks are left."""

from collections.abc import Callable, Sequence
from enum import StrEnum
from typing import Final

from dvonn._rules.board import neighbours
from dvonn._rules.frozen import Value
from dvonn._rules.pieces import Color
from dvonn._rules.position import Phase, Position
from dvonn.reviews.lines import moves_by_stack

_AFTER_THE_FIGHT: Final = 25
"""Number of stacks at which the fight is over. People lose most games between 45 and 25 stacks."""


class Measure(StrEnum):
    """Measures of a fight, each counted for both players."""

    MOVERS = "movers"
    """Stacks that can move."""
    LINKS = "links"
    """Stacks that contain a red piece or are next to one."""
    RESERVES = "reserves"
    """Stacks that can move and that the opponent can't land on, so that their moves can wait."""


class Fight(Value):
    """The measure that a fight changed most, for a player and for the opponent.

    Attributes:
        measure: The measure that changed most.
        before: Both numbers on the full board, the player's first.
        after: Both numbers after the fight.
    """

    measure: Measure
    before: tuple[int, int]
    after: tuple[int, int]


def fight_of(boards: Sequence[Position], player: Color) -> Fight | None:
    """Return the measure that a game's fight changed most, or None if the fight isn't over.

    Args:
        boards: All positions of a game, in order.
        player: The player whose numbers come first.
    """
    moving = [board for board in boards if board.phase is not Phase.PLACEMENT]
    after = next((board for board in moving if len(board.stacks) <= _AFTER_THE_FIGHT), None)
    if after is None or after is moving[0]:
        return None
    fights = [
        Fight(
            measure=measure,
            before=_both(count, moving[0], player),
            after=_both(count, after, player),
        )
        for measure, count in _COUNTS.items()
    ]
    return max(fights, key=lambda fight: abs(_lead(fight.after) - _lead(fight.before)))


def _both(
    count: Callable[[Position, Color], int], board: Position, player: Color
) -> tuple[int, int]:
    return count(board, player), count(board, player.opponent)


def _lead(numbers: tuple[int, int]) -> int:
    return numbers[0] - numbers[1]


def _movers(board: Position, player: Color) -> int:
    return len(moves_by_stack(board, player))


def _links(board: Position, player: Color) -> int:
    stacks = (point for point in board.stacks if board.owner(point) is player)
    return sum(any(map(board.reds, (point, *neighbours(point)))) for point in stacks)


def _reserves(board: Position, player: Color) -> int:
    other = Position.from_stacks(board.stacks, turn=player.opponent)
    landings = other.legal_moves() if other.turn is player.opponent else ()
    return len(moves_by_stack(board, player).keys() - {move.target for move in landings})


_COUNTS: Final = {
    Measure.MOVERS: _movers,
    Measure.LINKS: _links,
    Measure.RESERVES: _reserves,
}
