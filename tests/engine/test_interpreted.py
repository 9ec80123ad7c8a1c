"""Tests that the engine without numba plays the same moves, from the same source."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from dvonn import Phase, Position, engine
from dvonn.machine import INTERPRETED, VERSION
from tests.games import positions_of, random_game

ROOT = Path(__file__).resolve().parents[2]
GAMES = tuple(positions_of(random_game(seed)) for seed in range(2))

PLAY = """
import json
import sys

from dvonn.engine import choose
from dvonn.engine.backend import IS_COMPILED
from tests.engine.test_interpreted import analyses, play

assert not IS_COMPILED
moves = play()
heavy = sorted({"llvmlite", "numba", "numpy"} & set(sys.modules))
print(json.dumps({"moves": moves, "analyses": analyses(), "heavy": heavy}))
"""

MOVES = {
    7: "d1 g2 d1 d3-c2 d1 f2-e2 g2 a1-c3 d2 d2 e3 g1 j3-h3 e2 g3-h3",
}
"""The moves of each version. A change in a level's play makes a new version."""


def levels_and_positions() -> list[tuple[int, Position]]:
    """Return levels and positions of both phases, several positions per level."""
    return [
        (level, position)
        for number, level in enumerate(INTERPRETED)
        for game in GAMES
        for position in game[3 + number :: 19]
        if position.phase is not Phase.OVER
    ]


def play() -> list[str]:
    return [
        str(engine.choose(position, level=level, seed=5))
        for level, position in levels_and_positions()
    ]


def analyses() -> list[str]:
    """Return the engine's analysis of positions: far from the end, near it, and in placement."""
    game = GAMES[0]
    return [repr(engine.analyse(game[ply], nodes=400)) for ply in (20, 52, 70, len(game) - 6)]


@pytest.fixture(scope="module")
def interpreted() -> dict[str, list[str]]:
    done = subprocess.run(
        [sys.executable, "-c", PLAY],
        cwd=ROOT,
        env={**os.environ, "DVONN_ENGINE": "interpreted"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    told: dict[str, list[str]] = json.loads(done.stdout)
    return told


def test_it_plays_as_it_always_did(interpreted: dict[str, list[str]]) -> None:
    assert len(interpreted["moves"]) == len(levels_and_positions())
    assert interpreted["moves"][::7] == MOVES[VERSION].split()


def test_it_needs_no_package(interpreted: dict[str, list[str]]) -> None:
    assert interpreted["heavy"] == []


def test_it_plays_the_moves_of_the_compiled_engine(interpreted: dict[str, list[str]]) -> None:
    pytest.importorskip("numba", reason="the extra `engine` is not installed")
    assert interpreted["moves"] == play()
    assert interpreted["analyses"] == analyses()


def test_work_that_would_take_minutes_is_refused() -> None:
    program = """
from dvonn import Position
from dvonn.engine import EngineMissingError, analyse, choose, free_points
from dvonn.machine import INTERPRETED, INTERPRETED_NODES
for ask in (
    lambda p: choose(p, level=INTERPRETED[-1] + 1),
    lambda p: analyse(p, nodes=INTERPRETED_NODES + 1),
    free_points,
):
    try:
        ask(Position.initial())
    except EngineMissingError as error:
        print(error.package)
"""
    environment = {**os.environ, "DVONN_ENGINE": "interpreted"}
    told = subprocess.run(
        [sys.executable, "-c", program],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        check=True,
    )
    assert told.stdout.split() == ["numba"] * 3
