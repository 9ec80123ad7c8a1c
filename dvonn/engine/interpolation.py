"""Interpolation between measured values."""

from collections.abc import Sequence
from itertools import pairwise


def interpolated(points: Sequence[tuple[float, float]], at: float) -> float:
    """Return the height at `at` of the line through points, which is level before and after them.

    Args:
        points: Places and heights, by rising places.
        at: The place.
    """
    if at <= points[0][0]:
        return points[0][1]
    for (left, low), (right, high) in pairwise(points):
        if at < right:
            return (high - low) / (right - left) * (at - left) + low
    return points[-1][1]
