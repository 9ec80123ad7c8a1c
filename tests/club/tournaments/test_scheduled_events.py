"""Tests of Discord's events that announce tournaments, with the whole bot in this process."""

from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import timedelta

import pytest

from bot.base.ids import ChannelId, GuildId, SourceId, UserId
from bot.play.store.store import Store
from club.tournaments.model.tournament import Tournament
from club.tournaments.use_cases.tournaments import Tournaments
from sandbox.permissions import BOT, Permission
from tests.bot.whole import WholeBot, whole_bot
from tests.club.tournaments.directed import TERMS
from tests.e2e.features.tournaments.cups import chosen, organize

pytestmark = pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)

PLAN = "POST /guilds/{id}/scheduled-events"


@pytest.fixture
async def bot(store: Store, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[WholeBot]:
    async with whole_bot(store, monkeypatch) as bot:
        bot.guild.set_role_permissions(bot.guild.bot_role, BOT | Permission.CREATE_EVENTS)
        yield bot


async def planned(bot: WholeBot) -> Tournament:
    """Plan a tournament that starts in three days."""
    terms = replace(
        TERMS,
        guild=GuildId(bot.guild.id),
        channel=ChannelId(bot.channel.id),
        organiser=UserId(bot.ann.id),
        begins_at=bot.now + timedelta(days=3),
    )
    tournaments = bot.services.require(Tournaments)
    return await tournaments.create(terms, source=SourceId(1), is_organizer=True)


async def known(bot: WholeBot, tournament: Tournament) -> int | None:
    """Return the id of the event that belongs to a tournament."""
    found = await bot.services.require(Tournaments).get(tournament.id)
    assert found is not None
    return found.event


async def test_a_planned_tournament_has_its_event(bot: WholeBot) -> None:
    tournament = await planned(bot)
    await bot.until(lambda: bool(bot.guild.guild.events))
    ((number, event),) = bot.guild.guild.events.items()
    assert event.name == "Spring Cup"
    await bot.nothing_unsent()
    assert await known(bot, tournament) == number


async def test_an_event_whose_answer_was_lost_is_found(bot: WholeBot) -> None:
    with bot.world.faults.lose_answer(PLAN) as fault:
        tournament = await planned(bot)
        await fault.met()
    await bot.nothing_unsent()
    await bot.is_done()
    assert await known(bot, tournament) is None
    await organize(bot.ann, bot.channel, "add", chosen(bot.bob))
    await bot.nothing_unsent()
    await bot.is_done()
    assert [await known(bot, tournament)] == list(bot.guild.guild.events)
