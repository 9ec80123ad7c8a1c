"""Boards that two searches call even."""

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from benchmarks.matches.starts import STARTS
from dvonn import fairness
from dvonn.even_boards import even_seeds, packed, unpacked


def test_even_boards_are_many_and_all_are_balanced() -> None:
    seeds = even_seeds()
    assert len(seeds) >= 2_300
    assert all(one < other for one, other in pairwise(seeds))
    assert all(fairness(STARTS["balanced"](seed)).is_balanced for seed in seeds[::500])


@given(st.sets(st.integers(0, 3_000)))
def test_seeds_are_read_as_they_were_written(seeds: set[int]) -> None:
    assert unpacked(packed(sorted(seeds))) == tuple(sorted(seeds))
