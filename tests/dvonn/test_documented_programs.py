"""Tests that the documented programs and the tutorial run, with the documented output."""

import importlib
import json
import os
import re
import runpy
import subprocess
import sys
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

import dvonn
from dvonn import GameRecord, Position, from_diagram
from dvonn.hashing import position_hash
from dvonn.link import decode
from tests.dvonn.test_exports import public_modules
from tests.dvonn.vectors import read_vectors

ROOT = Path(__file__).resolve().parents[2]
PROGRAMS = ROOT / "docs" / "programs"
GAME = GameRecord.from_text((ROOT / "docs" / "game.txt").read_text(encoding="utf-8"))


def printed(name: str, folder: Path = ROOT, **environment: str) -> str:
    """Run a program in a folder with the files of docs, and return its output."""
    done = subprocess.run(
        [sys.executable, PROGRAMS / name],
        cwd=folder,
        env=os.environ | {"PYTHONPATH": os.pathsep.join([str(ROOT), *sys.path])} | environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_they_are_ten_and_short() -> None:
    programs = sorted(PROGRAMS.glob("*.py"))
    assert len(programs) == 10
    page = (ROOT / "docs" / "programming.md").read_text(encoding="utf-8")
    for path in programs:
        assert len(path.read_text(encoding="utf-8").splitlines()) <= 20, path.name
        assert f"(programs/{path.name})" in page


def test_perft() -> None:
    assert printed("perft.py") == "32 counts of 12 positions are right\n"


def test_games() -> None:
    assert printed("games.py") == "200 games are right; 98 were won by White\n"


def test_formats() -> None:
    kept, lost = "78 moves and the comment", "78 moves alone"
    assert [line.split(": ")[1] for line in printed("formats.py").splitlines()] == [
        *[kept] * 3,
        *[lost] * 3,
    ]


def test_match() -> None:
    assert re.fullmatch(r"greedy \d+, dvonn baseline \S+ \d+\n", printed("match.py"))


def test_picture(tmp_path: Path) -> None:
    assert printed("picture.py", tmp_path).startswith("in a notebook: <svg in a file: ")
    assert ET.parse(tmp_path / "board.svg").getroot().tag.endswith("svg")  # noqa: S314 - ours


def test_link(tmp_path: Path) -> None:
    browser = tmp_path / "browser"
    browser.write_text(f'#!/bin/sh\necho "$1" > "{tmp_path}/opened"\n', encoding="utf-8")
    browser.chmod(0o755)
    told, link = printed("link.py", BROWSER=f"{browser} %s").splitlines()
    assert told == f"{len(GAME.moves)} moves: Ann {GAME.result} Bob"
    assert decode(link).moves == GAME.moves
    assert (tmp_path / "opened").read_text(encoding="utf-8").strip() == link


def test_the_tables_for_other_programs_hold() -> None:
    rows = json.loads((ROOT / "docs" / "data" / "perft.json").read_text(encoding="utf-8"))
    told = [
        (from_diagram(vector["board"]), vector["lines"])
        for vector in read_vectors(ROOT / "tests" / "data" / "perft.txt").values()
    ]
    assert [Position.from_text(row["position"]) for row in rows] == [one for one, _ in told]
    for row, (_, lines) in zip(rows, told, strict=True):
        assert row["counts"] == [int(line.split()[1]) for line in lines.splitlines()]
    hashes = json.loads((ROOT / "docs" / "data" / "hashes.json").read_text(encoding="utf-8"))
    assert len(hashes) == 22
    for row in hashes:
        assert f"{position_hash(Position.from_text(row['position'])):016x}" == row["hash"]
    page = (ROOT / "docs" / "programming.md").read_text(encoding="utf-8")
    shown = re.findall(r"^\| (\d) \| ([\d,]+) \|$", page, re.MULTILINE)
    assert [int(count.replace(",", "")) for _, count in shown] == rows[0]["counts"]
    assert "12 positions" in page
    assert "22 positions" in page


def test_the_pages_have_all_of_it() -> None:
    site = runpy.run_path(os.fspath(ROOT / "docs" / "make_site.py"))
    pages = site["pages"]()
    tutorial = pages["Tutorial"]
    assert tutorial.startswith("# Ten minutes with the package `dvonn`.\n")
    assert "\n## A game\n\nA position is a value that never changes. " in tutorial
    assert tutorial.count("```python\n") * 2 == tutorial.count("```") > 10
    assert "| there | here |\n|---|---|\n" in tutorial
    for path in PROGRAMS.glob("*.py"):
        assert path.read_text(encoding="utf-8") in pages["Programs"]
    for title, names in site["MODULES"].items():
        for name in names:
            assert f"\n::: dvonn.{name}\n" in pages[title]
            if (
                name not in dvonn.__all__ and "gym" not in name
            ):  # an extra, which may not be installed
                assert importlib.import_module(f"dvonn.{name}").__doc__
    told = {name for names in site["MODULES"].values() for name in names}
    modules = [importlib.import_module(f"dvonn.{name}") for name in ("reviews.review", "starts")]
    assert not {name for name in dvonn.__all__ if not any(hasattr(m, name) for m in modules)} - told
    assert set(public_modules()) <= told
    module = (
        '"""Says.\n\n>>> 1\n1\n\nMore.\n"""\n\ndef f():\n    """X.\n\n    >>> 2\n    2\n    """\n'
    )
    assert site["fenced"](module) == (
        '"""Says.\n\n```pycon\n>>> 1\n1\n```\n\nMore.\n"""\n\n'
        'def f():\n    """X.\n\n    ```pycon\n    >>> 2\n    2\n    ```\n    """\n'
    )


def test_the_tutorial_holds(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", os.fspath(ROOT))
    runpy.run_path(os.fspath(ROOT / "docs" / "tutorial.py"))
