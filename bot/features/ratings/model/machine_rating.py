"""The strength of the machine's levels: the yardstick by which all hosts measure alike.

    python -m benchmarks.matches.calibration

makes these figures of the ladder's games, and prints an entry; docs/ratings.md tells how. What was
released stays as it is: ratings of people are recomputed by it.
"""

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Final

from bot.base.glicko import Rating

_BELOW_10 = (
    (852.8, 56.7),
    (1134.3, 50.2),
    (1435.6, 37.5),
    (1730.2, 0.0),
    (1919.9, 19.6),
    (2096.0, 26.5),
    (2327.5, 33.5),
    (2561.6, 38.9),
    (2785.3, 43.2),
)
"""Levels 1 to 9 since version 4."""
LEVELS: Final[Mapping[int, tuple[tuple[float, float], ...]]] = {
    2: (
        (1117.2, 24.5),
        (1286.4, 19.5),
        (1500.0, 0.0),
        (1730.2, 21.9),
        (1928.0, 29.9),
        (2136.7, 36.0),
        (2351.6, 40.9),
        (2523.2, 44.8),
        (2702.7, 48.3),
        (2905.3, 55.6),
    ),
    3: (
        (1117.2, 24.5),
        (1286.4, 19.5),
        (1500.0, 0.0),
        (1730.2, 21.9),
        (1919.9, 29.4),
        (2096.0, 34.4),
        (2327.4, 40.1),
        (2561.5, 44.7),
        (2785.2, 48.5),
        (2966.9, 51.6),
    ),
    4: (*_BELOW_10, (2967.0, 46.7)),
    5: (*_BELOW_10, (3030.7, 54.9)),
    6: (
        (807.8, 66.2),
        (943.7, 64.6),
        (1100.5, 63.9),
        (1228.5, 63.3),
        (1412.5, 61.8),
        (1556.9, 59.0),
        (1700.0, 53.4),
        (1834.9, 46.2),
        (1963.9, 38.7),
        (2154.7, 27.5),
        (2327.5, 0.0),
        (2500.3, 31.0),
        (2668.7, 45.1),
        (2822.8, 63.3),
        (3040.5, 72.6),
        (3170.7, 78.2),
    ),
}
"""The machine's versions, with rating and standard error of each level from 1 on."""
_ALWAYS = datetime(1970, 1, 1, tzinfo=UTC)
_STEADY = 0.0
"""No time makes it less sure: a level of a version does not change."""


def machine_rating(version: int | None, level: int | None) -> Rating | None:
    """Return the rating of a level of a version; None where it was not measured."""
    levels = LEVELS.get(version or 0, ())
    if level is None or not 1 <= level <= len(levels):
        return None
    rating, error = levels[level - 1]
    return Rating(rating=rating, deviation=error, volatility=_STEADY, at=_ALWAYS)
