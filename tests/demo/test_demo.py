"""Tests for the demo as a person starts it: one whole game by the real bot."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from demo.__main__ import main
from dvonn import GameRecord, Phase

ROOT = Path(__file__).resolve().parents[2]
PNG = b"\x89PNG\r\n\x1a\n"


def run_demo(output: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "demo", "--output", str(output), "--seed", "7"],
        cwd=ROOT,
        env=os.environ | environment,
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.thorough("a whole game, which `./run demo` plays in CI")
def test_the_demo_leaves_every_board_the_chat_and_the_record(tmp_path: Path) -> None:
    left_over = tmp_path / "ply-99.png"
    left_over.touch()
    mine = tmp_path / "mine.txt"
    mine.touch()

    done = run_demo(tmp_path)

    assert done.returncode == 0, done.stdout + done.stderr
    record = GameRecord.from_text((tmp_path / "game.txt").read_text(encoding="utf-8"))
    assert record.positions()[-1].phase is Phase.OVER
    pictures = sorted(tmp_path.glob("*.png"))
    assert [picture.name for picture in pictures] == [
        f"ply-{n:02}.png" for n in range(len(record.moves) + 1)
    ]
    assert all(picture.read_bytes().startswith(PNG) for picture in pictures)
    page = (tmp_path / "transcript.html").read_text(encoding="utf-8")
    assert re.findall(r'src="([^"]+)"', page) == [picture.name for picture in pictures]
    assert all(re.findall(r'alt="([^"]*)"', page))
    assert mine.exists()
    assert not left_over.exists()


def test_a_folder_that_cannot_be_created_is_reported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "file"
    file.touch()
    monkeypatch.setattr(sys, "argv", ["demo", "--output", str(file)])
    assert main() == 1
    assert capsys.readouterr().err == f"The demo cannot write into {file}: File exists\n"
