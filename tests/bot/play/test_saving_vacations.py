"""Tests for vacations that start automatically before a loss on time."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from bot.base.ids import DELETED_USER, team_of
from bot.base.languages import IN_ENGLISH
from bot.base.zones import Interval
from bot.connection.posts import timestamp
from bot.database.database import Conflict
from bot.database.delivery_rows import NOTE
from bot.play.game_changes import GameUpdate
from bot.play.model.clock import TimeControl
from bot.play.model.events import Deserted
from bot.play.model.game import Game, Offer
from bot.play.model.preferences import SAVED
from bot.play.model.refusals import BadVacation
from bot.play.model.terms import EndReason
from bot.play.model.time_events import VacationTaken
from bot.play.use_cases.clocks import ALLOWANCE, LEFT_AFTER, SAVED_DAYS, saving_vacation
from bot.play.use_cases.ledger import GameAction
from bot.play.use_cases.timekeeper import _can_be_saved
from bot.play.words.boards import note
from tests.bot.conftest import Clock
from tests.bot.table import ANN, BOB, CHANNEL, Table, how, raises
from tests.games import random_game

DAILY = TimeControl(bank=timedelta(days=1), increment=timedelta(days=1), cap=timedelta(days=1))
DAY, HOUR = timedelta(days=1), timedelta(hours=1)
MOVES = random_game(31)


async def start(
    table: Table, *, wants: bool = True, control: TimeControl = DAILY, **terms: Any
) -> Game:
    table.clock.time = datetime(2026, 3, 2, 12, tzinfo=UTC)
    if not wants:
        await table.choices.switch(ANN, auto_vacation=False)
    await table.begin(clock=control, **({"rated": True} | terms))
    return (await table.play_out(MOVES[:8])).game


async def flag(table: Table) -> GameUpdate:
    table.clock.advance(days=1, minutes=1)
    (told,) = await table.look()
    return told


@pytest.mark.both_databases
async def test_check_in_starts_an_hour_before_and_is_announced(table: Table, clock: Clock) -> None:
    game = await start(table)
    deadline = await table.does.ledger.deadline(game)
    assert deadline is not None
    told = await flag(table)
    until = deadline - HOUR + SAVED_DAYS * DAY
    taken = VacationTaken(int(until.timestamp()))
    assert (told.events[-1].event.data, told.events[-1].event.actor) == (taken, ANN)
    assert [delivery.kind for delivery in told.deliveries] == [NOTE]
    assert (
        f"<@{ANN}>'s time was up, so they're on vacation until {timestamp(until)}."
        in note(IN_ENGLISH, told).content
    )
    assert told.deadline == deadline + SAVED_DAYS * DAY
    standing = await table.clocks.of_game(told.game)
    assert standing is not None
    assert standing.white == HOUR
    moved = await table.play_out(MOVES[8:9])
    assert how(moved.game) is None
    assert moved.events[-1].event.used == DAY - HOUR


async def test_an_offer_in_between_takes_no_vacation_away(table: Table) -> None:
    await start(table)
    await table.ask(BOB, Offer.DRAW)
    told = await flag(table)
    assert isinstance(told.events[-1].event.data, VacationTaken)


async def days_taken(table: Table) -> timedelta:
    taken = (await table.vacations.summary(ANN)).allowances[0]
    return ALLOWANCE - taken.left


async def until_lost(table: Table) -> int:
    """Let time pass until Ann has lost, and return how many vacations started."""
    for _ in range(80):
        table.clock.advance(days=1, minutes=1)
        for told in await table.look():
            if not told.game.is_running:
                assert how(told.game) is EndReason.TIME
                kinds = [event.kind for event in await table.store.games.events(told.game.row.id)]
                return kinds.count(VacationTaken)
    pytest.fail("the game was never lost")


async def test_a_saving_vacation_starts_once_a_turn_and_then_the_game_is_lost(table: Table) -> None:
    await start(table)
    await flag(table)
    await table.play_out(MOVES[8:10])
    assert await until_lost(table) == 2
    assert await days_taken(table) == 2 * SAVED_DAYS * DAY


async def test_a_part_of_a_day_counts_as_well(table: Table, clock: Clock) -> None:
    await start(table)
    await table.vacations.start(ANN, 30)
    clock.advance(days=29, hours=12)
    await table.vacations.end(ANN)
    assert await until_lost(table) == 1
    assert await days_taken(table) == ALLOWANCE


async def test_a_vacation_ends_at_the_start_of_the_next(table: Table, clock: Clock) -> None:
    await start(table)
    await table.vacations.start(ANN, 5, "2026-03-05")
    told = await flag(table)
    begins = datetime(2026, 3, 5, tzinfo=UTC)
    assert told.events[-1].event.data == VacationTaken(int(begins.timestamp()))
    assert told.deadline is not None
    assert told.deadline - HOUR == begins + 5 * DAY


def test_over_the_end_of_a_year_both_allowances_count() -> None:
    deadline = datetime(2026, 12, 31, 13, tzinfo=UTC)
    new_year, begins = datetime(2027, 1, 1, tzinfo=UTC), deadline - LEFT_AFTER

    def vacation(year: int, left: timedelta) -> Interval:
        first = datetime(year, 5, 1, tzinfo=UTC)
        return Interval(begins=first, ends=first + ALLOWANCE - left)

    def ends(*used: Interval) -> datetime | None:
        found = saving_vacation(used, deadline)
        return None if found is None else found.ends

    assert ends() == begins + SAVED_DAYS * DAY
    assert ends(vacation(2026, 2 * HOUR)) == begins + 2 * HOUR
    assert ends(vacation(2027, DAY)) == new_year + DAY
    assert ends(vacation(2027, 0 * DAY)) == new_year
    assert ends(vacation(2026, 0 * DAY)) is None
    assert ends(vacation(2026, HOUR - timedelta(seconds=1))) is None


@pytest.mark.both_databases
async def test_the_vacation_and_its_note_are_one_transaction(table: Table, clock: Clock) -> None:
    game = await start(table)
    clock.advance(days=1, minutes=1)
    wanted = await table.vacations.vacation_before_loss(ANN, clock())
    assert wanted is not None
    action = GameAction(game, ANN, (VacationTaken(0),), vacation=wanted)
    await table.vacations.start(ANN, 5)
    await raises(BadVacation, table.does.ledger.write(action, source=None))
    assert (await table.game_cache.existing(game.row.id)).row.revision == game.row.revision
    await table.vacations.end(ANN)
    await table.resign(game, BOB)
    await raises(Conflict, table.does.ledger.write(action, source=None))
    assert (await table.vacations.summary(ANN)).running is None


async def test_players_without_saving_vacations_lose(table: Table) -> None:
    await start(table, wants=False)
    assert how((await flag(table)).game) is EndReason.TIME
    assert SAVED.default is True


async def test_a_strict_challenge_loses_on_time_at_once(
    table: Table,
) -> None:
    game = await start(table, rated=False, strict=True)
    assert game.row.is_strict
    assert how((await flag(table)).game) is EndReason.TIME


async def test_no_clock_is_needed_among_friends(table: Table) -> None:
    game = await start(table, rated=False, strict=False)
    assert not game.row.is_strict
    assert (await flag(table)).events[-1].event.kind is Deserted
    assert await days_taken(table) == timedelta()


async def test_a_saving_vacation_helps_people_only_and_not_in_live_games(
    table: Table,
) -> None:
    game = await start(table)
    row = game.row
    live = TimeControl(bank=timedelta(minutes=15))
    assert _can_be_saved(game, ANN)
    assert _can_be_saved(replace(game, row=replace(row, machine=BOB, rated=False)), ANN)
    for changed in (
        replace(row, clock=live),
        replace(row, claimable=True),
        replace(row, machine=ANN),
        replace(row, clock=None),
    ):
        assert not _can_be_saved(replace(game, row=changed), ANN), changed
    for nobody in (team_of(CHANNEL), DELETED_USER[None]):
        assert not _can_be_saved(replace(game, row=replace(row, white=nobody)), nobody)
