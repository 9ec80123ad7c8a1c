"""The version of the machine player, and its levels. Importing this does not load the engine."""

from typing import Final

VERSION: Final = 7
"""Version of the machine's play.

Within a version, a level plays the same on every machine. The version increases with every change
to a level's play, except for the strongest level's. See docs/engine.md.
"""
LEVELS: Final = range(1, 18)
"""The levels, weakest first."""
NO_LEVELS: Final = range(0)
STRONGEST: Final = LEVELS[-1]
"""The strongest level. It uses a few seconds per move, so its strength depends on the host."""
INTERPRETED: Final = range(1, 12)
"""The levels that can also be played without numba, in a few tenths of a second per move."""
INTERPRETED_NODES: Final = 4_000
"""Number of positions that an engine without numba searches in about a second."""
MEASURED: Final = LEVELS[:-1]
"""The levels that play the same on every machine. Only these have a rating."""
