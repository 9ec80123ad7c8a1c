"""Boards that favour one colour, by as much as is wanted.

White's pieces stand farther from the reds than Black's, or nearer: that decides most of all that
one can count on a full board (docs/fairness.md).

>>> from dvonn import Position, fairness
>>> position = Position.initial()
>>> for move in odds_start(odds_seed(-12, number=7)):
...     position = position.play(move)
>>> fairness(position).farther
-12
"""

from typing import Final

from dvonn.bitboard import INDEX
from dvonn.board import POINTS
from dvonn.move import Move
from dvonn.pieces import PIECE_COUNTS
from dvonn.position import Position
from dvonn.starts import Dice, mask_of, placements_of, red_ways, rings_around, search, steps_farther

_WAYS: Final = 128
"""The number of leads; a seed holds one of them."""


def odds_seed(steps: int, number: int) -> int:
    """Return the seed of a board on which White stands so many steps farther from the reds.

    Args:
        steps: all White's pieces together, less all Black's; -64 to 63. For each three reds all
            leads are odd, or all even, and none is above some 40: it comes as near as it can.
        number: any, from 0; each gives another board.
    """
    return number * _WAYS + steps % _WAYS


def odds_steps(seed: int) -> int:
    """Return by how many steps White is to stand farther from the reds on the board of a seed."""
    return (seed + _WAYS // 2) % _WAYS - _WAYS // 2


def odds_start(seed: int) -> tuple[Move, ...]:
    """Return the 49 placements of a random board that favours one colour, as its seed says.

    The reds stand apart. All else but White's lead in steps is left to chance.
    """
    steps = odds_steps(seed)
    dice = Dice(f"odds {seed:x}")
    reds = dice.choice(red_ways(()))
    free, rings = [point for point in POINTS if point not in reds], rings_around(reds)
    full = mask_of(free)

    def excess(chosen: int) -> tuple[int, ...]:
        return (abs(steps_farther(chosen, full ^ chosen, rings) - steps),)

    def is_fair(chosen: int) -> bool:
        return steps_farther(chosen, full ^ chosen, rings) == steps

    bits = [1 << INDEX[point] for point in free]
    whites = search(dice, bits, PIECE_COUNTS["W"], excess, is_fair)
    return placements_of(Position.initial(), reds, whites)
