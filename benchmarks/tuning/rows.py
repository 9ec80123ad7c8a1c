"""Positions of games of `dvonn.engine.selfplay` as rows, and described by features."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np

from dvonn import POINTS, Color, Position
from dvonn.bitboard import INDEX
from dvonn.engine.evaluate import describe
from dvonn.engine.jit import compiled
from dvonn.engine.memory import FEATURE_COUNT, FEATURES, HEIGHTS, SIZE
from dvonn.engine.moves import Memory
from dvonn.engine.selfplay import Played, read_games
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
    """A row for each position before which a move was played.

    Attributes:
        pieces: [rows, 49] a code for each point in the order of `dvonn.board.POINTS`.
        side: 0 where White was to move, 1 for Black.
        value: what the search said to the mover, in points of the evaluation.
        margin: how the game ended, in pieces, to the mover.
        game: the game's seed.
    """

    pieces: Int64s
    side: Int64s
    value: Int64s
    margin: Int64s
    game: Int64s


def read(paths: list[Path]) -> Columns:
    """Read files one after another."""
    rows = [row for path in paths for game in read_games(path) for row in _rows(game)]
    return Columns(*(np.array(column, dtype=np.int64) for column in zip(*rows, strict=True)))


def _rows(game: Played) -> Iterator[tuple[list[int], int, int, int, int]]:
    position = Position.initial().after(*game.moves[: len(POINTS)])
    for move, value in zip(game.moves[len(POINTS) :], game.values, strict=True):
        side = int(position.turn is Color.BLACK)
        sign = -1 if side else 1
        yield encode(position), side, sign * value, sign * game.margin, game.seed
        position = position.play(move)


def encode(position: Position) -> list[int]:
    """Return a code for each of the 49 points, from the eye of the player to move."""
    stacks, codes = position.stacks, []
    mover = "B" if position.turn is Color.BLACK else "W"
    for point in POINTS:
        pieces = stacks.get(point, "")
        if not pieces:
            codes.append(0)
            continue
        kind = LONE_RED if pieces == "R" else OWN if pieces[-1] == mover else OTHER
        codes.append(kind + PER_PIECE * len(pieces) + (RED_AT if "R" in pieces else 0))
    return codes


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
