"""Tests that the worker has compiled and loaded everything before the first game."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[4]

# In a separate process, because other tests have compiled and loaded everything in this one.
PLAY = """
import multiprocessing
import sys

from bot.features.machine.opponent import worker
from dvonn import GameRecord, Phase
from dvonn.machine import LEVELS
from tests.games import positions_of, random_game

def ready():
    modules = [module for name, module in sys.modules.items() if name.startswith("dvonn.engine")]
    found = {value for module in modules for value in vars(module).values()
             if hasattr(value, "signatures")}
    return {(str(function), signature) for function in found
            for signature in function.signatures}

flags = multiprocessing.get_context("spawn").Array("b", 2, lock=False)
worker.begin(flags)
moves = random_game(4)
flags[1] = 1  # wanted for a move, it leaves the review to a thread, as soon as it is warm itself
assert worker.review(1, GameRecord(moves[:50]), 0, False, 1) is None
before = ready()
assert any("search" in name for name, _ in before), before
positions = positions_of(moves)
for level in LEVELS:
    for position in (*positions[::7], positions[60], positions[75]):
        if position.phase is not Phase.OVER:
            worker.choose(position, level, 1, 0)
from dvonn.engine import review
from dvonn_lessons.puzzle_search import hardest_of
review(GameRecord(moves[:55]), nodes=100)
hardest_of(positions[-6:-1], seed=1, stopped=lambda: False)
for position in (positions[10], positions[60]):
    worker.analyse(position, 0)
after = ready()
assert after == before, after - before
"""


@pytest.mark.thorough("a process of its own, which changes with the engine only")
def test_nothing_waits_for_the_compiler() -> None:
    pytest.importorskip("numba", reason="the extra `engine` is not installed")

    done = subprocess.run(
        [sys.executable, "-c", PLAY],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )

    assert done.returncode == 0, done.stderr
