"""Tests for the bot without features: it starts, plays a whole game, and answers /help."""

import os
import shutil
from pathlib import Path

import pytest

from tests.e2e.conftest import Club, texts
from tests.games import random_game
from tests.rooms import ROOMS, features
from tests.unplug import needs, take_out

ROOT = Path(__file__).resolve().parents[2]


async def test_without_features_a_game_is_played(empty_club: Club, tmp_path: Path) -> None:
    club, copy = empty_club, tmp_path / "copy"
    skipped = shutil.ignore_patterns("__pycache__")
    for name in (*ROOMS, "pyproject.toml"):
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, copy / name, ignore=skipped)
        else:
            shutil.copy(ROOT / name, copy / name)
    (copy / "tests").mkdir()
    (copy / "benchmarks").mkdir()
    take_out(copy, needs(copy))
    club.bot.cold = True
    club.bot.settings["PYTHONPATH"] = os.pathsep.join(map(str, (copy, ROOT)))
    await club.bot.start()
    await played_to_its_end(club)
    assert features(copy) == {}
    assert await club.bot.stop() == 0


@pytest.mark.thorough("in the whole tree others show it; tests.unplug asks for it in its copies")
async def test_a_game_is_played_with_the_features_that_there_are(empty_club: Club) -> None:
    await empty_club.bot.start()
    await played_to_its_end(empty_club)
    assert await empty_club.bot.stop() == 0


async def played_to_its_end(club: Club) -> None:
    table = await club.start_game()
    for move in random_game(5):  # one by one, because lists of placements belong to a feature
        await table.play([move])
    assert table.position.legal_moves() == ()
    last = club.channel.messages[-1]
    assert " beats " in last.content
    for button in last.buttons:  # each one gets an answer
        assert button.label is not None
        assert (await club.ann.click(last, button.label)).message is not None
    page = texts(await club.ann.slash(club.channel, "help"))
    assert "/challenge" in page
