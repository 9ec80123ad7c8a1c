"""Tests that no clock runs before a turn's board was sent."""

from datetime import timedelta

import pytest
from sqlalchemy import delete

from bot.base.ids import MessageId, UserId
from bot.database.connection import AsyncEngine
from bot.database.delivery_rows import BOARD, DeliveryKind
from bot.database.delivery_rows import deliveries as deliveries_table
from bot.play.game_changes import GameUpdate
from bot.play.model.clock import TimeControl
from bot.play.model.game import Game, Offer
from bot.play.model.pauses import PauseReason
from bot.play.store.store import Store
from bot.play.use_cases.clocks import Clocks
from bot.play.use_cases.deadlines import PATIENCE, deserted_at
from bot.play.use_cases.undelivered import UNDELIVERED
from tests.bot.conftest import Clock
from tests.bot.table import ANN, BOB, CHANNEL, Table, how

DAY = timedelta(days=1)
HOUR = timedelta(hours=1)
SECOND = timedelta(seconds=1)
A_DAY_A_MOVE = TimeControl(bank=DAY, increment=DAY, cap=DAY)
BLITZ = TimeControl(bank=3 * 60 * SECOND, increment=2 * SECOND)


@pytest.fixture
def table(store: Store, clock: Clock) -> Table:
    """Use cases whose boards are sent only by the test."""
    return Table(store, clock, boards_arrive=False)


async def send(table: Table, update: GameUpdate) -> None:
    """Send the board of an update."""
    await table.store.deliveries.mark_sent(update.deliveries, MessageId(7), at=table.clock())


async def send_unsent(table: Table, game: Game, kind: DeliveryKind) -> None:
    """Send the newest unsent board of a kind. Older ones are dropped."""
    deliveries = table.store.deliveries
    *older, newest = [item for item in await deliveries.unsent(game.row.id) if item.kind == kind]
    await deliveries.drop(older, at=table.clock())
    await deliveries.mark_sent([newest], MessageId(8), at=table.clock())


async def clocks(table: Table) -> Clocks:
    _, found = await table.clocks.in_channel(CHANNEL)
    assert found is not None
    return found


async def begun(table: Table, **terms: object) -> Game:
    update = await table.accept(await table.challenge(**terms))  # type: ignore[arg-type]
    await send(table, update)
    return update.game


@pytest.mark.both_databases
async def test_no_time_is_up_while_the_board_is_not_there(table: Table, clock: Clock) -> None:
    await begun(table, clock=A_DAY_A_MOVE)
    update = await table.play(ANN, "a1")
    for _ in range(30):
        clock.advance(hours=13)
        assert await table.look() == []
    found = await clocks(table)
    assert (found.black, found.pause_reason, found.deadline) == (
        DAY,
        PauseReason.UNSENT,
        clock() + DAY,
    )
    await send(table, update)
    clock.advance(hours=23)
    assert await table.look() == []
    found = await clocks(table)
    assert (found.black, found.pause_reason, found.unsent) == (HOUR, None, 390 * HOUR)
    assert found.outage == timedelta()
    clock.advance(hours=2)
    (ended,) = await table.look()
    assert str(how(ended.game)) == "abort"  # the turn had hardly started


async def test_a_late_board_costs_nobody_time(table: Table, clock: Clock) -> None:
    """Like a rate limit of Discord that delays a channel for 40 s."""
    await begun(table, clock=BLITZ)
    update = await table.play(ANN, "a1")
    clock.advance(seconds=40)
    await send(table, update)
    clock.advance(seconds=10)
    update = await table.play(BOB, "b1")
    assert update.events[0].event.used == 10 * SECOND
    found = await clocks(table)
    assert found.black == (180 - 10 + 2) * SECOND


async def test_a_board_that_was_sent_before_a_kill_starts_the_clock_then(
    table: Table, clock: Clock
) -> None:
    """The bot is killed between sending and storing, and finds the message when it starts again."""
    await begun(table, clock=BLITZ)
    update = await table.play(ANN, "a1")
    sent_at = clock()
    clock.advance(minutes=10)
    assert await table.look() == []
    (board,) = update.deliveries
    await table.store.deliveries.mark_sent([board], MessageId(7), at=sent_at)
    await table.does.undelivered.on_found(board)
    (ended,) = await table.look()
    assert str(how(ended.game)) == "abort"


async def test_a_move_before_its_board_costs_no_time(table: Table, clock: Clock) -> None:
    await begun(table, clock=BLITZ)
    update = await table.play(ANN, "a1")
    clock.advance(minutes=5)
    await table.store.deliveries.claim(update.deliveries, batch=1, now=clock())
    update = await table.play(BOB, "b1")
    assert update.events[0].event.used == timedelta()
    assert update.game.outcome is None


async def test_a_move_while_its_board_is_posted_takes_its_time(table: Table, clock: Clock) -> None:
    """The player has seen the board. Only Discord's response is missing."""
    await begun(table, clock=BLITZ)
    await table.play(ANN, "a1")
    clock.advance(seconds=20)
    update = await table.play(BOB, "b1")
    assert update.events[0].event.used == 20 * SECOND


async def test_an_offer_does_not_count_as_a_board(table: Table, clock: Clock) -> None:
    await begun(table, clock=A_DAY_A_MOVE)
    await table.play(ANN, "a1")
    await send(table, await table.ask(ANN, Offer.DRAW))
    clock.advance(days=2)
    assert await table.look() == []


async def test_as_a_guest_the_clock_waits_for_the_next_interaction(
    table: Table, clock: Clock
) -> None:
    """As a guest, the bot postpones a board without an interaction until the next interaction."""
    game = await begun(table, clock=A_DAY_A_MOVE)
    update, deliveries = await table.play(ANN, "a1"), table.store.deliveries
    await deliveries.drop(update.deliveries, at=clock())
    clock.advance(days=3)
    assert await table.look() == []
    rows = await deliveries.revive(game.row.id, update.game.row.revision, now=clock())
    await deliveries.mark_sent(rows, MessageId(9), at=clock())
    clock.advance(hours=3)
    assert (await clocks(table)).black == DAY - 3 * HOUR


async def test_a_board_that_is_forgotten_counts_as_sent(
    table: Table, clock: Clock, engine: AsyncEngine
) -> None:
    """Like a game that is older than the stored records of its boards."""
    await begun(table, clock=A_DAY_A_MOVE)
    await table.play(ANN, "a1")
    async with engine.begin() as connection:
        await connection.execute(delete(deliveries_table))
    clock.advance(hours=3)
    assert (await clocks(table)).black == DAY - 3 * HOUR


async def test_no_game_is_inactive_because_of_a_missing_board(table: Table, clock: Clock) -> None:
    await begun(table, rated=True)
    update = await table.play(ANN, "a1")
    clock.advance(days=30)
    assert await table.look() == []
    assert await deserted_at(table.store, update.game, clock()) == clock() + PATIENCE
    await send(table, update)
    assert await deserted_at(table.store, update.game, clock()) == clock() + PATIENCE
    clock.advance(days=15)
    (lies,) = await table.look()
    assert lies.game.left_by == BOB


# The people who are told


async def undelivered_notices(table: Table) -> list[tuple[UserId | None, str]]:
    rows = await table.store.deliveries.all_unsent()
    return [(row.player, row.key) for row in rows if row.kind == UNDELIVERED]


@pytest.mark.both_databases
async def test_both_players_are_informed_once_until_a_board_is_sent(
    table: Table, clock: Clock
) -> None:
    game = await begun(table, clock=A_DAY_A_MOVE)
    deliveries = table.store.deliveries

    async def move_in_vain(tries: int) -> None:
        await table.move(await table.game_cache.running(game.row.id))
        for _ in range(tries):
            *_, row = [item for item in await deliveries.unsent(game.row.id) if item.kind == BOARD]
            await table.does.undelivered.notify(row)
            clock.advance(minutes=1)
            await deliveries.claim([row], batch=1, now=clock())

    await move_in_vain(1)
    assert await undelivered_notices(table) == []
    await move_in_vain(3)
    await move_in_vain(2)
    assert [player for player, _ in await undelivered_notices(table)] == [ANN, BOB]
    assert await deliveries.stuck([game.row.id]) == {game.row.id}
    await send_unsent(table, game, BOARD)
    assert await deliveries.stuck([game.row.id]) == frozenset()
    await move_in_vain(2)
    assert [player for player, _ in await undelivered_notices(table)] == [ANN, BOB, ANN, BOB]
