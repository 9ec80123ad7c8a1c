"""The place of compiled code: a folder of ours alone.

numba unpickles what lies there, so that whoever can put a file into it has a command run as us.
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
"""Digits of the digest in the folder's name; two versions of the engine never meet."""

_ROOT: Final = 0
"""The user who may do everything anyway."""

WINDOWS: Final = os.name == "nt"

_PATIENCE_S: Final = 120
"""Longer than to compile all takes on a slow machine."""
_LOOK_EVERY_S: Final = 0.05


@cache
def cache_folder() -> Path | None:
    """Return the folder of compiled code; None if it is compiled anew in each process.

    It is the first of these that is private: below NUMBA_CACHE_DIR, below the CACHE_DIRECTORY that
    systemd names, beside the sources, below XDG_CACHE_HOME or ~/.cache. On Windows only the first
    and LOCALAPPDATA are looked at.
    """
    from hashlib import sha256  # noqa: PLC0415 - once in a process
    from logging import getLogger  # noqa: PLC0415 - the same

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
        "the machine player is compiled anew at each start, as no folder is private: %s",
        "; ".join(reasons) or "there is none",
    )
    return None


def private_folder(folder: Path) -> Path:
    """Return a folder into which nobody but us has put anything, or could; made if there is none.

    Windows tells no owners by which that could be seen: there it is only made.

    Args:
        folder: Where it is, or shall be.

    Returns:
        The same folder without any links in its path.

    Raises:
        OSError: if it is not ours alone, or cannot be made or written to.
    """
    folder = folder.absolute()
    if WINDOWS:
        folder.mkdir(parents=True, exist_ok=True)
        return folder
    _make(folder)
    about = folder.lstat()
    if not stat.S_ISDIR(about.st_mode):
        raise NotADirectoryError(f"{folder} is no folder")
    if about.st_uid != os.getuid() or stat.S_IMODE(about.st_mode) & 0o077:
        raise PermissionError(f"{folder} is not private")
    for path in folder.rglob("*"):
        if path.is_symlink() or path.lstat().st_uid != os.getuid():
            raise PermissionError(f"{path} is not ours")
    if not os.access(folder, os.W_OK):
        raise PermissionError(f"{folder} cannot be written to")
    return folder.resolve()


class CompilerLock:
    """A lock that one thread of all processes holds while it compiles; others wait, and load then.

    To compile all takes much of a minute, which several processes would otherwise spend at once.
    Whoever holds it may take it again; whoever dies holds it no more, and one who stands still
    keeps nobody waiting for ever: then it is compiled once more.
    """

    def __init__(self, file: Path) -> None:
        """One for all who name this file, which is made where there is none."""
        self._file = file
        self._threads = threading.RLock()
        self._depth = 0

    @contextmanager
    def held(self) -> Iterator[None]:
        """Wait for it and keep it; without waiting for others where no file can be locked."""
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
                    time.sleep(_LOOK_EVERY_S)
        yield


def _bases() -> Iterator[Path]:
    """Yield the places where the folder may lie, the best first."""
    if named := os.environ.get("NUMBA_CACHE_DIR"):
        yield Path(named)
    if WINDOWS:
        if local := os.environ.get("LOCALAPPDATA"):
            yield Path(local) / "dvonn"
        return
    if given := os.environ.get("CACHE_DIRECTORY"):
        yield Path(given.partition(":")[0])
    yield _HERE / "__pycache__"
    caches = Path(os.environ.get("XDG_CACHE_HOME", ""))
    if not caches.is_absolute():  # one that is not shall be passed over, says its specification
        try:
            caches = Path.home() / ".cache"
        except RuntimeError:
            return
    yield caches / "dvonn"


def _make(folder: Path) -> None:
    """Make a folder where there is none, and those above it, each for us alone.

    Raises:
        OSError: if somebody else could change what lies at that path.
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
        # In a sticky folder, such as that of temporary files, nobody else can replace what is ours.
        if about.st_mode & (stat.S_IWGRP | stat.S_IWOTH) and not about.st_mode & stat.S_ISVTX:
            raise PermissionError(f"{place} can be written to by others")
