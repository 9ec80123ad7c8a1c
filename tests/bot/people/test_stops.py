"""Tests for stopping a server's clocks: boards show it, the players are told, and no clock runs."""

import pytest

from bot.base.ids import ChannelId, GuildId
from bot.base.languages import IN_ENGLISH
from bot.database.delivery_rows import DeliveryRoute
from bot.people.model import NoStop, TooManyStops
from bot.people.use_cases.stops import STOPPED, Stops
from bot.play.model.clock import TimeControl
from bot.play.model.pauses import PauseReason
from bot.play.words.boards import board
from tests.bot.conftest import Clock
from tests.bot.features.reminders.reminded import sent
from tests.bot.looked import ALL, DAY, HOUR, MINUTE, start
from tests.bot.table import ANN, BOB, CHANNEL, GUILD, Table, raises

A_DAY = TimeControl(bank=DAY, increment=DAY, cap=DAY)
LIVE = TimeControl(bank=15 * MINUTE)
ELSEWHERE = GuildId(2 << 22)
HALL = ChannelId(501)


@pytest.fixture
def stops(table: Table) -> Stops:
    return table.of(Stops)


@pytest.mark.both_databases
@pytest.mark.parametrize("clock_of_game", [A_DAY, LIVE], ids=["over days", "live"])
async def test_no_time_runs_until_its_end(
    table: Table, stops: Stops, clock: Clock, clock_of_game: TimeControl
) -> None:
    await start(table, clock=clock_of_game)
    stop = await stops.begin(GUILD, 7)
    assert stop.ends == clock() + 7 * DAY
    for _ in range(7):
        clock.advance(days=1)
        assert await table.look() == []
    found = await table.clocks.in_channel(CHANNEL)
    assert found[1] is not None
    assert found[1].white == clock_of_game.bank
    clock.time += clock_of_game.bank + MINUTE
    assert len(await table.look()) == 1


async def test_another_server_plays_on(table: Table, stops: Stops, clock: Clock) -> None:
    await start(table, clock=A_DAY)
    await stops.begin(ELSEWHERE, 7)
    clock.advance(days=1, minutes=1)
    assert len(await table.look()) == 1


async def test_a_ladder_can_be_ended_early_and_its_games_count(
    table: Table, stops: Stops, clock: Clock
) -> None:
    await start(table, clock=A_DAY)
    await stops.begin(GUILD, 7)
    clock.advance(days=2)
    await stops.end(GUILD)
    clock.advance(hours=23)
    assert await table.look() == []
    clock.advance(hours=2)
    assert len(await table.look()) == 1
    await raises(NoStop, stops.end(GUILD))


async def test_a_new_stop_replaces_the_current_one(
    table: Table, stops: Stops, clock: Clock
) -> None:
    await start(table, clock=A_DAY)
    await stops.begin(GUILD, 30)
    clock.advance(days=1)
    await stops.begin(GUILD, 2)
    clock.advance(days=2, hours=23)
    assert await table.look() == []
    clock.advance(hours=2)
    assert len(await table.look()) == 1


async def test_all_players_there_are_informed_once(
    table: Table, stops: Stops, clock: Clock
) -> None:
    await start(table, clock=A_DAY)
    await start(table, HALL, clock=A_DAY)
    await start(table, ChannelId(502), clock=None)
    for told, is_over in ((stops.begin(GUILD, 7), False), (stops.end(GUILD), True)):
        clock.advance(minutes=1)
        await told
        rows = await table.store.deliveries.due([STOPPED], ALL, clock())
        assert [(row.player, row.route) for row in rows] == [
            (ANN, DeliveryRoute.DM),
            (BOB, DeliveryRoute.DM),
        ]
        assert all(row.data["is_over"] is is_over for row in rows)
        await table.store.deliveries.drop(rows, at=clock())


async def test_nobody_gets_repeated_messages(table: Table, stops: Stops, clock: Clock) -> None:
    for _ in range(3):
        clock.advance(hours=1)
        await stops.begin(GUILD, 7)
    await raises(TooManyStops, stops.begin(GUILD, 7))
    await stops.begin(ELSEWHERE, 7)
    clock.advance(days=1)
    await stops.begin(GUILD, 7)


async def test_during_a_stop_nobody_is_reminded_and_boards_give_the_reason(
    table: Table, stops: Stops, clock: Clock
) -> None:
    await start(table, clock=TimeControl(bank=2 * DAY))
    stop = await stops.begin(GUILD, 7)
    began = clock()
    reminded = []
    for _ in range(9 * 24 - 1):
        clock.advance(hours=1)
        reminded += [clock() - began for _ in await sent(table)]
    assert reminded == [8 * DAY, 9 * DAY - HOUR]
    clock.time = began
    update = await table.play(ANN, "d2")
    assert update.pause is not None
    assert (update.pause.reason, update.pause.ends) == (PauseReason.STOPPED, stop.ends)
    assert "All clocks here are paused until <t:" in board(IN_ENGLISH, update).content
