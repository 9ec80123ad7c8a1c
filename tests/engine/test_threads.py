"""Tests for several threads on one table: the same results, and no leftover thread."""

import threading

import numpy as np
import pytest

pytest.importorskip("numba", reason="the extra `engine` is not installed")

from dvonn.engine.memory import HISTORY, MOVES, NODES, STOP, WIN
from dvonn.engine.player import EnginePlayer
from dvonn.engine.search import look_up
from dvonn.engine.searcher import Searcher
from dvonn.engine.state import load
from tests.games import positions_of, random_game

MIDDLE = positions_of(random_game(5))[56]

MANY = 1_000
"""More positions than a thread searches until it notices that the search is over."""


def test_several_threads_prove_the_same_as_one() -> None:
    searcher = Searcher(1, threads=3)
    for seed in range(6):
        positions = positions_of(random_game(seed))
        position = next(position for position in positions[49:] if len(position.stacks) <= 18)
        alone = Searcher(1).search(position, seconds=600)
        together = searcher.search(position, seconds=600)
        assert (together.value, together.exact) == (alone.value, True)
        assert abs(together.value) >= WIN or together.value == 0
        assert together.move in position.legal_moves()


def test_each_of_them_searches_and_all_are_counted() -> None:
    before = threading.active_count()
    searcher = Searcher(1, threads=3)
    nodes, seconds = [0], 0.1
    while min(nodes) < MANY:  # on a busy machine one of them may not have run yet
        seconds *= 2
        found = searcher.search(MIDDLE, seconds=seconds)
        nodes = [int(memory[NODES]) for memory in searcher.memories]
    assert len(nodes) == 3
    # Positions searched until all threads have noticed the end may be missing.
    assert nodes[0] + min(nodes[1:]) < found.nodes <= sum(nodes)
    assert all(memory[STOP] for memory in searcher.memories)
    assert threading.active_count() == before


def test_threads_share_only_the_table() -> None:
    searcher = Searcher(1, threads=2)
    first, second = searcher.memories
    searcher.search(MIDDLE, seconds=0.05)
    hashed = load(MIDDLE, first).sets[-1]
    assert look_up(first, hashed) == look_up(second, hashed) != 0
    second[HISTORY:MOVES] = 7
    assert not (first[HISTORY:MOVES] == 7).all()
    searcher.clear()
    assert look_up(first, hashed) == look_up(second, hashed) == 0
    assert not second[HISTORY:MOVES].any()


def test_a_torn_table_entry_is_ignored() -> None:
    searcher = Searcher(1)
    searcher.search(MIDDLE, depth=4)
    hashed = load(MIDDLE, searcher.memory).sets[-1]
    entry = look_up(searcher.memory, hashed)
    assert entry
    places = np.flatnonzero(searcher.memory == entry)
    searcher.memory[places] ^= 1
    assert look_up(searcher.memory, hashed) == 0


def test_a_player_may_have_several() -> None:
    player = EnginePlayer(threads=2)
    assert player.choose(MIDDLE, 0.05) in MIDDLE.legal_moves()
    with pytest.raises(ValueError, match="needs one thread"):
        EnginePlayer(level=8, threads=2).choose(MIDDLE)
