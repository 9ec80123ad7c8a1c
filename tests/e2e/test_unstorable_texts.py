"""Tests for characters that a database can't store: NUL, and half of a surrogate pair."""

import pytest

from tests.e2e.conftest import FAULTS, House


@pytest.mark.later("the quick tests of test_unreadable_events replace the same characters")
async def test_texts_are_stored_without_characters_that_no_database_accepts(
    either_house: House,
) -> None:
    house = either_house
    bot = house.processes.add()
    await house.start(bot)
    club = house.club(house.world.create_guild("Friends"))
    table = await club.start_game()
    for text in ("better\0 d4", "better\ud83d d4", "\0"):
        await club.ann.slash(table.channel, "note", text=text)
        shown = await club.ann.slash(table.channel, "note")
        assert text.replace("\0", "\ufffd").replace("\ud83d", "\ufffd") in shown.content
    assert FAULTS.findall(bot.log) == []
