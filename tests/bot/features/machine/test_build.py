"""Tests for the version that bots and workers of the same code share."""

import shutil
from pathlib import Path

import pytest

import dvonn_lessons
from bot import __version__
from bot.features.machine.startup import ENGINE_FOLDERS, build


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Another installation's folder, with its lessons."""
    copied = tmp_path / "dvonn_lessons"
    ignored = shutil.ignore_patterns("__pycache__")
    shutil.copytree(Path(dvonn_lessons.__file__).parent, copied, ignore=ignored)
    return copied


def test_the_same_code_is_one_build_in_any_folder(folder: Path, tmp_path: Path) -> None:
    before = build((folder,))
    assert before.startswith(f"{__version__}+")
    other = tmp_path / "other" / "dvonn_lessons"
    shutil.copytree(folder, other)
    (other / "__pycache__").mkdir()
    (other / "__pycache__" / "rules.pyc").write_bytes(b"compiled")
    assert build((other,)) == before


@pytest.mark.parametrize("name", ["remarks.py", "puzzles/puzzles.json"])
def test_another_line_is_another_build_of_the_same_version(folder: Path, name: str) -> None:
    before = build((folder,))
    (folder / name).write_text((folder / name).read_text(encoding="utf-8") + "\n", encoding="utf-8")
    assert build((folder,)) != before
    (folder / name).unlink()
    assert build((folder,)) != before


def test_a_build_is_of_all_that_thinks_and_of_its_questions() -> None:
    names = [folder.name for folder in ENGINE_FOLDERS]
    assert names == ["dvonn", "dvonn_lessons", "model", "opponent"]
