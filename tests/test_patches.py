"""Tests that each name which a test replaces exists, also where no test runs on this machine."""

import ast
import importlib
import pkgutil
from collections.abc import Iterator
from functools import reduce
from typing import Any, Final

import pytest

from tests.coverage_map import PACKAGES, ROOT

_REPLACE: Final = {"setattr", "delattr"}


def _imports(tree: ast.Module) -> dict[str, str]:
    """Return the full names of what a module imports, by their names there.

    Imported fixtures are left out. Functions take them as arguments.
    """
    found = {}
    for node in ast.walk(tree):
        match node:
            case ast.Import():
                for each in node.names:
                    found[each.asname or each.name] = each.name
            case ast.ImportFrom(module=str(module)):
                for each in node.names:
                    found[each.asname or each.name] = f"{module}.{each.name}"
    arguments = {node.arg for node in ast.walk(tree) if isinstance(node, ast.arg)}
    return {name: full for name, full in found.items() if name not in arguments}


def replaced(source: str) -> Iterator[str]:
    """Yield the full names of what a module of tests replaces in imported modules and classes."""
    tree = ast.parse(source)
    imports = _imports(tree)
    for node in ast.walk(tree):
        match node:
            case ast.Call(func=ast.Attribute(attr=call), args=[place, *rest]) if call in _REPLACE:
                pass
            case _:
                continue
        if isinstance(place, ast.Constant) and isinstance(place.value, str):
            yield place.value
        elif rest and isinstance(name := rest[0], ast.Constant) and isinstance(name.value, str):
            first, _, others = ast.unparse(place).partition(".")
            known = imports.get(ast.unparse(place)) or imports.get(first)
            if known is not None and "(" not in others:
                more = [] if ast.unparse(place) in imports else filter(None, [others])
                yield ".".join([known, *more, name.value])


def exists(name: str) -> bool:
    """Return True if a full name is of something that is there."""
    module, *attributes = name.split(".")
    found: Any = importlib.import_module(module)
    try:
        reduce(_attribute, attributes, found)
    except AttributeError:
        return False
    return True


def _attribute(of: Any, name: str) -> Any:
    if hasattr(of, "__path__") and not hasattr(of, name):
        names = {each.name for each in pkgutil.iter_modules(of.__path__)}
        if name in names:
            return importlib.import_module(f"{of.__name__}.{name}")
    return getattr(of, name)


def test_each_name_that_a_test_replaces_exists() -> None:
    missing = [
        f"{file.relative_to(ROOT)}: {name}"
        for file in sorted((ROOT / "tests").rglob("*.py"))
        for name in replaced(file.read_text(encoding="utf-8"))
        if name.partition(".")[0] in {*PACKAGES, "tests", "benchmarks"} and not exists(name)
    ]
    assert missing == [], "\n".join(["These don't exist:", *missing])


SOURCE = """
from bot.client import listener
import bot.client.shards
def test(monkeypatch, clock):
    monkeypatch.setattr(listener, "_RETRY_PAUSES_S", ())
    monkeypatch.setattr(bot.client.shards, "GONE", 1)
    monkeypatch.setattr("bot.client.client.freeze_objects", None)
    monkeypatch.delattr(listener.MessageListener, "gone")
    monkeypatch.setattr(clock, "now", 1)
"""


def test_replaced_names_are_found() -> None:
    assert list(replaced(SOURCE)) == [
        "bot.client.listener._RETRY_PAUSES_S",
        "bot.client.shards.GONE",
        "bot.client.client.freeze_objects",
        "bot.client.listener.MessageListener.gone",
    ]


@pytest.mark.parametrize(
    ("name", "is_there"),
    [
        ("bot.client.listener._RETRY_PAUSES_S", True),
        ("bot.client.listener.GONE", False),
        ("bot.client.gone.close", False),
        ("bot.client.client.BotClient.close", True),
        ("bot.client.client.BotClient.gone", False),
    ],
)
def test_a_missing_name_is_noticed(name: str, *, is_there: bool) -> None:
    assert exists(name) is is_there
