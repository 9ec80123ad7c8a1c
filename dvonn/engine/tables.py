"""Tables for compiled code, computed from the board. Entries of unused bit indices are 0."""

import random
from typing import Final

from dvonn._rules.bitboard import INDEX
from dvonn._rules.board import (
    COLUMNS,
    DIRECTIONS,
    POINTS,
    column_row,
    neighbours,
    point_at,
    steps_between,
)
from dvonn.engine.backend import Int64s, integers

POINT_SLOTS: Final = 64
MAX_HEIGHT: Final = len(POINTS)


def _bit(index: int) -> int:
    return 1 << index


def _destinations() -> Int64s:
    """Return a table with the landing points of a stack at [height * 64 + index].

    Entries are 0 for indices off the board.
    """
    table = [0] * ((MAX_HEIGHT + 1) * POINT_SLOTS)
    for point, index in INDEX.items():
        column, row = column_row(point)
        for height in range(1, COLUMNS):
            for across, up in DIRECTIONS:
                end = point_at(column + across * height, row + up * height)
                if end is not None:
                    table[height * POINT_SLOTS + index] |= _bit(INDEX[end])
    return integers(table)


def _neighbors() -> Int64s:
    table = [0] * POINT_SLOTS
    for point, index in INDEX.items():
        table[index] = sum(_bit(INDEX[beside]) for beside in neighbours(point))
    return integers(table)


def _within_table() -> Int64s:
    """Return a table with the points at most `steps` away at [steps * 64 + index]."""
    table = [0] * (COLUMNS * POINT_SLOTS)
    for point, index in INDEX.items():
        for other, bit in ((other, _bit(INDEX[other])) for other in POINTS):
            for steps in range(steps_between(point, other), COLUMNS):
                table[steps * POINT_SLOTS + index] |= bit
    return integers(table)


def _around_table() -> Int64s:
    """Return a table with the points within AROUND_STEPS[number] steps at [index * 8 + number]."""
    table = [0] * (POINT_SLOTS * AROUND_SLOTS)
    for number, steps in enumerate(AROUND_STEPS):
        for index in range(POINT_SLOTS):
            table[index * AROUND_SLOTS + number] = WITHIN[steps * POINT_SLOTS + index]
    return integers(table)


def _hash_keys() -> Int64s:
    """Return the hash keys, at [(height * 64 + index) * 8 + kind].

    The last one is the key of Black to move.

    The kinds of stacks are 0 for White's, 1 for Black's, 2 and 3 for those with a red piece inside,
    and 4 for a single red piece.
    """
    # A generator with a fixed seed, so that node counts are the same on every machine.
    rng = random.Random("DVONN")  # noqa: S311 - no secrets
    count = (MAX_HEIGHT + 1) * POINT_SLOTS * HASH_KINDS + 1
    keys = [rng.getrandbits(64) - (1 << 63) for _ in range(count)]
    return integers(keys)


HASH_KINDS: Final = 8
HASH_RED: Final = 2
HASH_LONE_RED: Final = 4
HASH_SIDE: Final = (MAX_HEIGHT + 1) * POINT_SLOTS * HASH_KINDS

DESTINATIONS: Final = _destinations()
NEIGHBORS: Final = _neighbors()
WITHIN: Final = _within_table()
AROUND_STEPS: Final = (1, 2, 3, 4, 6, 8)
AROUND_SLOTS: Final = 8
AROUND: Final = _around_table()
HASH_KEYS: Final = _hash_keys()
BOARD: Final = sum(_bit(index) for index in INDEX.values())
FIRST_COLUMN: Final = sum(_bit(INDEX[p]) for p in POINTS if column_row(p)[0] == 0)
LAST_COLUMN: Final = sum(_bit(INDEX[p]) for p in POINTS if column_row(p)[0] == COLUMNS - 1)
