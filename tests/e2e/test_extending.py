"""What docs/extending.md says, done to a copy of the bot."""

import os
import re
import shutil
import textwrap
from pathlib import Path

import pytest

from dvonn import Color
from tests.e2e.conftest import Club, texts
from tests.games import random_game

pytestmark = pytest.mark.e2e

ROOT = Path(__file__).resolve().parents[2]
SCORE = Path("bot", "features", "score")


def with_the_command(folder: Path) -> None:
    """Copy the bot, add the feature as the paper has it, and name it among the others."""
    paper = (ROOT / "docs" / "extending.md").read_text(encoding="utf-8")
    blocks = re.findall(r"^ *```python\n(.*?)^ *```$", paper, re.MULTILINE | re.DOTALL)
    shutil.copytree(ROOT / "bot", folder / "bot", ignore=shutil.ignore_patterns("__pycache__"))
    (folder / SCORE).mkdir()
    (folder / SCORE / "__init__.py").touch()
    for name, block in zip(("doors", "feature"), blocks, strict=True):
        (folder / SCORE / f"{name}.py").write_text(textwrap.dedent(block), encoding="utf-8")
    composition = folder / "bot" / "composition.py"
    before = composition.read_text(encoding="utf-8")
    imported = "from bot.features.score.feature import SCORE\n"
    named = re.sub(r"^(FEATURES: .*)$", rf"{imported}\1\n    SCORE,", before, flags=re.MULTILINE)
    assert named != before
    composition.write_text(named, encoding="utf-8")


@pytest.mark.thorough("a bot of its own, started cold, for what a paper says")
async def test_a_command_is_added_as_a_feature(empty_club: Club, tmp_path: Path) -> None:
    club, copy = empty_club, tmp_path / "copy"
    with_the_command(copy)
    club.bot.cold = True
    club.bot.settings["PYTHONPATH"] = os.pathsep.join(map(str, (copy, ROOT)))
    await club.bot.start()
    table = await club.start_game()
    await table.play(random_game(5)[:7])
    white, black = (table.position.score(color) for color in (Color.WHITE, Color.BLACK))
    said = texts(await club.ann.slash(club.channel, "score"))
    assert said == f"White holds {white}, Black {black}."
    page = texts(await club.ann.slash(club.channel, "help"))
    assert re.search(r"- </score:[0-9]+> tells who is ahead\.", page)
    assert await club.bot.stop() == 0
