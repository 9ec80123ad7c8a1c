"""Tests for the recipes in docs/extending.md, followed to the letter in a copy of the tree."""

import ast
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from textwrap import dedent

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAPER = (ROOT / "docs" / "extending.md").read_text(encoding="utf-8")
VERSIONS = "bot/database/migrations/versions"
_LEFT_OUT = shutil.ignore_patterns(
    ".git", ".venv*", ".*_cache", ".hypothesis", "__pycache__", "shared", "build", "dist"
)
_PIECE = re.compile(
    r"`([\w.]+/[\w./]+)`(?:(, empty|, containing only)(?: `(.+?)`)?)?|^ *```(\w+)\n(.*?)^ *```$",
    re.MULTILINE | re.DOTALL,
)
"""A file, whether it is empty, and its only line. Or a block, with its kind and text."""
_TESTS = (
    "test_catalogues.py",
    "test_command_tree.py",
    "test_delivery.py",
    "test_events.py",
    "test_expanding.py",
    "test_features.py",
    "test_help.py",
    "test_migrations.py",
    "test_papers.py",
    "test_preferences.py",
    "test_readers.py",
    "test_released.py",
    "test_shape.py",
)
"""The tests that fail if a recipe forgets something, wherever they are."""


@dataclass(frozen=True)
class Step:
    """A block of the document, and the file that it changes."""

    file: str
    kind: str
    text: str


def steps() -> Iterator[Step]:
    """Yield the document's steps in order.

    The blocks of an item change the file that it names first.
    """
    for item in re.split(r"^(?:##|[0-9]+\.) ", PAPER, flags=re.MULTILINE):
        pieces = _PIECE.findall(item)
        made = [(named, line) for named, empty, line, *_ in pieces if empty]
        yield from (Step(named, "python", line and f"{line}\n") for named, line in made)
        files = [named for named, empty, *_ in pieces if named and not empty]
        yield from (Step(files[0], kind, dedent(text)) for *_, kind, text in pieces if kind)


def changed(before: str, diff: str) -> str:
    """Return a text changed by a diff block. The context of each hunk must occur exactly once."""
    for place in re.split(r"^@@\n", diff, flags=re.MULTILINE):
        lines = place.splitlines(keepends=True)
        old = "".join(line[1:] or line for line in lines if line[0] != "+")
        new = "".join(line[1:] or line for line in lines if line[0] != "-")
        assert ("\n" + before).count("\n" + old) == 1, old
        before = ("\n" + before).replace("\n" + old, "\n" + new)[1:]
    return before


def followed(folder: Path) -> list[Path]:
    """Follow the document in a copy of the tree. Return the Python files that it names."""
    shutil.copytree(ROOT, folder, ignore=_LEFT_OUT)
    numbers = sorted(path.name[:4] for path in (folder / VERSIONS).glob("[0-9]*.py"))
    touched = []
    for step in steps():
        newest = numbers[-1]
        number = f"{int(newest) + 1:04}"
        file = folder / step.file.replace("NUMBER", number)
        if step.kind == "diff":
            text = changed(file.read_text(encoding="utf-8"), step.text)
        else:
            assert not file.exists(), file
            file.parent.mkdir(exist_ok=True)
            text = step.text.replace("NUMBER", number).replace("NEWEST", newest)
        if "NUMBER" in step.file:
            numbers.append(number)
        file.write_text(text, encoding="utf-8")
        touched += [file] if file.suffix == ".py" and file not in touched else []
    return touched


def run(folder: Path, *arguments: str) -> None:
    """Run a Python module in the copy."""
    done = subprocess.run(
        [sys.executable, *arguments],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(folder)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, f"{arguments}\n{done.stdout}\n{done.stderr}"


def test_the_recipes_can_be_followed(tmp_path: Path) -> None:
    copy = tmp_path / "copy"
    touched = followed(copy)
    for named, *_ in _PIECE.findall(PAPER):
        assert "NUMBER" in named or not named or (copy / named).exists(), named
    for file in touched:
        ast.parse(file.read_text(encoding="utf-8"))
    names = [str(file.relative_to(copy)) for file in touched]
    run(copy, "-m", "ruff", "check", *names)
    run(copy, "-m", "ruff", "format", "--check", *names)


@pytest.mark.timeout(1_800)
@pytest.mark.thorough("types and a part of the suite in a copy of the tree, for a paper")
def test_the_types_are_right_and_the_suite_misses_nothing(tmp_path: Path) -> None:
    copy = tmp_path / "copy"
    names = [str(file.relative_to(copy)) for file in followed(copy)]
    run(copy, "-m", "mypy", *(name for name in names if name.startswith("bot/")))
    files = [str(path) for name in _TESTS for path in sorted((copy / "tests").rglob(name))]
    run(copy, "-m", "pytest", "-q", "-n", "2", "-p", "no:cacheprovider", *files)
