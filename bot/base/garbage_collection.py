"""Keep garbage collections short, because they block the event loop.

From time to time, Python's collector scans all objects on the event loop's thread. A started bot
has 170,000 objects, and scanning them took 50 to 100 ms. Most of them are modules, SQL statements,
translations and, in a big bot, servers. They live until the process ends, so we exclude them.

Most of the remaining time is spent on freeing the garbage of requests. With Python's own
thresholds, 15,000 objects accumulate, and a collection takes 40 to 50 ms. With ours, 5,000
accumulate, and it takes 15 to 30 ms.
"""

import gc
from typing import Final

from bot.base.metrics import LASTING_OBJECTS

LASTING_OBJECTS.set_function(gc.get_freeze_count)

_THRESHOLDS: Final = (700, 10, 3)
"""Threshold of each generation: objects, then collections of the younger generation.

Python's own value for the oldest generation is 10.
"""
_STARTUP_THRESHOLDS: Final = (700, 10, 1_000)
"""Thresholds during startup.

The last value prevents full collections until the startup objects are excluded.
"""


def collect_often() -> None:
    """Collect often in small portions, at first without full collections.

    Objects of imported modules are excluded immediately. Otherwise the first collection would scan
    all of them, which took 0.1 s.
    """
    gc.freeze()
    gc.set_threshold(*_STARTUP_THRESHOLDS)
    gc.enable()


def freeze_objects() -> None:
    """Exclude all current objects from garbage collection.

    The first call is instant. It also excludes the small amount of garbage from startup. Later
    calls first collect the garbage among the objects that earlier calls excluded, so that none
    stays forever. That takes as long as a full collection.
    """
    if gc.get_threshold() == _THRESHOLDS:
        gc.unfreeze()
        gc.collect()
    gc.freeze()
    gc.set_threshold(*_THRESHOLDS)
