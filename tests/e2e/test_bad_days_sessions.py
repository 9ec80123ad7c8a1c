"""Tests for failed session starts, unreadable events, and late or missing responses."""

import asyncio
import json
from collections.abc import AsyncIterator

import pytest

from dvonn import format_move
from sandbox import Permission, payloads
from sandbox.events import Event, Intent
from tests.e2e.bot_process import BotClock
from tests.e2e.conftest import FAULTS, Club, Table, abort, texts
from tests.games import random_game

POST = "POST /channels/{id}/messages"
CALLBACK = "POST /interactions/{id}/{token}/callback"


@pytest.fixture
async def troubled(empty_club: Club) -> AsyncIterator[Club]:
    """A server whose bot has not been started, and may log errors."""
    yield empty_club
    assert await empty_club.bot.stop() == 0


def posted_once(table: Table) -> None:
    assert table.boards() == [f"dvonn-1-{n}.png" for n in range(table.position.plies + 1)]


async def test_a_gateway_that_is_down_at_the_start_is_waited_for(troubled: Club) -> None:
    fault = troubled.world.faults.refuse_sockets()
    await troubled.bot.start()
    assert fault.is_over
    await (await troubled.start_game()).play(random_game(1)[:2])


@pytest.mark.parametrize("via", [True, False])
async def test_rate_limits_at_the_login_are_outlived(troubled: Club, via: bool) -> None:
    fault = troubled.world.faults.rate_limit("GET /users/@me", via=via)
    await troubled.bot.start()
    assert fault.is_over
    await (await troubled.start_game()).play(random_game(1)[:1])


async def test_a_session_with_an_unreadable_start_is_restarted(troubled: Club) -> None:
    # discord.py stops at any exception that an event raises.
    fault = troubled.world.faults.spoil_ready()
    starting = asyncio.create_task(troubled.bot.start())
    await fault.met()
    await troubled.bot.wrote("reconnecting")
    await starting
    await troubled.bot.wrote("] connected")
    await (await troubled.start_game()).play(random_game(1)[:2])


async def test_an_event_that_cannot_be_read_is_passed_over(club: Club) -> None:
    moves = random_game(1)
    table = await club.start_game()
    identified = club.world.state.gateway.identifies
    broken = {"id": None, "guild_id": str(club.guild.id)}
    for name in ("CHANNEL_CREATE", "MESSAGE_CREATE", "INTERACTION_CREATE", "GUILD_ROLE_UPDATE"):
        for session in club.world.sessions:
            session.dispatch(name, json.dumps(broken))
    await table.play(moves[:3])
    assert club.bot.log.count("gateway event unreadable, skipped") == 4
    assert club.world.state.gateway.identifies == identified
    assert FAULTS.findall(club.bot.log) == []


async def test_a_repeated_event_plays_once(club: Club) -> None:
    table = await club.start_game()
    moves = random_game(2)[:9]
    for number, move in enumerate(moves):
        await table.type(move)
        await table.board(number + 1)
        if number % 3 == 2:
            again = club.world.faults.repeat(12)
            await club.world.disconnect()
            await again.met()
    await table.play(random_game(2)[9:10])
    posted_once(table)


async def test_an_unavailable_server_is_not_treated_as_left(club: Club) -> None:
    table = await club.start_game()
    guild, state = club.guild.guild, club.world.state
    away = {"id": str(guild.id), "unavailable": True}
    state.publish(Event("GUILD_DELETE", away, guild.id, Intent.GUILDS))
    with club.world.faults.answer(POST, status=503, times=None) as failing:
        await table.type(random_game(1)[0])
        await failing.met()
    back = payloads.guild_create(guild, club.world.bot_user)
    state.publish(Event("GUILD_CREATE", back, guild.id, Intent.GUILDS))
    await table.board(1)
    await table.play(random_game(1)[1:2])
    posted_once(table)


async def test_a_slow_answer_outlasts_its_lease(clock: BotClock, club: Club) -> None:
    moves = random_game(1)
    table = await club.start_game()
    slow = club.world.faults.slow(POST, seconds=3)
    await table.type(moves[0])
    await slow.met()
    clock.advance(seconds=20)  # from now on anyone may send it
    await table.play(moves[1:3])
    posted_once(table)


async def test_a_failing_callback_plays_once(club: Club) -> None:
    table = await club.start_game()
    move = random_game(1)[0]
    fault = club.world.faults.answer(CALLBACK, status=503)
    answer = await club.ann.slash(club.channel, "move", move=format_move(move))
    assert not texts(answer)
    assert fault.is_over
    table.position = table.position.play(move)
    await table.board(1)
    posted_once(table)


async def test_a_player_who_left_keeps_his_game_until_a_moderator_ends_it(club: Club) -> None:
    moves = random_game(1)
    table = await club.start_game()
    await table.play(moves[:4])
    club.guild.kick(club.bob)
    board = await table.play(moves[4:5])
    assert f"{club.bob.mention}, your turn" in board.content
    assert texts(await abort(club.ann, board))
    moderator = club.guild.add_person("Mod", permissions=Permission.MANAGE_CHANNELS)
    await moderator.slash(club.channel, "setup abort")
    over = await table.board(6)
    assert "No result" in over.content
