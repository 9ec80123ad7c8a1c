"""Tests for the player of both phases, within the limits of its level."""

import threading
from typing import Any

import pytest

pytest.importorskip("numba", reason="the extra `engine` is not installed")

from dvonn import Move, Position, balanced_start
from dvonn.engine import player
from dvonn.engine.player import EnginePlayer, player_at
from dvonn.engine.searcher import Searcher
from dvonn.machine import LEVELS, MEASURED
from tests.games import positions_of, random_game

GAME = positions_of(random_game(5))
PLACING = GAME[10:40:10]
MOVING = GAME[50:80:5]


def moves_of(player: EnginePlayer, positions: list[Position]) -> list[Move]:
    return [player.choose(position) for position in positions]


def test_a_given_number_of_nodes_overrides_the_levels() -> None:
    for nodes in (300, 3000):
        for level in (None, 13):
            searcher = Searcher(as_measured=level is not None)
            expected = [searcher.search(position, nodes=nodes).move for position in MOVING]
            assert moves_of(EnginePlayer(level=level, nodes=nodes), MOVING) == expected
    assert moves_of(EnginePlayer(level=13, nodes=50), MOVING) != moves_of(
        EnginePlayer(level=13), MOVING
    )


def test_all_levels_but_the_strongest_search_as_they_were_measured(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    made = []

    def searcher(**options: Any) -> Searcher:
        made.append(options["as_measured"])
        return Searcher(**options | {"megabytes": 1})

    monkeypatch.setattr(player, "Searcher", searcher)
    for level in (*LEVELS, None):
        EnginePlayer(level=level)
    assert made == [True] * len(MEASURED) + [False, False]


@pytest.mark.parametrize("positions", [PLACING, MOVING], ids=["placing", "moving"])
def test_without_a_seed_it_is_0(positions: list[Position]) -> None:
    first, second, other = (
        moves_of(player, positions * 3)
        for player in (
            EnginePlayer(level=1),
            EnginePlayer(level=1, seed=0),
            EnginePlayer(level=1, seed=1),
        )
    )
    assert first == second != other


def test_levels_place_differently() -> None:
    weak, strong = (moves_of(EnginePlayer(level=level), PLACING) for level in (1, 8))
    assert weak != strong


def test_a_level_has_a_limited_search_depth() -> None:
    """Level 3 looks a single move ahead, so more nodes would change nothing."""
    player, deeper = EnginePlayer(level=3), EnginePlayer(level=3, nodes=20_000)
    assert moves_of(player, MOVING) == moves_of(deeper, MOVING)


@pytest.mark.parametrize("level", range(1, 6))
def test_low_levels_are_drawn_to_tall_stacks_as_beginners_are(level: int) -> None:
    """People take the tallest stack of 3 or more in 23 to 31% of the positions where they can."""
    chances = taken = 0
    for seed in range(12):
        position, player = Position.initial().after(*balanced_start(seed)), player_at(level, seed)
        while position.turn is not None:
            move, opponent = player.choose(position), position.turn.opponent
            heights = [
                position.height(target) * (position.owner(target) is opponent)
                for target in {legal.target for legal in position.legal_moves()}
            ]
            if max(heights) >= 3:
                chances += 1
                taken += position.owner(move.target) is opponent and position.height(
                    move.target
                ) == max(heights)
            position = position.play(move)
    assert 0.2 < taken / chances < 0.32


def test_with_no_limit_it_does_not_begin_to_search() -> None:
    with pytest.raises(ValueError, match=r"^set a limit of seconds or nodes$"):
        EnginePlayer().choose(MOVING[0])
    assert EnginePlayer().choose(MOVING[0], 0.05) in MOVING[0].legal_moves()
    assert EnginePlayer().choose(PLACING[0]) in PLACING[0].legal_moves()


def test_a_finished_game_has_no_moves() -> None:
    with pytest.raises(ValueError, match="the game is over"):
        EnginePlayer(level=1).choose(GAME[-1])


def test_the_server_can_be_stopped_by_a_command() -> None:
    player, found = EnginePlayer(), []
    thinking = threading.Thread(target=lambda: found.append(player.choose(GAME[50], 600)))
    thinking.start()
    while thinking.is_alive():  # a stop before the start is forgotten, so repeat it
        player.stop()
        thinking.join(0.01)
    assert found[0] in GAME[50].legal_moves()
