"""Tournaments of the whole bot, organized by Ann."""

from dataclasses import replace
from typing import Any

from bot.base.ids import ChannelId, GuildId, SourceId, UserId
from club.tournaments.model.acts import Begin
from club.tournaments.model.tournament import Tournament
from club.tournaments.use_cases.tournaments import Tournaments
from sandbox import Person
from tests.bot.whole import WholeBot
from tests.club.tournaments.directed import TERMS


async def made(bot: WholeBot, *players: Person, **terms: Any) -> Tournament:
    """Create a tournament that some people have joined."""
    place: Any = {"guild": GuildId(bot.guild.id), "channel": ChannelId(bot.channel.id)}
    chosen = replace(TERMS, organiser=UserId(bot.ann.id), **place, **terms)
    tournaments = bot.services.require(Tournaments)
    found = await tournaments.create(chosen, source=SourceId(1), is_organizer=True)
    for number, person in enumerate(players, start=2):
        found = await tournaments.join(found.id, UserId(person.id), source=SourceId(number))
    await bot.nothing_unsent()
    return found


async def begin(bot: WholeBot, cup: Tournament) -> Tournament:
    return await bot.services.require(Tournaments).perform(cup.id, Begin(), UserId(bot.ann.id))


async def now(bot: WholeBot, of: Tournament) -> Tournament:
    found = await bot.services.require(Tournaments).get(of.id)
    assert found is not None
    return found
