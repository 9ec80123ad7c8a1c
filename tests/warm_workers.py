"""Fork the processes that `multiprocessing` spawns, so that their imports are already loaded.

Each is as separate as a spawned one: it has the same files open, and gets its instructions over the
same pipe.
"""

import os
import signal
import sys
import traceback
import warnings
from collections.abc import Callable, Sequence
from concurrent.futures import process as pools
from multiprocessing import util
from typing import NoReturn

_spawn = util.spawnv_passfds


def fork_workers(put: Callable[[object, str, object], None] = setattr) -> None:
    """Fork what this process and its forks would spawn from here on.

    Args:
        put: Installs the replacement. Linux only, because elsewhere forks and threads don't mix.
    """
    if sys.platform == "linux":
        put(util, "spawnv_passfds", _fork)


def _fork(path: bytes, arguments: Sequence[str], files: Sequence[int]) -> int:
    # multiprocessing's resource tracker is not a worker
    if "--multiprocessing-fork" not in arguments:
        return _spawn(path, arguments, files)
    with warnings.catch_warnings(action="ignore", category=DeprecationWarning):
        pid = os.fork()  # later Pythons warn about other threads
    return pid or _be(arguments, files)


def _be(arguments: Sequence[str], files: Sequence[int]) -> NoReturn:
    """Become the program that `python -c` would have been."""
    signal.set_wakeup_fd(-1)
    for number in signal.valid_signals():
        if callable(signal.getsignal(number)):
            signal.signal(number, signal.SIG_DFL)
    kept = sorted({0, 1, 2, *files})
    for file, following in zip(kept, (*kept[1:], os.sysconf("SC_OPEN_MAX")), strict=True):
        os.closerange(file + 1, following)
    pools._threads_wakeups.clear()  # those of the process that was forked
    util.spawnv_passfds = _spawn
    sys.argv = ["-c", *arguments[arguments.index("-c") + 2 :]]
    status = 1
    try:
        exec(arguments[arguments.index("-c") + 1], {"__name__": "__main__"})  # noqa: S102 - Python's
        status = 0
    except SystemExit as ended:
        status = ended.code if isinstance(ended.code, int) else int(ended.code is not None)
    except BaseException:
        traceback.print_exc()
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(status)
