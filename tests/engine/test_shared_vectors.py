"""Tests for the engine's moves against independent vectors."""

import pytest

pytest.importorskip("numba", reason="the extra `engine` is not installed")

from dvonn import Color, Position
from tests.engine.test_moves import counted
from tests.shared_files import shared_json


def test_perft_of_the_shared_vectors() -> None:
    cases = shared_json("vectors/perft.json")["positions"]
    assert len(cases) > 5
    for case in cases:
        position = Position.from_stacks(case["board"], turn=Color(case["turn"]))
        for depth, count in case["perft"].items():
            assert counted(position, int(depth)) == count, (case["id"], depth)
