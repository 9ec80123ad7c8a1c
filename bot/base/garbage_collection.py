"""Keeps lasting objects out of the garbage collector's way.

Python's collector goes through all objects now and then, and everything waits for it: with the
170,000 of a bot that has just started for 50 to 100 ms, on the event loop's own thread. Most of
them are modules, statements and languages, which stay until the end, and of a big bot its servers.
"""

import gc

from bot.base.metrics import LASTING

LASTING.set_function(gc.get_freeze_count)


def freeze_objects() -> None:
    """Let the collector look no more at what there is by now.

    The first time that takes no time, and what little garbage a start has left stays. Later on what
    was set aside before is looked at once more, so that nothing is kept for ever: that takes as
    long as a round of the collector's own.
    """
    if gc.get_freeze_count():
        gc.unfreeze()
        gc.collect()
    gc.freeze()
