"""Cache of test material that takes long to make: made once per run.

And where files lie that are written all the time.
"""

import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

_MEMORY = Path("/dev/shm")  # noqa: S108 - folders of our own are made in it
_ROOM = 1 << 30
"""Bytes that must be free there: containers have little."""


def memory() -> Path | None:
    """A folder whose files lie in memory. None where the system has none, or little room in it."""
    usable = os.access(_MEMORY, os.W_OK) and shutil.disk_usage(_MEMORY).free > _ROOM
    return _MEMORY if usable else None


def made_once(temporary: pytest.TempPathFactory, name: str, make: Callable[[Path], object]) -> Path:
    """A folder of all workers of this run.

    Args:
        temporary: where the run's folders lie.
        name: that of the folder, which is one for all.
        make: makes the folder, at the path that it is given; the other workers wait meanwhile.
    """
    try:
        import fcntl  # noqa: PLC0415 - not on Windows
    except ImportError:
        folder = temporary.mktemp(name) / name
        make(folder)
        return folder
    base = temporary.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        base = base.parent
    folder, made = base / name, base / f"{name}.made"
    with (base / f"{name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not made.exists():
            make(folder)
            made.touch()
    return folder
