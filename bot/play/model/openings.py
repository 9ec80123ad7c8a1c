"""The positions with which games begin: the empty board, or one that is filled at random."""

from collections.abc import Callable, Sequence
from functools import lru_cache
from random import Random
from typing import Final

from bot.play.model.terms import Start
from dvonn import Color, Move, Position, fairness, symmetric_start
from dvonn.even_boards import even_seeds, even_start
from dvonn.odds import odds_seed, odds_start

_SEED_BITS: Final = 32
_CHOICE: Final = 200
"""Even boards among which one is looked for that a server has not played."""

EVEN_STEPS: Final = 3
"""With so many steps that White stands farther from the reds, equal players score alike."""

_PLACED_BY_LOT: dict[Start, Callable[[int], tuple[Move, ...]]] = {
    Start.PLACEMENT: lambda _: (),
    Start.PIE: lambda _: (),
    Start.ODDS: odds_start,
    Start.POSITION: lambda _: (),
    Start.BALANCED: even_start,
    Start.SYMMETRIC: symmetric_start,
}


@lru_cache(maxsize=256)
def placed_by_lot(start: Start, seed: int) -> tuple[Move, ...]:
    """Return the placements before a game begins, in order; empty where players place all.

    Of a pie start nothing was placed before a board was picked; of a position it is not known how
    it came about.
    """
    return _PLACED_BY_LOT[start](seed)


@lru_cache(maxsize=256)
def opening(start: Start, seed: int) -> Position:
    position = Position.initial()
    for placement in placed_by_lot(start, seed):
        position = position.play(placement)
    return position


def steps_of(start: Start, seed: int) -> int | None:
    """Return by how many steps White stands farther at a start with odds; None at any other."""
    return fairness(opening(start, seed)).farther if start is Start.ODDS else None


def helped(start: Start, seed: int) -> Color | None:
    """Return the color that a board with odds favours; None where it favours nobody."""
    steps = steps_of(start, seed)
    if steps is None or steps == EVEN_STEPS:
        return None
    return Color.BLACK if steps > EVEN_STEPS else Color.WHITE


def pie_seeds(seed: int) -> tuple[int, int, int]:
    return seed, seed + 1, seed + 2


def opening_seeds(start: Start, rng: Random) -> Sequence[int]:
    """Return seeds for a new game, any of which will do; of even boards, where those are wanted.

    With odds it is a board for two who are equally strong, unless somebody knows better.
    """
    if start is Start.ODDS:
        return (odds_seed(EVEN_STEPS, any_seed(rng)),)
    return rng.sample(even_seeds(), _CHOICE) if start.is_ready_made else (0,)


def any_seed(rng: Random) -> int:
    """Return a seed for what players leave to chance."""
    return rng.getrandbits(_SEED_BITS)
