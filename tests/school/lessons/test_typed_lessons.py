"""Tests of lessons that are solved by typing, by the whole bot in this process."""

from collections.abc import AsyncIterator

import pytest

from bot.base.ids import UserId
from bot.people.use_cases.choices import PersonalSettings
from bot.play.store.store import Store
from dvonn import Coordinates, format_move
from dvonn.primer import CHAPTERS
from tests.bot.whole import WholeBot, whole_bot
from tests.e2e.conftest import shown


@pytest.fixture
async def bot(store: Store, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[WholeBot]:
    async with whole_bot(store, monkeypatch) as bot:
        yield bot


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
async def test_a_lesson_is_solved_by_typing_with_ones_own_names_of_spaces(bot: WholeBot) -> None:
    ann = bot.ann
    await bot.services.require(PersonalSettings).set_coordinates(
        UserId(ann.id), Coordinates.PERGIOCO
    )
    await bot.say(ann, "teach me", ann.dm)
    view = shown(await ann.click(ann.dm.messages[-1], "Learn by playing"))
    for number, step in enumerate(CHAPTERS[0].steps[:3], start=1):
        assert view.content.startswith(f"### First game ({number} of ")
        (refused,) = await bot.say(ann, "z9", ann.dm)
        assert refused.startswith("There's no “z9” on this board.")
        right = format_move(step.solutions[0], Coordinates.PERGIOCO)
        (solved,) = await bot.say(ann, right, ann.dm)
        assert f"✓ **{right}**" in solved
        view = shown(await ann.click(ann.dm.messages[-1], "Next ▶"))
