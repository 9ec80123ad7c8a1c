"""The version of the machine player, and its levels. Importing this does not load the engine."""

from typing import Final

VERSION: Final = 7
"""Version of the machine's play.

Within one version, a level is the same player everywhere. In another version it is a different
player. Every change to a level's play increases the version, except for the strongest level. See
docs/engine.md.
"""
LEVELS: Final = range(1, 18)
"""The levels, from easiest to strongest."""
NO_LEVELS: Final = range(0)
STRONGEST: Final = LEVELS[-1]
"""The strongest level. It plays as well as its host can in a few seconds, so it differs by host."""
INTERPRETED: Final = range(1, 12)
"""The levels that can also be played without numba, in a few tenths of a second per move."""
INTERPRETED_NODES: Final = 4_000
"""Number of positions that an engine without numba searches in about a second."""
MEASURED: Final = LEVELS[:-1]
"""The levels of this version that are the same everywhere. Only these have a rating."""
