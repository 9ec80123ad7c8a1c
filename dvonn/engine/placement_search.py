"""Placement by search: the most wanted points are tried on full boards, which are searched.

The rest is dealt as `dvonn.engine.placement` deals it. The points are tried on the same boards, so
that they differ by nothing else. Each round leaves the better half of them, and looks at twice as
many boards (sequential halving).
"""

import random
from typing import Final

import numpy as np

from dvonn import Color, Move, Position
from dvonn.bitboard import POINT_AT_INDEX
from dvonn.engine.jit import compiled
from dvonn.engine.memory import INFINITE, STOPPED
from dvonn.engine.moves import Memory, hash_of
from dvonn.engine.placement import (
    CERTAIN,
    INCREMENT,
    MULTIPLIER,
    SAMPLES,
    SCALE,
    SCRATCH_ROWS,
    Board,
    choose_red,
    order_points,
)
from dvonn.engine.search import search
from dvonn.engine.searcher import Searcher
from dvonn.engine.tables import Int64s

_TRIED: Final = 8
"""The points that are tried by searches, the most wanted ones."""

_DEPTH: Final = 2
"""How deep a full board is searched, in moves."""

_NOISE: Final = 1.4
"""The noise of the boards that are searched; half and twice of it place worse."""


def search_placement(
    position: Position,
    rng: random.Random,
    searcher: Searcher,
    *,
    boards: int,
    seconds: float | None,
) -> Move:
    """Return the placement to play by searches of full boards.

    Args:
        position: in the placement.
        rng: where the chance comes from.
        searcher: what searches.
        boards: how many full boards the first round looks at.
        seconds: how long it may take; None: as long as that takes.
    """
    if position.to_place == "R":
        return choose_red(position, rng)
    board = Board(position)
    swings = board.swings(SAMPLES, rng)
    tried = np.argsort(-swings, kind="stable")[:_TRIED]
    noise = int(swings.std() * _NOISE)
    scratch = np.zeros((SCRATCH_ROWS, len(swings)), dtype=np.int64)
    with searcher.on_full_boards(seconds) as memory:
        while len(tried) > 1:
            values = np.zeros_like(tried)
            _try_out(
                memory,
                board.sets["W"],
                board.sets["B"],
                board.sets["R"],
                board.free,
                swings,
                noise,
                boards,
                rng.getrandbits(62),
                scratch,
                int(position.turn is Color.WHITE),
                tried,
                values,
            )
            tried = tried[np.argsort(-values, kind="stable")][: (len(tried) + 1) // 2]
            boards *= 2
    return Move(target=POINT_AT_INDEX[int(board.free[tried[0]])])


@compiled
def _try_out(
    memory: Memory,
    white: int,
    black: int,
    red: int,
    points: Int64s,
    wanted: Int64s,
    noise: int,
    boards: int,
    seed: int,
    scratch: Int64s,
    side: int,
    tried: Int64s,
    values: Int64s,
) -> None:
    """Fill the board many times, and search it with each tried point in the mover's hand.

    The other points are dealt in pairs, one to each side; the most wanted of an odd number goes to
    White, who places last. It ends where the search is told to stop.

    Args:
        memory: of a searcher; its heights are all 1.
        white: her stacks.
        black: Black's stacks.
        red: the red pieces.
        points: the bit indices of the free points.
        wanted: how much each of them is wanted; both sides want the same.
        noise: how far chance moves that up or down.
        boards: how many times.
        seed: of the chance.
        scratch: SCRATCH_ROWS rows of zeros, as long as `points`.
        side: 1 if White is to place, else 0.
        tried: the numbers of the points among the free ones.
        values: where the sums of what the boards are worth to the mover go.
    """
    count, order = len(points), scratch[1]
    for _ in range(boards):
        seed = order_points(wanted, noise, seed, scratch)
        seed = seed * MULTIPLIER + INCREMENT
        sides = seed >> 16
        for each in range(len(tried)):
            full_white, full_black = white, black
            # White gets the first of an odd number; then the bits tell who gets a pair's first.
            dealt = 0 if count % 2 else -1
            for rank in range(count):
                point = order[rank]
                if point == tried[each]:
                    taker = side
                elif dealt < 0:
                    taker, dealt = 1, 0
                else:
                    taker = ((sides >> (dealt >> 1)) ^ dealt) & 1
                    dealt += 1
                if taker:
                    full_white |= 1 << points[point]
                else:
                    full_black |= 1 << points[point]
            hashed = hash_of(memory, full_white, full_black, red, 0)
            value = search(
                memory,
                full_white,
                full_black,
                red,
                full_white | full_black | red,
                0,
                hashed,
                0,
                _DEPTH,
                0,
                -INFINITE,
                INFINITE,
            )
            if value == STOPPED:
                return
            value = value * CERTAIN // (SCALE + abs(value))
            values[each] += value if side else -value
