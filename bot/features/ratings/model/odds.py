"""The worth of a board with odds, in points of rating, and the board that makes up for a gap.

Each step that White's pieces stand nearer to the reds than Black's is worth some points: the more,
the stronger the two play. `python -m benchmarks.odds` measures that by games of the machine's
levels (docs/fairness.md).
"""

from typing import Final

from bot.play.model.openings import EVEN_STEPS

_PER_STEP: Final = 11.6
"""Points that a step is worth to players of `_AT`."""
_AT: Final = 1500.0
_GROWTH: Final = 0.0088
"""So much more for each point by which they are stronger."""
_MEASURED: Final = (800.0, 2350.0)
"""Between these ratings it was measured; beyond it counts as there."""
_MOST_STEPS: Final = 40
"""The most steps for which there are many boards."""


def advantage(steps: int, strength: float) -> float:
    """Return White's advantage on a board in points of rating.

    Args:
        steps: By how many steps White's pieces stand farther from the reds than Black's, in all.
        strength: The mean rating of the two players.
    """
    return (EVEN_STEPS - steps) * _per_step(strength)


def steps_for(white: float, black: float) -> int:
    """Return the steps by which White is to stand farther, so that both players score alike."""
    steps = (white - black) / _per_step((white + black) / 2)
    return EVEN_STEPS + max(-_MOST_STEPS, min(round(steps), _MOST_STEPS))


def _per_step(strength: float) -> float:
    least, most = _MEASURED
    return _PER_STEP + _GROWTH * (max(least, min(strength, most)) - _AT)
