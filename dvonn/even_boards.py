"""Boards that are even: of the balanced ones, those that two searches of the engine call so.

On such a board neither colour has the better chance; docs/fairness.md tells how that was measured.
"""

import pkgutil
from collections.abc import Iterable
from functools import cache
from itertools import accumulate
from typing import Final

_GO_ON: Final = 255
"""A step of this size ends on no even board: the next one goes on from there."""


@cache
def even_seeds() -> tuple[int, ...]:
    """Return the seeds for which `balanced_start` makes an even board, from the smallest up.

    They are kept as the steps from one to the next, a byte each. `benchmarks.tuning.even_boards`
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
