"""Tests for the analysis of a position."""

import math

import pytest

pytest.importorskip("numba", reason="the extra `engine` is not installed")

from dvonn import Color, Estimate
from dvonn.engine import analyse, free_points
from dvonn.engine.estimates import estimate, expected_margin, points_of, win_probability
from dvonn.engine.memory import WIN
from dvonn.engine.searcher import Searcher
from tests.engine.brute_force import TooManyError, brute_force
from tests.games import positions_of, random_game

POSITIONS = positions_of(random_game(4))


def test_an_analysis() -> None:
    for position in POSITIONS[49:-1:6]:
        analysis = analyse(position, nodes=20_000, lines=3)
        assert len(analysis.lines) == min(3, len(position.legal_moves()))
        assert analysis.nodes <= 20_000 + len(position.legal_moves())
        assert len({line.moves[0] for line in analysis.lines}) == len(analysis.lines)
        odds = [line.win_probability for line in analysis.lines]
        assert odds == sorted(odds, reverse=True)
        for line in analysis.lines:
            assert 0 <= line.win_probability <= 1
            assert (line.margin > 0) == (line.win_probability > 0.5)
            after = position
            for move in line.moves:
                after = after.play(move)


def test_an_exact_analysis_is_how_the_game_ends() -> None:
    position = POSITIONS[-4]
    best = analyse(position, nodes=50_000).best
    assert best.exact
    assert best.win_probability in {0, 0.5, 1}
    mover = position.turn
    assert mover is not None
    while position.turn is not None:
        position = position.play(analyse(position, nodes=50_000, lines=1).best.moves[0])
    assert best.margin == position.score(mover) - position.score(mover.opponent)


@pytest.mark.parametrize("ply", [0, 2, 20, 48])
def test_a_placement_is_analysed_by_its_points(ply: int) -> None:
    position = POSITIONS[ply]
    analysis = analyse(position, lines=5)
    worth = free_points(position)
    first = sorted(worth.values(), reverse=True)[:5]
    assert [worth[line.moves[0].target] for line in analysis.lines] == first[: len(worth)]
    for line in analysis.lines:
        assert line.moves[0] in position.legal_moves()
        assert not line.exact
        assert (line.margin > 0) == (line.win_probability > 0.5)


def test_a_finished_game_is_not_analysed() -> None:
    with pytest.raises(ValueError, match="over"):
        analyse(POSITIONS[-1])


def test_near_the_end_every_first_move_has_its_exact_value() -> None:
    told = 0
    # In the last three he can end the game with a draw, or win.
    for seed in (*range(30), 75, 103, 118):
        for position in positions_of(random_game(seed))[-8:-1]:
            try:
                expected = {
                    str(move): brute_force(position.play(move)) for move in position.legal_moves()
                }
            except TooManyError:
                continue
            sign = 1 if position.turn is Color.WHITE else -1
            lines = analyse(position, nodes=100_000, lines=99).lines
            assert {str(line.moves[0]): line.margin * sign for line in lines} == expected
            for line in lines:
                assert line.exact
                assert line.win_probability == 0.5 + 0.5 * ((line.margin > 0) - (line.margin < 0))
            told += len(lines)
    assert told > 300


def test_the_best_move_has_half_of_the_nodes() -> None:
    position = POSITIONS[60]
    alone = analyse(position, nodes=20_000, lines=1)
    found = Searcher().search(position, nodes=10_000)
    assert alone.nodes == found.nodes == 10_000
    assert alone.best.moves[0] == found.move
    assert alone.best.win_probability == win_probability(found.value, len(position.stacks))
    assert alone.best.margin == expected_margin(found.value)
    # The others share the rest evenly, and each uses up its share here.
    share = 10_000 // (len(position.legal_moves()) - 1)
    assert analyse(position, nodes=20_000, lines=2).nodes == 10_000 + share * (
        len(position.legal_moves()) - 1
    )


def test_the_fewest_nodes_still_make_an_analysis() -> None:
    position = POSITIONS[60]
    analysis = analyse(position, nodes=1, lines=99)
    assert {line.moves[0] for line in analysis.lines} == set(position.legal_moves())
    assert analysis.nodes == len(position.legal_moves())


def test_a_line_continues_as_far_as_it_is_known() -> None:
    position = POSITIONS[60]
    best = analyse(position, nodes=100_000, lines=1).best
    assert len(best.moves) > 3


def test_odds() -> None:
    assert win_probability(0, 40) == 0.5
    assert win_probability(100, 36) == pytest.approx(math.e / (1 + math.e), abs=1e-3)
    assert win_probability(100, 49) > win_probability(100, 30) > win_probability(100, 5) > 0.5
    assert win_probability(100, 20) + win_probability(-100, 20) == 1
    assert points_of(win_probability(123, 20), 20) == 123
    for more in (0, 1, 9):
        assert win_probability(WIN + more, 20) == 1
        assert win_probability(-WIN - more, 20) == 0


@pytest.mark.parametrize("stacks", [4, 22, 30, 49])
def test_a_margin_is_a_range_unless_it_is_proven(stacks: int) -> None:
    ranges = [estimate(points, stacks, exact=False).margin for points in range(-600, 601, 25)]
    assert ranges == sorted(ranges)
    assert ranges == [(-high, -low) for low, high in reversed(ranges)]
    assert all(high - low > 10 for low, high in ranges)
    low, high = estimate(0, stacks, exact=False).margin
    assert low == -high
    assert estimate(WIN + 3, stacks, exact=True).margin == (3, 3)
    assert estimate(0, stacks, exact=True) == Estimate(
        win_probability=0.5, margin=(0, 0), exact=True
    )
    won, lost = (estimate(sign * (WIN + 3), stacks, exact=False) for sign in (1, -1))
    assert (won.win_probability, lost.win_probability) == (1, 0)
    assert won.margin[0] == 3 < won.margin[1]
    assert lost.margin == (-won.margin[1], -3)


def test_margins() -> None:
    assert expected_margin(0) == 0
    assert expected_margin(260) == -expected_margin(-260) == pytest.approx(16.755, abs=1e-3)
    assert 21.9 < expected_margin(WIN - 1) <= 22
    assert [expected_margin(WIN + 7), expected_margin(-WIN - 7), expected_margin(WIN)] == [7, -7, 0]
