"""Tests for clocks, with a clock that the test moves."""

import re
from collections import Counter
from datetime import UTC, datetime, timedelta

import pytest

from sandbox import Message, payloads
from sandbox.events import Event, Intent
from tests.e2e.bot_process import BotClock
from tests.e2e.conftest import Club, Table, answer_to, is_board, never_saved, texts
from tests.e2e.database import hears_again, let_time_pass, nothing_unsent, received_until
from tests.e2e.reading import stamps
from tests.games import random_game

_UNTIL = re.compile(r"Time limit: <t:([0-9]+):R>")


def deadline(board: Message) -> datetime:
    """Return the deadline on a board."""
    found = _UNTIL.search(board.content)
    assert found is not None, board.content
    return datetime.fromtimestamp(int(found[1]), UTC)


async def next_board(table: Table, revision: int) -> Message:
    return await table.channel.wait_for(is_board(revision))


async def test_a_live_game_is_lost_on_time(clock: BotClock, club: Club) -> None:
    table = await club.start_game(clock="15 minutes")
    moves = random_game(21)[:8]
    await table.play(moves[:5])
    await let_time_pass(club.bot, clock, minutes=14)
    board = await table.play(moves[5:7])
    left = (deadline(board) - clock.now).total_seconds()
    assert left == pytest.approx(60, abs=30)  # Black has thought for 14 of his 15 minutes
    await table.play(moves[7:])
    await let_time_pass(club.bot, clock, minutes=15, seconds=1)
    over = await next_board(table, 9)
    lines = over.content.splitlines()
    assert lines[0] == f"{table.black.mention} wins. {table.white.mention} ran out of time."
    assert lines[1] == "Too short to be rated: you each need 5 turns."
    assert over.pinged == {table.white.id, table.black.id}
    late = [await table.white.say(table.channel, text) for text in ("a1", "a2")]
    other = await table.black.say(table.channel, "a1")
    for said in (late[0], other):
        answer = await answer_to(club, said)
        assert answer.content.startswith("This game is already over.")
    assert await club.bot.stop() == 0  # a second answer would have been sent by then
    told = Counter(
        message.reference.message_id
        for message in table.channel.messages
        if message.id > over.id and message.reference
    )
    assert told == {late[0].id: 1, other.id: 1}  # whichever was sent first


async def test_clocks_run_again_after_a_silence(clock: BotClock, club: Club) -> None:
    guild, state = club.guild.guild, club.world.state
    table = await club.start_game(clock="15 minutes")
    moves = random_game(22)[:3]
    await table.play(moves[:2])
    away = {"id": str(guild.id), "unavailable": True}
    state.publish(Event("GUILD_DELETE", away, guild.id, Intent.GUILDS))
    await club.bot.wrote("all guilds of the shard unavailable")
    back = payloads.guild_create(guild, club.world.bot_user)
    async with hears_again(club.bot):
        state.publish(Event("GUILD_CREATE", back, guild.id, Intent.GUILDS))
    await table.play(moves[2:])
    # Each check after the silence receives everything, so none of these minutes counts as a pause.
    for _ in range(4):
        async with hears_again(club.bot):
            clock.advance(minutes=4)
    assert "ran out of time" in (await next_board(table, 4)).content


async def test_an_outage_over_a_deadline_flags_nobody(clock: BotClock, club: Club) -> None:
    bot, table = club.bot, await club.start_game(clock="3 days + 1 day")
    await never_saved(club.channel, club.ann, club.bob)
    moves = random_game(23)
    first = await table.play(moves[:8])
    await let_time_pass(club.bot, clock, days=1)
    received_until(bot, clock.now)
    await bot.kill()
    clock.advance(days=5)
    await bot.start()
    board = await table.play(moves[8:9])  # on time: the five days did not count
    await bot.wrote("connected")
    assert deadline(board) > deadline(first)
    await let_time_pass(club.bot, clock, days=2, hours=20)
    board = await table.play(moves[9:10])
    await let_time_pass(club.bot, clock, days=3, hours=1)
    over = await next_board(table, 11)
    assert "ran out of time" in over.content


async def test_a_changed_wall_clock_flags_nobody(clock: BotClock, club: Club) -> None:
    table = await club.start_game(clock="3 days + 1 day")
    moves = random_game(24)
    before = await table.play(moves[:8])
    await nothing_unsent(club.bot)
    for days in (30, -60):
        clock.put_forward(days=days)
        standing = texts(await club.ann.slash(table.channel, "board"))
        # The clock starts when the board is posted, which may be in the next second.
        assert stamps(standing)[0] - int(deadline(before).timestamp()) in (0, 1)
    board = await table.play(moves[8:9])
    assert "ran out of time" not in board.content
    assert (deadline(board) - clock.now).days in (2, 3)


async def test_no_clock_runs_while_the_host_sleeps(clock: BotClock, club: Club) -> None:
    table = await club.start_game(clock="3 days + 1 day")
    moves = random_game(24)
    before = deadline(await table.play(moves[:8]))  # the board's limit is corrected later
    clock.sleep(days=30)
    await club.bot.wrote("host was suspended, clocks paused")
    standing = texts(await club.ann.slash(table.channel, "board"))
    later = before + timedelta(days=30)
    assert stamps(standing)[-1] == pytest.approx(later.timestamp(), abs=60)
    board = await table.play(moves[8:9])
    assert "ran out of time" not in board.content
