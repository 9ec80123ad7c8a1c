"""Tests for catching up: it is limited, and no server waits for another."""

import asyncio
from collections.abc import AsyncIterator

import pytest

from bot.client.missed_messages import MOST_MESSAGES
from sandbox import Channel, GuildAdmin, Message, Permission
from tests.e2e.conftest import FAULTS, Club, Table, answer_to, message_of
from tests.e2e.database import forget_what_was_heard
from tests.e2e.processes import guild_of_shard
from tests.games import random_game
from tests.postgresql import without_rows

MOVES = random_game(12)
FOR_EVER = 3_600


@pytest.fixture
async def until_killed(empty_club: Club) -> AsyncIterator[Club]:
    """A server whose bot may still be working when the test ends."""
    yield empty_club
    await empty_club.bot.end()
    assert FAULTS.findall(empty_club.bot.log) == []


def is_partial_notice(message: Message) -> bool:
    """Return True if a message says that a channel was only partly read."""
    return any(button.custom_id == "dvonn:notice:in-part" for button in message.buttons)


def partial_notices(channel: Channel) -> list[Message]:
    """Return how often a channel was told that it was only partly read."""
    return [message for message in channel.messages if is_partial_notice(message)]


async def chat(club: Club, count: int) -> None:
    for number in range(count):
        await club.cid.say(club.channel, f"and {number}")


def pages(club: Club) -> int:
    """Return how often the bot has read the channel's history."""
    path = f"/api/v10/channels/{club.channel.id}/messages"
    return sum(
        exchange.method == "GET" and exchange.path == path for exchange in club.world.exchanges
    )


async def test_old_messages_are_not_read_and_one_notice_says_so(club: Club) -> None:
    table = await club.start_game()
    await table.play(MOVES[:1])
    await club.bot.kill()
    lost = await table.to_move.say(club.channel, str(MOVES[1]))
    await chat(club, MOST_MESSAGES)
    for _ in range(2):
        await club.bot.start()
        notice = await club.channel.wait_for(is_partial_notice)
        await club.bot.kill()
        forget_what_was_heard(club.bot)
    assert "the last 1,000 messages, from 14 days" in notice.content
    notice.content = "The same in another language."  # recognized by its button
    before = pages(club)
    await club.bot.start()
    # Messages typed while it reads would be played from the history, without an answer.
    while pages(club) - before <= MOST_MESSAGES // 100:  # noqa: ASYNC110 - it tells of no event
        await asyncio.sleep(0.02)
    assert lost.content == str(MOVES[1])
    await table.play(MOVES[1:3])  # typed again
    assert partial_notices(club.channel) == [notice]
    board = message_of(await club.ann.click(notice, "Show the board"))
    assert board.ephemeral
    assert board.attachments[0].filename == "dvonn-1-3.png"


async def test_recent_moves_are_played_among_much_talk(club: Club) -> None:
    table = await club.start_game()
    await club.bot.kill()
    before = pages(club)
    await table.type(MOVES[0])
    await chat(club, MOST_MESSAGES // 2)
    await table.type(MOVES[1])
    await chat(club, MOST_MESSAGES // 2 - 2)
    await club.bot.start()
    await table.board(2)
    assert pages(club) - before <= MOST_MESSAGES // 100 + 2  # and one request to find a board
    assert partial_notices(club.channel) == []


async def test_repeated_permission_changes_cost_little(club: Club) -> None:
    table = await club.start_game()
    role = club.guild.bot_role
    await chat(club, 500)
    for _ in range(10):
        club.guild.set_permissions(club.channel, role, deny=Permission.VIEW_CHANNEL)
        said = await club.ann.say(club.channel, "z9")
        club.guild.set_permissions(club.channel, role)
        await answer_to(club, said)
    await table.play(MOVES[:1])
    assert pages(club) <= 6 + 2 * 10  # everything once, and then new messages


async def other_server(club: Club, guild: GuildAdmin | None = None) -> Club:
    """Another server with the same bot."""
    guild = guild or club.world.create_guild("Others")
    ann, bob, cid = (guild.add_person(name) for name in ("Dee", "Eve", "Flo"))
    return Club(club.world, guild, guild.create_channel("dvonn"), ann, bob, cid, club.bot)


async def many_games(club: Club, count: int) -> list[Table]:
    tables = []
    for number in range(count):
        channel = club.guild.create_channel(f"dvonn-{number}")
        pair = [club.guild.add_person(f"{name} {number}") for name in ("White", "Black")]
        tables.append(await club.start_game(channel, challenger=pair[0], opponent=pair[1]))
    return tables


async def test_a_server_with_slow_history_does_not_delay_others(until_killed: Club) -> None:
    club = until_killed
    await club.bot.start()
    slow, quick = await many_games(club, 17), await other_server(club)
    table = await quick.start_game()
    await club.bot.kill()
    for pairing in slow:
        await pairing.white.say(pairing.channel, "b2")
        club.world.faults.slow(
            f"GET /channels/{pairing.channel.id}/messages", seconds=FOR_EVER, times=None
        )
    await table.type(MOVES[0])
    await club.bot.start()
    await table.board(1)  # typed meanwhile
    await table.play(MOVES[1:2])  # typed now
    # The same happens after permissions are restored.
    everything = Permission.VIEW_CHANNEL
    quick.guild.set_permissions(quick.channel, quick.guild.bot_role, deny=everything)
    await table.type(MOVES[2])
    quick.guild.set_permissions(quick.channel, quick.guild.bot_role)
    await table.board(3)


async def test_a_new_session_waits_for_no_other_shards_past(
    until_killed: Club, postgres_url: str
) -> None:
    club = until_killed
    club.bot.settings |= {"SHARDS": "0-1/2", "DATABASE_URL": await without_rows(postgres_url)}
    slow, quick = [
        await other_server(club, await guild_of_shard(club.world, f"Shard {shard}", shard, 2))
        for shard in (0, 1)
    ]
    await club.bot.start()
    stuck, table = await slow.start_game(), await quick.start_game()
    await club.bot.kill()
    await stuck.type(MOVES[0])
    club.world.faults.slow(
        f"GET /channels/{stuck.channel.id}/messages", seconds=FOR_EVER, times=None
    )
    await table.type(MOVES[0])
    await club.bot.start()
    await table.board(1)
    await table.play(MOVES[1:2])
