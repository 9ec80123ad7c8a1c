"""Render the pictures of the documents: `.venv/bin/python docs/make_pictures.py`."""

from pathlib import Path

from dvonn import GameRecord
from renderer import render, theme_sheet

FOLDER = Path(__file__).parent
PLY = 66


def board() -> bytes:
    """Return the game in game.txt after the ply that the README shows, as PNG."""
    record = GameRecord.from_text((FOLDER / "game.txt").read_text(encoding="utf-8"))
    return render(record.positions()[PLY], last=record.moves[PLY - 1])


if __name__ == "__main__":
    (FOLDER / "board.png").write_bytes(board())
    (FOLDER / "themes.png").write_bytes(theme_sheet())
