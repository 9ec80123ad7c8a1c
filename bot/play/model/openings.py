"""Start positions: the empty board, or boards filled at random."""

from collections.abc import Callable, Sequence
from functools import lru_cache
from random import Random
from typing import Final

from bot.play.model.terms import Start
from dvonn import Move, Position, symmetric_start
from dvonn.even_boards import even_seeds, even_start

_SEED_BITS: Final = 32
_CANDIDATES: Final = 200
"""Number of balanced boards to choose from. It is enough to find one that is new to a server."""

_RANDOM_PLACEMENTS: dict[Start, Callable[[int], tuple[Move, ...]]] = {
    Start.PLACEMENT: lambda _: (),
    Start.PIE: lambda _: (),
    Start.POSITION: lambda _: (),
    Start.BALANCED: even_start,
    Start.SYMMETRIC: symmetric_start,
}


@lru_cache(maxsize=256)
def random_placements(start: Start, seed: int) -> tuple[Move, ...]:
    """Return the placements made before a game begins, in order.

    Return none if the players place all the pieces.

    In a pie start, nothing was placed before a board was picked. The history of a chosen position
    is unknown.

    >>> len(random_placements(Start.BALANCED, 7)), len(random_placements(Start.PLACEMENT, 0))
    (49, 0)
    """
    return _RANDOM_PLACEMENTS[start](seed)


@lru_cache(maxsize=256)
def opening(start: Start, seed: int) -> Position:
    position = Position.initial()
    for placement in random_placements(start, seed):
        position = position.play(placement)
    return position


def opening_seeds(start: Start, rng: Random) -> Sequence[int]:
    """Return suitable seeds for a new game. Balanced boards have their own seeds."""
    return rng.sample(even_seeds(), _CANDIDATES) if start.is_ready_made else (0,)


def any_seed(rng: Random) -> int:
    """Return a seed for all random choices in a game."""
    return rng.getrandbits(_SEED_BITS)
