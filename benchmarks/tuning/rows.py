"""Reading what `benchmarks.tuning.selfplay` wrote, and describing it by features."""

from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np

from dvonn.bitboard import INDEX
from dvonn.engine.evaluate import describe
from dvonn.engine.jit import compiled
from dvonn.engine.layout import FEATURE_COUNT, FEATURES, HEIGHTS, SIZE
from dvonn.engine.moves import Memory
from dvonn.engine.tables import Int64s

OWN: Final = 1
OTHER: Final = 2
LONE_RED: Final = 3
PER_PIECE: Final = 4
RED_AT: Final = 256
"""A point's code is kind + 4 * height + 256 * (holds a red piece); an empty point is 0."""

INDICES: Final = np.array(list(INDEX.values()), dtype=np.int64)
"""The bit index of each column of `Columns.pieces`."""


@dataclass(frozen=True, slots=True)
class Columns:
    """The columns of one file or several, see `benchmarks.tuning.selfplay`."""

    pieces: Int64s
    side: Int64s
    value: Int64s
    margin: Int64s
    game: Int64s


def read(paths: list[Path]) -> Columns:
    """Read files one after another."""
    files = [np.load(path) for path in paths]
    columns = {
        name: np.concatenate([file[name] for file in files]).astype(np.int64)
        for name in Columns.__dataclass_fields__
    }
    return Columns(**columns)


@compiled
def _describe(memory: Memory, pieces: Int64s, indices: Int64s, found: Int64s) -> None:
    for row in range(pieces.shape[0]):
        own = other = red = ones = twos = 0
        for column in range(pieces.shape[1]):
            code = pieces[row, column]
            if code == 0:
                continue
            index = indices[column]
            bit = 1 << index
            kind = code & (PER_PIECE - 1)
            height = (code & (RED_AT - 1)) // PER_PIECE
            memory[HEIGHTS + index] = height
            if kind == OWN:
                own |= bit
            elif kind == OTHER:
                other |= bit
            if code >= RED_AT:
                red |= bit
            if height == 1:
                ones |= bit
            elif height == 2:
                twos |= bit
        describe(memory, own, other, red, ones, twos)
        for number in range(FEATURE_COUNT):
            found[row, number] = memory[FEATURES + number]


def describe_rows(columns: Columns) -> Int64s:
    """[rows, FEATURE_COUNT]: the features of each position."""
    memory = np.zeros(SIZE, dtype=np.int64)
    found = np.zeros((len(columns.pieces), FEATURE_COUNT), dtype=np.int64)
    _describe(memory, columns.pieces, INDICES, found)
    return found
