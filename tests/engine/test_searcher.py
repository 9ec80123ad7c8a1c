"""Searches from the outside: limits, and that they say the same again."""

import threading

import pytest

pytest.importorskip("numba", reason="the extra `engine` is not installed")

from dvonn import Color, Phase, Position
from dvonn.engine.layout import STOP, WIN
from dvonn.engine.levels import player_at
from dvonn.engine.searcher import Searcher
from dvonn.engine.strength import LEVELS
from tests.games import positions_of, random_game

MIDDLE = positions_of(random_game(5))[56]


def test_a_search_by_nodes_is_the_same_again() -> None:
    one, other = (Searcher(megabytes=1).search(MIDDLE, nodes=20_000) for _ in range(2))
    assert one == other
    assert one.nodes == 20_000
    assert one.move in MIDDLE.legal_moves()


def test_after_clear_nothing_is_remembered() -> None:
    searcher = Searcher(megabytes=1)
    fresh = searcher.search(MIDDLE, nodes=20_000)
    searcher.search(positions_of(random_game(6))[60], nodes=20_000)
    searcher.clear()
    assert searcher.search(MIDDLE, nodes=20_000) == fresh


def test_the_table_is_kept_from_move_to_move() -> None:
    searcher = Searcher(megabytes=1)
    searcher.search(MIDDLE, depth=6)
    again = searcher.search(MIDDLE, depth=6)
    assert again.nodes < Searcher(megabytes=1).search(MIDDLE, depth=6).nodes / 2


def test_a_search_can_be_given_up_from_outside() -> None:
    searcher = Searcher(megabytes=1)
    found = []
    thinking = threading.Thread(target=lambda: found.append(searcher.search(MIDDLE, depth=40)))
    thinking.start()
    while thinking.is_alive():  # stopping before it begins would be forgotten, so insist
        searcher.stop()
        thinking.join(0.01)
    assert found[0].move in MIDDLE.legal_moves()
    assert searcher.memory[STOP] == 1


def test_a_search_by_time_ends() -> None:
    assert Searcher(megabytes=1).search(MIDDLE, seconds=0.05).nodes > 0


def test_there_is_nothing_to_search_before_and_after_the_movement() -> None:
    positions = positions_of(random_game(5))
    for position in (positions[0], positions[-1]):
        with pytest.raises(ValueError, match="nothing to search"):
            Searcher(megabytes=1).search(position, nodes=10)


def test_a_win_in_one_is_found_at_every_level() -> None:
    # White takes the last black stack, which leaves Black with nothing; any other move does not.
    position = Position.from_stacks({"c3": "R", "d3": "W", "e3": "B", "c2": "WB"}, turn=Color.WHITE)
    best = Searcher(megabytes=1).search(position, nodes=100_000)
    assert best.exact
    assert best.value > WIN
    for level in range(1, len(LEVELS) + 1):
        assert player_at(level, seed=1).choose(position) == best.move


@pytest.mark.parametrize("level", range(1, len(LEVELS) + 1))
def test_a_level_plays_the_same_for_the_same_seed(level: int) -> None:
    placing = positions_of(random_game(9))[30]
    for position in (placing, MIDDLE):
        moves = {player_at(level, seed=3).choose(position) for _ in range(2)}
        assert len(moves) == 1
        assert moves <= set(position.legal_moves())


def test_weak_levels_misjudge_by_their_seed() -> None:
    moves = {player_at(1, seed=seed).choose(MIDDLE) for seed in range(12)}
    assert len(moves) > 2


@pytest.mark.parametrize("level", [0, 9])
def test_there_are_eight_levels(level: int) -> None:
    with pytest.raises(ValueError, match="no level"):
        player_at(level, seed=0)


def test_a_whole_game_of_two_levels() -> None:
    players = {Color.WHITE: player_at(3, seed=1), Color.BLACK: player_at(2, seed=2)}
    position = Position.initial()
    while position.turn is not None:
        position = position.play(players[position.turn].choose(position))
    assert position.phase is Phase.OVER
