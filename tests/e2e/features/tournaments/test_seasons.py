"""Seasons as people see them: set up once, and then a month comes to its champion by itself."""

import re
from datetime import timedelta

import pytest

from bot.features.tournaments.model.seasons import Month
from demo.commands import use
from sandbox import Permission
from tests.e2e.bot_process import BotClock
from tests.e2e.conftest import FAULTS, Club, Table, is_board, opened_thread, texts
from tests.e2e.database import seasons_are_over
from tests.games import random_game

ROME = "Europe/Rome"


async def test_a_moderator_sets_seasons_up_once(club: Club) -> None:
    moderator = club.guild.add_person("Mo", permissions=Permission.MANAGE_CHANNELS)
    hall = club.guild.create_channel("hall")
    setup = "setup season"
    assert texts(await moderator.slash(club.channel, setup)) == "No seasons here."
    yard, role = club.guild.create_channel("yard"), club.guild.bot_role
    club.guild.set_permissions(yard, role, deny=Permission.CREATE_PUBLIC_THREADS)
    for where, options in ((club.channel, {"channel": yard}), (yard, {"run": "on"})):
        lacking = texts(await moderator.slash(where, setup, **options))
        assert "Create Public Threads" in lacking
    chosen = await moderator.slash(club.channel, setup, channel=hall, zone="europe/rome", level=3)
    assert texts(chosen) == (
        f"Seasons run by themselves in <#{hall.id}>: a ladder each month (Europe/Rome), then a "
        "play-off. If the play-off has an odd number, I join in on level 3 · Lulu (easy)."
    )
    alone = await moderator.slash(club.channel, setup, level=0)
    assert texts(alone).endswith("then a play-off.")
    assert texts(await moderator.slash(club.channel, setup, run="off")) == "No seasons here."


@pytest.mark.thorough("a month, its play-off and a channel that is deleted, some 25 s")
async def test_a_month_comes_to_its_champion_by_itself(empty_club: Club) -> None:
    club, channel = empty_club, empty_club.channel
    clock: BotClock = club.bot.take_clock()
    await club.bot.start()
    month = Month.of(clock.now, ROME)
    if month.next.begins(ROME) - clock.now < timedelta(days=2):
        month = month.next
        clock.advance(days=3)
    moderator = club.guild.add_person("Mo", permissions=Permission.MANAGE_CHANNELS)
    await moderator.slash(channel, "setup season", run="on", zone=ROME)
    ladder = await channel.wait_for(lambda one: one.content.startswith("**Ladder "))
    assert [one.label for one in ladder.buttons] == ["Join", "Leave", "Standings"]
    for one in (club.ann, club.bob):
        await one.click(ladder, "Join")
    terms = {"where": "thread", "colour": "white", "start": "placement"}
    answer = await use(club.bob, channel, "challenge", opponent=club.ann, **terms)
    assert answer.message is not None
    await club.ann.click(answer.message, "Accept")
    thread = await opened_thread(answer.message)
    await thread.wait_for(is_board(0))
    await Table(thread, club.bob, club.ann).reach(random_game(1)[:16])  # long enough to count
    asked = await club.ann.slash(thread, "resign")
    assert asked.message is not None
    await club.ann.click(asked.message, asked.message.buttons[0].label)
    clock.advance(seconds=(month.next.begins(ROME) - clock.now).total_seconds() + 5)

    over = await channel.wait_for(lambda one: one.content.split("\n")[0].endswith(" is over."))
    assert over.content.splitlines()[1].startswith(f"1\\. {club.bob.user.mention}")
    assert "2 players go on to the play-off." in over.content
    paired = await channel.wait_for(lambda one: ", round 1, board 1" in one.content)
    final = await opened_thread(paired)
    await final.wait_for(is_board(0))
    asked = await club.ann.slash(final, "resign")
    assert asked.message is not None
    await club.ann.click(asked.message, asked.message.buttons[0].label)
    ended = await channel.wait_for(lambda one: "**Champion " in one.content)
    assert re.search(rf"\*\*Champion \w+ \d{{4}}: {club.bob.user.mention}\*\*", ended.content)
    told = [one.content.splitlines()[0].split(" ")[0] for one in channel.messages]
    assert told.count("**Ladder") == 3  # begun, over, and the next
    profile = texts(await club.bob.slash(channel, "profile"))
    assert "**Badges**: Champion " in profile
    club.guild.delete_channel(channel)
    clock.advance(days=40)
    await seasons_are_over(club.bot)
    assert await club.bot.stop() == 0
    assert FAULTS.findall(club.bot.log) == []
