"""Boards with odds: White's lead in steps is what the seed says, and a seed is a board for ever."""

import doctest

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import dvonn.odds
from dvonn import Phase, Position, fairness, position_to_text
from dvonn.odds import odds_seed, odds_start

KEPT = {
    (0, 0): "WWRBWWWWB/WWBWBBWBWB/BBWWBWWWWBB/BBBBBWBBWB/WBWRBWBWR W move",
    (-12, 7): "BBWWWWWRW/BBBBRBWBBW/BBBWWWBWBWW/BWBWBWBWWW/BWWBRBBWB W move",
    (30, 2**32 - 1): "BWBWBWBWR/WWWBBBWWWB/WWBBBRBBWBB/WWWWBBWBBB/WWWWBWBRB W move",
    (-64, 1): "BBBBBBWRW/WWWBBWBWWB/WRWBBWWWWWB/WWBBWRWBBB/WBBWWWBBB W move",
}
"""Boards that people have seen, by steps and number: never written anew, only added to."""


def board(seed: int) -> Position:
    position = Position.initial()
    for move in odds_start(seed):
        position = position.play(move)
    return position


@settings(max_examples=25, deadline=None)
@given(st.integers(-20, 20), st.integers(0, 2**40))
def test_white_stands_as_many_steps_farther_as_is_asked_for(steps: int, number: int) -> None:
    found = board(odds_seed(steps, number))
    assert found.phase is Phase.MOVEMENT
    farther = fairness(found).farther
    assert farther is not None
    assert abs(farther - steps) <= 1  # for each three reds all leads are odd, or all even
    assert (fairness(found).red_distance or 0) >= 3


def test_what_no_board_has_is_come_near_to() -> None:
    for steps in (-64, 63):
        farther = fairness(board(odds_seed(steps, 5))).farther
        assert farther is not None
        assert 25 < abs(farther) < 64
        assert (farther > 0) == (steps > 0)


def test_numbers_give_other_boards_with_the_same_odds() -> None:
    boards = {position_to_text(board(odds_seed(7, number))) for number in range(5)}
    assert len(boards) == 5


@pytest.mark.parametrize(("steps", "number"), KEPT)
def test_a_seed_gives_its_board_for_ever(steps: int, number: int) -> None:
    assert position_to_text(board(odds_seed(steps, number))) == KEPT[steps, number]


def test_the_example_holds() -> None:
    assert doctest.testmod(dvonn.odds) == (0, 4)
