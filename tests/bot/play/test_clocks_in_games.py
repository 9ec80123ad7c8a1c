"""Tests for clocks in games: the time stored with each event, and losses on time."""

import asyncio
import shutil
import threading
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from bot.base.errors import StoreError
from bot.base.ids import GameId, Shards, UserId
from bot.base.zones import Interval
from bot.database.connection import AsyncEngine
from bot.play.model.clock import TimeControl
from bot.play.model.events import TimedOut
from bot.play.model.game import Game, Offer
from bot.play.model.offer_events import TakenBack
from bot.play.model.refusals import GameJustEnded, GameNotRunning
from bot.play.model.terms import EndReason, Start
from bot.play.store.store import Store
from bot.play.store.timers import set_timer
from dvonn import Color, format_move
from tests.bot.conftest import Clock
from tests.bot.table import ALL, ANN, BOB, CHANNEL, GUILD, Table, how, raises
from tests.games import random_game

DAYS = TimeControl(bank=timedelta(days=3), increment=timedelta(days=1), cap=timedelta(days=3))
LIVE = TimeControl(bank=timedelta(minutes=15))
EIGHT = random_game(31)[:8]
"""Enough moves that nobody can leave without a result. White is to move."""


async def start(table: Table, control: TimeControl = DAYS) -> Game:
    await table.begin(clock=control)
    return (await table.play_out(EIGHT)).game


async def test_each_move_is_charged_to_its_player(table: Table, clock: Clock) -> None:
    game = await start(table)
    clock.advance(days=2)
    update = await table.play_out(random_game(31)[8:9])
    assert update.events[-1].event.used == timedelta(days=2)
    assert update.game.clock is not None
    assert update.game.clock.time_left(Color.WHITE) == timedelta(days=2)  # 3 - 2 + 1
    assert update.deadline == clock() + timedelta(days=3)
    assert game.clock is not None
    assert game.clock.time_left(Color.WHITE) == timedelta(days=3)


async def test_a_player_without_a_first_move_runs_out_of_time(table: Table, clock: Clock) -> None:
    await table.begin(clock=LIVE)
    clock.advance(minutes=16)
    (update,) = await table.look()
    assert not update.game.is_running


async def test_a_postponed_move_is_acknowledged_even_if_pauses_cannot_be_read(
    table: Table, sqlite_file: Path
) -> None:
    game = await start(table)
    await table.store.close()
    for file in sqlite_file.parent.iterdir():
        file.unlink()
    shutil.copy(__file__, sqlite_file)  # no database
    with pytest.raises(StoreError) as failed:
        await table.play(ANN, format_move(random_game(31)[8], game.row.coordinates))
    assert failed.value.writing  # this shows that it was a move
    for thread in threading.enumerate():  # the failed connection has one, which reports its end
        if "_connection_worker_thread" in thread.name:
            await asyncio.to_thread(thread.join, 10)


async def test_a_weekend_costs_nobody_time(table: Table, clock: Clock) -> None:
    clock.time = datetime(2026, 3, 6, 12, tzinfo=UTC)  # a Friday
    game = await start(table, replace(DAYS, weekends="UTC"))
    assert game.clock is not None
    friday = datetime(2026, 3, 7, tzinfo=UTC) - game.clock.since
    clock.time = datetime(2026, 3, 9, 7, tzinfo=UTC)
    update = await table.play_out(random_game(31)[8:9])
    assert update.events[-1].event.used == friday + timedelta(hours=7)


async def test_no_time_is_up_at_a_weekend(table: Table, clock: Clock) -> None:
    clock.time = datetime(2026, 3, 6, 12, tzinfo=UTC)  # a Friday
    await table.begin(clock=replace(LIVE, bank=DAYS.bank, weekends="UTC"))
    update = await table.play_out(EIGHT)
    assert update.deadline == clock() + timedelta(days=5)
    clock.time = datetime(2026, 3, 11, 11, tzinfo=UTC)
    assert await table.look() == []
    clock.advance(hours=2)
    assert [how(item.game) for item in await table.look()] == [EndReason.TIME]


async def test_offers_take_no_time(table: Table, clock: Clock) -> None:
    game = await start(table)
    clock.advance(hours=1)
    offered = await table.ask(BOB, Offer.DRAW)
    assert offered.events[-1].event.used is None
    assert offered.game.clock == game.clock
    declined = await table.decline(offered.game, ANN)
    assert declined.events[-1].event.used is None
    assert declined.game.clock == game.clock


async def test_a_displayed_clock_equals_the_stored_one(
    table: Table, store: Store, clock: Clock
) -> None:
    await start(table)
    clock.advance(hours=1, microseconds=1_999)
    update = await table.play_out(random_game(31)[8:9])
    assert update.events[-1].event.used == timedelta(hours=1, milliseconds=1)
    assert await Table(store, clock).game_cache.running_in(CHANNEL) == update.game


async def test_clocks_are_the_same_when_read_again(
    table: Table, store: Store, clock: Clock
) -> None:
    await table.begin(clock=DAYS)
    for move in EIGHT:
        clock.advance(hours=7, milliseconds=3)
        update = await table.play_out([move])
    assert (await Table(store, clock).game_cache.running_in(CHANNEL)).clock == update.game.clock


async def test_a_time_that_is_up_ends_the_game_once(table: Table, clock: Clock) -> None:
    game = await start(table)
    clock.advance(days=2, hours=23)
    assert await table.look() == []
    clock.advance(hours=1)
    (update,) = await table.look()
    assert how(update.game) is EndReason.TIME
    event = update.events[-1].event
    assert (event.kind, event.actor, event.source) == (TimedOut, ANN, None)
    assert event.used == timedelta(days=3)
    assert await table.look() == []
    assert await table.store.timers.due(ALL, clock() + timedelta(days=99)) == {}
    for user in (ANN, BOB):
        await raises(GameJustEnded, table.play(user, "a1"))
    await raises(GameNotRunning, table.games.may_move(game.row.id, ANN))


async def test_nobody_is_asked_when_the_time_is_up(table: Table, clock: Clock) -> None:
    await start(table)
    await table.ask(BOB, Offer.DRAW)
    clock.advance(days=4)
    (update,) = await table.look()
    assert (update.game.offered, update.game.asked) == (None, None)


async def test_early_in_a_game_it_costs_nobody_the_game(table: Table, clock: Clock) -> None:
    await table.begin(clock=DAYS)
    await table.play_out(EIGHT[:5])
    clock.advance(days=4)
    (update,) = await table.look()
    assert how(update.game) is EndReason.ABORT


async def test_in_a_live_game_each_move_adds_its_seconds(table: Table, clock: Clock) -> None:
    fischer = TimeControl(bank=timedelta(minutes=10), increment=timedelta(seconds=5))
    await table.begin(clock=fischer)
    clock.advance(seconds=3)
    game = (await table.play_out(EIGHT[:1])).game
    assert game.clock is not None
    assert game.clock.white == timedelta(minutes=10, seconds=2)
    assert game.clock.black == timedelta(minutes=10)
    fresh = Table(table.store, table.clock)  # like another process that replays the events
    assert (await fresh.game_cache.running_in(CHANNEL)).clock == game.clock


async def test_with_a_day_per_move_each_move_has_a_day(table: Table, clock: Clock) -> None:
    day = timedelta(days=1)
    daily = TimeControl(bank=day, increment=day, cap=day)
    await table.begin(clock=daily)
    for ply in range(3):
        clock.advance(hours=20)
        game = (await table.play_out(EIGHT[ply : ply + 1])).game
        assert game.clock is not None
        assert (game.clock.white, game.clock.black) == (day, day)
    clock.advance(hours=25)
    assert len(await table.look()) == 1, "more than a day for one move"


async def test_no_time_is_up_before_all_events_were_received(table: Table, clock: Clock) -> None:
    await start(table, LIVE)
    clock.advance(minutes=16)
    assert await table.look(heard=clock() - timedelta(minutes=2)) == []
    assert len(await table.look()) == 1


async def test_an_outage_stops_the_clock(table: Table, clock: Clock) -> None:
    await start(table)
    clock.advance(days=1)
    silence = Interval(begins=clock(), ends=clock() + timedelta(days=5))
    await table.store.outages.add(0, 1, silence)
    clock.advance(days=6)
    assert await table.look() == []
    clock.advance(days=1)
    assert len(await table.look()) == 1


async def test_an_outage_of_another_shard_does_not_count(table: Table, clock: Clock) -> None:
    await start(table)
    silence = Interval(begins=clock(), ends=clock() + timedelta(days=5))
    await table.store.outages.add(0, 2, silence)  # the guild's id makes it shard 1 of 2
    clock.advance(days=3)
    assert len(await table.look()) == 1


async def test_a_clock_that_goes_back_charges_nothing(table: Table, clock: Clock) -> None:
    await start(table)
    clock.advance(days=-400)
    update = await table.play_out(random_game(31)[8:9])
    assert update.events[-1].event.used == timedelta()


async def test_a_takeback_keeps_the_players_own_clock(table: Table, clock: Clock) -> None:
    bank, hour = timedelta(days=3), timedelta(hours=1)
    await table.begin(clock=TimeControl(bank=bank))

    async def play(user: UserId, text: str, *, hours: int) -> None:
        clock.advance(hours=hours)
        await table.play(user, text)

    async def goes_back(user: UserId) -> tuple[timedelta, timedelta]:
        clock.advance(seconds=30)
        update = await table.ask(user, Offer.TAKEBACK)
        after = update.game.clock
        assert after is not None
        assert (update.events[-1].event.kind, after.since) == (TakenBack, clock())
        return after.white, after.black

    await play(ANN, "a1", hours=1)
    await play(BOB, "b1", hours=2)
    await play(ANN, "c1", hours=3)
    assert await goes_back(ANN) == (bank - 4 * hour, bank - 2 * hour)
    await play(ANN, "d1", hours=0)
    await play(BOB, "e1", hours=5)
    assert await goes_back(BOB) == (bank - 4 * hour, bank - 7 * hour)


FORMS = [
    TimeControl.from_text(text)
    for text in ("1d+1d/1d", "3d+1d/3d", "3d+1d/3d~UTC", "2d+12h", "10d", "10d~Europe/Berlin")
]


@pytest.mark.parametrize("control", FORMS)
async def test_thinking_time_before_an_agreed_takeback_is_charged(
    table: Table, store: Store, clock: Clock, control: TimeControl
) -> None:
    clock.time = datetime(2026, 3, 3, 12, tzinfo=UTC)  # a Tuesday
    await table.begin(clock=control)
    before = (await table.play_out(EIGHT)).game.clock
    assert before is not None
    clock.advance(hours=20)
    asked = await table.ask(ANN, Offer.TAKEBACK)
    clock.advance(hours=1)
    update = await table.agree(asked.game, BOB)
    after = update.game.clock
    assert after is not None
    assert after.white == before.white - timedelta(hours=21)
    assert after == (await Table(store, clock).game_cache.running_in(CHANNEL)).clock


async def test_the_timer_of_a_game_is_set_with_each_turn(table: Table, clock: Clock) -> None:
    await start(table)
    (first,) = (await table.store.timers.due(ALL, clock() + timedelta(days=99))).values()
    assert clock() < first < clock() + timedelta(days=3)
    clock.advance(hours=1)
    await table.play_out(random_game(31)[8:9])
    (second,) = (await table.store.timers.due(ALL, clock() + timedelta(days=99))).values()
    assert second == first + timedelta(hours=1)


async def test_a_reset_timer_is_not_postponed(table: Table, clock: Clock) -> None:
    game = await start(table)
    seen = (await table.store.timers.due(ALL, clock() + timedelta(days=99)))[game.row.id]
    clock.advance(hours=1)
    await table.play_out(random_game(31)[8:9])
    assert not await table.store.timers.put_off(game.row.id, seen, clock() + timedelta(days=50))


async def test_a_timer_without_a_game_is_removed(table: Table, clock: Clock) -> None:
    game = await start(table)
    await table.end(BOB)
    assert await table.look() == []
    assert game.row.id not in await table.store.timers.due(ALL, clock() + timedelta(days=99))


async def test_a_timer_that_has_outlived_its_game_goes(
    table: Table, engine: AsyncEngine, clock: Clock
) -> None:
    game = await start(table)
    await table.end(BOB)
    async with engine.begin() as connection:
        await set_timer(connection, game.row.id, GUILD, clock())
    assert set(await table.timekeeper.due(ALL)) == {game.row.id}
    assert await table.look() == []
    assert await table.timekeeper.due(ALL) == {}


async def test_a_missing_game_needs_no_check(table: Table, clock: Clock) -> None:
    async def heard_until() -> datetime:
        return clock()

    assert await table.timekeeper.check(GameId(99), clock(), received_until=heard_until) is None


async def test_only_this_processes_shards_are_checked(table: Table, clock: Clock) -> None:
    await start(table)
    later = clock() + timedelta(days=99)
    assert await table.store.timers.due(Shards((0,), 2), later) == {}
    assert set(await table.store.timers.due(Shards((1,), 2), later)) == {GameId(1)}


async def test_a_drawn_board_has_its_clock_too(table: Table, clock: Clock) -> None:
    update = await table.accept(await table.challenge(clock=LIVE, start=Start.BALANCED))
    assert update.deadline == clock() + LIVE.bank
