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
        await bot.until(lambda: bool(bot.guild.guild.events))
    await bot.until_sent(seconds=6)
    assert [await known(bot, tournament)] == list(bot.guild.guild.events)


async def test_an_event_is_requested_again_once_it_can_no_longer_appear(bot: WholeBot) -> None:
    """Discord accepts no nonce for events, and may have created the event despite an error."""
    with bot.world.faults.answer(PLAN, status=502) as fault:
        tournament = await planned(bot)
        await fault.met()
    await bot.is_done()
    bot.advance(seconds=6)
    await bot.until(lambda: asked(bot, "GET") > 0)
    await bot.is_done()
    assert asked(bot, "POST") == 0, "the one that failed may be on its way for a minute"
    await bot.until_sent(seconds=61)
    assert [await known(bot, tournament)] == list(bot.guild.guild.events)


def asked(bot: WholeBot, method: str) -> int:
    """Return how often the bot has requested the server's events, or a new one."""
    return sum(
        exchange.method == method and exchange.path.endswith("/scheduled-events")
        for exchange in bot.world.exchanges
    )
