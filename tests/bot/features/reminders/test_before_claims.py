"""Tests for reminders before a rated game without a clock can be claimed."""

from datetime import datetime, timedelta

import pytest
from sqlalchemy import update

from bot.base.languages import IN_ENGLISH
from bot.base.zones import Interval
from bot.connection.posts import due
from bot.database.connection import AsyncEngine
from bot.database.delivery_rows import DeliveryRoute
from bot.features.reminders.use_cases import REMINDER, Reminders
from bot.features.reminders.words import channel_reminder, direct_reminder
from bot.play.model.preferences import RemindAhead, RemindBy
from bot.play.store.schema import games
from bot.play.store.store import Store
from bot.play.use_cases.deadlines import PATIENCE
from tests.bot.conftest import Clock
from tests.bot.features.reminders.reminded import sent
from tests.bot.looked import DAY, HOUR, begun
from tests.bot.play.test_claims import MACHINE, moves
from tests.bot.table import ALL, ANN, BOB, CHANNEL, Table


async def reminded(table: Table, until: datetime, step: timedelta = HOUR) -> list[datetime]:
    """Return the hours up to a moment at which someone is reminded."""
    seen = []
    while table.clock() < until:
        table.clock.advance(seconds=step.total_seconds())
        seen += [table.clock() for _ in await sent(table)]
    return seen


async def test_an_inactive_player_is_warned_a_day_and_an_hour_before(
    table: Table, clock: Clock
) -> None:
    began = (await begun(table)).line[-1].at
    clock.time = began
    assert await reminded(table, began + 20 * DAY) == [
        began + PATIENCE - DAY,
        began + PATIENCE - HOUR,
    ]
    assert (await table.game_cache.running_in(CHANNEL)).left_by == ANN


BETWEEN = pytest.mark.later("a day between two of the others")


@pytest.mark.parametrize(
    "late", [0, 6, 13, *(pytest.param(day, marks=BETWEEN) for day in (1, 5, 7, 12))]
)
async def test_a_turn_is_reminded_of_whenever_it_began(
    table: Table, clock: Clock, late: int
) -> None:
    """Moves set no timer in such a game. The regular check is early enough for any turn."""
    began = (await begun(table)).line[-1].at
    await table.choices.set_reminders(BOB, at=frozenset({RemindAhead.HALF}))
    clock.time = began
    await reminded(table, began + late * DAY)
    since = (await moves(table)).game.line[-1].at
    clock.time = since
    assert await reminded(table, since + PATIENCE) == [since + PATIENCE / 2]


async def test_a_deletion_announces_its_consequences(table: Table, clock: Clock) -> None:
    await begun(table)
    await table.choices.set_reminders(ANN, by=RemindBy.DM)
    clock.advance(days=13, hours=1)
    rows = await sent(table)
    assert [(row.player, row.route) for row in rows] == [(ANN, DeliveryRoute.DM)]
    standing = await table.of(Reminders).still_due(rows)
    when = due(standing[0].deadline)
    then = f"Your time runs out {when}. Then <@102> can claim the win."
    assert then in channel_reminder(IN_ENGLISH, standing, 1).content.splitlines()[0]
    assert then in direct_reminder(IN_ENGLISH, standing, 1).content
    several = direct_reminder(IN_ENGLISH, standing * 2, 1).content
    assert several.count("Then <@102> can claim the win.") == 2


async def test_a_reminder_that_waits_is_dropped_once_it_is_needless(
    table: Table, clock: Clock
) -> None:
    await begun(table)
    clock.advance(days=13, hours=1)
    await table.look()
    (row,) = await table.store.deliveries.due([REMINDER], ALL, clock())
    assert len(await table.of(Reminders).still_due([row])) == 1
    clock.advance(days=1)
    assert await table.of(Reminders).still_due([row]) == [], "its time is up"
    assert len(await table.look()) == 1
    assert await table.of(Reminders).still_due([row]) == []
    assert await table.store.deliveries.due([REMINDER], ALL, clock()) == []


async def test_vacations_and_outages_postpone_all_of_it(table: Table, clock: Clock) -> None:
    began = (await begun(table)).line[-1].at
    clock.time = began
    await table.vacations.start(ANN, 5)
    outage = Interval(begins=began + 6 * DAY, ends=began + 8 * DAY)
    await table.store.outages.add(0, 1, outage)
    assert await reminded(table, began + 21 * DAY - HOUR) == [
        began + 20 * DAY,
        began + 21 * DAY - HOUR,
    ]
    assert (await table.game_cache.running_in(CHANNEL)).left_by is None
    clock.advance(hours=1)
    assert len(await table.look()) == 1


async def test_without_reminders_none_are_sent(table: Table, clock: Clock) -> None:
    await begun(table)
    await table.choices.set_reminders(ANN, by=RemindBy.NONE)
    assert await reminded(table, clock() + 15 * DAY, 6 * HOUR) == []


async def test_against_the_machine_it_says_that_the_game_is_lost(
    table: Table, clock: Clock
) -> None:
    await begun(table, ANN, MACHINE, level=5)
    clock.advance(days=13, hours=1)
    (reminder,) = await table.of(Reminders).still_due(await sent(table))
    assert channel_reminder(IN_ENGLISH, [reminder], 1).content.endswith("Then the game is lost.")


async def test_the_machine_is_not_reminded_and_its_opponent_still_is(
    table: Table, clock: Clock
) -> None:
    clock.time = (await begun(table, ANN, MACHINE, level=5)).line[-1].at
    await moves(table)
    assert await reminded(table, clock() + 30 * DAY, 6 * HOUR) == []
    since = (await moves(table, MACHINE)).game.line[-1].at
    clock.time = since
    assert len(await reminded(table, since + PATIENCE - HOUR)) == 2


async def test_young_games_get_no_warning(table: Table, clock: Clock) -> None:
    await begun(table, turns=1)
    clock.advance(days=13, hours=1)
    assert await sent(table) == [], "nobody loses by it"


async def test_a_game_that_an_older_bot_has_begun_is_not_warned_of(
    table: Table, engine: AsyncEngine, clock: Clock
) -> None:
    game = await begun(table)
    async with engine.begin() as connection:
        await connection.execute(update(games).values(claimable=None))
    later = Table(Store(engine), clock)
    clock.time = game.line[-1].at
    assert await reminded(later, clock() + 14 * DAY, DAY) == []
