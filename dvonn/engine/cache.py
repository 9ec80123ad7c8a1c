"""The folder for compiled code, which is private to this user.

numba unpickles the files in this folder, so anyone who can write to it can run code as this user.
"""

import os
import stat
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from functools import cache
from pathlib import Path
from typing import Final

_HERE: Final = Path(__file__).parent

_DIGITS: Final = 16
"""Number of hexadecimal digits of the sources' digest in the folder's name."""

_ROOT: Final = 0
"""User id of root, who can write anywhere."""

WINDOWS: Final = os.name == "nt"

_PATIENCE_S: Final = 120
"""Timeout for the lock, longer than a slow machine needs to compile everything."""
_POLL_INTERVAL_S: Final = 0.05


@cache
def cache_folder() -> Path | None:
    """Return the folder for compiled code, or None if each process must compile again.

    It is the first private folder in NUMBA_CACHE_DIR, in the CACHE_DIRECTORY that systemd sets,
    beside the sources, or in XDG_CACHE_HOME or ~/.cache. On Windows, only NUMBA_CACHE_DIR and
    LOCALAPPDATA are tried.
    """
    from hashlib import sha256  # noqa: PLC0415 - once in a process
    from logging import getLogger  # noqa: PLC0415 - as above

    digest = sha256()
    for source in sorted(_HERE.glob("*.py")):
        digest.update(source.read_bytes())
    name = "dvonn-engine-" + digest.hexdigest()[:_DIGITS]
    reasons = []
    for base in _bases():
        try:
            return private_folder(base / name)
        except OSError as error:
            reasons.append(str(error))
    getLogger(__name__).warning(
        "the machine player is recompiled at each start because no cache folder is private: %s",
        "; ".join(reasons) or "there is none",
    )
    return None


def private_folder(folder: Path) -> Path:
    """Return a folder that is private to this user, and create it if it is missing.

    On Windows the folder is only created, because file owners can't be checked.

    Args:
        folder: Path of the folder, existing or not.

    Returns:
        The absolute path of the folder, without symbolic links (Windows keeps them).

    Raises:
        OSError: if others could write to it, or it cannot be created or written to.
    """
    folder = folder.absolute()
    if WINDOWS:
        folder.mkdir(parents=True, exist_ok=True)
        return folder
    _make(folder)
    about = folder.lstat()
    if not stat.S_ISDIR(about.st_mode):
        raise NotADirectoryError(f"{folder} isn't a folder")
    if about.st_uid != os.getuid() or stat.S_IMODE(about.st_mode) & 0o077:
        raise PermissionError(f"{folder} is not private")
    for path in folder.rglob("*"):
        if path.is_symlink() or path.lstat().st_uid != os.getuid():
            raise PermissionError(f"{path} is a link or belongs to another user")
    if not os.access(folder, os.W_OK):
        raise PermissionError(f"{folder} cannot be written to")
    return folder.resolve()


class CompilerLock:
    """A lock across threads and processes, so that only one of them compiles at a time.

    Compiling everything takes most of a minute. The others wait, and then load the result. The lock
    is reentrant, and is released if its process dies. If the process that holds it hangs, others
    stop waiting and compile on their own.
    """

    def __init__(self, file: Path) -> None:
        """Create a lock that all users of a file share. The file is created if it is missing."""
        self._file = file
        self._threads = threading.RLock()
        self._depth = 0

    @contextmanager
    def held(self) -> Iterator[None]:
        """Wait for the lock and hold it.

        On a system that cannot lock files, only wait for threads of this process.
        """
        with self._threads, ExitStack() as stack:
            if self._depth == 0:
                stack.enter_context(_locked(self._file))
            self._depth += 1
            try:
                yield
            finally:
                self._depth -= 1


@contextmanager
def _locked(path: Path) -> Iterator[None]:
    with ExitStack() as opened:
        if sys.platform != "win32":
            import fcntl  # noqa: PLC0415 - not on Windows

            with suppress(OSError):
                file = opened.enter_context(path.open("ab"))
                patience = time.monotonic() + _PATIENCE_S
                while time.monotonic() < patience:
                    with suppress(BlockingIOError):
                        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                        break
                    time.sleep(_POLL_INTERVAL_S)
        yield


def _bases() -> Iterator[Path]:
    """Yield the candidate locations of the folder, best first."""
    if named := os.environ.get("NUMBA_CACHE_DIR"):
        yield Path(named)
    if WINDOWS:
        if local := os.environ.get("LOCALAPPDATA"):
            yield Path(local) / "dvonn"
        return
    if folders := os.environ.get("CACHE_DIRECTORY"):
        yield Path(folders.partition(":")[0])
    yield _HERE / "__pycache__"
    caches = Path(os.environ.get("XDG_CACHE_HOME", ""))
    if not caches.is_absolute():  # the specification says to ignore a relative path
        try:
            caches = Path.home() / ".cache"
        except RuntimeError:
            return
    yield caches / "dvonn"


def _make(folder: Path) -> None:
    """Create a folder and its missing parents, all accessible only to this user.

    Raises:
        OSError: if another user could change the folder or its path.
    """
    if not os.path.lexists(folder):
        _make(folder.parent)
        folder.mkdir(mode=stat.S_IRWXU, exist_ok=True)
    real = folder.resolve(strict=True)
    trusted = {_ROOT, os.getuid()}
    for place in (folder, *folder.parents, real, *real.parents):
        about = place.lstat()
        if about.st_uid not in trusted:
            raise PermissionError(f"{place} belongs to another user")
        if stat.S_ISLNK(about.st_mode):
            continue
        # In a sticky folder, such as /tmp, other users cannot replace files of this user.
        if about.st_mode & (stat.S_IWGRP | stat.S_IWOTH) and not about.st_mode & stat.S_ISVTX:
            raise PermissionError(f"{place} can be written to by others")
