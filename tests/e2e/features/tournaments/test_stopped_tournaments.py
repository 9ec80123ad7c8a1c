"""Tests of stopping the clocks of a tournament: the message of its round stays correct."""

import re
from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta

import pytest

from sandbox import Message
from tests.e2e.bot_process import BotClock
from tests.e2e.conftest import Club, shown, texts
from tests.e2e.database import heard_until, nothing_unsent
from tests.e2e.features.tournaments.cups import Cup, in_time, make, on_page

DAY, HOUR = timedelta(days=1), timedelta(hours=1)
_ENDS = re.compile(r"The round ends <t:([0-9]+):f> at the latest\.")
_STOPPED = "⏸ All clocks are paused until <t:"


@pytest.fixture
async def clock(empty_club: Club) -> AsyncIterator[BotClock]:
    async with in_time(empty_club) as clock:
        yield clock


async def begun(club: Club) -> tuple[Cup, Message, datetime]:
    """A running tournament of two, the message of its round, and the end of the round."""
    cup = await make(
        club, 2, format="robin", clock="2 days per move", round_time="4 days", start="placement"
    )
    await cup.all_join()
    await cup.start()
    await cup.games(", round 1, board ", 1)
    message = await cup.said("**Cup**, round 1 of 1")
    return cup, message, ends(message)


def ends(message: Message) -> datetime:
    told = _ENDS.search(message.content)
    assert told is not None, message.content
    return datetime.fromtimestamp(int(told[1]), UTC)


async def tells(cup: Cup, message: Message, end: datetime, *, stopped: bool = False) -> None:
    """Wait until a round's message shows its end, and whether its clocks are stopped."""

    def is_told(one: Message) -> bool:
        is_right = abs(ends(one) - end) < timedelta(minutes=2)
        return is_right and (_STOPPED in one.content) == stopped

    await cup.channel.wait_for(lambda one: one.id == message.id and is_told(one))


async def test_an_organizer_stops_and_restarts_the_clocks(
    clock: BotClock, empty_club: Club
) -> None:
    cup, message, end = await begun(empty_club)
    elsewhere = await empty_club.start_game(
        empty_club.guild.create_channel("other"), clock="2 days per move"
    )
    (thread,) = await cup.games(", round 1, board ", 1)
    white, _ = await cup.seats(thread)
    page = shown(await white.slash(cup.channel, "tournament show"))
    assert "Stop clocks" not in [button.label for button in page.buttons]
    await nothing_unsent(empty_club.bot)
    clock.advance(hours=1)
    form = await on_page(cup.organiser, cup.channel, "Stop clocks")
    assert form.modal is not None
    answer = texts(await cup.organiser.submit(form.modal, {"days": "7"}))
    assert answer.startswith("All clocks in **Cup** are paused until <t:")
    await cup.said("**Cup**: an organiser has stopped all clocks until <t:")
    for player in cup.players:
        await player.dm.wait_for(lambda one: "has stopped all clocks until <t:" in one.content)
    await tells(cup, message, end + 7 * DAY, stopped=True)
    await thread.wait_for(lambda one: "⏱ All clocks here are paused until <t:" in one.content)
    assert _STOPPED in texts(await white.slash(cup.channel, "tournament show"))
    assert "are paused" not in texts(await elsewhere.white.slash(elsewhere.channel, "board"))
    clock.advance(days=3)
    answer = texts(await on_page(cup.organiser, cup.channel, "Start clocks"))
    assert answer == "All clocks in **Cup** run again. I tell everybody in it."
    await cup.said("**Cup**: all clocks run again since <t:")
    for player in cup.players:
        await player.dm.wait_for(lambda one: "all clocks run again since <t:" in one.content)
    await tells(cup, message, end + 3 * DAY)
    standing = texts(await white.slash(thread, "board"))
    assert f"{white.mention} has 1 day, 22 hours left" in standing
    clock.advance(days=2)
    await thread.wait_for(lambda one: f"{white.mention} ran out of time" in one.content)


async def test_after_an_outage_a_rounds_message_tells_its_later_end(
    clock: BotClock, empty_club: Club
) -> None:
    cup, message, end = await begun(empty_club)
    await nothing_unsent(empty_club.bot)
    clock.advance(hours=1)
    heard_until(empty_club.bot, clock.now)
    await empty_club.bot.kill()
    clock.advance(hours=10)
    await empty_club.bot.start()
    await tells(cup, message, end + 10 * HOUR)
