"""The version of the machine player and its levels, known without loading it."""

from typing import Final

VERSION: Final = 6
"""The version of the machine's play: a level of one version is the same player everywhere, and of
another one a different player. It goes up with every change of a level's play, other than that of
the strongest; see docs/engine.md.
"""
LEVELS: Final = range(1, 18)
"""The levels, from the easiest to the strongest."""
STRONGEST: Final = LEVELS[-1]
"""This level plays as well as its host can in some seconds: it is not the same everywhere."""
MEASURED: Final = LEVELS[:-1]
"""The levels of this version that are the same everywhere: these alone have a rating."""
_NOW_FROM_4: Final = (1, 3, 5, 7, 8, 10, 11, 13, 14, 16)
_NOW_BEFORE_4: Final = (3, 4, *_NOW_FROM_4[2:])
"""The levels nearest in strength to the ten that there were until version 5."""
_TEN_UNTIL: Final = 5


def level_now(level: int, version: int | None) -> int:
    """Return the level of this version that is nearest in strength to one of another version.

    Args:
        level: of that version.
        version: None: an early one that nobody wrote down.
    """
    early = version or 0
    if early > _TEN_UNTIL:
        return level
    nearest = _NOW_BEFORE_4 if early < 4 else _NOW_FROM_4  # noqa: PLR2004 - it made 1 to 3 easier
    return nearest[level - 1] if level <= len(nearest) else level
