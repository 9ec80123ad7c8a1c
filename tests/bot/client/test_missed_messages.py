"""Tests for messages from the time when the bot was away, with the whole bot in this process."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from datetime import timedelta

import pytest
from discord.abc import Messageable
from sqlalchemy import delete

from bot.base.errors import StoreError
from bot.base.ids import RunningChannel, Shards, SourceId
from bot.client import listener, missed_messages, shards
from bot.client.missed_messages import MOST_AGE, MessageHistory, read_history
from bot.connection.store import listening
from bot.play.store.store import Store
from bot.play.words.notices import Notice
from sandbox import Message, Permission
from tests.bot.whole import WholeBot, whole_bot
from tests.e2e.conftest import is_board
from tests.games import random_game

MOVES = random_game(12)

pytestmark = pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)


@pytest.fixture
async def bot(store: Store, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[WholeBot]:
    monkeypatch.setattr(
        listener, "_ANNOUNCEMENT_TIMEOUT", timedelta(hours=1)
    )  # Discord always tells here
    async with whole_bot(store, monkeypatch) as bot:
        yield bot


@pytest.fixture
def short_pages(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the bot read three messages at once, and nine at most."""
    monkeypatch.setattr(missed_messages, "_PAGE", 3)
    monkeypatch.setattr(missed_messages, "MOST_MESSAGES", 9)


async def chat(bot: WholeBot, count: int) -> list[Message]:
    return [await bot.cid.say(bot.channel, f"line {number}") for number in range(count)]


async def read_missed(bot: WholeBot, after: Message, **ahead: float) -> MessageHistory:
    @asynccontextmanager
    async def turn() -> AsyncIterator[None]:
        yield

    where = bot.client.get_channel(bot.channel.id)
    assert isinstance(where, Messageable)
    now = bot.now + timedelta(**ahead)
    return await read_history(where, SourceId(after.id), now=now, turn=turn)


@pytest.mark.usefixtures("short_pages")
async def test_messages_are_read_in_pages_and_if_there_are_too_many_the_newest(
    bot: WholeBot,
) -> None:
    for count in (0, 2, 3, 4, 6, 7, 9, 11, 12, 13, 20):
        first, *others = await chat(bot, 1 + count)
        history = await read_missed(bot, first)
        expected = [message.content for message in others]
        assert [message.content for message in history.messages] == expected[-9:]
        assert history.whole == (count <= 9), count


@pytest.mark.usefixtures("short_pages")
async def test_old_messages_are_not_read(bot: WholeBot) -> None:
    first, *_ = await chat(bot, 3)
    bot.advance(days=7)
    later = await chat(bot, 2)
    days = MOST_AGE.days - 7
    both = await read_missed(bot, first, days=days - 1)
    assert (len(both.messages), both.whole) == (4, True)
    newer = await read_missed(bot, first, days=days + 1)
    assert [message.id for message in newer.messages] == [message.id for message in later]
    assert not newer.whole


async def test_moves_of_that_time_are_played_once_and_in_order(bot: WholeBot) -> None:
    await bot.begin()
    await bot.say(bot.ann, str(MOVES[0]))
    await bot.stop()
    await bot.bob.say(bot.channel, str(MOVES[1]))
    await bot.cid.say(bot.channel, "help")
    await bot.ann.say(bot.channel, str(MOVES[2]))
    before = len(bot.channel.messages)
    await bot.start()
    await bot.until(lambda: any(map(is_board(3), bot.channel.messages)))
    await bot.nothing_unsent()
    assert all(is_board(None)(message) for message in bot.channel.messages[before:])
    await restart_after_outage(bot)  # none of it is played again
    await bot.say(bot.bob, str(MOVES[3]))
    await bot.until(lambda: any(map(is_board(4), bot.channel.messages)))


def deny_channel(bot: WholeBot) -> Callable[[], None]:
    """Keep the bot from reading the channel. Return what lets it read again."""
    guild = bot.guild
    guild.set_permissions(bot.channel, guild.bot_role, deny=Permission.VIEW_CHANNEL)
    return lambda: guild.set_permissions(bot.channel, guild.bot_role)


def deny_role(bot: WholeBot) -> Callable[[], None]:
    guild, role = bot.guild, bot.guild.bot_role
    guild.give_role(bot.ann, guild.create_role("Players", guild.everyone.permissions))
    for denied in (guild.everyone, role):
        guild.set_role_permissions(denied, denied.permissions & ~Permission.VIEW_CHANNEL)
    return lambda: guild.set_role_permissions(role, role.permissions | Permission.VIEW_CHANNEL)


def remove(bot: WholeBot) -> Callable[[], None]:
    bot.guild.remove_bot()
    return bot.guild.invite_bot


@pytest.mark.parametrize("shut_out", [deny_channel, deny_role, remove])
async def test_a_move_typed_while_the_bot_is_shut_out_is_played_once_it_is_let_in(
    bot: WholeBot, shut_out: Callable[[WholeBot], Callable[[], None]]
) -> None:
    await bot.begin()
    let_in = shut_out(bot)
    await bot.ann.say(bot.channel, str(MOVES[0]))
    let_in()
    await bot.channel.wait_for(is_board(1))


def history_requests(bot: WholeBot) -> list[dict[str, str]]:
    """Return the queries of all requests for the channel's history, oldest first."""
    path = f"/api/v10/channels/{bot.channel.id}/messages"
    return [
        exchange.query
        for exchange in bot.world.exchanges
        if (exchange.method, exchange.path) == ("GET", path)
    ]


async def test_another_role_that_may_read_lets_no_channel_be_read_again(bot: WholeBot) -> None:
    guild, everyone = bot.guild, bot.guild.everyone
    role = guild.create_role("Players", everyone.permissions & ~Permission.VIEW_CHANNEL)
    await bot.begin()
    before = history_requests(bot)
    guild.set_role_permissions(role, everyone.permissions)
    await bot.say(bot.ann, str(MOVES[0]))
    await bot.channel.wait_for(is_board(1))
    assert history_requests(bot) == before


async def test_messages_from_before_the_last_sign_of_life_are_not_read_again(
    bot: WholeBot,
) -> None:
    await bot.begin()
    *_, last = await chat(bot, 3)
    last_written = bot.now
    bot.advance(minutes=10)
    received = None
    while received is None or received < last_written + timedelta(minutes=5):
        await asyncio.sleep(0.005)  # a table tells of no event
        received = await bot.store.listening.received_until(0, 1)
    await bot.stop()
    before = len(history_requests(bot))
    await bot.ann.say(bot.channel, str(MOVES[0]))
    await bot.start()
    await bot.channel.wait_for(is_board(1))
    (query,) = history_requests(bot)[before:]
    assert int(query["after"]) > last.id


async def test_a_catch_up_that_fails_is_tried_again_before_new_messages(
    bot: WholeBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shards, "_CATCH_UP_RETRY", timedelta(milliseconds=10))
    await bot.begin()
    await bot.stop()
    await bot.ann.say(bot.channel, str(MOVES[0]))
    failures = iter([StoreError("it does not answer", writing=False), ValueError("a bug")])
    read = bot.store.games.running_channels

    async def fail_twice(of: Shards) -> list[RunningChannel]:
        for failure in failures:
            raise failure
        heard = asyncio.create_task(bot.client.wait_for("message"))
        await asyncio.sleep(0)
        await bot.bob.say(bot.channel, str(MOVES[1]))
        await heard
        return await read(of)

    monkeypatch.setattr(bot.store.games, "running_channels", fail_twice)
    before = len(bot.channel.messages)
    await bot.start()
    await bot.channel.wait_for(is_board(2))
    await bot.is_done()
    new = [message for message in bot.channel.messages[before:] if message.author != bot.bob.user]
    assert all(map(is_board(None), new)), "nobody is refused"


async def test_a_board_of_a_turn_that_was_lost_is_explained_once(bot: WholeBot) -> None:
    """Rename a board as if the database had been restored from before its turn."""
    await bot.begin()
    await bot.say(bot.ann, str(MOVES[0]))
    await bot.nothing_unsent()
    board = next(filter(is_board(1), bot.channel.messages))
    board.attachments[0].filename = board.attachments[0].filename.replace("-1.png", "-5.png")
    await is_told_once(bot, Notice.SET_BACK)


@pytest.mark.usefixtures("short_pages")
async def test_omitted_messages_are_announced_once(bot: WholeBot) -> None:
    await bot.begin()
    await bot.say(bot.ann, str(MOVES[0]))
    await chat(bot, 13)
    await is_told_once(bot, Notice.READ_IN_PART)


async def is_told_once(bot: WholeBot, notice: Notice) -> None:
    """Disconnect the bot twice. It must give a notice only after the first time."""

    def notices() -> list[Message]:
        return [
            message
            for message in bot.channel.messages
            if any(button.custom_id == notice.button_id for button in message.buttons)
        ]

    await restart_after_outage(bot)
    await bot.until(lambda: bool(notices()))
    await restart_after_outage(bot)
    await bot.say(bot.bob, str(MOVES[1]))
    await bot.until(lambda: any(map(is_board(2), bot.channel.messages)))
    assert len(notices()) == 1


async def restart_after_outage(bot: WholeBot) -> None:
    """Stop the bot for ten minutes. It then reads its channels from the last moves on.

    After this time Discord no longer recognizes a repeated message.
    """
    await bot.stop()
    bot.advance(minutes=10)
    async with bot.store._database._engine.begin() as connection:
        await connection.execute(delete(listening))
    await bot.start()
