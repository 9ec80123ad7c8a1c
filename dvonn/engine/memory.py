"""The memory of a search: one array of 64-bit integers, and the layout of its parts.

Each array argument of a recursive compiled function costs time. So there is only one array, and
these constants are the offsets of its parts. Another thread may set STOP while a search is running.

In a search, a position is the heights in this array and six integers: the stacks of the player to
move, the opponent's stacks, the stacks that contain a red piece (including single red pieces), all
stacks of one piece, all stacks of two, and a hash. Sets of points have the bit indices of
`bitboard`. The height of an empty point is never read, so removing stacks from the board leaves it
unchanged.
"""

from typing import Final

POINT_BITS: Final = 6
"""Number of bits in a bit index. A move is source | target << 6."""
POINT_MASK: Final = (1 << POINT_BITS) - 1
MOVE_BITS: Final = 2 * POINT_BITS
MOVE_MASK: Final = (1 << MOVE_BITS) - 1

MAX_PLY: Final = 112
"""Maximum number of plies: 48 moves with a pass after each, rounded up."""
MAX_MOVES: Final = 192
"""Maximum number of moves, rounded up.

The bound is 46 stacks of one piece with four targets each.
"""

HEIGHTS: Final = 0
NODES: Final = 64
NODE_LIMIT: Final = 65
STOP: Final = 66
TABLE_MASK: Final = 67
AGE: Final = 68
ROOT_BEST: Final = 69
ROOT_VALUE: Final = 70
ERROR: Final = 71
"""Maximum error of a level's evaluation, in points."""
ERROR_SEED: Final = 72
THOROUGH: Final = 73
"""1 if late moves must be searched to full depth."""
TABLE_AT: Final = 74
"""Start of the hash table. Several threads can share a table, each with its own memory."""
AS_MEASURED: Final = 75
"""1 to search as when the levels were measured, so that their strength stays the same."""
TALL_BONUS: Final = 76
"""Points that a level adds to its own move for each piece beyond the first that it captures."""

KILLERS: Final = 128
HISTORY: Final = KILLERS + 2 * MAX_PLY
MOVES: Final = HISTORY + 2 * (1 << MOVE_BITS)
FEATURES: Final = MOVES + MAX_PLY * MAX_MOVES
FEATURE_COUNT: Final = 48
WEIGHTS: Final = FEATURES + FEATURE_COUNT
STACKS: Final = 49
OURS: Final = WEIGHTS + (STACKS + 1) * FEATURE_COUNT
"""Start of the counts that `evaluate` writes."""
OTHERS: Final = OURS + 24
STEP_SOURCES: Final = OTHERS + 24
STEP_TARGETS: Final = STEP_SOURCES + 16
STEPS: Final = STEP_TARGETS + 16
LEAST: Final = STEPS + 16
SIZE: Final = (LEAST + 16 + 7) // 8 * 8
"""Size of one thread's memory. The hash table follows, with two words per entry."""

WIN: Final = 20_000
"""Value of a win, plus the margin in pieces. Every estimate is closer to 0."""
ESTIMATE_MAX: Final = WIN - 1
INFINITE: Final = WIN + 100
STOPPED: Final = 32_000
"""Result of a search that was stopped. It must not be used."""
