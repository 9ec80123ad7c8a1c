"""Tests for reminders, with a clock that the test moves. Each is sent once, in the right place."""

from collections.abc import AsyncIterator, Sequence
from datetime import timedelta

import pytest

from sandbox import Channel, Message, MessageFlag, Permission
from tests.e2e.bot_process import BotClock
from tests.e2e.conftest import Club, Table, choose, set_times, texts
from tests.e2e.database import (
    break_game,
    let_time_pass,
    nothing_due,
    nothing_unsent,
    received_until,
    tried,
)
from tests.e2e.reading import stamps
from tests.games import random_game

THREE_DAYS = "3 days + 1 day"
POST = "POST /channels/{id}/messages"
GET = "GET /channels/{id}/messages"


@pytest.fixture
async def clock(empty_club: Club) -> AsyncIterator[BotClock]:
    clock = empty_club.bot.live_often()  # the bot is killed up to six times
    await empty_club.bot.start()
    yield clock
    assert await empty_club.bot.stop() == 0


def is_reminder(message: Message) -> bool:
    return any(button.label == "My settings" for button in message.buttons)


def reminders(channel: Channel) -> list[Message]:
    return [message for message in channel.messages if is_reminder(message)]


async def next_reminder(channel: Channel) -> Message:
    last = reminders(channel)[-1] if reminders(channel) else None
    return await channel.wait_for(is_reminder, after=last)


async def begun(club: Club, channel: Channel | None = None) -> Table:
    """A slow game with Ann to move."""
    return await club.start_game(channel, clock=THREE_DAYS)


async def test_in_the_channel_a_day_and_an_hour_before(clock: BotClock, club: Club) -> None:
    table = await begun(club)
    await nothing_unsent(club.bot)
    deadline = stamps(texts(await club.bob.slash(club.channel, "board")))[-1]
    clock.advance(days=2)
    first = await next_reminder(club.channel)
    head, board = first.content.splitlines()
    assert head.startswith(f"{club.ann.mention}, your turn. Your time runs out <t:")
    assert int(head.split(":")[1]) == deadline
    assert board.endswith(f"/{club.channel.id}/{(await table.board(0)).id})")
    assert first.pinged == {club.ann.id}
    await let_time_pass(club.bot, clock, hours=23)
    second = await next_reminder(club.channel)
    await table.play(random_game(2)[:1])
    await let_time_pass(club.bot, clock, days=2)
    third = await next_reminder(club.channel)
    assert third.pinged == {club.bob.id}
    assert reminders(club.channel) == [first, second, third]


async def test_by_direct_message_all_at_once(clock: BotClock, club: Club) -> None:
    other = club.guild.create_channel("other")
    assert "by direct message" in await choose(club.ann, club.channel, by=["dm"])
    await begun(club)
    await let_time_pass(club.bot, clock, minutes=20)
    await begun(club, other)
    await let_time_pass(club.bot, clock, days=1, hours=23, minutes=40)
    told = await next_reminder(club.ann.dm)
    head, one, two = told.content.splitlines()
    assert head == "Your turn in 2 games. Your time runs out:"
    assert f"in {club.channel.mention} vs {club.bob.mention}." in one
    assert f"in {other.mention} vs {club.bob.mention}." in two
    assert "by direct message" in texts(await club.ann.click(told, "My settings"))
    assert "by direct message" in texts(await club.ann.slash(club.ann.dm, "settings"))
    await let_time_pass(club.bot, clock, hours=23)
    again = await next_reminder(club.ann.dm)
    assert [told, again] == reminders(club.ann.dm)
    assert reminders(club.channel) == reminders(other) == []


async def begun_in(clock: BotClock, club: Club, names: Sequence[str]) -> list[Channel]:
    """Games in channels of these names, ten minutes apart, with Ann to move."""
    channels = [club.guild.create_channel(name) for name in names]
    for channel in channels:
        await begun(club, channel)
        await let_time_pass(club.bot, clock, minutes=10)
    return channels


async def test_in_a_server_one_message_covers_all_games(clock: BotClock, club: Club) -> None:
    one, two, three = await begun_in(clock, club, ["one", "two", "three"])
    await let_time_pass(club.bot, clock, days=1, hours=23, minutes=30)
    told = await next_reminder(one)
    head, *lines = told.content.splitlines()
    assert head == f"{club.ann.mention}, your turn in 3 games. Your time runs out:"
    named = zip((one, two, three), lines, strict=True)
    versus = f"vs {club.bob.mention}. ["
    assert all(f" in {place.mention} {versus}" in line for place, line in named)
    assert told.pinged == {club.ann.id}
    await let_time_pass(club.bot, clock, hours=1)
    await nothing_due(club.bot, clock.now)
    assert reminders(one) == [told]
    assert reminders(two) == reminders(three) == []


async def test_a_channel_that_is_closed_keeps_no_other_game_waiting(
    clock: BotClock, club: Club
) -> None:
    closed, two, three = await begun_in(clock, club, ["closed", "two", "three"])
    club.guild.set_permissions(closed, club.guild.bot_role, deny=Permission.SEND_MESSAGES)
    await let_time_pass(club.bot, clock, days=1, hours=23, minutes=30)
    told = await next_reminder(two)
    head, *lines = told.content.splitlines()
    assert head == f"{club.ann.mention}, your turn in 2 games. Your time runs out:"
    named = zip((two, three), lines, strict=True)
    assert all(place.mention in line for place, line in named)
    club.guild.set_permissions(closed, club.guild.bot_role)
    await next_reminder(closed)  # posted after all possible reminders
    await nothing_due(club.bot, clock.now)
    assert [len(reminders(place)) for place in (closed, two, three)] == [1, 1, 0]


async def test_closed_direct_messages_are_replaced_by_the_channel(
    clock: BotClock, club: Club
) -> None:
    club.ann.user.accepts_dms = False
    await choose(club.ann, club.channel, by=["dm"])
    await begun(club)
    await let_time_pass(club.bot, clock, days=2)
    told = await next_reminder(club.channel)
    assert told.content.startswith(club.ann.mention)
    assert "I couldn't DM you" in told.content
    assert told.pinged == {club.ann.id}


SENT_AGAIN = pytest.mark.later("how anything is looked for before it is sent again: test_delivery")


@SENT_AGAIN
async def test_an_uncertain_delivery_is_not_repeated(clock: BotClock, club: Club) -> None:
    await begun(club)
    clock.advance(days=1)
    with club.world.faults.lose_answer(POST, times=2):
        clock.advance(days=1)
        await club.bot.wrote("delivery failed, retrying")
    club.world.state.nonces.clear()
    with club.world.faults.lose_request(GET, times=2) as fault:  # aiohttp retries once
        clock.advance(seconds=30)
        await fault.met(2)
    clock.advance(minutes=5)
    await nothing_due(club.bot, clock.now)
    assert len(reminders(club.channel)) == 1


@SENT_AGAIN
async def test_a_kill_before_the_search_causes_one_notice(clock: BotClock, club: Club) -> None:
    await choose(club.ann, club.channel, by=["dm"])
    await begun(club)
    clock.advance(days=1, hours=23)
    with club.world.faults.slow(POST, seconds=600):
        clock.advance(hours=1)
        await next_reminder(club.ann.dm)
        await club.bot.kill()
    club.world.state.nonces.clear()
    clock.advance(minutes=45)
    received_until(club.bot, clock.now)
    with club.world.faults.slow(f"GET /channels/{club.ann.dm.id}/messages", seconds=600):
        await club.bot.start()
        await tried(club.bot, 2)
        await club.bot.kill()
    await club.bot.start()
    await nothing_due(club.bot, clock.now)
    assert len(reminders(club.ann.dm)) == 1


@pytest.mark.later("four lives; of one kill there is a test")
async def test_a_kill_around_that_moment_causes_one_notice(clock: BotClock, club: Club) -> None:
    await begun(club)
    clock.advance(days=1, hours=23, minutes=59)
    for _ in range(3):
        clock.advance(seconds=20)
        received_until(club.bot, clock.now)
        await club.bot.restart()
    await next_reminder(club.channel)
    for _ in range(3):
        await club.bot.restart()
    await nothing_due(club.bot, clock.now)
    assert len(reminders(club.channel)) == 1


async def test_a_damaged_game_does_not_delay_others(clock: BotClock, club: Club) -> None:
    other = club.guild.create_channel("other")
    await begun(club)
    clock.advance(minutes=1)
    await begun(club, other)
    await choose(club.ann, club.channel, by=["dm"])
    break_game(club.bot, 1)
    clock.advance(days=2)
    told = await next_reminder(club.ann.dm)
    assert other.mention in told.content
    await club.bot.wrote("timer check failed")
    await club.bot.wrote("reminder failed")


async def test_a_digest_a_day_comes_in_place_of_pings(clock: BotClock, club: Club) -> None:
    hour = clock.now + timedelta(hours=2)
    said = await set_times(club.ann, club.channel, digest=f"{hour:%H:%M}")
    assert "**Digest**: at" in said
    other = club.guild.create_channel("other")
    tables = [await begun(club), await begun(club, other)]
    for table in tables:
        move, answer = random_game(2)[:2]
        await table.play([move])
        assert (await table.play([answer])).pinged == set(), "it is her turn"
    clock.advance(hours=2)
    told = await next_reminder(club.ann.dm)
    head, *lines = told.content.splitlines()
    assert head.startswith("2 games wait for you. The first deadline is <t:")
    named = zip((club.channel, other), lines, strict=True)
    assert all(one.mention in line for one, line in named)
    clock.advance(days=1)
    again = await next_reminder(club.ann.dm)
    assert again.content.startswith("2 games wait for you.")
    await let_time_pass(club.bot, clock, hours=23)  # 23 hours are left, and a digest comes earlier
    await nothing_due(club.bot, clock.now)
    clock.advance(hours=1)
    await next_reminder(club.ann.dm)
    assert reminders(club.channel) == reminders(other) == []


async def test_in_quiet_hours_a_turn_makes_no_sound(clock: BotClock, club: Club) -> None:
    table = await begun(club)
    hours = [clock.now + timedelta(hours=hours) for hours in (-1, 1)]
    begins, ends = (f"{hour:%H:%M}" for hour in hours)
    await set_times(club.ann, club.channel, begins=begins, ends=ends)
    loud, silent = [await table.play([move]) for move in random_game(2)[:2]]
    assert loud.flags & MessageFlag.SUPPRESS_NOTIFICATIONS == 0
    assert silent.flags & MessageFlag.SUPPRESS_NOTIFICATIONS
    assert silent.mentions == [club.ann.user]
