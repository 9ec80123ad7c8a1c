"""Tests for games without a clock whose player has disappeared, on both databases."""

from datetime import datetime, timedelta

import pytest

from bot.base.ids import UserId
from bot.base.zones import Interval
from bot.database.connection import AsyncEngine
from bot.database.delivery_rows import BOARD
from bot.play.game_changes import GameUpdate
from bot.play.model.clock import TimeControl
from bot.play.model.events import Deserted
from bot.play.model.game import Game, Offer
from bot.play.model.refusals import NoGameHere, NotAPlayer, StaleBoard, TooLateToAbort
from bot.play.model.terms import EndReason, Outcome
from bot.play.store.store import Store
from bot.play.use_cases.deadlines import PATIENCE
from bot.play.use_cases.takeovers import can_continue
from tests.bot.conftest import Clock
from tests.bot.hands import Hands
from tests.bot.table import ALL, ANN, BOB, CID, Table, how, raises
from tests.games import random_game

MACHINE = UserId(900)
DAY = timedelta(days=1)
MOVES = random_game(31)
EIGHT = MOVES[:8]
"""Enough moves that nobody can leave without a result. It is Ann's turn."""


async def start(table: Table) -> Game:
    await table.begin()
    return (await table.play_out(EIGHT)).game


async def next_check_time(table: Table) -> datetime:
    (moment,) = (await table.store.timers.due(ALL, table.clock() + 99 * DAY)).values()
    return moment


async def deserted(table: Table) -> Game:
    """A game in which Ann has been absent, and Bob has been told so."""
    await start(table)
    table.clock.advance(days=14)
    (update,) = await table.look()
    return update.game


async def abort(table: Table, user: UserId, *, may_any: bool = False) -> Game:
    if may_any:
        update = await table.end(user)
    else:
        update = await table.abort(user)
    return update.game


async def refusal(table: Table, user: UserId) -> TooLateToAbort:
    return await raises(TooLateToAbort, abort(table, user))


# The notice


async def test_the_notice_after_two_weeks_comes_once(table: Table, clock: Clock) -> None:
    game = await start(table)
    clock.advance(days=14, milliseconds=-1)
    assert await table.look() == []
    clock.advance(milliseconds=1)
    (update,) = await table.look()
    (told,) = update.events
    assert (told.event.kind, told.event.actor, told.event.source) == (Deserted, ANN, None)
    assert [letter.kind for letter in update.deliveries] == [BOARD]
    assert update.deadline is None
    assert update.game.is_running
    assert (update.game.to_move, update.game.left_by) == (ANN, ANN)
    assert update.game.position == game.position
    for _ in range(40):
        assert await table.look() == []
        clock.advance(days=1)


async def test_its_player_to_move_is_called_and_a_picker_of_his_still_counts(table: Table) -> None:
    game = await deserted(table)
    (*_, newest) = await table.store.games.events(game.row.id)
    assert newest.calls(game) == ANN
    back = await table.games.pick(
        game.row.id, game.board_since, ANN, str(MOVES[8]), source=table.source()
    )
    assert game.board_since == game.row.revision - 1
    assert back.game.left_by is None


async def test_a_game_is_checked_as_rarely_as_possible(table: Table, clock: Clock) -> None:
    await table.begin()
    began = clock()
    assert await next_check_time(table) == began + PATIENCE
    clock.advance(days=13)
    await table.play_out(EIGHT)
    assert await next_check_time(table) == began + PATIENCE, "moves set no timer"
    clock.advance(days=1)
    assert await table.look() == []
    assert await next_check_time(table) == began + 13 * DAY + PATIENCE
    assert await table.look() == []
    clock.time = await next_check_time(table)
    assert len(await table.look()) == 1
    await table.look()
    assert await next_check_time(table) == clock() + PATIENCE


async def test_a_move_in_time_restarts_the_two_weeks(table: Table, clock: Clock) -> None:
    await start(table)
    clock.advance(days=13, hours=23)
    await table.play(ANN, str(MOVES[8]))
    clock.advance(days=14, milliseconds=-1)
    assert await table.look() == []
    clock.advance(milliseconds=1)
    (update,) = await table.look()
    assert update.events[-1].event.actor == BOB


async def test_talk_does_not_restart_them(table: Table, clock: Clock) -> None:
    await start(table)
    clock.advance(days=13)
    await table.decline((await table.ask(BOB, Offer.DRAW)).game, ANN)
    clock.advance(days=1)
    assert [update.events[-1].event.actor for update in await table.look()] == [ANN]


async def test_a_takeback_restarts_them(table: Table, clock: Clock) -> None:
    await start(table)
    clock.advance(days=13)
    await table.agree((await table.ask(BOB, Offer.TAKEBACK)).game, ANN)
    clock.advance(days=13)
    assert await table.look() == []
    assert (await refusal(table, ANN)).possible_from == clock() + DAY
    clock.advance(days=1)
    assert [update.events[-1].event.actor for update in await table.look()] == [BOB]


async def test_a_returned_player_can_become_absent_again(table: Table, clock: Clock) -> None:
    await deserted(table)
    clock.advance(days=3)
    assert await table.look() == []
    await table.play(ANN, str(MOVES[8]))
    await table.play(BOB, str(MOVES[9]))
    clock.advance(days=13)
    assert await table.look() == []
    clock.advance(days=1)
    assert [update.events[-1].event.actor for update in await table.look()] == [ANN]


async def test_a_vacation_of_his_does_not_count_and_one_of_the_other_does(
    table: Table, store: Store, clock: Clock
) -> None:
    await start(table)
    await table.vacations.start(BOB, 7)
    clock.advance(days=4)
    await table.vacations.start(ANN, 5)
    clock.advance(days=14)
    assert await table.look() == []
    assert (await refusal(table, BOB)).possible_from == clock() + DAY
    clock.advance(days=1)
    assert len(await table.look()) == 1


async def test_a_vacation_that_ends_early_counts_from_then_on(table: Table, store: Store) -> None:
    await start(table)
    await table.vacations.start(ANN, 30)
    table.clock.advance(days=10)
    assert await table.look() == []
    await table.vacations.end(ANN)
    assert await table.look() == []
    assert await next_check_time(table) == table.clock() + PATIENCE
    table.clock.advance(days=14)
    assert len(await table.look()) == 1


async def test_a_move_on_vacation_leaves_the_opponent_exactly_two_weeks(
    table: Table, store: Store, clock: Clock
) -> None:
    await start(table)
    await table.vacations.start(ANN, 30)
    clock.advance(days=14)
    assert await table.look() == []
    await table.play(ANN, str(MOVES[8]))
    clock.advance(days=14)
    assert [update.events[-1].event.actor for update in await table.look()] == [BOB]


async def test_nobody_counts_as_absent_while_the_bot_is_offline(table: Table, clock: Clock) -> None:
    await start(table)
    clock.advance(days=1)
    await table.store.outages.add(0, 1, Interval(begins=clock(), ends=clock() + 5 * DAY))
    clock.advance(days=17)
    assert await table.look() == []
    clock.advance(days=1)
    assert len(await table.look()) == 1


async def test_nobody_counts_as_absent_before_all_events_were_received(
    table: Table, clock: Clock
) -> None:
    await start(table)
    clock.advance(days=14, minutes=1)
    assert await table.look(heard=clock() - timedelta(minutes=2)) == []
    assert len(await table.look()) == 1


async def test_against_the_machine_or_with_a_clock_no_game_goes_inactive(table: Table) -> None:
    await table.accept(await table.challenge(MACHINE, level=3), ANN)
    assert await table.store.timers.due(ALL, table.clock() + 99 * DAY) == {}
    await table.play_out(MOVES[:9])
    assert (await refusal(table, ANN)).possible_from is None
    await abort(table, CID, may_any=True)
    await table.begin(clock=TimeControl(bank=60 * DAY))
    await table.play_out(EIGHT)
    table.clock.advance(days=59)
    assert await table.look() == []
    assert (await refusal(table, BOB)).possible_from is None


async def test_an_ended_game_is_not_checked_again(table: Table, clock: Clock) -> None:
    game = await start(table)
    await table.resign(game, ANN)
    assert await table.store.timers.due(ALL, clock() + 99 * DAY) == {}


# Actions of the opponent


async def test_the_one_who_waits_ends_it_without_a_result(table: Table, store: Store) -> None:
    game = await deserted(table)
    assert (await refusal(table, ANN)).possible_from is None
    await raises(NotAPlayer, abort(table, CID))
    table.clock.advance(days=40)
    ended = await abort(table, BOB)
    assert (ended.outcome, ended.left_by) == (Outcome(EndReason.ABORT), ANN)
    assert can_continue(ended)
    assert not can_continue(game)
    assert await store.timers.due(ALL, table.clock() + 99 * DAY) == {}
    await raises(NoGameHere, table.play(ANN, str(MOVES[8])))


async def test_an_early_abort_says_when_it_becomes_possible(table: Table, clock: Clock) -> None:
    await start(table)
    clock.advance(days=3)
    assert (await refusal(table, BOB)).possible_from == clock() + 11 * DAY
    assert (await refusal(table, ANN)).possible_from is None


async def test_early_games_can_be_ended_at_once(table: Table) -> None:
    await table.begin()
    await table.play_out(EIGHT[:4])
    assert not can_continue(await abort(table, BOB))


async def test_a_returned_player_cannot_be_left(table: Table, clock: Clock) -> None:
    await deserted(table)
    await table.play(ANN, str(MOVES[8]))
    assert (await refusal(table, ANN)).possible_from == clock() + PATIENCE
    assert (await refusal(table, BOB)).possible_from is None


async def test_a_returned_player_may_agree_to_a_draw_or_resign(table: Table) -> None:
    for what in (Offer.DRAW, None):
        game = await deserted(table)
        if what is None:
            update = await table.resign(game)
        else:
            update = await table.agree((await table.ask(BOB, what)).game, ANN)
        assert can_continue(update.game) is (what is None)


async def test_the_machine_continues_for_a_missing_player(table: Table, store: Store) -> None:
    await deserted(table)
    ended = await abort(table, BOB)

    async def go_on(user: UserId) -> Game:
        row = ended.row
        update = await table.stand_in.continue_game(
            row.id, row.revision, user, MACHINE, source=table.source()
        )
        return update.game

    await raises(NotAPlayer, go_on(ANN))
    new = await go_on(BOB)
    assert (new.row.white, new.row.black, new.row.machine) == (MACHINE, BOB, MACHINE)
    assert (new.position, new.to_move, new.left_by) == (ended.position, MACHINE, None)
    assert how(await table.game_cache.existing(ended.row.id)) is EndReason.ABORT
    assert await store.timers.due(ALL, table.clock() + 99 * DAY) == {}


@pytest.mark.parametrize("moderator", [CID, ANN])
async def test_also_when_a_moderator_has_ended_it(table: Table, moderator: UserId) -> None:
    await deserted(table)
    assert can_continue(await abort(table, moderator, may_any=True))


async def test_without_a_channel_nobody_can_continue(
    table: Table, store: Store, clock: Clock
) -> None:
    game = (await deserted(table)).row.id
    await table.leaving.close(game, by=MACHINE)
    assert not can_continue(await table.game_cache.existing(game))


# At the last moment


@pytest.fixture
async def overdue(table: Table, clock: Clock) -> Game:
    """A game in which Ann has been absent for exactly two weeks."""
    game = await start(table)
    clock.advance(days=14)
    return game


async def looks(table: Table) -> GameUpdate | None:
    return next(iter(await table.look()), None)


async def comes_back(table: Table) -> GameUpdate:
    return await table.play(ANN, str(MOVES[8]))


async def test_two_processes_announce_it_once(
    engine: AsyncEngine, clock: Clock, overdue: Game
) -> None:
    late, first = await Hands(engine, clock).race(looks, looks)
    assert late is None
    assert isinstance(first, GameUpdate)
    assert first.game.row.revision == overdue.row.revision + 1


async def test_a_move_comes_first(engine: AsyncEngine, clock: Clock, overdue: Game) -> None:
    late, first = await Hands(engine, clock).race(looks, comes_back)
    assert late is None
    assert isinstance(first, GameUpdate)
    assert first.game.left_by is None
    assert first.game.row.revision == overdue.row.revision + 1


async def test_a_move_comes_after_it(engine: AsyncEngine, clock: Clock, overdue: Game) -> None:
    late, first = await Hands(engine, clock).race(comes_back, looks)
    assert isinstance(first, GameUpdate)
    assert isinstance(late, GameUpdate)
    assert (late.game.left_by, late.game.row.revision) == (None, overdue.row.revision + 2)


async def test_the_first_player_to_return_cannot_be_left(table: Table, engine: AsyncEngine) -> None:
    await deserted(table)

    async def ends(at: Table) -> Game:
        return await abort(at, BOB)

    late, first = await Hands(engine, table.clock).race(ends, comes_back)
    assert isinstance(first, GameUpdate)
    assert isinstance(late, StaleBoard)
