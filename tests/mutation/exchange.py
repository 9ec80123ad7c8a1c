"""Replace the code of functions in a process that has imported them."""

import gc
import json
import os
import warnings
from collections.abc import Iterator
from pathlib import Path
from types import CodeType, FunctionType
from typing import Final

CHANGE: Final = "MUTATION_CHANGE"
"""The variable that names the file with the change: the module's path, its old and new source."""


def exchange(file: str, before: str, after: str) -> None:
    """Replace the code of a module's functions with the code of its changed source."""
    with warnings.catch_warnings(action="ignore"):  # a change may violate the style
        then, now = (compile(text, file, "exec", dont_inherit=True) for text in (before, after))
    new = {_key(old): code for old, code in zip(_codes(then), _codes(now), strict=True)}
    for item in gc.get_objects():
        if isinstance(item, FunctionType) and item.__code__.co_filename == file:
            code = new.get(_key(item.__code__))
            if code is not None and code.co_freevars == item.__code__.co_freevars:
                item.__code__ = code


def tell(folder: Path, file: str, before: str, after: str) -> None:
    """Apply a change in processes that are started from here on."""
    told = folder / "change.json"
    told.write_text(json.dumps([file, before, after]), encoding="utf-8")
    os.environ[CHANGE] = os.fspath(told)


def exchange_told(name: str) -> None:
    """Apply the change in a file, or nothing for "-"."""
    if name != "-":
        exchange(*json.loads(Path(name).read_text(encoding="utf-8")))


def _codes(code: CodeType) -> Iterator[CodeType]:
    yield code
    for const in code.co_consts:
        if isinstance(const, CodeType):
            yield from _codes(const)


def _key(code: CodeType) -> tuple[str, int]:
    return code.co_qualname, code.co_firstlineno
