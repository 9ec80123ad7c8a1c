"""Tests for the short programs in docs/programs that need extras."""

import re

import pytest

from tests.dvonn.test_documented_programs import printed


def test_many_games_are_played_at_once() -> None:
    pytest.importorskip("numba", reason="the extra `engine` is not installed")
    assert re.fullmatch(r"1000 games, 8\d{4} moves; White won 4\d\d\n", printed("batch.py"))


def test_arrays_of_a_game() -> None:
    pytest.importorskip("numpy", reason="the extra `engine` is not installed")
    (plies,) = set(re.findall(r"\((\d+),", printed("planes.py")))
    assert int(plies) > 49


@pytest.mark.later("an agent learns for some seconds; the environment has its own tests")
def test_an_agent_learns_to_beat_chance() -> None:
    pytest.importorskip("gymnasium", reason="the extra `gym` is not installed")
    won = re.match(r"won of the last 200: (\d+);", printed("learn.py"))
    assert won
    assert int(won[1]) > 130


def test_openspiels_search_plays() -> None:
    pytest.importorskip("pyspiel", reason="OpenSpiel is installed at night only")
    assert printed("mcts.py") == "MCTS played White: 1.0\n"
