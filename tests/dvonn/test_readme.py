import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from dvonn import GameRecord
from dvonn.formats import FORMATS

ROOT = Path(__file__).resolve().parents[2]
GAME = (ROOT / "docs" / "game.txt").read_text(encoding="utf-8")


@pytest.fixture
def viewer(tmp_path: Path) -> Path:
    """The README's program that shows a file."""
    readme = (ROOT / "dvonn" / "README.md").read_text(encoding="utf-8")
    (program,) = re.findall(r"```python\n(import .*?)```", readme, re.DOTALL)
    assert len(program.splitlines()) <= 15
    path = tmp_path / "viewer.py"
    path.write_text(program, encoding="utf-8")
    return path


def test_the_viewer_shows_every_position_of_a_file(viewer: Path, tmp_path: Path) -> None:
    record = GameRecord.from_text(GAME)
    file = tmp_path / "game.sgf"
    file.write_text(FORMATS["boardspace"].write([record]), encoding="utf-8")
    done = view(viewer, file)
    assert done.returncode == 0
    assert done.stdout.startswith("Ann - Bob\n\nj5\n")
    assert done.stdout.endswith(f"\nj5-f5\n{record.positions()[-1]}\n0-1\n")
    assert done.stdout.count(" to place\n") == 48
    assert done.stdout.count(" to move\n") == len(record.moves) - 49


def test_the_viewer_names_the_line_that_it_cannot_read(viewer: Path, tmp_path: Path) -> None:
    file = tmp_path / "game.txt"
    file.write_text(GAME.replace("51. b1-c1", "51. b1-k5"), encoding="utf-8")
    done = view(viewer, file)
    assert done.returncode == 1
    assert done.stderr.endswith("game.txt: bad game record: illegal_move in line 12: 'b1-k5'\n")


def view(viewer: Path, file: Path) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [sys.executable, str(viewer), str(file)],
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )
