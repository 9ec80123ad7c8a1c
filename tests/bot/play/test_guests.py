"""Tests for games where the bot is a guest, by the whole bot in this process."""

from collections.abc import AsyncIterator
from typing import Any

import pytest

from bot.base.ids import ChannelId, UserId
from bot.base.languages import Reader, theme_of
from bot.people.use_cases.choices import PersonalSettings
from bot.play.store.store import Store
from demo.commands import use
from sandbox import Channel, Message, Person
from tests.bot.whole import FirstMoves, WholeBot, whole_bot
from tests.e2e.conftest import is_board, message_of, take_vacation

pytestmark = pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)


@pytest.fixture
async def bot(store: Store, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[WholeBot]:
    async with whole_bot(store, monkeypatch, FirstMoves()) as bot:
        yield bot


@pytest.fixture
def group(bot: WholeBot) -> tuple[Channel, Person, Person]:
    """A group of people who share nothing with the bot. Dan has installed it, Eve has not."""
    dan, eve, fay = map(bot.world.create_person, ("Dan", "Eve", "Fay"))
    dan.install()
    return bot.world.create_private_channel(dan, eve, fay), dan, eve


async def challenge(place: Channel, one: Person, other: Person) -> Message:
    terms = {"colour": "white", "clock": "3 days per move"}
    return message_of(await use(one, place, "challenge", opponent=other, **terms))


def requests_to(bot: WholeBot, place: Channel) -> list[str]:
    asked = (f"{exchange.method} {exchange.path}" for exchange in bot.world.exchanges)
    return [item for item in asked if f"/channels/{place.id}" in item]


async def test_a_board_that_cannot_be_edited_keeps_its_time_limit(
    bot: WholeBot, group: tuple[Channel, Person, Person]
) -> None:
    place, dan, eve = group
    await eve.click(await challenge(place, dan, eve), "Accept")
    board = await place.wait_for(is_board(0))
    before = board.content
    await take_vacation(dan, place, days=5)
    await bot.is_done()
    game = await bot.services.game_cache.running_in(ChannelId(place.id))
    await bot.services.publisher.correct_limit(game)
    assert board.content == before
    assert requests_to(bot, place) == []


async def test_the_same_board_is_corrected_where_the_bot_is_a_member(bot: WholeBot) -> None:
    await bot.begin(clock="3 days per move", start="standard")
    board = await bot.channel.wait_for(is_board(0))
    before = board.content
    await take_vacation(bot.ann, bot.channel, days=5)
    await bot.is_done()
    game = await bot.services.game_cache.running_in(ChannelId(bot.channel.id))
    await bot.services.publisher.correct_limit(game)
    assert board.content != before


async def test_only_private_messages_use_the_users_own_look(
    bot: WholeBot, group: tuple[Channel, Person, Person], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Groups have no settings: texts are in the language of the user who started the game."""
    place, dan, eve = group
    readers, found = bot.services.readers, list[Reader]()
    find = readers.for_channel

    async def noted(*where: Any, **who: Any) -> Reader:
        found.append(await find(*where, **who))
        return found[-1]

    monkeypatch.setattr(type(readers), "for_channel", lambda _, *where, **who: noted(*where, **who))
    await bot.services.require(PersonalSettings).set_theme(UserId(dan.id), "slate")
    dan.user.locale = "de"
    await challenge(place, dan, eve)
    await bot.is_done()
    assert {(item.locale, item.theme) for item in found} == {("de", theme_of(None))}
    found.clear()
    await dan.slash(dan.dm, "play")
    assert {(item.locale, item.theme) for item in found} == {("de", theme_of("slate"))}
