"""Selects whether the engine runs compiled, by numba, or interpreted.

Both run the same source and play the same moves. The interpreter takes about a hundred times as
long for a position, which is fast enough for the levels in `dvonn.machine.INTERPRETED`. It requires
only the standard library, starts at once and uses little memory.

The choice is made once per process, when this module is imported. Set DVONN_ENGINE=interpreted to
use the interpreter even if numba is installed.
"""

import mmap
import os
import sys
from collections.abc import Callable, Iterable
from contextlib import suppress
from importlib import import_module
from typing import TYPE_CHECKING, Any, Final, TypeVar, cast

from dvonn.engine.results import PACKAGES

__all__ = [
    "IS_COMPILED",
    "Int64s",
    "compiled",
    "fade",
    "fill",
    "integers",
    "lowest",
    "popcount",
    "prefetch",
    "require_compiled",
    "system_zeros",
    "unsigned",
    "zeros",
]

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Int64s = NDArray[np.int64]
else:
    Int64s = Any

"""`Int64s` is an array of 64-bit integers. When interpreted, it is a list or a memoryview."""

_BYTES: Final = 8


def _missing_package() -> str | None:
    """Return the name of the missing package that prevents compilation, or None."""
    if os.environ.get("DVONN_ENGINE") == "interpreted":
        return "numba"
    try:
        import_module("dvonn.engine.jit")
    except ImportError as error:
        package = (error.name or "numba").partition(".")[0]
        if package not in PACKAGES:
            raise
        return package
    return None


_MISSING: Final = _missing_package()
IS_COMPILED: Final = _MISSING is None
"""True if this process compiles the engine."""


def require_compiled() -> None:
    """Raise an error if the engine is interpreted.

    Call this before work that would take the interpreter minutes.

    Raises:
        ModuleNotFoundError: if the engine is interpreted. Its `name` is the missing package.
    """
    if _MISSING is not None:
        raise ModuleNotFoundError(f"No module named {_MISSING!r}", name=_MISSING)


_Function = TypeVar("_Function", bound=Callable[..., Any])

if TYPE_CHECKING or IS_COMPILED:
    import numpy as np

    from dvonn.engine.jit import compiled, lowest, popcount, prefetch, unsigned

    def integers(values: Iterable[int]) -> Int64s:
        """Return an array of integers, for tables that compiled code reads."""
        return np.array(list(values), dtype=np.int64)

    def zeros(number: int) -> Int64s:
        """Return an array of zeros."""
        return np.zeros(number, dtype=np.int64)

    def fill(array: Int64s, start: int, stop: int, value: int) -> None:
        """Set array[start:stop] to a value."""
        array[start:stop] = value

    def fade(array: Int64s, start: int, stop: int, shift: int) -> None:
        """Halve the numbers in array[start:stop] `shift` times."""
        array[start:stop] >>= shift

    def _view(memory: mmap.mmap) -> Int64s:
        return np.frombuffer(memory, dtype=np.int64)

else:
    popcount = int.bit_count

    def compiled(function: _Function) -> _Function:
        return function

    def lowest(mask: int) -> int:
        return (mask & -mask).bit_length() - 1

    def prefetch(_array: Int64s, _index: int) -> None:
        pass

    def unsigned(index: int) -> int:
        return index

    def integers(values: Iterable[int]) -> Int64s:
        return cast("Int64s", list(values))

    def zeros(number: int) -> Int64s:
        return cast("Int64s", [0] * number)

    def fill(array: Int64s, start: int, stop: int, value: int) -> None:
        for index in range(start, stop):
            array[index] = value

    def fade(array: Int64s, start: int, stop: int, shift: int) -> None:
        for index in range(start, stop):
            array[index] >>= shift

    def _view(memory: mmap.mmap) -> Int64s:
        return cast("Int64s", memoryview(memory).cast("q"))


def system_zeros(number: int) -> Int64s:
    """Return an array of zeros whose memory goes back to the system when the array is freed.

    Otherwise the C library would keep the memory for the next search in the same thread. Moves and
    reviews come from many threads, so a worker would keep an extra table for each of them.
    """
    size = number * _BYTES
    if sys.platform == "win32":
        whole = mmap.mmap(-1, size)
    else:
        whole = mmap.mmap(-1, size, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
    if sys.platform == "linux" and IS_COMPILED:
        # Zeroing a table in small pages would take a tenth of the time of a short search.
        with suppress(OSError):
            whole.madvise(mmap.MADV_HUGEPAGE)
    return _view(whole)
