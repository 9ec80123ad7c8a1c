"""Tests for options for clocks, /board and vacations, with a clock that the test moves."""

from datetime import timedelta

import pytest

from demo.commands import use
from tests.e2e.bot_process import BotClock
from tests.e2e.conftest import Club, is_board, message_of, press, set_times, take_vacation, texts
from tests.e2e.database import let_time_pass
from tests.e2e.reading import stamps


async def test_a_rematch_has_the_challenges_clock(clock: BotClock, club: Club) -> None:
    offered = await club.ann.autocomplete(club.channel, "challenge", clock="3 d")
    assert [value for _, value in offered] == ["3 d", "3d+0s", "3 days + 1 day"]
    line = "Clock: 3 days + 1 day per move (max 3 days); paused at weekends (Europe/Berlin)."
    terms = {"clock": "3 days + 1 day up to 3 days", "weekends": "europe/berlin"}
    asked = use(club.ann, club.channel, "challenge", opponent=club.bob, colour="white", **terms)
    answer = message_of(await asked)
    assert line in answer.content.splitlines()
    await club.bob.click(answer, "Accept")
    board = await club.channel.wait_for(lambda message: message.attachments)
    assert line in board.content.splitlines()
    told = texts(await club.cid.slash(club.channel, "board")).splitlines()
    assert told[1] == line
    assert told[3] == f"{club.bob.mention} has 3 days left."
    question = message_of(await press(club.ann, board, "Resign"))
    await club.ann.click(question, "Yes, resign")
    over = await club.channel.wait_for(is_board(1))
    await club.bob.click(over, "Rematch")
    rematch = await club.channel.wait_for(
        lambda message: "challenges you" in message.content, after=over.id
    )
    assert line in rematch.content.splitlines()


async def test_a_bare_length_is_per_move_and_both_readings_are_offered(club: Club) -> None:
    per_move, whole = "Clock: 1 day per move.", "Clock: 1 day each for the whole game."
    offered = await club.ann.autocomplete(club.channel, "challenge", clock="24h")
    assert [name for name, _ in offered] == ["24h: 1 day per move", "1 day each for the whole game"]
    for (_, value), line in zip(offered, (per_move, whole), strict=True):
        for form in ({}, {"colour": "white"}):  # the form keeps the choices
            asked = use(club.ann, club.channel, "challenge", opponent=club.bob, clock=value, **form)
            answer = message_of(await asked)
            assert line in answer.content.splitlines()
            await club.ann.click(answer, "Cancel")


async def test_a_zone_s_short_name_is_answered_with_places(club: Club) -> None:
    told = await set_times(club.ann, club.channel, begins="22:00", ends="8:00", zone="CET")
    assert "Europe/Berlin" in told
    assert "Ceuta" not in told
    assert "Dakota" not in told


async def test_a_vacation_stops_the_clock(clock: BotClock, club: Club) -> None:
    await club.start_game(clock="3 days + 1 day")
    before = stamps(texts(await club.bob.slash(club.channel, "board")))
    await let_time_pass(club.bot, clock, days=2)
    begun = await take_vacation(club.ann, club.channel, 10)
    assert "**Vacation**: You are on vacation until <t:" in begun
    refused = await take_vacation(club.ann, club.channel, 1)
    assert refused.startswith("You already have a vacation then, ")
    clock.advance(days=9)
    resting = texts(await club.bob.slash(club.channel, "board"))
    assert f"{club.ann.mention} is on vacation until" in resting
    until, up = stamps(resting)[-2:]
    assert up - before[-1] == pytest.approx(timedelta(days=10).total_seconds(), abs=30)
    assert up - until == pytest.approx(timedelta(days=1).total_seconds(), abs=30)
    form = message_of(await club.ann.slash(club.channel, "settings"))
    await club.ann.click(form, "End vacation")
    assert "**Vacation**: 20 days left of 30" in form.content
    sooner = stamps(texts(await club.bob.slash(club.channel, "board")))
    assert up - sooner[-1] == pytest.approx(timedelta(days=1).total_seconds(), abs=30)
    clock.advance(days=1, minutes=1)
    await club.channel.wait_for(lambda message: "ran out of time" in message.content)
