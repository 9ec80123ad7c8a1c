"""Tests for even boards."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dvonn import Position, balanced_start, fairness
from dvonn.even_boards import even_seeds, even_start, found_seeds, packed, unpacked
from dvonn.symmetries import images


def test_even_boards_are_ten_thousand_and_all_are_balanced() -> None:
    seeds = even_seeds()
    assert len(seeds) >= 10_000
    assert all(one < other for one, other in pairwise(seeds))
    boards = [Position.initial().after(*even_start(seed)) for seed in seeds[::1_500]]
    assert all(fairness(board).is_balanced for board in boards)


def test_each_board_comes_in_its_four_forms() -> None:
    found, seeds = found_seeds(), even_seeds()
    forms = [even_start(seed) for seed in seeds[7 :: len(found)]]
    boards = [Position.initial().after(*form) for form in forms]
    assert forms[0] == balanced_start(found[7])
    assert boards == list(images(boards[0]))
    assert len(set(boards)) == 4


def test_no_other_form_is_made_up() -> None:
    with pytest.raises(IndexError):
        even_start(4 << 32)


@given(st.sets(st.integers(0, 3_000)))
def test_seeds_are_read_as_they_were_written(seeds: set[int]) -> None:
    assert unpacked(packed(sorted(seeds))) == tuple(sorted(seeds))
