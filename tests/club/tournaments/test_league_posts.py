"""Tests for a league's posts and pages, with the whole bot in this process."""

import asyncio

import pytest

from bot.base.ids import GuildId
from club.tournaments.use_cases.tournaments import Tournaments
from sandbox import Message, Permission
from tests.bot.whole import WholeBot
from tests.e2e.conftest import message_of
from tests.e2e.features.tournaments.cups import create, organize
from tests.e2e.reading import stamps

pytestmark = pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)


async def test_a_season_from_the_form_to_the_next_one(bot: WholeBot) -> None:
    mo = bot.guild.add_person("Mo", permissions=Permission.MANAGE_EVENTS)
    players = [bot.ann, bot.bob, bot.cid, *map(bot.guild.add_person, ("Dee", "Eve"))]
    terms = {"name": "Cup", "format": "league", "clock": "1 day per move", "lasts": "30 days"}
    await create(mo, bot.channel, division_size=5, **terms)

    def message_with(words: str) -> Message:
        return next(message for message in bot.channel.messages if words in message.content)

    def is_told(words: str) -> bool:
        return any(words in message.content for message in bot.channel.messages)

    await bot.nothing_unsent()
    announced = message_with("5 players to a division. Two go up each season, and two go down.")
    assert "A season takes 30 days at most." in announced.content
    for player in players[:4]:
        await player.click(announced, "Join")
    few = message_of(await organize(mo, bot.channel, "begin"))
    assert "It takes at least 5 players." in few.content
    await players[4].click(announced, "Join")
    await organize(mo, bot.channel, "begin")
    await bot.until(lambda: len(bot.channel.threads) == 10)
    begins = message_with("**Cup**: Season 1 begins.")
    assert all(player.mention in begins.content for player in players)
    assert "drawn" in begins.content

    page = message_of(await bot.bob.slash(bot.channel, "tournament show"))
    assert "**Cup 1A** · 0 of 10 games are over" in page.content
    assert [button.label for button in page.buttons][:3] == ["Games", "Leave", "Log"]
    assert page.attachments
    (ends,) = stamps(page.content)

    (file,) = message_of(await organize(mo, bot.channel, "csv")).attachments
    assert file.filename.endswith(".csv")
    assert file.data.decode("utf-8-sig").count("\nCup 1A,") == 10 + 5  # each sits out once

    await organize(mo, bot.channel, "stop", {"days": "7"})
    page = message_of(await bot.bob.slash(bot.channel, "tournament show"))
    assert "All clocks here are paused until <t:" in page.content
    assert stamps(page.content)[0] == ends + 7 * 86_400, "the season's end, too"
    await organize(mo, bot.channel, "resume")

    await bot.nothing_unsent()
    # Nobody moves, and nobody answers for a day after the others' time is up.
    bot.advance(days=1, hours=1)
    await bot.until(
        lambda: all(
            any("didn't come" in message.content for message in thread.messages)
            for thread in bot.channel.threads
        )
    )
    bot.advance(days=1, hours=1)
    await _until_played(bot)
    bot.advance(hours=2)
    await bot.until(lambda: is_told("Season 1 is over."))
    assert "**A** 1=. " in message_with("Season 1 is over.").content
    bot.advance(days=1, hours=1)
    await bot.until(lambda: is_told("Season 2 begins."))
    late = bot.guild.add_person("Finn")
    await late.click(announced, "Join")
    assert late.mention in announced.content
    assert not [message for message in bot.channel.messages if message.pinged]


async def _until_played(bot: WholeBot) -> None:
    """Wait until the only division is over."""
    tournaments = bot.services.require(Tournaments)
    (league,) = await tournaments.latest(GuildId(bot.guild.id))
    while (await tournaments.divisions(league))[0].ended_at is None:  # noqa: ASYNC110 - as `until`
        await asyncio.sleep(0.005)
