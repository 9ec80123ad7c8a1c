"""A decorator that compiles functions, and intrinsics for three machine instructions.

numba caches compiled code beside the source file. It considers the code stale only if that file
changed, although helpers from other files are compiled into it. So this engine's code is cached in
a folder named after a digest of all its sources. Any change starts a new folder.
"""

from collections.abc import Callable
from functools import cache, wraps
from pathlib import Path
from typing import Any, TypeVar, cast

import numba
import numpy as np
from llvmlite import ir  # type: ignore[import-untyped]  # llvmlite has no types
from numba import config
from numba.core import types
from numba.extending import intrinsic
from numpy.typing import NDArray

from dvonn.engine.cache import CompilerLock, cache_folder

_Function = TypeVar("_Function", bound=Callable[..., Any])


def compiled(function: _Function) -> _Function:
    """Compile a function on its first call, or load its cached code.

    It runs without Python's global lock.

    The function must not create arrays. numba does not count references to its array arguments,
    which would cost two locked instructions per call in a search. The calling Python code keeps the
    arrays alive. The function has no C wrapper, because numba would have to compile another
    function for it.
    """
    folder = cache_folder()
    before = config.CACHE_DIR
    config.CACHE_DIR = str(folder or "")
    try:
        dispatcher = numba.njit(
            cache=folder is not None,
            nogil=True,
            error_model="numpy",
            no_cfunc_wrapper=True,
            _nrt=False,
        )(function)
    finally:
        config.CACHE_DIR = before
    dispatcher.compile = _vectorized(_compile_once(dispatcher.compile))
    if folder is not None:
        dispatcher.compile = _locked(dispatcher.compile, _lock(folder))
    return cast("_Function", dispatcher)


def _compile_once(compile_: _Function) -> _Function:
    """Compile a function only once, even if callers pass different constants.

    Otherwise numba would compile it again for each constant. LLVM still uses the constants where it
    inlines the function.
    """

    @wraps(compile_)
    def forgetting(arguments: Any) -> Any:
        if isinstance(arguments, tuple):
            plain = types.unliteral  # type: ignore[attr-defined]  # numba has no types
            arguments = tuple(plain(argument) for argument in arguments)
        return compile_(arguments)

    return cast("_Function", forgetting)


def _vectorized(compile_: _Function) -> _Function:
    """Let LLVM vectorize straight-line code, which numba doesn't enable by default."""

    @wraps(compile_)
    def vectorizing(*arguments: Any) -> Any:
        before = config.SLP_VECTORIZE
        config.SLP_VECTORIZE = 1
        try:
            return compile_(*arguments)
        finally:
            config.SLP_VECTORIZE = before

    return cast("_Function", vectorizing)


@cache
def _lock(folder: Path) -> CompilerLock:
    return CompilerLock(folder / "lock")


def _locked(compile_: _Function, lock: CompilerLock) -> _Function:
    """Make a compile function wait while another process compiles, and then load its result."""

    @wraps(compile_)
    def waiting(*arguments: Any) -> Any:
        with lock.held():
            return compile_(*arguments)

    return cast("_Function", waiting)


@intrinsic  # type: ignore[untyped-decorator]  # numba has no types
def _popcount(typing_context: Any, _mask: Any) -> Any:  # noqa: ARG001 - numba passes it
    def generate(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        return builder.ctpop(arguments[0])

    return types.int64(types.int64), generate


@intrinsic  # type: ignore[untyped-decorator]  # numba has no types
def _lowest(typing_context: Any, _mask: Any) -> Any:  # noqa: ARG001 - numba passes it
    def generate(context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        zero_is_undefined = context.get_constant(types.boolean, True)
        return builder.cttz(arguments[0], zero_is_undefined)

    return types.int64(types.int64), generate


@intrinsic  # type: ignore[untyped-decorator]  # numba has no types
def _prefetch(_typing_context: Any, array: Any, index: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        data = context.make_array(signature.args[0])(context, builder, arguments[0]).data
        byte = ir.IntType(8).as_pointer()
        word = ir.IntType(32)
        address = builder.bitcast(builder.gep(data, [arguments[1]]), byte)
        fetch = builder.module.declare_intrinsic(
            "llvm.prefetch", [byte], ir.FunctionType(ir.VoidType(), [byte, word, word, word])
        )
        builder.call(fetch, [address, word(0), word(3), word(1)])
        return context.get_dummy_value()

    return types.void(array, index), generate


popcount = cast("Callable[[int], int]", _popcount)
"""Return the number of set bits. Only for compiled callers."""

lowest = cast("Callable[[int], int]", _lowest)
"""Return the index of the lowest set bit. Only for compiled callers. The set must not be empty."""

prefetch = cast("Callable[[NDArray[np.int64], int], None]", _prefetch)
"""Prefetch an array element that will be read soon. Only for compiled callers."""

unsigned = cast("Callable[[int], int]", np.uint64)
"""Convert an index to an unsigned one, so that numba omits the check for negative values."""
