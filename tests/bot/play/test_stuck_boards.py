"""Tests for boards that can't be posted, and for notices about them, with the whole bot."""

import asyncio
from collections.abc import AsyncIterator

import pytest

from bot.base.ids import GameId
from bot.play.store.store import Store
from bot.play.use_cases.undelivered import UNDELIVERED
from sandbox import Channel, Permission, Person
from tests.bot.whole import WholeBot, whole_bot
from tests.e2e.conftest import is_board

pytestmark = pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)


@pytest.fixture
async def bot(store: Store, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[WholeBot]:
    async with whole_bot(store, monkeypatch) as bot:
        yield bot


async def thread_of(bot: WholeBot) -> Channel:
    """Begin a game in a thread of its own."""
    await bot.begin(where="thread", clock="1 day per move")
    (asked,) = bot.channel.messages
    assert asked.thread is not None
    await asked.thread.wait_for(is_board(0))
    return asked.thread


async def fails(bot: WholeBot, permission: Permission, place: Channel) -> None:
    """Take a permission away, and move. Wait until everyone has been told."""
    bot.guild.set_permissions(bot.channel, bot.guild.bot_role, deny=permission)
    await bot.ann.slash(place, "move", move="a1")
    deliveries = bot.store.deliveries
    while not await deliveries.data(UNDELIVERED, GameId(1)):
        bot.advance(seconds=11)
        await asyncio.sleep(0.005)
    while any(row.kind == UNDELIVERED for row in await deliveries.all_unsent()):  # noqa: ASYNC110 - a table tells of no event
        await asyncio.sleep(0.005)
    await bot.is_done()


def direct_messages(person: Person) -> list[str]:
    return [message.content for message in person.dm.messages]


async def test_both_players_are_told_once_that_a_board_waits(bot: WholeBot) -> None:
    await bot.begin(clock="1 day per move")
    await fails(bot, Permission.SEND_MESSAGES, bot.channel)
    answer = await bot.ann.ephemeral(lambda said: said.content.startswith("Your move counts, but"))
    assert "Send Messages" in answer.content
    for person, other in ((bot.ann, bot.bob), (bot.bob, bot.ann)):
        (words,) = direct_messages(person)
        assert words.startswith(f"Your game against {other.mention} waits. I can't post in")
        assert "Send Messages" in words
    bot.guild.set_permissions(bot.channel, bot.guild.bot_role)
    await bot.until_sent(seconds=60)
    assert any(map(is_board(1), bot.channel.messages))
    assert len(direct_messages(bot.ann)) == len(direct_messages(bot.bob)) == 1


async def test_an_offer_that_could_not_be_posted_comes_later(bot: WholeBot) -> None:
    await bot.begin()
    await bot.say(bot.ann, "a1")
    bot.guild.set_permissions(bot.channel, bot.guild.bot_role, deny=Permission.SEND_MESSAGES)
    await bot.ann.slash(bot.channel, "draw")
    bot.guild.set_permissions(bot.channel, bot.guild.bot_role)
    await bot.until_sent(seconds=60)
    offer = bot.channel.messages[-1]
    assert offer.content.startswith(f"{bot.ann.mention} offers a draw.")
    assert offer.pinged == {bot.bob.id}


async def test_a_user_without_direct_messages_is_told_next_to_the_thread(bot: WholeBot) -> None:
    thread = await thread_of(bot)
    bot.bob.user.accepts_dms = False
    await fails(bot, Permission.SEND_MESSAGES_IN_THREADS, thread)
    assert len(direct_messages(bot.ann)) == 1
    notice = bot.channel.messages[-1]
    assert notice.content.startswith(
        f"{bot.bob.mention} Your game against {bot.ann.mention} waits."
    )
    assert notice.pinged == {bot.bob.id}


async def test_nothing_is_announced_in_a_channel_where_nothing_can_be_posted(bot: WholeBot) -> None:
    await bot.begin()
    bot.bob.user.accepts_dms = False
    known = len(bot.channel.messages)
    await fails(bot, Permission.ATTACH_FILES, bot.channel)
    assert len(direct_messages(bot.ann)) == 1
    assert len(bot.channel.messages) == known


async def test_a_rated_game_continues_in_direct_messages_without_its_channel(bot: WholeBot) -> None:
    await bot.begin(rated=True)
    await bot.say(bot.ann, "a1 c1 e1 b2 d2 f2")
    await bot.say(bot.bob, "b1 d1 f1 a2 c2 e2")
    bot.guild.delete_channel(bot.channel)
    for person, other in ((bot.ann, bot.bob), (bot.bob, bot.ann)):
        board = await person.dm.wait_for(is_board(12))
        assert board.content.startswith(f"Your game against {other.mention} has lost its channel.")
    board = bot.ann.dm.messages[-1]
    picker = (await bot.ann.click(board, "Place")).message
    assert picker is not None
    row = next(select for select in picker.selects if ("g2", "g2") in select.options)
    await bot.ann.select(picker, ["g2"], custom_id=row.custom_id)
    for person in (bot.ann, bot.bob):
        board = await person.dm.wait_for(is_board(13))
        assert board.content.startswith(f"{bot.ann.mention} placed g2.")
