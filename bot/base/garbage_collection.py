"""Keeps garbage collections short, because the event loop waits for each.

Python's collector scans all objects now and then, on the event loop's thread. With the 170,000
objects of a started bot that took 50 to 100 ms. Most of them are modules, statements and languages,
which stay until the end, and the servers of a big bot. These are excluded. Most of the remaining
time frees the garbage of requests. By Python's own threshold 15,000 objects wait, and a collection
takes 40 to 50 ms. By ours 5,000 wait, and it takes 15 to 30 ms.
"""

import gc
from typing import Final

from bot.base.metrics import LASTING

LASTING.set_function(gc.get_freeze_count)

_OFTEN: Final = (700, 10, 3)
"""Threshold of each generation: objects, then rounds of the younger one. Python has 10 last."""
_AT_START: Final = (700, 10, 1_000)
"""The same until the objects of the start are excluded, so that no full collection scans them."""


def collect_often() -> None:
    """Free what requests leave in small portions, without full collections at first."""
    gc.set_threshold(*_AT_START)
    gc.enable()


def freeze_objects() -> None:
    """Exclude all present objects from further garbage collection.

    The first call is instant, and leaves the small amount of garbage from startup. A later call
    first collects the objects that were frozen before, so that no garbage stays forever. This takes
    as long as a full collection.
    """
    if gc.get_freeze_count():
        gc.unfreeze()
        gc.collect()
    gc.freeze()
    gc.set_threshold(*_OFTEN)
