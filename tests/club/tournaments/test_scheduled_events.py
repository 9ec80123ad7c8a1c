"""Tests for Discord's events that announce tournaments, with the whole bot in this process."""

import asyncio
from collections.abc import AsyncIterator
from datetime import datetime, timedelta

import pytest

from bot.play.store.store import Store
from club.tournaments.model.tournament import Tournament, TournamentState
from sandbox.permissions import BOT, Permission
from tests.bot.whole import WholeBot, whole_bot
from tests.club.tournaments.hosted import create_tournament, now
from tests.e2e.features.tournaments.cups import Form, chosen, organize

pytestmark = pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)

PLAN = "POST /guilds/{id}/scheduled-events"


@pytest.fixture
async def bot(store: Store, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[WholeBot]:
    async with whole_bot(store, monkeypatch) as bot:
        bot.guild.set_role_permissions(bot.guild.bot_role, BOT | Permission.CREATE_EVENTS)
        yield bot


async def planned(bot: WholeBot) -> Tournament:
    """Plan a tournament that starts in three days."""
    return await create_tournament(bot, begins_at=bot.now + timedelta(days=3))


async def test_a_planned_tournament_has_its_event(bot: WholeBot) -> None:
    tournament = await planned(bot)
    await bot.until(lambda: bool(bot.guild.guild.events))
    ((number, event),) = bot.guild.guild.events.items()
    assert event.name == "Spring Cup"
    await bot.is_done()
    assert (await now(bot, tournament)).event == number


async def test_an_event_whose_answer_was_lost_is_found(bot: WholeBot) -> None:
    with bot.world.faults.lose_answer(PLAN) as fault:
        tournament = await planned(bot)
        await fault.met()
    await bot.nothing_unsent()
    await bot.is_done()
    assert (await now(bot, tournament)).event is None
    await organize(bot.ann, bot.channel, "add", chosen(bot.bob))
    await bot.nothing_unsent()
    await bot.is_done()
    assert [(await now(bot, tournament)).event] == list(bot.guild.guild.events)


async def test_an_event_follows_its_tournament_until_it_begins(bot: WholeBot) -> None:
    tournament = await planned(bot)
    await bot.until(lambda: bool(bot.guild.guild.events))
    (number,) = bot.guild.guild.events
    await bot.nothing_unsent()
    bot.advance(days=2, hours=1)
    while (await now(bot, tournament)).state is not TournamentState.CHECK_IN:  # noqa: ASYNC110
        await asyncio.sleep(0.005)
    form: Form = {"name": "Summer Cup", "begins": "in 2 days", "rounds": "", "clock": ""}
    await organize(bot.ann, bot.channel, "edit", form)
    await bot.until(lambda: bot.guild.guild.events[number].name == "Summer Cup")
    begins_at = (await now(bot, tournament)).terms.begins_at
    assert begins_at is not None
    starts_at = datetime.fromisoformat(bot.guild.guild.events[number].starts_at)
    assert starts_at == begins_at > bot.now + timedelta(days=1)
