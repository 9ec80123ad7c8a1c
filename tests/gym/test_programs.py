"""Tests of the short programs in docs/programs that learn, or make data to learn from."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


def printed(name: str) -> str:
    program = ROOT / "docs" / "programs" / name
    assert len(program.read_text("utf-8").splitlines()) <= 20
    done = subprocess.run(
        [sys.executable, program],
        env=os.environ | {"PYTHONPATH": os.pathsep.join([str(ROOT), *sys.path])},
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout


def test_the_agent_in_pettingzoo_beats_chance() -> None:
    pytest.importorskip("pettingzoo", reason="the extra `gym` is not installed")
    won = re.fullmatch(r"player_0 1\.0 (\d+)\nplayer_1 -1\.0 (\d+)\n", printed("agent.py"))
    assert won
    assert int(won[1]) > int(won[2])


def test_the_self_play_set_is_made() -> None:
    pytest.importorskip("numba", reason="the extra `engine` is not installed")
    games = printed("selfplay.py").splitlines()
    assert len(games) == 6
    for number, line in enumerate(games):
        told = rf"game {number}: \d+ plies, [+-]\d+ points, [+-]\d+ pieces"
        assert re.fullmatch(told, line), line
