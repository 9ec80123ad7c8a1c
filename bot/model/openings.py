"""The positions with which games begin: the empty board, or one that is filled at random."""

from collections.abc import Callable
from functools import lru_cache

from bot.model.game import GameRow
from bot.model.terms import Start
from dvonn import Move, Position, balanced_start, symmetric_start

_PLACED_BY_LOT: dict[Start, Callable[[int], tuple[Move, ...]]] = {
    Start.PLACEMENT: lambda _: (),
    Start.PIE: lambda _: (),
    Start.BALANCED: balanced_start,
    Start.SYMMETRIC: symmetric_start,
}


def placed_by_lot(start: Start, seed: int) -> tuple[Move, ...]:
    """What is placed before a game begins, in the order of play; nothing where players place all.

    Of a pie start, whose boards are balanced ones, nothing is placed before one is picked.
    """
    return _PLACED_BY_LOT[start](seed)


@lru_cache(maxsize=256)
def opening(start: Start, seed: int) -> Position:
    """The position with which a game begins."""
    position = Position.initial()
    for placement in placed_by_lot(start, seed):
        position = position.play(placement)
    return position


def pie_seeds(row: GameRow) -> tuple[int, int, int]:
    """The seeds of the three boards of a pie start."""
    return row.seed, row.seed + 1, row.seed + 2
