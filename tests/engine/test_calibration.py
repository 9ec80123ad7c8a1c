"""How true the chances to win are: positions that are played on, and what is read from them."""

from functools import partial
from pathlib import Path

import pytest

pytest.importorskip("numba", reason="the extra `engine` is not installed")

import numpy as np

from dvonn import Color
from dvonn.engine.estimates import win_probability
from dvonn.engine.searcher import Searcher
from dvonn.engine.tuning.calibrate import Forecasts, curve, error_of, read, table
from dvonn.engine.tuning.calibrate import main as calibrate
from dvonn.engine.tuning.played_on import main, margin_from, reviewed, rows, searched
from dvonn.engine.tuning.reviewed import play
from tests.games import positions_of, random_game

FEW_NODES = 1_000
LEVELS = (3, 4, 5, 6, 7)
SEED = 40
"""Of a game in which somebody has no choice before anything is proven."""


def test_open_positions_of_a_game_are_valued_and_played_on() -> None:
    record, _ = play(SEED, LEVELS)
    positions = record.positions()
    found = {row[0]: row[1:] for row in rows(SEED, partial(searched, nodes=3 * FEW_NODES), 50)}
    assert {positions[ply - 1].turn for ply in found} == {*Color}
    for number, before in enumerate(positions[49:-1], 49):
        if len(before.legal_moves()) == 1:
            assert number + 1 not in found
            continue
        said = Searcher().search(before, nodes=FEW_NODES)
        assert said.exact == (number + 1 not in found)
        if not said.exact:
            points = said.value if before.turn is Color.WHITE else -said.value
            assert found[number + 1] == (len(before.stacks), points, margin_from(before))
    assert len(found) > len(rows(SEED, partial(searched, nodes=FEW_NODES), 6)) > 1


def test_a_review_values_them_by_what_it_says_of_the_game() -> None:
    by_review = rows(SEED, partial(reviewed, nodes=300), 6)
    by_search = rows(SEED, partial(searched, nodes=300), 6)
    came = {ply: margin for ply, _, _, margin in by_search}
    assert by_review
    assert all(came.get(ply, margin) == margin for ply, _, _, margin in by_review)
    assert [row[2] for row in by_review] != [row[2] for row in by_search]


def test_a_finished_game_is_not_played_on() -> None:
    last = positions_of(random_game(1))[-1]
    assert margin_from(last) == last.score(Color.WHITE) - last.score(Color.BLACK)


def test_the_file_is_read_as_it_was_written(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    found = tmp_path / "found.jsonl"
    options = ["--games", "2", "--nodes", str(FEW_NODES), "--found", str(found)]
    main([*options, "--seed", str(SEED)])
    said = read([found])
    assert sorted(set(said.game)) == [SEED, SEED + 1]
    first = rows(SEED, partial(searched, nodes=FEW_NODES), 6)
    assert list(zip(said.stacks, said.points, said.margin, strict=True))[: len(first)] == [
        row[1:] for row in first
    ]
    capsys.readouterr()
    calibrate([str(found)])
    assert capsys.readouterr().out.startswith(f"2 games, {len(said.game)} positions\n")


def forecasts(slope: float, per_stack: float, count: int = 40_000) -> Forecasts:
    """Positions of as many games that end as such a curve says."""
    rng = np.random.default_rng(1)
    stacks = rng.integers(20, 50, count).astype(float)
    points = np.round(rng.normal(0, 150, count))
    odds = np.exp(points / 100 * (slope + per_stack * (stacks - 35)))
    margin = np.where(rng.random(count) < odds / (1 + odds), 5.0, -5.0)
    return Forecasts(np.arange(count).astype(float), stacks, points, margin)


def test_the_curve_is_found_again() -> None:
    assert curve(forecasts(0.8, 0.02)) == pytest.approx((0.8, 0.02), abs=0.03)


def test_each_tenth_is_told_of() -> None:
    said = forecasts(0.97, 0.028, 4_000)
    bins = list(table(said))
    assert [one.low for one in bins] == pytest.approx([n / 10 for n in range(10)])
    assert sum(one.count for one in bins) == len(said.game)
    least = bins[0]
    lowest = [
        win_probability(int(points), int(stacks))
        for points, stacks in zip(said.points, said.stacks, strict=True)
    ]
    assert least.said == pytest.approx(np.mean([chance for chance in lowest if chance < 0.1]))
    assert all(0 < one.error < 0.05 for one in bins)


def test_a_row_says_the_difference_with_its_error() -> None:
    (row,) = table(Forecasts(*np.array([[1.0, 2.0], [35, 35], [0, 0], [3, 0]])))
    assert str(row) == "| 50–60% | 2 | 50.0% | 75.0% | +25.0 ± 17.6 |"


def test_what_one_game_says_often_says_no_more() -> None:
    once = np.array([1.0, -1.0] * 50)
    games = np.arange(100).astype(float)
    often = error_of(np.repeat(games, 9), np.repeat(once, 9))
    assert often == pytest.approx(error_of(games, once))
    assert often == pytest.approx(0.1, rel=0.15)
