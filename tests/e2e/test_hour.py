"""Tests for a host whose clock is wrong: no move is lost or played twice."""

import asyncio

from sandbox import EVERY_ROUTE
from tests.e2e.bot_process import BotClock
from tests.e2e.conftest import FAULTS, Club
from tests.e2e.database import all_rows, hears_again, nothing_unsent
from tests.games import random_game

DAY = 24 * 60
SKEWS = (4, -4, -3 * 60, DAY, 0)
"""Minutes by which the host's clock is ahead of Discord's, in one life after the other."""


async def test_moves_typed_while_the_bot_is_away_are_played_by_any_clock(empty_club: Club) -> None:
    """Each life has a different wrong clock, and receives events until its end."""
    club, moves = empty_club, iter(random_game(8))
    clock = club.bot.live_often()
    clock.put_forward(minutes=SKEWS[0])
    await club.bot.start()
    table = await club.start_game(clock="3 days + 1 day")
    for skew, next_skew in zip(SKEWS, (*SKEWS[1:], 4), strict=True):
        await table.play([next(moves)])
        await club.bot.kill()
        await table.type(next(moves))
        clock.put_forward(minutes=next_skew - skew)
        await club.bot.start()
        await table.board(table.position.plies)
    assert len(table.boards()) == table.position.plies + 1
    assert len(all_rows(club.bot)["events"]) == table.position.plies + 1
    assert await club.bot.stop() == 0
    assert FAULTS.findall(club.bot.log) == []


async def test_one_response_with_a_wrong_date_flags_nobody(clock: BotClock, club: Club) -> None:
    other = club.guild.create_channel("other")
    waiting = await club.start_game(clock="1 day per move")
    busy = await club.start_game(other, clock="1 day per move")
    moves = iter(random_game(9))
    clock.advance(hours=23)
    with club.world.faults.wrong_date("POST /channels/{id}/messages", ahead_s=7_200) as fault:
        await busy.play([next(moves)])
        await fault.met(1)
    async with hears_again(club.bot):  # by now it has checked all clocks
        pass
    await waiting.play(random_game(8)[:1])
    await nothing_unsent(club.bot)  # otherwise no clock runs yet, and the next check is a day later
    clock.advance(hours=25)  # the time is confirmed, and the clock has run out
    await club.channel.wait_for(lambda message: "ran out of time" in message.content)


async def test_a_proxy_with_a_wrong_date_flags_nobody_too_early(
    clock: BotClock, club: Club
) -> None:
    """The proxy blocks new requests, so the bot reconnects its WebSocket to read the time."""
    other = club.guild.create_channel("other")
    waiting = await club.start_game(clock="1 day per move")
    busy = await club.start_game(other, clock="1 day per move")
    clock.advance(hours=23)
    with club.world.faults.wrong_date(EVERY_ROUTE, ahead_s=7_200, times=None):
        await busy.play(random_game(9)[:2])
        async with hears_again(club.bot):  # by now it has checked all clocks
            pass
        clock.advance(minutes=1)
        await club.bot.wrote("response dates wrong, ignoring them")
        await waiting.play(random_game(8)[:1])
        await nothing_unsent(club.bot)
        clock.advance(hours=25)
        lost = asyncio.ensure_future(
            club.channel.wait_for(lambda message: "ran out of time" in message.content)
        )
        while not lost.done():  # in doubt, it reads the time again only every ten minutes
            async with hears_again(club.bot):
                clock.advance(minutes=10)
        await lost


async def test_a_clock_that_jumps_under_a_running_bot_loses_nothing(
    clock: BotClock, club: Club
) -> None:
    moves = iter(random_game(9))
    table = await club.start_game(clock="15 minutes")
    for minutes in (4, -8, DAY, -2 * DAY, DAY + 4):
        clock.put_forward(minutes=minutes)
        async with hears_again(club.bot):
            club.world.invalidate_sessions()
        await table.play([next(moves)])
        with club.world.faults.deaf():
            await table.type(next(moves))
        club.world.invalidate_sessions()
        await table.board(table.position.plies)
        clock.advance(minutes=1)
    assert len(table.boards()) == table.position.plies + 1
