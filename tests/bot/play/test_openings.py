"""On which boards games begin."""

from collections.abc import Callable
from random import Random

import pytest

from bot.play.model.openings import opening, opening_seeds, pie_seeds, placed_by_lot
from bot.play.model.terms import Start
from dvonn import Move, balanced_start, fairness, symmetric_start
from dvonn.even import even_seeds

UNFAIR = 10096
"""A seed whose balanced board misses a rule: one of some thousands is such."""


class Drawn(Random):
    """Chance that brings these seeds, one after the other."""

    def __init__(self, *seeds: int) -> None:
        super().__init__(0)
        self._seeds = iter(seeds)

    def getrandbits(self, k: int, /) -> int:
        return next(self._seeds) & (1 << k) - 1


@pytest.mark.parametrize(
    ("start", "board"), [(Start.BALANCED, balanced_start), (Start.SYMMETRIC, symmetric_start)]
)
def test_what_is_placed_by_lot_is_its_seeds_board(
    start: Start, board: Callable[[int], tuple[Move, ...]]
) -> None:
    assert placed_by_lot(start, 7) == board(7)
    assert placed_by_lot(start, 8) == board(8) != board(7)


@pytest.mark.parametrize(
    ("start", "drawn", "taken"),
    [
        (Start.PLACEMENT, (), 0),
        (Start.SYMMETRIC, (UNFAIR,), UNFAIR),
        (Start.PIE, (UNFAIR, UNFAIR - 1, UNFAIR - 2, UNFAIR - 3), UNFAIR - 3),
    ],
)
def test_no_game_begins_on_a_board_that_misses_a_rule(
    start: Start, drawn: tuple[int, ...], taken: int
) -> None:
    assert opening_seeds(start, Drawn(*drawn)) == (taken,)
    if start is Start.PIE:
        boards = (opening(Start.BALANCED, seed) for seed in pie_seeds(taken))
        assert all(fairness(board).is_balanced for board in boards)


def test_balanced_games_begin_on_even_boards() -> None:
    drawn = opening_seeds(Start.BALANCED, Random(5))
    assert set(drawn) <= set(even_seeds())
    assert len(set(drawn)) == len(drawn) >= 100
    assert opening_seeds(Start.BALANCED, Random(6)) != drawn
