"""Tests for searches from the outside: limits, and repeatable results."""

import threading
import time
from typing import Any

import pytest

pytest.importorskip("numba", reason="the extra `engine` is not installed")

from dvonn import Color, Position, position_from_text
from dvonn.engine.memory import SIZE, STOP, WIN
from dvonn.engine.player import STRENGTHS, EnginePlayer, player_at, strength_of
from dvonn.engine.searcher import SOLVE_SHARE, Searcher, SearchResult
from dvonn.machine import LEVELS, MEASURED, STRONGEST
from dvonn_lessons.proving import Prover
from tests.games import positions_of, random_game

SIGNATURE_OF_A_GAME = 205_807
SIGNATURE_AT_ITS_BEST = 302_941
"""An intended change of the search changes it, like that of test_bench."""

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


def test_the_table_is_reused_from_move_to_move() -> None:
    searcher = Searcher(megabytes=1)
    searcher.search(MIDDLE, depth=6)
    again = searcher.search(MIDDLE, depth=6)
    assert again.nodes < Searcher(megabytes=1).search(MIDDLE, depth=6).nodes / 2


@pytest.mark.parametrize(
    ("as_measured", "signature"), [(True, SIGNATURE_OF_A_GAME), (False, SIGNATURE_AT_ITS_BEST)]
)
def test_a_whole_game_with_one_searcher_has_a_signature_too(
    *, as_measured: bool, signature: int
) -> None:
    """Tables that are kept from move to move, and their aging."""
    searcher, nodes = Searcher(megabytes=1, as_measured=as_measured), 0
    for position in positions_of(random_game(0))[49:-1]:
        nodes += searcher.search(position, depth=6).nodes
    assert nodes == signature


def test_a_search_can_be_given_up_from_outside() -> None:
    searcher = Searcher(megabytes=1)
    found = []
    thinking = threading.Thread(target=lambda: found.append(searcher.search(MIDDLE, depth=40)))
    thinking.start()
    while thinking.is_alive():  # a stop before the start is forgotten, so repeat it
        searcher.stop()
        thinking.join(0.01)
    assert found[0].move in MIDDLE.legal_moves()
    assert searcher.memory[STOP] == 1


def test_a_search_by_time_ends() -> None:
    assert Searcher(megabytes=1).search(MIDDLE, seconds=0.05).nodes > 0


def with_stacks(seed: int, stacks: int) -> Position:
    """Return the position of a random game with a number of stacks."""
    positions = positions_of(random_game(seed))[49:]
    return next(position for position in positions if len(position.stacks) == stacks)


HARD = with_stacks(5, 20)
"""A position that takes 172,853 nodes to solve."""


def test_a_stopped_solver_does_not_continue_with_deepening(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    searcher = Searcher(megabytes=1)
    solve = searcher._solve

    def stop_and_solve(*limits: Any) -> SearchResult | None:
        searcher.stop()
        return solve(*limits)

    monkeypatch.setattr(searcher, "_solve", stop_and_solve)
    assert searcher.search(HARD, nodes=1_000_000).nodes < 10_000


def test_with_twenty_stacks_it_is_solved_with_more_it_is_not() -> None:
    solved = Searcher(megabytes=1).search(with_stacks(7, 20), nodes=100_000)
    assert solved.exact
    assert solved.depth == 20
    assert 10_000 < solved.nodes < 100_000 / SOLVE_SHARE
    assert not Searcher(megabytes=1).search(with_stacks(7, 21), nodes=100_000).exact


def test_a_third_of_the_nodes_may_go_to_solving_and_the_rest_are_searched() -> None:
    alone = Searcher(megabytes=1).search(HARD, nodes=1_000_000)
    assert alone.exact
    assert Searcher(megabytes=1).search(HARD, nodes=3 * alone.nodes + 3).exact
    for nodes in (3000, 3 * alone.nodes - 3):
        found = Searcher(megabytes=1).search(HARD, nodes=nodes)
        assert not found.exact
        assert found.depth > 2
    assert Searcher(megabytes=1).search(HARD, nodes=3000).nodes == 3000


def test_a_third_of_the_time_may_go_to_solving() -> None:
    intervals: list[float] = []

    class Impatient(threading.Timer):
        """Its time is up at once."""

        def start(self) -> None:
            assert self.daemon, "it must not keep a process alive"
            intervals.append(self.interval)
            self.function()
            super().start()

    found = Searcher(megabytes=1, timer=Impatient).search(HARD, seconds=9.0)
    assert intervals == [3.0, 6.0]
    assert (found.value, found.depth, found.exact) == (0, 0, False)
    Searcher(megabytes=1, timer=Impatient).search(MIDDLE, seconds=9.0)
    assert intervals[2:] == [9.0]


def test_even_with_a_single_node_it_has_a_move() -> None:
    forced = Position.from_stacks({"a1": "W", "b1": "WRB"}, turn=Color.WHITE)
    for position in (MIDDLE, forced):
        found = Searcher(megabytes=1).search(position, nodes=1)
        assert found.move in position.legal_moves()
        assert (found.value, found.depth, found.exact) == (0, 0, False)


def test_found_channels_are_cached() -> None:
    for position in (MIDDLE, with_stacks(7, 20)):
        searcher = Searcher(megabytes=1)
        assert searcher.known_move(position) is None
        assert searcher.known_move(position) is None
        found = searcher.search(position, nodes=100_000)
        assert searcher.known_move(position) == found.move


def test_its_table_is_the_largest_that_fits() -> None:
    # The number of its entries is a power of two.
    for megabytes, used in ((1, 1), (2, 2), (3, 2), (4, 4), (16, 16)):
        assert (Searcher(megabytes).memory.size - SIZE) * 8 == used << 20
    assert Searcher().memory.size == Searcher(16).memory.size


def test_errors_have_a_seed() -> None:
    values = [
        searcher.search(MIDDLE, depth=1).value
        for searcher in (
            Searcher(1, error=100),
            Searcher(1, error=100, error_seed=0),
            Searcher(1, error=100, error_seed=1),
        )
    ]
    assert values[0] == values[1] != values[2]


def test_there_is_nothing_to_search_before_and_after_the_movement() -> None:
    positions = positions_of(random_game(5))
    for position in (positions[0], positions[-1]):
        with pytest.raises(ValueError, match="nothing to search"):
            Searcher(megabytes=1).search(position, nodes=10)


def test_a_win_in_one_is_found_at_every_level() -> None:
    # White takes the last black stack, so Black has nothing left. No other move does that.
    position = Position.from_stacks({"c3": "R", "d3": "W", "e3": "B", "c2": "WB"}, turn=Color.WHITE)
    best = Searcher(megabytes=1).search(position, nodes=100_000)
    assert best.exact
    assert best.value > WIN
    for level in LEVELS:
        assert player_at(level, seed=1).choose(position) == best.move


@pytest.mark.parametrize("level", MEASURED)
def test_a_level_plays_the_same_for_the_same_seed(level: int) -> None:
    placing = positions_of(random_game(9))[30]
    for position in (placing, MIDDLE):
        moves = {player_at(level, seed=3).choose(position) for _ in range(2)}
        assert len(moves) == 1
        assert moves <= set(position.legal_moves())


def test_weak_levels_misjudge_by_their_seed() -> None:
    moves = {player_at(1, seed=seed).choose(MIDDLE) for seed in range(12)}
    assert len(moves) > 2


ONE_MOVE_WINS = position_from_text(
    "2W1W2bWbW/BwbW1WwwbW2W2/BBbWbbW1wbBbB1bwwB2/1wBrwWR2BbWbwrB1/2W3wB2 W move"
)
"""A position of 24 stacks. Without a proof the strongest level plays i1-i3, which loses."""


@pytest.mark.parametrize("level", LEVELS[-2:])
def test_the_strongest_levels_prove_who_wins_and_no_other_does(level: int) -> None:
    assert [strength.proof > 0 for strength in STRENGTHS] == [
        level in LEVELS[-2:] for level in LEVELS
    ]
    move = player_at(level, seed=1).choose(ONE_MOVE_WINS)
    won = Prover(Searcher(), 1_000_000)
    assert won.reaches(ONE_MOVE_WINS.play(move), Color.WHITE, 1)
    without = Searcher().search(ONE_MOVE_WINS, nodes=STRENGTHS[-2].nodes).move
    assert not won.reaches(ONE_MOVE_WINS.play(without), Color.WHITE, 1)


def test_the_strongest_alone_goes_by_time() -> None:
    assert [level for level in LEVELS if strength_of(level).nodes is None] == [STRONGEST]
    assert [level for level in LEVELS if strength_of(level).seconds is not None] == [STRONGEST]
    began = time.monotonic()
    move = EnginePlayer(level=STRONGEST).choose(MIDDLE, seconds=0.1)  # less than its own
    assert move in MIDDLE.legal_moves()
    assert time.monotonic() - began < (strength_of(STRONGEST).seconds or 0)


def test_a_win_without_its_margin_is_played_and_an_unfinished_proof_takes_nothing_away() -> None:
    wins = Searcher(megabytes=1).search(ONE_MOVE_WINS, nodes=30_000, proof=160_000)
    assert (str(wins.move.target), wins.value, wins.exact) == ("a3", WIN + 1, False)
    unfinished = Searcher(megabytes=1).search(ONE_MOVE_WINS, nodes=30_000, proof=20_000)
    assert unfinished.nodes == 50_000
    assert abs(unfinished.value) < WIN


@pytest.mark.parametrize("level", [0, LEVELS.stop])
def test_there_are_no_other_levels(level: int) -> None:
    with pytest.raises(ValueError, match="no level"):
        player_at(level, seed=0)
