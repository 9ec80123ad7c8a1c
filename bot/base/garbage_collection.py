"""Keeps the rounds of the garbage collector short: the event loop waits for each.

Python's collector goes through all objects now and then, on the event loop's own thread: with the
170,000 of a bot that has just started that took 50 to 100 ms. Most of them are modules, statements
and languages, which stay until the end, and of a big bot its servers: it looks no more at these.
Of the rest it frees what requests leave, and that takes longest. By Python's own threshold 15,000
objects wait for it, and a round takes 40 to 50 ms; by ours 5,000, and 15 to 30 ms.
"""

import gc
from typing import Final

from bot.base.metrics import LASTING

LASTING.set_function(gc.get_freeze_count)

_OFTEN: Final = (700, 10, 3)
"""Threshold of each generation: objects, then rounds of the younger one. Python has 10 last."""


def collect_often() -> None:
    """Free what requests leave in small portions."""
    gc.set_threshold(*_OFTEN)
    gc.enable()


def freeze_objects() -> None:
    """Exclude all present objects from further garbage collection.

    The first time that takes no time, and what little garbage a start has left stays. Later on what
    was set aside before is looked at once more, so that nothing is kept for ever: that takes as
    long as a round of the collector's own.
    """
    if gc.get_freeze_count():
        gc.unfreeze()
        gc.collect()
    gc.freeze()
