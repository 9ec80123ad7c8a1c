"""Choice of placements by sampling: random full boards are evaluated.

The order of placements does not matter. So one full board is evidence about every free point, with
either a white or a black piece there. A point's swing is the mean value with a white piece there
minus the mean value with a black one. The mover takes the point with the largest swing. Points are
dealt in pairs of about equal swing, one to each side, so that the boards look as if good players
had filled them. A first round, which estimates the swings, deals all points alike.

A full board is evaluated with the counts of `evaluate`, but with separate weights in
placement.json. Red pieces are placed without sampling: far apart by White, close together by Black.
"""

import json
import math
import random
from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from typing import Final

from dvonn import Color, Move, Point, Position
from dvonn._rules.bitboard import INDEX, POINT_AT_INDEX
from dvonn._rules.board import steps_between
from dvonn._rules.pieces import PIECE_COUNTS
from dvonn.engine.backend import Int64s, compiled, integers, zeros
from dvonn.engine.evaluate import Count, describe, weigh
from dvonn.engine.memory import FEATURE_COUNT, HEIGHTS, SIZE, STACKS, WEIGHTS
from dvonn.engine.moves import Memory
from dvonn.engine.weights import FIXED_POINT

SAMPLES: Final = 8000
"""Default number of full boards for judging a placement, which takes about 3 ms."""

_FIRST_ROUND: Final = 4
"""Divisor that gives the share of boards dealt in the first round."""

_NOISE: Final = 2
"""Noise in the dealing order, in standard deviations of the first round's swings."""

_SCALE: Final = 200
"""Points of the evaluation at which a full board's value is half of the maximum."""

_CERTAIN: Final = 1000
"""Maximum value of a full board: a certain win."""

_SCRATCH_ROWS: Final = 7
"""Number of rows in the scratch array. Row 0 has the sort keys of the points."""
_ORDER_ROW: Final = 1
"""The row with the points in the order of their keys."""
_TAKER_ROW: Final = 2
"""The row with the owner of each point: 0 for Black, 1 for White."""
_SUMS_ROW: Final = 3
"""The first of two rows with sums of values: over boards where Black has a point, and where White
has.
"""
_COUNTS_ROW: Final = 5
"""The first of two rows with the number of boards in each sum."""

_MULTIPLIER: Final = 6364136223846793005
_INCREMENT: Final = 1442695040888963407
"""Increment of Knuth's linear congruential generator. Only its upper bits are used."""
_SEED_MASK: Final = (1 << 63) - 1


def choose_placement(position: Position, rng: random.Random, *, samples: int = SAMPLES) -> Move:
    """Return the placement to play.

    Args:
        position: A position of the placement phase.
        rng: Random number generator.
        samples: Number of full boards to sample. More samples play better.
    """
    if position.to_place == "R":
        return _choose_red(position, rng)
    board = Board(position)
    swings = board.swings(samples, rng)
    best = max(range(len(swings)), key=swings.__getitem__)
    return Move(target=POINT_AT_INDEX[int(board.free[best])])


def _choose_red(position: Position, rng: random.Random) -> Move:
    """Return the best red placement for the mover. Ties are broken at random."""
    reds = list(position.stacks)
    apart = 1 if position.turn is Color.WHITE else -1

    def merit(point: Point) -> tuple[int, int]:
        steps = [steps_between(point, red) for red in reds]
        return apart * min(steps, default=0), apart * sum(steps)

    moves = list(position.legal_moves())
    rng.shuffle(moves)
    return max(moves, key=lambda move: merit(move.target))


class Board:
    """A board in the placement phase, in the layout for compiled code.

    Attributes:
        free: The bit indices of the free points.
    """

    def __init__(self, position: Position) -> None:
        self._memory = zeros(SIZE)
        for index in range(max(POINT_AT_INDEX) + 1):
            self._memory[HEIGHTS + index] = 1
        for index, weight in enumerate(_weights(), WEIGHTS + STACKS * FEATURE_COUNT):
            self._memory[index] = weight
        self._sets = {"W": 0, "B": 0, "R": 0}
        stacks = position.stacks
        for point, piece in stacks.items():
            self._sets[piece] |= 1 << INDEX[point]
        self.free = integers(index for point, index in INDEX.items() if point not in stacks)

    def swings(self, samples: int, rng: random.Random) -> list[int]:
        """Return each free point's swing, in thousandths, on boards dealt as by good players."""
        first = max(1, samples // _FIRST_ROUND)
        first_swings, _ = self.dealt(first, rng)
        swings, _ = self._deal(first_swings, _deviation(first_swings, _NOISE), samples - first, rng)
        return swings

    def dealt(self, samples: int, rng: random.Random) -> tuple[list[int], float]:
        """Return the swing of each free point on randomly dealt boards, and White's mean value."""
        return self._deal([0] * len(self.free), _CERTAIN, samples, rng)

    def _deal(
        self, priorities: Sequence[int], noise: int, samples: int, rng: random.Random
    ) -> tuple[list[int], float]:
        count = len(self.free)
        swings, scratch = zeros(count), zeros(_SCRATCH_ROWS * count)
        white = self._sets["W"]
        _deal(
            self._memory,
            white,
            self._sets["B"],
            self._sets["R"],
            self.free,
            integers(priorities),
            noise,
            PIECE_COUNTS["W"] - white.bit_count(),
            samples,
            rng.getrandbits(62),
            scratch,
            swings,
        )
        total = sum(map(int, scratch[_SUMS_ROW * count : _COUNTS_ROW * count]))
        boards = sum(map(int, scratch[_COUNTS_ROW * count :]))
        return [int(swing) for swing in swings], total / max(boards, 1)


def _deviation(numbers: Sequence[int], factor: int) -> int:
    """Return the standard deviation times a factor, rounded down."""
    count = len(numbers)
    squares = count * sum(number * number for number in numbers) - sum(numbers) ** 2
    return math.isqrt(factor * factor * squares) // count


@cache
def _weights() -> Int64s:
    """Return the weights of a full board's counts, as the integers that `weigh` reads."""
    text = (files("dvonn.engine") / "placement.json").read_text(encoding="utf-8")
    row = [0] * FEATURE_COUNT
    for name, weight in json.loads(text).items():
        row[Count[name]] = round(weight * FIXED_POINT)
    return integers(row)


@compiled
def _deal(
    memory: Memory,
    white: int,
    black: int,
    red: int,
    points: Int64s,
    priorities: Int64s,
    noise: int,
    white_left: int,
    samples: int,
    seed: int,
    scratch: Int64s,
    swings: Int64s,
) -> None:
    """Fill the board many times, and write each point's swing.

    Args:
        memory: Memory of a search. All heights in it are 1.
        white: White's stacks.
        black: Black's stacks.
        red: The red pieces.
        points: The bit indices of the free points.
        priorities: The value of each point for the side that gets it, the same for both sides.
        noise: Maximum random change of that value, up or down.
        white_left: Number of free points that White gets: half of them, or one more than Black.
        samples: Number of full boards.
        seed: Seed of the random deals.
        scratch: _SCRATCH_ROWS rows of zeros, each as long as `points`.
        swings: The array for the results.
    """
    count = len(points)
    order, taker = _ORDER_ROW * count, _TAKER_ROW * count
    sums, counts = _SUMS_ROW * count, _COUNTS_ROW * count
    for _ in range(samples):
        for number in range(count):
            seed = (seed * _MULTIPLIER + _INCREMENT) & _SEED_MASK
            # The sum of two centered 16-bit numbers is more often near 0 than far from it.
            shift = ((seed >> 33) & 0xFFFF) + ((seed >> 17) & 0xFFFF) - 0xFFFF
            key = priorities[number] + ((shift * noise) >> 16)
            at = number
            while at > 0 and scratch[at - 1] < key:
                scratch[at] = scratch[at - 1]
                scratch[order + at] = scratch[order + at - 1]
                at -= 1
            scratch[at] = key
            scratch[order + at] = number
        # White places last. If White has one more piece to place, it gets the best point.
        at = 2 * white_left - count
        if at:
            scratch[taker + scratch[order]] = 1
        while at < count:
            seed = (seed * _MULTIPLIER + _INCREMENT) & _SEED_MASK
            side = (seed >> 40) & 1
            scratch[taker + scratch[order + at]] = side
            scratch[taker + scratch[order + at + 1]] = 1 - side
            at += 2
        full_white, full_black = white, black
        for number in range(count):
            if scratch[taker + number]:
                full_white |= 1 << points[number]
            else:
                full_black |= 1 << points[number]
        describe(memory, full_white, full_black, red, full_white | full_black | red, 0)
        value = weigh(memory, STACKS)
        value = value * _CERTAIN // (_SCALE + abs(value))
        for number in range(count):
            row = scratch[taker + number] * count
            scratch[sums + row + number] += value
            scratch[counts + row + number] += 1
    for number in range(count):
        for_white = scratch[sums + count + number] // max(scratch[counts + count + number], 1)
        for_black = scratch[sums + number] // max(scratch[counts + number], 1)
        swings[number] = for_white - for_black
