"""Change the source itself, one line at a time, if mutmut can't.

That is code that numba compiles, in a copy of the engine that is compiled again, and code that only
the bot's own process runs. An operator is exchanged, a number increased, or a sign removed. What
isn't compiled may also lose a call or a condition. Types, representations, log calls and the sizes
of function caches stay unchanged.
"""

import ast
import os
import resource
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache
from itertools import count
from pathlib import Path
from typing import Final, NamedTuple

_EXCHANGED: Final[dict[type[ast.AST], type[ast.AST]]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Add,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.Mult,
    ast.BitAnd: ast.BitOr,
    ast.BitOr: ast.BitAnd,
    ast.BitXor: ast.BitOr,
    ast.LShift: ast.RShift,
    ast.RShift: ast.LShift,
    ast.And: ast.Or,
    ast.Or: ast.And,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.In: ast.NotIn,
    ast.Invert: ast.UAdd,
    ast.USub: ast.UAdd,
}
_ONLY_FOR_READERS: Final = ("__repr__",)
_LOG: Final = "_log"
"""The name of the logger in each of our modules. Its output is for people."""
_RUN: Final = """
import resource, sys, pytest
resource.setrlimit(resource.RLIMIT_CPU, (int(sys.argv[1]), resource.RLIM_INFINITY))
sys.exit(pytest.main(["-x", "-q", "-p", "no:cacheprovider", *sys.argv[2:]]))
"""
"""The processor time of an endless loop is limited, however busy the machine is."""
_MOST_S: Final = 600


class Change(NamedTuple):
    """A change: its module, and the first line of the statement before and after."""

    function: str
    was: str
    is_now: str
    source: str
    lines: tuple[int, ...]
    """Its lines in the original source."""


def changes(source: str, *, compiled: bool) -> Iterator[Change]:
    """Yield all changes to the functions of a module, either the compiled ones or the others."""
    for number in range(count_of(source, compiled=compiled)):
        yield numbered(source, number, compiled=compiled)


def count_of(source: str, *, compiled: bool) -> int:
    """Return the number of changes to the functions of a module."""
    return len(list(_places(ast.parse(source), compiled)))


def statements(source: str, function: str) -> set[str]:
    """Return the first lines of the statements of a function, as changes tell them."""
    return {
        _first_line(statement)
        for part in _functions(ast.parse(source))
        if part.name.removeprefix("_") == function
        for statement in _statements(part)
    }


def numbered(source: str, number: int, *, compiled: bool) -> Change:
    """Return one of the changes to the functions of a module."""
    tree = ast.parse(source)
    place = list(_places(tree, compiled))[number]
    lines = {place.statement.lineno}
    if isinstance(place.node, ast.expr):
        lines.update(range(place.node.lineno, (place.node.end_lineno or 0) + 1))
    was = _first_line(place.statement)
    place.change()
    is_now = _first_line(place.statement)
    return Change(place.function, was, is_now, ast.unparse(tree), tuple(sorted(lines)))


def exit_codes(
    room: Path, module: str, tests: Sequence[str], jobs: int, *, step: int = 1
) -> dict[Change, int]:
    """Run the tests with each change, or with every nth, in copies of a folder.

    Raises:
        subprocess.CalledProcessError: if they fail with nothing changed.
    """
    before = _processor_s()
    unchanged = _run(room, _MOST_S, tests)
    (room / "compiled.log").write_bytes(unchanged.stdout + unchanged.stderr)
    unchanged.check_returncode()
    limit_s = int(3 * (_processor_s() - before)) + 5

    def code(number: int, change: Change) -> int:
        copy = _copy(room, f"changed.{number}")
        (copy / module).write_text(change.source, encoding="utf-8")
        done = _run(copy, limit_s, tests)
        shutil.rmtree(copy)
        return done.returncode

    every = list(changes((room / module).read_text(encoding="utf-8"), compiled=True))[::step]
    with ThreadPoolExecutor(jobs) as threads:
        return dict(zip(every, threads.map(code, count(), every), strict=True))


def _copy(room: Path, name: str) -> Path:
    copy = room / name
    for folder in ("dvonn", "dvonn_lessons", "tests"):
        ignored = shutil.ignore_patterns("__pycache__")
        shutil.copytree(room / folder, copy / folder, ignore=ignored)
    shutil.copy(room / "pyproject.toml", copy)
    return copy


def _run(room: Path, limit_s: int, tests: Sequence[str]) -> "subprocess.CompletedProcess[bytes]":
    # A compiled change is stored in its own copy.
    environment = {name: value for name, value in os.environ.items() if name != "NUMBA_CACHE_DIR"}
    command = [sys.executable, "-c", _RUN, str(limit_s), *tests]
    return subprocess.run(command, cwd=room, env=environment, capture_output=True, check=False)


def _processor_s() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


_Function = ast.FunctionDef | ast.AsyncFunctionDef


class _Place(NamedTuple):
    """A place to change."""

    function: str
    statement: ast.stmt
    node: ast.AST
    change: Callable[[], None]


def _places(tree: ast.Module, compiled: bool) -> Iterator[_Place]:
    for function in _functions(tree):
        if compiled == _is_compiled(function) and function.name not in _ONLY_FOR_READERS:
            for statement in _statements(function):
                for node in _own(statement):
                    for change in _changes(node, compiled):
                        yield _Place(function.name.removeprefix("_"), statement, node, change)


def _functions(tree: ast.Module) -> Iterator[_Function]:
    """Yield functions and methods. Nested functions belong to the outer one."""
    for node in tree.body:
        for item in node.body if isinstance(node, ast.ClassDef) else (node,):
            if isinstance(item, _Function):
                yield item


def _is_compiled(function: _Function) -> bool:
    names = (name for name in function.decorator_list if isinstance(name, ast.Name))
    return any(name.id == "compiled" for name in names)


def _statements(function: _Function) -> Iterator[ast.stmt]:
    for statement in function.body:
        yield from (node for node in ast.walk(statement) if isinstance(node, ast.stmt))


def _own(node: ast.AST) -> Iterator[ast.AST]:
    """Yield a statement and its expressions, without nested statements.

    Types, log calls and the sizes of function caches are left out.
    """
    if _is_logged(node) or _is_cache(node):
        return
    yield node
    types = getattr(node, "annotation", None), getattr(node, "returns", None)
    for child in ast.iter_child_nodes(node):
        if not isinstance(child, ast.stmt) and child not in types:
            yield from _own(child)


def _is_cache(node: ast.AST) -> bool:
    """Return True if a call makes a cache. One more cached result would have no visible effect."""
    return (
        isinstance(node, ast.Call)
        and isinstance(node.func, ast.Name)
        and node.func.id == lru_cache.__name__
    )


def _is_logged(node: ast.AST) -> bool:
    return (
        isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and isinstance(node.func.value, ast.Name)
        and node.func.value.id == _LOG
    )


def _changes(node: ast.AST, compiled: bool) -> Iterator[Callable[[], None]]:
    if change := _change(node):
        yield change
    if not compiled:
        yield from _losses(node)


def _losses(node: ast.AST) -> Iterator[Callable[[], None]]:
    """Yield changes that leave out a call, or a condition: it is always true, or never."""
    match node:
        case ast.Expr(value=ast.Call() | ast.Await() as value) if not _is_logged(value):
            yield lambda: setattr(node, "value", ast.Constant(None))
        case ast.If() | ast.IfExp():
            yield lambda: setattr(node, "test", ast.Constant(True))
            yield lambda: setattr(node, "test", ast.Constant(False))
        case ast.comprehension(ifs=[_, *_]):
            yield lambda: setattr(node, "ifs", [])


def _change(node: ast.AST) -> Callable[[], None] | None:
    match node:
        case ast.Constant(value=int(value)):
            other = (not value) if isinstance(value, bool) else value + 1
            return lambda: setattr(node, "value", other)
        case ast.Compare(ops=[op]) if type(op) in _EXCHANGED:
            return lambda: setattr(node, "ops", [_EXCHANGED[type(op)]()])
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            return lambda: setattr(node, "operand", ast.UnaryOp(ast.Not(), operand))
        case ast.BinOp(op=op) | ast.AugAssign(op=op) | ast.BoolOp(op=op) | ast.UnaryOp(op=op) if (
            type(op) in _EXCHANGED
        ):
            return lambda: setattr(node, "op", _EXCHANGED[type(op)]())
    return None


def _first_line(statement: ast.stmt) -> str:
    return ast.unparse(statement).splitlines()[0]
