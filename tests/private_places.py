"""Find the private and patched names of libraries in the bot, by its syntax.

    python -m tests.private_places

A private name starts with an underscore and belongs to a library: an attribute of its objects, a
module, or something that a subclass uses or overrides. A patched name is one that we assign in a
module, a class or an object of a library, or one of its context variables.
"""

import ast
import importlib
import inspect
import pkgutil
import re
import sys
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[1]
PACKAGES: Final = ("bot", "school", "club", "renderer")
_OURS: Final = (*PACKAGES, "dvonn")
_DOCUMENTED: Final = frozenset({"_asdict", "_replace", "_exit"})
"""Documented names of the standard library that start with an underscore."""
_DUNDER: Final = 4
"""Number of underscores in a name like __init__. More are a library's own."""

_SIGNS: Final = re.compile(
    r"(?<!\bself)(?<!\bcls)(?<!\bsuper\(\))\._(?!_)"
    r"|^\s*from \S*\b_|import [^\n]*\b_|^ +_\w+(?: as \w+)?,?$"
    r"|\b[gs]etattr\(|method-assign|^\s*(?!self\.)[A-Za-z_][\w.]*\.\w+ = |\b\w+\.set\(",
    re.MULTILINE,
)
"""Signs of the names in a module that `in_text` finds."""

Place = tuple[str, str]
"""A file, and the name in it."""


def private_places() -> set[Place]:
    """Return all places, each once per file."""
    return found_in_texts() | set(_inherited())


def found_in_texts() -> set[Place]:
    """Return all places except those of subclasses, which takes a third of the time."""
    return {(file, name) for file, text in _files() if may_have(text) for name in in_text(text)}


def may_have(text: str) -> bool:
    """Return False only if a module has no private or patched names, except in subclasses.

    This is quicker than parsing it.
    """
    return _SIGNS.search(text) is not None


def in_text(text: str) -> Iterator[str]:
    """Yield the private or patched names in a module, except those of subclasses."""
    tree, lines = ast.parse(text), text.splitlines()
    imported = set(_imported(tree))
    for node in ast.walk(tree):
        yield from filter(_is_private, _asked_for(node))
        if isinstance(node, ast.Assign):
            # mypy demands the mark where a method is replaced.
            is_method = "method-assign" in lines[node.lineno - 1]
            yield from _replaced(node.targets, None if is_method else imported)
        elif isinstance(node, ast.Call):
            yield from _set(node, imported)


def _asked_for(node: ast.AST) -> Iterator[str]:
    """Yield the names that a node takes from something other than `self`."""
    match node:
        case ast.ImportFrom(module=str(module), names=names) if _is_foreign(module):
            yield from (*module.split("."), *(name.name for name in names))
        case ast.Attribute(value=value, attr=name) if not _is_own(value):
            yield name
        case ast.Call(func=ast.Name(id="getattr"), args=[_, ast.Constant(value=str(name)), *_]):
            yield name


def _set(call: ast.Call, imported: set[str]) -> Iterator[str]:
    match call:
        case ast.Call(func=ast.Name(id="setattr"), args=[target, ast.Constant(value=str(name)), _]):
            if _root(target) in imported:
                yield name
        case ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr="set")):
            if name in imported:  # a context variable
                yield name


def _replaced(targets: Iterable[ast.expr], imported: set[str] | None) -> Iterator[str]:
    """Yield the attributes that are assigned in imported things, or to anything for None."""
    for target in targets:
        if isinstance(target, ast.Attribute) and (imported is None or _root(target) in imported):
            yield target.attr


def _imported(tree: ast.Module) -> Iterator[str]:
    """Yield the names in a module that come from libraries."""
    for node in ast.walk(tree):
        match node:
            case ast.Import(names=names):
                for name in names:
                    if _is_foreign(name.name):
                        yield name.asname or name.name.partition(".")[0]
            case ast.ImportFrom(module=str(module), names=names) if _is_foreign(module):
                yield from (name.asname or name.name for name in names)


def _inherited() -> Iterator[Place]:
    for package in PACKAGES:
        for part in pkgutil.walk_packages([str(ROOT / package)], f"{package}."):
            if part.name.endswith("__main__"):
                continue
            try:
                module = importlib.import_module(part.name)
            except ImportError:
                continue  # an optional package may be missing
            for kind in vars(module).values():
                if inspect.isclass(kind) and kind.__module__ == module.__name__:
                    file = Path(inspect.getfile(kind)).relative_to(ROOT).as_posix()
                    yield from ((file, name) for name in shared_names(kind))


def shared_names(kind: type) -> frozenset[str]:
    """Return the private names that a class shares with its base classes in libraries."""
    above = [item for item in kind.__mro__ if _is_foreign(item.__module__)]
    return _own_names(kind) & {name for item in above for name in _own_names(item)}


@cache
def _own_names(kind: type) -> frozenset[str]:
    """Return the private names that a class defines or uses itself."""
    try:
        node = _classes(inspect.getfile(kind))[kind.__qualname__.rpartition(".")[2]]
    except (OSError, TypeError, KeyError):  # it is compiled, or made by a call
        return frozenset(filter(_is_private, vars(kind)))
    return frozenset(filter(_is_private, _of_itself(node)))


def _of_itself(kind: ast.ClassDef) -> Iterator[str]:
    for node in ast.walk(kind):
        match node:
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
                yield name
            case ast.Attribute(value=value, attr=name) if _is_own(value):
                yield name


@cache
def _classes(file: str) -> dict[str, ast.ClassDef]:
    tree = ast.parse(Path(file).read_text(encoding="utf-8"))
    return {node.name: node for node in ast.walk(tree) if isinstance(node, ast.ClassDef)}


def _files() -> Iterator[tuple[str, str]]:
    for package in PACKAGES:
        for path in sorted((ROOT / package).rglob("*.py")):
            yield path.relative_to(ROOT).as_posix(), path.read_text(encoding="utf-8")


def _is_private(name: str) -> bool:
    is_python = name.startswith("__") and name.endswith("__") and name.count("_") == _DUNDER
    return name.startswith("_") and not is_python and name not in _DOCUMENTED | _LIKE_DUNDERS


_LIKE_DUNDERS: Final = frozenset({"__init_subclass__", "__class_getitem__"})


def _is_foreign(module: str) -> bool:
    top = module.partition(".")[0]
    return top not in _OURS and top not in sys.stdlib_module_names


def _root(node: ast.expr) -> str | None:
    while isinstance(node, ast.Attribute):
        node = node.value
    return node.id if isinstance(node, ast.Name) else None


def _is_own(node: ast.expr) -> bool:
    match node:
        case ast.Name(id="self" | "cls"):
            return True
        case ast.Call(func=ast.Name(id="super")):
            return True
    return False


if __name__ == "__main__":
    for place in sorted(private_places()):
        print(*place)  # noqa: T201 - a script
