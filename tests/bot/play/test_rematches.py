"""Tests for pressing *Rematch* repeatedly: a game has one rematch."""

import asyncio

import pytest

from bot.base.ids import ChannelId, MessageId, UserId
from bot.database.connection import AsyncEngine
from bot.play.game_changes import GameUpdate
from bot.play.model.game import Game
from bot.play.model.refused_starts import RematchOffered
from bot.play.model.terms import ChallengeRow, ChallengeState
from bot.play.store.store import Store
from tests.bot.conftest import Clock
from tests.bot.hands import Hands
from tests.bot.rows import all_rows
from tests.bot.table import ANN, BOB, CHANNEL, CID, MESSAGE, Table, raises, venue

BOARD = MessageId(700)


@pytest.fixture
async def game(table: Table) -> Game:
    return await table.ended()


async def offered(table: Table, game: Game, user: UserId) -> ChallengeRow:
    """A rematch that was offered and whose message was posted."""
    row, update = await table.rematch(game, user)
    assert update is None
    await table.store.challenges.set_message(row.id, MESSAGE)
    return row


async def refused(table: Table, game: Game, user: UserId) -> RematchOffered:
    """Check that a press changes nothing, and return its answer."""
    before = await all_rows(table.store._database._engine)
    caught = await raises(RematchOffered, table.rematch(game, user))
    assert await all_rows(table.store._database._engine) == before
    return caught


async def test_pressed_again_it_says_where_it_is(table: Table, game: Game) -> None:
    row = await offered(table, game, ANN)
    for process in (table, Table(table.store, table.clock)):
        process.last_source = 9_000
        error = await refused(process, game, ANN)
        assert error.challenge.id == row.id
        assert error.challenge.state is ChallengeState.OPEN
        assert error.where == (CHANNEL, MESSAGE)


@pytest.mark.parametrize("user", [ANN, BOB])
async def test_an_accepted_rematch_is_the_only_one(
    table: Table, game: Game, clock: Clock, user: UserId
) -> None:
    await offered(table, game, ANN)
    _, update = await table.rematch(game, BOB)
    assert update is not None
    error = await refused(table, game, user)
    assert error.challenge.state is ChallengeState.ACCEPTED
    assert error.where == (CHANNEL, None)
    await table.store.deliveries.mark_sent(update.deliveries, BOARD, at=clock())
    assert (await refused(table, game, user)).where == (CHANNEL, BOARD)
    # This holds after the rematch has ended, too, because its last board offers the next one.
    end = await table.resign(update.game)
    assert (await refused(table, game, user)).challenge.game == update.game.row.id
    assert (await table.rematch(end.game, user))[1] is None


async def test_a_rematch_that_came_to_nothing_can_be_repeated(table: Table, game: Game) -> None:
    await offered(table, game, ANN)
    await table.rematch(game, BOB)
    await table.end()
    again, update = await table.rematch(game, ANN)
    assert update is None
    assert again.state is ChallengeState.OPEN


async def test_a_declined_player_sends_another_challenge(table: Table, game: Game) -> None:
    row = await offered(table, game, ANN)
    await table.lobby.decline(row.id, BOB)
    assert (await refused(table, game, ANN)).challenge.state is ChallengeState.DECLINED
    await offered(table, game, BOB)  # Bob has changed his mind
    _, update = await table.rematch(game, ANN)
    assert update is not None


async def test_a_withdrawal_pings_nobody_again(table: Table, game: Game) -> None:
    row = await offered(table, game, ANN)
    await table.lobby.cancel(row.id, ANN)
    assert (await refused(table, game, ANN)).challenge.state is ChallengeState.CANCELLED
    await offered(table, game, BOB)


async def test_unanswered_questions_can_be_asked_again(
    table: Table, game: Game, clock: Clock
) -> None:
    old = await offered(table, game, ANN)
    clock.advance(days=7)
    await table.lobby.cancel((await offered(table, game, BOB)).id, BOB)
    new = await offered(table, game, ANN)
    assert new.id > old.id


async def test_a_rematch_that_never_reached_the_channel_is_posted_again(
    table: Table, game: Game, clock: Clock
) -> None:
    row, _ = await table.rematch(game, ANN)
    assert (await refused(table, game, ANN)).where == (CHANNEL, None)  # the challenge is being sent
    clock.advance(minutes=1)
    assert await table.rematch(game, ANN) == (row, None)


async def test_against_the_machine_too_there_is_one(table: Table) -> None:
    challenge = await table.challenge(CID, level=3)
    end = (await table.resign((await table.accept(challenge, CID)).game)).game
    row = await offered(table, end, ANN)
    assert (await refused(table, end, ANN)).where == (CHANNEL, MESSAGE)
    await table.lobby.accept(row.id, CID, message=MESSAGE, venue=venue(), source=table.source())
    assert (await refused(table, end, ANN)).challenge.state is ChallengeState.ACCEPTED


async def test_many_presses_of_both_at_once_make_one_game(
    table: Table, store: Store, clock: Clock, game: Game
) -> None:
    tables = [table, *(Table(store, clock) for _ in range(7))]
    for number, one in enumerate(tables):
        one.last_source = 10_000 * (number + 1)
    results = await asyncio.gather(
        *(one.rematch(game, [ANN, BOB][number % 2]) for number, one in enumerate(tables)),
        return_exceptions=True,
    )
    made = [result for result in results if isinstance(result, tuple)]
    assert sorted(update is None for _, update in made) == [False, True]
    refusals = [result for result in results if isinstance(result, BaseException)]
    assert {type(refusal) for refusal in refusals} == {RematchOffered}
    assert [rematch.state for rematch in await store.challenges.rematches(game.row.id)] == [
        ChallengeState.ACCEPTED
    ]


async def test_a_press_is_overtaken_by_a_whole_rematch(hands: Hands, engine: AsyncEngine) -> None:
    """It read none. Before it writes one, another process offers one that is accepted."""
    game = await hands.quick.ended()

    async def both_ask(table: Table) -> GameUpdate | None:
        await table.rematch(game, ANN)
        return (await table.rematch(game, BOB))[1]

    late, update = await hands.race(lambda table: table.rematch(game, ANN), both_ask)
    assert isinstance(update, GameUpdate)
    assert isinstance(late, RematchOffered)
    assert late.where == (update.game.row.channel, None)
    assert len(await Store(engine).challenges.rematches(game.row.id)) == 1


async def test_a_press_is_overtaken_by_the_same_acceptance(hands: Hands) -> None:
    game = await hands.quick.ended()
    await hands.quick.rematch(game, ANN)
    late, first = await hands.race(
        lambda table: table.rematch(game, BOB), lambda table: table.rematch(game, BOB)
    )
    assert isinstance(first, tuple)
    assert isinstance(late, RematchOffered)
    assert late.challenge.state is ChallengeState.ACCEPTED


async def test_a_rematch_in_a_thread_is_found_there(table: Table, game: Game) -> None:
    await offered(table, game, ANN)
    await table.begin(CID)
    await table.rematch(game, BOB)  # under the board 601
    assert (await refused(table, game, ANN)).where == (ChannelId(601), None)
