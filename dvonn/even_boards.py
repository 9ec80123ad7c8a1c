"""Balanced boards on which two engine searches found equal chances for both colors.

>>> from dvonn import Position
>>> from dvonn.even_boards import even_seeds, even_start
>>> Position.initial().after(*even_start(even_seeds()[-1])).phase
<Phase.MOVEMENT: 'movement'>

On such a board, neither color has a better chance. docs/starts.md describes how this was measured.
Each board comes in four forms: as found, rotated by half a turn, mirrored left to right, and
mirrored top to bottom.
"""

import pkgutil
from collections.abc import Iterable
from functools import cache
from itertools import accumulate
from typing import Final

from dvonn._rules.board import SYMMETRIES
from dvonn._rules.move import Move
from dvonn.starts import balanced_start
from dvonn.symmetries import image_of_move

_SEED_BITS: Final = 32
"""Number of low bits of a seed that identify the board. The higher bits are its form."""
_CONTINUE: Final = 255
"""Step that does not reach a seed by itself. The next step is added to it."""


@cache
def even_seeds() -> tuple[int, ...]:
    """Return the seeds of even boards for `even_start`, in ascending order."""
    seeds = found_seeds()
    return tuple(form << _SEED_BITS | seed for form in range(len(SYMMETRIES)) for seed in seeds)


def even_start(seed: int) -> tuple[Move, ...]:
    """Return the 49 placements of a balanced board, in the form that the seed selects.

    The lowest 32 bits of the seed are the seed of `balanced_start`. The bits above are the number
    of the form in `SYMMETRIES`. A seed of at most 32 bits gives the same board as
    `balanced_start`.

    Raises:
        IndexError: if there is no form with that number.
    """
    form, index = divmod(seed, 1 << _SEED_BITS)
    return tuple(image_of_move(move, SYMMETRIES[form]) for move in balanced_start(index))


def found_seeds() -> tuple[int, ...]:
    """Return the stored seeds of even boards, each for the form that was found.

    They are stored as the steps from one seed to the next, one byte each.
    `benchmarks.tuning.even_boards` can find them again.
    """
    return unpacked(pkgutil.get_data("dvonn", "even_boards.bin") or b"")


def unpacked(steps: bytes) -> tuple[int, ...]:
    """Decode the seeds that `packed` encoded."""
    places = zip(steps, accumulate(steps), strict=True)
    return tuple(place for step, place in places if step != _CONTINUE)


def packed(seeds: Iterable[int]) -> bytes:
    """Encode seeds, in ascending order, for `unpacked`."""
    steps = bytearray()
    before = 0
    for seed in seeds:
        whole, rest = divmod(seed - before, _CONTINUE)
        steps += bytes([_CONTINUE]) * whole + bytes([rest])
        before = seed
    return bytes(steps)
