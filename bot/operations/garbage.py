"""Garbage is looked for in what came since, so that turns do not wait while all is looked through.

Python looks through everything whenever a quarter is new, which is a tenth of a second for what the
bot has imported, and as much again for some thousand channels. All of that stays.
"""

import gc


def settle() -> None:
    """Look for garbage in what comes from now on only, until this is said again."""
    if gc.get_freeze_count():  # what an earlier session knew may have gone since
        gc.unfreeze()
        gc.collect()
    gc.freeze()
