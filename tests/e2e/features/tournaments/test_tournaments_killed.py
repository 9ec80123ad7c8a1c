"""Tests of tournaments whose bot or Discord fails before something is stored."""

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import pytest

from sandbox import Thread
from sandbox.orders import Fault
from tests.e2e.bot_process import BotClock
from tests.e2e.conftest import Club, is_board, texts
from tests.e2e.database import forget_that_all_was_sent, given_up, nothing_unsent, tried
from tests.e2e.features.tournaments.cups import create, first_lines, in_time, make, on_page

PLAN, LOOK = "POST /guilds/{id}/scheduled-events", "GET /guilds/{id}/scheduled-events"
SEND = "POST /channels/{id}/messages"
OTHERS = ("Dish", "Bowl", "Mug", "Jar")
"""With these, some have the same pairing with the same colors."""
SLOW: dict[str, Any] = {"format": "robin", "clock": "1 day per move"}


@pytest.fixture
async def clock(empty_club: Club) -> AsyncIterator[BotClock]:
    async with in_time(empty_club) as clock:
        yield clock


def in_trouble(club: Club) -> Fault:
    """Make Discord's posts fail. They are not forbidden, which the bot would remember for long."""
    return club.world.faults.answer(SEND, status=503, times=None)


def carried_out(club: Club) -> list[str]:
    """Return the methods of the bot's successful requests for a server's events."""
    return [
        exchange.method
        for exchange in club.world.exchanges
        if exchange.path.endswith("/scheduled-events")
    ]


async def logged(club: Club, error: str) -> None:
    """Wait until an attempt has ended with an error."""
    while error not in club.bot.log:  # noqa: ASYNC110 - a file tells of no event
        await asyncio.sleep(0.02)


async def test_killed_when_it_has_made_an_event_the_next_one_finds_it(
    clock: BotClock, empty_club: Club
) -> None:
    club, events = empty_club, empty_club.guild.guild.events
    with club.world.faults.slow(PLAN, seconds=3_600) as fault:
        cup = await make(club, 2, begins="in 3 days", **SLOW)
        await fault.met()
        await club.bot.kill()
    made = list(events)
    await club.bot.start()
    await nothing_unsent(club.bot)
    assert len(made) == 1
    assert list(events) == made
    await cup.cancel()  # the tournament knows it as its own
    await cup.said("is cancelled")
    await cup.channel.wait_for(lambda one: one is cup.announcement and not events)


@pytest.mark.thorough("a road like the one before, and a day longer")
async def test_the_event_is_found_after_a_postponed_start(
    clock: BotClock, empty_club: Club
) -> None:
    club, events = empty_club, empty_club.guild.guild.events
    with club.world.faults.slow(PLAN, seconds=3_600) as fault:
        cup = await make(club, 2, begins="in 25 hours", **SLOW)
        await cup.all_join()
        await fault.met()
        await club.bot.kill()
    made = list(events)
    clock.advance(hours=24, minutes=50)  # offline when check-in should have opened
    with club.world.faults.lose_request(LOOK, times=None):
        await club.bot.start()
        await cup.said("starts soon")
    clock.advance(minutes=10)
    await nothing_unsent(club.bot)
    assert list(events) == made


@pytest.mark.thorough("a road like the ones before, with another end")
async def test_an_event_that_is_found_too_late_ends_with_its_tournament(
    clock: BotClock, empty_club: Club
) -> None:
    club, events = empty_club, empty_club.guild.guild.events
    with club.world.faults.slow(PLAN, seconds=3_600) as fault:
        cup = await make(club, 2, begins="in 3 days", **SLOW)
        await fault.met()
        await club.bot.kill()
    assert len(events) == 1
    with club.world.faults.lose_request(LOOK, times=None):
        await club.bot.start()
        await cup.cancel()
        await cup.said("is cancelled")
    clock.advance(minutes=10)
    await nothing_unsent(club.bot)
    assert not events


async def test_an_event_is_asked_for_once_and_then_looked_for(
    clock: BotClock, empty_club: Club
) -> None:
    """Discord may have created the event despite an error response, and it accepts no nonce."""
    club, events = empty_club, empty_club.guild.guild.events
    with club.world.faults.answer(PLAN, status=502) as fault:
        await make(club, 2, begins="in 3 days", **SLOW)
        await fault.met()
        await logged(club, "TooLateError")
    clock.advance(seconds=6)
    await logged(club, "EarlierTryError")
    assert set(carried_out(club)) == {"GET"}, "the first may be on its way for a minute"
    clock.advance(seconds=61)
    await nothing_unsent(club.bot)
    assert carried_out(club)[-2:] == ["GET", "POST"]
    assert len(events) == 1


@pytest.mark.thorough("what every round's announcements pass, some 4 s")
async def test_a_cancellation_during_a_rounds_opening_stops_announcements(
    clock: BotClock, empty_club: Club
) -> None:
    cup = await make(empty_club, 4, **SLOW)
    await cup.all_join()
    with in_trouble(cup.club):
        await cup.start()
        await tried(cup.club.bot, 1, "pairing")
        await cup.club.bot.restart()
        await cup.cancel()
    clock.advance(minutes=1)
    await cup.said("is cancelled")
    await nothing_unsent(cup.club.bot)
    assert [line.split(".")[0] for line in first_lines(cup.told())] == [
        "**Cup**",
        "**Cup** is cancelled",
    ]


def boards(thread: Thread) -> list[str]:
    """Return the names of the events in the server."""
    return [file.filename for message in thread.messages for file in message.attachments]


async def test_sent_but_unrecorded_messages_are_recognized(club: Club) -> None:
    cup = await make(club, 2, **SLOW)
    await cup.all_join()
    await cup.start()
    (thread,) = await cup.games(", round 1, board ", 1)
    await thread.wait_for(is_board(0))
    before = first_lines(cup.told()), boards(thread)
    await club.bot.kill()
    forget_that_all_was_sent(club.bot, "pairing", "tournament_news")
    club.world.state.nonces.clear()  # as after a few minutes
    await club.bot.start()
    await nothing_unsent(club.bot)
    assert (first_lines(cup.told()), boards(thread)) == before
    assert not given_up(club.bot)


@pytest.mark.thorough("what every round's announcements pass, some 5 s")
async def test_another_tournaments_announcement_does_not_count_for_this_one(
    clock: BotClock, empty_club: Club
) -> None:
    """In the same channel, with the same colors, and before a retry."""
    club = empty_club
    cup = await make(club, 2, **SLOW)
    await cup.all_join()
    with in_trouble(club):
        await cup.start()
        await tried(club.bot, 1, "pairing")
        answers = [await create(cup.organiser, cup.channel, name=name, **SLOW) for name in OTHERS]
        assert all(map(texts, answers))
        for player in cup.players:
            for name in OTHERS:
                await on_page(player, cup.channel, "Join", tournament=name)
    for name in OTHERS:
        await cup.start(tournament=name)
        await cup.said(f"**{name}**, round 1, board ")
    clock.advance(minutes=1)
    await cup.games(", round 1, board ", 1)
    await nothing_unsent(club.bot)
    assert not given_up(club.bot)
