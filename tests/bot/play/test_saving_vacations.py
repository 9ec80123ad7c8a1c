"""A vacation that begins by itself before a loss on time, where somebody wants that."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from bot.base.ids import TournamentId
from bot.base.languages import IN_ENGLISH
from bot.database.delivery_rows import NOTE
from bot.play.game_changes import Update
from bot.play.model.clock import TimeControl
from bot.play.model.game import Game
from bot.play.model.preferences import SAVED
from bot.play.model.terms import How
from bot.play.model.time_events import VacationTaken
from bot.play.use_cases.clocks import ALLOWANCE, SAVED_DAYS
from bot.play.use_cases.timekeeper import _can_be_saved
from bot.play.words.boards import note
from tests.bot.conftest import Clock
from tests.bot.table import ANN, BOB, Table, how
from tests.games import random_game

DAILY = TimeControl(bank=timedelta(days=1), increment=timedelta(days=1), cap=timedelta(days=1))
DAY, HOUR = timedelta(days=1), timedelta(hours=1)
MOVES = random_game(31)


async def start(table: Table, *, wants: bool = True, control: TimeControl = DAILY) -> Game:
    table.clock.time = datetime(2026, 3, 2, 12, tzinfo=UTC)
    if wants:
        await table.choices.switch(ANN, auto_vacation=True)
    await table.begin(clock=control)
    return (await table.play_out(MOVES[:8])).game


async def flag(table: Table) -> Update:
    table.clock.advance(days=1, minutes=1)
    (told,) = await table.look()
    return told


@pytest.mark.both_databases
async def test_it_begins_an_hour_before_and_both_are_told(table: Table, clock: Clock) -> None:
    game = await start(table)
    deadline = await table.does.ledger.deadline(game)
    assert deadline is not None
    told = await flag(table)
    assert (told.told[-1].event.what, told.told[-1].event.actor) == (VacationTaken(3), ANN)
    assert [one.kind for one in told.deliveries] == [NOTE]
    assert (
        f"<@{ANN}>'s time was up, so they're on vacation for 3 days"
        in note(IN_ENGLISH, told).content
    )
    assert told.deadline == deadline + SAVED_DAYS * DAY
    standing = await table.clocks.of(told.game)
    assert standing is not None
    assert standing.white == HOUR
    moved = await table.play_out(MOVES[8:9])
    assert how(moved.game) is None
    assert moved.told[-1].event.used == DAY - HOUR


async def test_it_comes_again_until_no_day_is_left_and_then_the_game_is_lost(
    table: Table, clock: Clock
) -> None:
    await start(table)
    taken = 0
    for _ in range(80):
        clock.advance(days=1, minutes=1)
        for told in await table.look():
            what = told.told[-1].event.what
            taken += what.days if isinstance(what, VacationTaken) else 0
            if not told.game.is_running:
                assert how(told.game) is How.TIME
                assert taken == ALLOWANCE.days
                return
    pytest.fail("the game was never lost")


async def test_whoever_does_not_want_it_loses(table: Table) -> None:
    await start(table, wants=False)
    assert how((await flag(table)).game) is How.TIME
    assert SAVED.default is False


async def test_it_never_comes_in_live_games_tournaments_and_where_whoever_waits_decides(
    table: Table,
) -> None:
    game = await start(table)
    row = game.row
    live = TimeControl(bank=timedelta(minutes=15))
    assert _can_be_saved(game, ANN)
    for changed in (
        replace(row, clock=live),
        replace(row, tournament=TournamentId(1)),
        replace(row, claimable=True),
        replace(row, machine=ANN),
        replace(row, clock=None),
    ):
        assert not _can_be_saved(replace(game, row=changed), ANN), changed
    assert game.opponent(ANN) == BOB
