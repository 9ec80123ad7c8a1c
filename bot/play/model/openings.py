"""The start positions of games: the empty board, or one that is filled at random."""

from collections.abc import Callable, Sequence
from functools import lru_cache
from random import Random
from typing import Final

from bot.play.model.terms import Start
from dvonn import Move, Position, symmetric_start
from dvonn.even_boards import even_seeds, even_start

_SEED_BITS: Final = 32
_CHOICE: Final = 200
"""Number of even boards to choose from, so that one is new to the server."""

_PLACED_BY_LOT: dict[Start, Callable[[int], tuple[Move, ...]]] = {
    Start.PLACEMENT: lambda _: (),
    Start.PIE: lambda _: (),
    Start.POSITION: lambda _: (),
    Start.BALANCED: even_start,
    Start.SYMMETRIC: symmetric_start,
}


@lru_cache(maxsize=256)
def placed_by_lot(start: Start, seed: int) -> tuple[Move, ...]:
    """Return the placements made before a game begins, in order.

    Empty if the players place all pieces.

    In a pie start nothing was placed before a board was picked. The history of a chosen position is
    unknown.
    """
    return _PLACED_BY_LOT[start](seed)


@lru_cache(maxsize=256)
def opening(start: Start, seed: int) -> Position:
    position = Position.initial()
    for placement in placed_by_lot(start, seed):
        position = position.play(placement)
    return position


def pie_seeds(seed: int) -> tuple[int, int, int]:
    return seed, seed + 1, seed + 2


def opening_seeds(start: Start, rng: Random) -> Sequence[int]:
    """Return seeds for a new game. Any of them will do. Even boards have their own seeds."""
    return rng.sample(even_seeds(), _CHOICE) if start.is_ready_made else (0,)


def any_seed(rng: Random) -> int:
    """Return a seed for everything that players leave to chance."""
    return rng.getrandbits(_SEED_BITS)
