"""Tests for the evaluation's weights as compiled code reads them."""

import pytest

pytest.importorskip("numba", reason="the extra `engine` is not installed")

import numpy as np

from dvonn.engine.evaluate import Count
from dvonn.engine.memory import FEATURE_COUNT, STACKS
from dvonn.engine.weights import FIXED_POINT, from_knots


def test_between_knots_weights_are_interpolated_and_beyond_them_they_stay() -> None:
    table = from_knots({"knots": [20, 10], "weights": {"PIECES": [3.0, 1.0], "TURN": [0.4, -0.5]}})
    rows = table.reshape(STACKS + 1, FEATURE_COUNT)
    assert rows.dtype == np.int64
    pieces = rows[:, Count.PIECES]
    assert [pieces[stacks] for stacks in (0, 10, 15, 20, 49)] == [
        weight * FIXED_POINT for weight in (1, 1, 2, 3, 3)
    ]
    # To the nearest integer: 0.4 * 256 is 102.4.
    assert [rows[stacks, Count.TURN] for stacks in (10, 20)] == [-128, 102]
    assert not rows[:, Count.MOVABLE].any()
