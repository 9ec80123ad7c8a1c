"""Boards that are even: of the balanced ones, those that two searches of the engine call so.

>>> from dvonn import Position
>>> from dvonn.even_boards import even_seeds, even_start
>>> Position.initial().after(*even_start(even_seeds()[-1])).phase
<Phase.MOVEMENT: 'movement'>

On such a board neither colour has the better chance; docs/fairness.md describes how that was
measured. Each comes in the four forms that the board has: as it was found, after half a turn, from
left to right, and from top to bottom.
"""

import pkgutil
from collections.abc import Iterable
from functools import cache
from itertools import accumulate
from typing import Final

from dvonn.board import SYMMETRIES
from dvonn.move import Move
from dvonn.starts import balanced_start
from dvonn.symmetries import image_of_move

_SEED_BITS: Final = 32
"""Number of a seed's low bits that identify the found board. The bits above name its form."""
_GO_ON: Final = 255
"""A step of this size ends on no even board: the next one continues from there."""


@cache
def even_seeds() -> tuple[int, ...]:
    """Return the seeds from which `even_start` makes even boards, in ascending order."""
    found = found_seeds()
    return tuple(form << _SEED_BITS | seed for form in range(len(SYMMETRIES)) for seed in found)


def even_start(seed: int) -> tuple[Move, ...]:
    """Return the 49 placements of `balanced_start`, in the form of the board that the seed names.

    The seed's last 32 bits are the seed of `balanced_start`; the bits before them are the number of
    the form in `dvonn.board.SYMMETRIES`. So a seed of 32 bits or fewer makes the same board there.

    Raises:
        IndexError: no form has that number.
    """
    form, found = divmod(seed, 1 << _SEED_BITS)
    return tuple(image_of_move(move, SYMMETRIES[form]) for move in balanced_start(found))


def found_seeds() -> tuple[int, ...]:
    """Return the seeds of even boards in the form in which they were found.

    They are stored as the steps from one to the next, a byte each. `benchmarks.tuning.even_boards`
    finds them again.
    """
    return unpacked(pkgutil.get_data("dvonn", "even_boards.bin") or b"")


def unpacked(steps: bytes) -> tuple[int, ...]:
    """Return the seeds that `packed` wrote."""
    places = zip(steps, accumulate(steps), strict=True)
    return tuple(place for step, place in places if step != _GO_ON)


def packed(seeds: Iterable[int]) -> bytes:
    """Write seeds, from the smallest up, as `unpacked` reads them."""
    steps = bytearray()
    before = 0
    for seed in seeds:
        whole, rest = divmod(seed - before, _GO_ON)
        steps += bytes([_GO_ON]) * whole + bytes([rest])
        before = seed
    return bytes(steps)
