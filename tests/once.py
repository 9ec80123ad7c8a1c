"""Makes expensive test material once per run, and chooses a folder for frequent writes."""

import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Final

import pytest

_MEMORY = Path("/dev/shm")  # noqa: S108 - folders of our own are made in it
_ROOM = 1 << 30
"""Number of bytes that must be free there. Containers have little."""
MEMORY: Final = "TEST_MEMORY"
"""The variable with the folder of a test run, which is removed at its end."""


def memory() -> Path | None:
    """Return a folder whose files are in memory, or None if there is none with enough room.

    In a test run, it is the run's folder.
    """
    if MEMORY in os.environ:
        return Path(os.environ[MEMORY])
    usable = os.access(_MEMORY, os.W_OK) and shutil.disk_usage(_MEMORY).free > _ROOM
    return _MEMORY if usable else None


def made_once(temporary: pytest.TempPathFactory, name: str, make: Callable[[Path], object]) -> Path:
    """Return a folder that all workers of this run share.

    Args:
        temporary: Parent of the run's folders.
        name: Name of the shared folder.
        make: Creates the folder at the given path, while the other workers wait.
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
