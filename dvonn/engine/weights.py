"""The fitted weights of the evaluation, read from weights.json."""

import json
from functools import cache
from importlib.resources import files
from typing import Any, Final

import numpy as np

from dvonn.engine.evaluate import Count
from dvonn.engine.memory import FEATURE_COUNT, STACKS
from dvonn.engine.tables import Int64s

FIXED_POINT: Final = 256
"""A weight of 1 as the integer that compiled code reads."""


@cache
def table() -> Int64s:
    """The weights as integers, a row of FEATURE_COUNT for each number of stacks from 0 to 49.

    The file holds them at some numbers of stacks; between those they are interpolated.
    """
    text = (files("dvonn.engine") / "weights.json").read_text(encoding="utf-8")
    return from_knots(json.loads(text))


def from_knots(content: dict[str, Any]) -> Int64s:
    """Interpolate the table from the file's content: `knots`, and `weights` at them by feature."""
    knots, weights = content["knots"], content["weights"]
    rows = np.zeros((STACKS + 1, FEATURE_COUNT))
    counts = np.arange(STACKS + 1)
    order = np.argsort(knots)
    for name, values in weights.items():
        rising = np.array(values)[order]
        rows[:, Count[name]] = np.interp(counts, np.array(knots)[order], rising)
    return np.rint(rows * FIXED_POINT).astype(np.int64).ravel()
