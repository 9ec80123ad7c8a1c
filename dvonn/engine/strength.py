"""The strength of a player: its search limits, and its misjudgement.

A weak player errs as people do: it looks only a move or two ahead, so that it misses what cuts it
off later, and misjudges by some points how a position stands. The lowest two misjudge so much that
a beginner wins against them; from level 3 on a won game is not thrown away, for it is more points
ahead than such a player errs by.
"""

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True, kw_only=True)
class Strength:
    """The limits of a player; none of them is of time, so that it plays alike on a slow machine.

    Attributes:
        nodes: how many positions it looks at for a move at most; None: time alone limits it.
        depth: how many moves it looks ahead at most; None: as far as it gets.
        error: by how many points it misjudges a position at most; 100 points are odds of e to 1.
        samples: how many full boards it judges a placement by.
    """

    nodes: int | None
    depth: int | None = None
    error: int = 0
    samples: int


FULL_SAMPLES: Final = 8000
"""More of them hardly place better."""

LEVELS: Final = (
    Strength(nodes=200, depth=1, error=1_153, samples=4),
    Strength(nodes=200, depth=1, error=632, samples=6),
    Strength(nodes=200, depth=1, error=296, samples=9),
    Strength(nodes=400, depth=1, error=118, samples=24),
    Strength(nodes=800, depth=2, error=170, samples=42),
    Strength(nodes=2_000, depth=3, error=64, samples=150),
    Strength(nodes=1_500, samples=1_000),
    Strength(nodes=9_600, samples=4_000),
    Strength(nodes=61_000, samples=FULL_SAMPLES),
    Strength(nodes=390_000, samples=FULL_SAMPLES),
)
"""The levels from 1 up. A ladder match shows that each beats the one below, see docs/engine.md."""

UNLIMITED: Final = Strength(nodes=None, samples=FULL_SAMPLES)


def strength_of(level: int) -> Strength:
    """Return the strength of a level, 1 to 10.

    Raises:
        ValueError: if there is no such level.
    """
    if not 1 <= level <= len(LEVELS):
        raise ValueError(f"there is no level {level}")
    return LEVELS[level - 1]
