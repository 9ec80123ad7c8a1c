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


PROGRAMS = re.findall(
    r"```python\n(import .*?)```", (ROOT / "dvonn" / "README.md").read_text("utf-8"), re.DOTALL
)


def test_the_viewer_shows_every_position_of_a_file(tmp_path: Path) -> None:
    record = GameRecord.from_text(GAME)
    file = tmp_path / "game.sgf"
    file.write_text(FORMATS["boardspace"].write([record]), encoding="utf-8")
    done = run(PROGRAMS[0], str(file))
    assert done.returncode == 0
    assert done.stdout.startswith("Ann - Bob\n\nj5\n")
    assert done.stdout.endswith(f"\nj5-f5\n{record.positions()[-1]}\n0-1\n")
    assert done.stdout.count(" to place\n") == 48
    assert done.stdout.count(" to move\n") == len(record.moves) - 49


def test_the_viewer_names_the_line_that_it_cannot_read(tmp_path: Path) -> None:
    file = tmp_path / "game.txt"
    file.write_text(GAME.replace("51. b1-c1", "51. b1-k5"), encoding="utf-8")
    done = run(PROGRAMS[0], str(file))
    assert done.returncode == 1
    assert done.stderr.endswith(
        "game.txt: bad game record: illegal_move in line 12, column 15: 'b1-k5'\n"
    )


@pytest.mark.later("it needs mypy, which the lint installs")
def test_a_users_type_checker_takes_the_examples(tmp_path: Path) -> None:
    for paper in (ROOT / "README.md", ROOT / "dvonn" / "README.md"):
        blocks = re.findall(r"```python\n(.*?)```", paper.read_text("utf-8"), re.DOTALL)
        assert blocks
        for number, block in enumerate(blocks):
            typed = re.findall(r"^(?:>>>|\.\.\.) ?(.*)$", block, re.MULTILINE)
            file = tmp_path / f"{paper.parent.name}_{number}.py".replace("-", "_")
            file.write_text("\n".join(typed) if typed else block, encoding="utf-8")
    # The example runs as it would for a user, without this project's settings.
    command = ("-m", "mypy", "--strict", "--config-file=", "--python-version", "3.11")
    done = subprocess.run(
        [sys.executable, *command, "--cache-dir", tmp_path / "cache", *tmp_path.glob("*.py")],
        env=os.environ | {"MYPYPATH": str(ROOT)},
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stdout == "Success: no issues found in 3 source files\n"


def run(program: str, *arguments: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [sys.executable, "-c", program, *arguments],
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )
