"""Tests for the boards on which games start."""

from collections.abc import Callable
from random import Random

import pytest

from bot.play.model.openings import opening_seeds, random_placements
from bot.play.model.terms import Start
from dvonn import Move, symmetric_start
from dvonn.even_boards import even_seeds, even_start


@pytest.mark.parametrize(
    ("start", "board"), [(Start.BALANCED, even_start), (Start.SYMMETRIC, symmetric_start)]
)
def test_random_placement_gives_the_seeds_board(
    start: Start, board: Callable[[int], tuple[Move, ...]]
) -> None:
    assert random_placements(start, 7) == board(7)
    assert random_placements(start, 8) == board(8) != board(7)


def test_balanced_games_begin_on_even_boards() -> None:
    assert opening_seeds(Start.PLACEMENT, Random(5)) == (0,)
    drawn = opening_seeds(Start.BALANCED, Random(5))
    assert set(drawn) <= set(even_seeds())
    assert len(set(drawn)) == len(drawn) >= 100
    assert opening_seeds(Start.BALANCED, Random(6)) != drawn
