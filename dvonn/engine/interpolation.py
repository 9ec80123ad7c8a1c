"""Interpolation between measured values."""

from collections.abc import Sequence
from itertools import pairwise


def interpolated(points: Sequence[tuple[float, float]], at: float) -> float:
    """Return the value at `at` on the line through some points, which is constant outside them.

    Args:
        points: Pairs of x and y, by increasing x.
        at: The x coordinate.
    """
    if at <= points[0][0]:
        return points[0][1]
    for (left, low), (right, high) in pairwise(points):
        if at < right:
            return (high - low) / (right - left) * (at - left) + low
    return points[-1][1]
