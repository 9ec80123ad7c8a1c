"""Tournaments of the whole bot, organized by Ann."""

from dataclasses import replace
from itertools import count
from typing import Any

from bot.base.ids import ChannelId, GuildId, SourceId, UserId
from club.tournaments.model.acts import OrganizerAct, OrganizerChoice
from club.tournaments.model.tournament import Tournament
from club.tournaments.use_cases.tournaments import Tournaments
from sandbox import Person
from tests.bot.whole import WholeBot
from tests.club.tournaments.directed import TERMS

_SOURCES = map(SourceId, count(1))


async def create_tournament(bot: WholeBot, *players: Person, **terms: Any) -> Tournament:
    """Create a tournament that some people have joined."""
    place: Any = {"guild": GuildId(bot.guild.id), "channel": ChannelId(bot.channel.id)}
    chosen = replace(TERMS, organiser=UserId(bot.ann.id), **place, **terms)
    tournaments = bot.services.require(Tournaments)
    found = await tournaments.create(chosen, source=next(_SOURCES), is_organizer=True)
    for person in players:
        found = await tournaments.join(found.id, UserId(person.id), source=next(_SOURCES))
    await bot.nothing_unsent()
    return found


async def begin(bot: WholeBot, cup: Tournament) -> Tournament:
    act = OrganizerAct(kind=OrganizerChoice.BEGIN)
    return await bot.services.require(Tournaments).perform(cup.id, act, UserId(bot.ann.id))


async def now(bot: WholeBot, of: Tournament) -> Tournament:
    found = await bot.services.require(Tournaments).get(of.id)
    assert found is not None
    return found
