"""Tests that the documented programs and the tutorial run, and print what they should."""

import contextlib
import importlib
import io
import os
import runpy
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

import dvonn
from dvonn import GameRecord
from dvonn.link import decode
from tests.dvonn.test_exports import public_modules

ROOT = Path(__file__).resolve().parents[2]
PROGRAMS = ROOT / "docs" / "programs"
GAME = GameRecord.from_text((ROOT / "docs" / "game.txt").read_text(encoding="utf-8"))


@pytest.fixture
def said(tmp_path: Path) -> "io.StringIO":
    """What programs print, in a folder of their own beside docs/game.txt."""
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "game.txt").write_text(GAME.to_text(), encoding="utf-8")
    return io.StringIO()


def run(name: str, said: io.StringIO, folder: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    monkeypatch.setattr("sys.argv", [name])
    monkeypatch.setenv("PYTHONPATH", os.fspath(ROOT))
    monkeypatch.chdir(folder)
    with contextlib.redirect_stdout(said):
        runpy.run_path(os.fspath(PROGRAMS / name), run_name="__main__")
    return said.getvalue().splitlines()


def test_they_are_short() -> None:
    programs = sorted(PROGRAMS.glob("*.py"))
    assert len(programs) >= 6
    for path in programs:
        assert len(path.read_text(encoding="utf-8").splitlines()) <= 20, path.name


def test_perft(said: io.StringIO, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lines = run("perft.py", said, tmp_path, monkeypatch)
    assert lines[:3] == ["1 49", "2 2352", "3 110544"]
    assert lines[3:] == ["46 moves, 2070 lines of two plies", "as good as the same: True"]


def test_match(said: io.StringIO, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (line,) = run("match.py", said, tmp_path, monkeypatch)
    assert line.count("dvonn baseline") == 2


def test_link(said: io.StringIO, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    link, told = run("link.py", said, tmp_path, monkeypatch)
    assert decode(link).moves == GAME.moves
    assert told == f"{len(GAME.moves)} moves: Ann {GAME.result} Bob"


def test_chances(said: io.StringIO, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("numba", reason="the extra `engine` is not installed")
    (line,) = run("chances.py", said, tmp_path, monkeypatch)
    picture = ET.parse(tmp_path / "chances.svg").getroot()  # noqa: S314 - it is ours
    plies = len(GAME.moves) - 49
    assert line.startswith(f"{plies} plies; White's chances at the end: ")
    assert len(picture[0].attrib["points"].split()) == plies


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
            if name not in dvonn.__all__ and "gym" not in name:  # an extra that may be missing
                assert importlib.import_module(f"dvonn.{name}").__doc__
    told = {name for names in site["MODULES"].values() for name in names}
    modules = [importlib.import_module(f"dvonn.{one}") for one in ("reviews.review", "starts")]
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
