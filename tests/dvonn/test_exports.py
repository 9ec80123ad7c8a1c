import doctest
import importlib
import json
import pkgutil
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import dvonn


def all_modules() -> list[str]:
    """List the modules of the library, except those that start a program."""
    folder = Path(dvonn.__file__).parent
    paths = sorted(path.relative_to(folder.parent) for path in folder.rglob("*.py"))
    names = [".".join(path.with_suffix("").parts).removesuffix(".__init__") for path in paths]
    return [name for name in names if not name.endswith("__main__")]


def test_dunder_all_matches_the_public_names() -> None:
    assert all(
        getattr(dvonn, name) is not None for name in dvonn.__all__
    )  # some are loaded only now
    offered = {
        name
        for name, value in vars(dvonn).items()
        if not name.startswith("_") and type(value).__name__ != "module"
    }
    assert sorted(dvonn.__all__) == sorted(offered)


def test_the_docstring_example_holds() -> None:
    result = doctest.testmod(dvonn)
    assert result.attempted > 0
    assert result.failed == 0


FIRST = {
    "dvonn._rules.position": (
        *("initial", "from_stacks", "from_text", "to_text", "legal_moves", "is_legal"),
        *("play", "after", "score"),
    ),
    "dvonn._rules.notation": ("parse_move",),
    "dvonn.starts": ("balanced_start",),
    "dvonn._records.record": ("from_text",),
    "dvonn.formats": ("read_games", "read_headers"),
    "dvonn._records.game_nodes": (),
}
"""The functions that people use first. Each has an example."""


@pytest.mark.parametrize("name", FIRST)
def test_the_examples_of_the_first_functions_work(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(ROOT)
    module = importlib.import_module(name)
    shown = {
        test.name.rpartition(".")[2]
        for test in doctest.DocTestFinder(exclude_empty=True).find(module)
        if test.examples
    }
    assert set(FIRST[name]) <= shown
    assert doctest.testmod(module).failed == 0


def public_modules() -> list[str]:
    """The public modules, as dvonn/README.md lists them."""
    text = (ROOT / "dvonn" / "README.md").read_text(encoding="utf-8")
    return re.findall(r"^\| `dvonn\.(\w+)` \|", text, re.MULTILINE)


def test_the_public_modules_are_few_and_in_one_list() -> None:
    there = [module.name for module in pkgutil.iter_modules(dvonn.__path__)]
    assert public_modules() == sorted(name for name in there if not name.startswith("_"))
    assert len(public_modules()) <= 20
    text = (ROOT / "dvonn" / "README.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| `dvonn\.(engine|gym)` \|.*?([:;].*) \|$", text, re.MULTILINE)
    for parent, children in rows:
        inner = {module.name for module in pkgutil.iter_modules([f"{dvonn.__path__[0]}/{parent}"])}
        named = set(re.findall(r"`(\w+)`", children)) - {"choose", "analyse", "review"}
        assert named
        assert named <= inner


def test_names_outside_the_api_are_not_attributes() -> None:
    with pytest.raises(AttributeError, match="module 'dvonn' has no attribute 'chess'"):
        dvonn.chess  # type: ignore[attr-defined] # noqa: B018


LOADING = """
import json, sys
calls = 0
def count(frame, event, argument):
    global calls
    calls += event == "call"
before = set(sys.modules)
sys.setprofile(count)
import dvonn
sys.setprofile(None)
print(json.dumps([sorted(set(sys.modules) - before), calls]))
"""

LIGHT = """
import json, sys
sys.modules.update(dict.fromkeys(("numba", "numpy", "gymnasium", "pettingzoo", "pyspiel")))
failed = []
for name in sys.argv[1:]:
    try:
        __import__(name)
    except ModuleNotFoundError:
        failed.append(name)
print(json.dumps([sorted(sys.modules), failed]))
"""

HEAVY = {
    *("argparse", "asyncio", "dataclasses", "hashlib", "http.server", "inspect", "logging"),
    *("multiprocessing", "numba", "numpy", "pathlib", "socket"),
}
"""Modules that importing dvonn must not load. Some of them took half of its time."""

ROOT = Path(dvonn.__file__).parents[1]


def loaded_by(program: str, *arguments: str) -> tuple[set[str], Any]:
    """Return the modules that a program has loaded, and its output."""
    command = [sys.executable, "-S", "-c", program, *arguments]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    modules, more = json.loads(done.stdout)
    return set(modules), more


def test_an_import_loads_and_works_out_little() -> None:
    modules, calls = loaded_by(LOADING)
    later = {
        "dvonn._records.record",
        "dvonn.starts",
        "dvonn.engine",
        "dvonn.formats",
        "dvonn.puzzles",
    }
    assert "dvonn._rules.position" in modules
    assert not modules & (later | HEAVY | {"random", "subprocess"})
    assert (
        calls < 20_000
    )  # for its tables and patterns; with 87,000 calls, importing took twice as long


def test_modules_without_extras_load_nothing_slow() -> None:
    # The engine also runs without numba, but is slow to load, so its callers import it late.
    light = {"__main__", "jsonlines", "protocol", "results", "selfplay", "uci"}
    names = [
        name
        for name in all_modules()
        if not name.startswith("dvonn.engine.") or name.split(".")[2] in light
    ]
    _, failed = loaded_by(LIGHT, *names)
    assert {name.split(".")[1] for name in failed} == {"batch", "gym"}
    modules, failed = loaded_by(LIGHT, *(name for name in names if name not in failed))
    assert "dvonn.engine.jsonlines" in modules
    assert not failed
    # only the names, without loading the modules
    assert sorted(modules & HEAVY) == ["numba", "numpy"]
