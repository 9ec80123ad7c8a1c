"""The fitted weights of the evaluation, read from weights.json."""

import json
from functools import cache
from importlib.resources import files
from typing import Any, Final

from dvonn.engine.backend import Int64s, integers
from dvonn.engine.estimates import interpolated
from dvonn.engine.evaluate import Count
from dvonn.engine.memory import FEATURE_COUNT, STACKS

FIXED_POINT: Final = 256
"""The integer that represents a weight of 1 in compiled code."""


@cache
def table() -> Int64s:
    """Return the weights as integers: FEATURE_COUNT for each number of stacks from 0 to 49.

    The file has weights for some numbers of stacks. The others are interpolated.
    """
    text = (files("dvonn.engine") / "weights.json").read_text(encoding="utf-8")
    return from_knots(json.loads(text))


def from_knots(content: dict[str, Any]) -> Int64s:
    """Interpolate the table from the file's `knots` and each feature's `weights` at them."""
    rows = [0] * ((STACKS + 1) * FEATURE_COUNT)
    for name, values in content["weights"].items():
        points = sorted(zip(content["knots"], values, strict=True))
        for stacks in range(STACKS + 1):
            weight = interpolated(points, stacks)
            rows[stacks * FEATURE_COUNT + Count[name]] = round(weight * FIXED_POINT)
    return integers(rows)
