"""Tests for the machine that continues a game after a player has left."""

from dataclasses import replace
from datetime import timedelta

import pytest

from bot.base.errors import AlreadyHandled
from bot.base.ids import BEFORE_START, GameId, Revision, Shards, UserId
from bot.database.delivery_rows import BOARD
from bot.play.model.clock import TimeControl
from bot.play.model.events import Continued
from bot.play.model.game import Game, Offer
from bot.play.model.offer_events import RestPlaced
from bot.play.model.refusals import GameNotRunning, NotAPlayer, StaleBoard
from bot.play.model.refused_starts import ChannelBusy
from bot.play.model.terms import FIRST_LEVEL, EndReason, Start
from bot.play.store.store import Store
from bot.play.use_cases.takeovers import LEVEL, MachineTakeover, can_continue
from tests.bot.conftest import Clock
from tests.bot.looked import due_games
from tests.bot.table import ANN, BOB, CHANNEL, CID, Table, how, raises
from tests.games import random_game

MACHINE = UserId(900)
ALL = Shards((0,), 1)


@pytest.fixture
def stand_in(table: Table) -> MachineTakeover:
    return table.stand_in


async def left_by_bob(table: Table, plies: int, start: Start = Start.PLACEMENT) -> Game:
    game = await table.begin(start=start)
    for _ in range(plies):
        game = (await table.move(game, game.position.legal_moves()[-1])).game
    update = await table.resign(game, BOB)
    return update.game


async def go_on(table: Table, stand_in: MachineTakeover, game: Game, user: UserId = ANN) -> Game:
    update = await stand_in.continue_game(
        game.row.id, game.row.revision, user, MACHINE, source=table.source()
    )
    assert [told.event.kind for told in update.events] == [Continued]
    # If it is to move, its move is told in the same message.
    letters = [] if update.game.waits_for_machine else [BOARD]
    assert [letter.kind for letter in update.deliveries] == letters
    untold = await table.games.unannounced(
        update.game.row.id, update.game.row.revision, BEFORE_START
    )
    assert untold.events == update.events  # none of the other game's deliveries
    return update.game


@pytest.mark.parametrize("plies", [0, 8, 9])
@pytest.mark.parametrize("start", [Start.PLACEMENT, Start.BALANCED])
async def test_the_same_position_is_played_on(
    table: Table, stand_in: MachineTakeover, store: Store, clock: Clock, start: Start, plies: int
) -> None:
    game = await left_by_bob(table, plies, start)
    new = await go_on(table, stand_in, game)
    assert new.position == game.position
    assert (new.row.white, new.row.black, new.row.machine) == (ANN, MACHINE, MACHINE)
    assert new.row.continues == game.row.id
    assert new.is_running
    assert how(await table.game_cache.existing(game.row.id)) is EndReason.RESIGNATION
    assert await Table(store, clock).game_cache.running_in(CHANNEL) == new
    assert new.waits_for_machine is (new.to_move == MACHINE)
    assert await store.games.get(new.row.id) == new.row
    *_, begun = await store.games.events(new.row.id)
    assert begun.actor == ANN  # the player of the last move


async def test_games_with_takebacks_and_random_placements_can_be_continued_too(
    table: Table, stand_in: MachineTakeover, store: Store
) -> None:
    await table.begin()
    await table.play_out(random_game(5)[:4])
    await table.ask(BOB, Offer.TAKEBACK)
    game = (await table.ask(BOB, Offer.FINISH)).game
    update = await table.agree(game, ANN)
    game = update.game
    update = await table.resign(game, BOB)
    new = await go_on(table, stand_in, update.game)
    assert new.position == game.position
    assert await store.games.get(new.row.id) == new.row
    *_, lot, begun = await store.games.events(new.row.id)
    assert (lot.kind, begun.kind) == (RestPlaced, Continued)


async def test_only_the_player_who_is_left_can_ask(table: Table, stand_in: MachineTakeover) -> None:
    game = await left_by_bob(table, 9)
    for user in (BOB, CID):
        await raises(NotAPlayer, go_on(table, stand_in, game, user))
    with pytest.raises(GameNotRunning):
        await stand_in.continue_game(
            GameId(99), game.row.revision, ANN, MACHINE, source=table.source()
        )


async def test_an_abandoned_game_is_continued_once(table: Table, stand_in: MachineTakeover) -> None:
    game = await left_by_bob(table, 9)
    source = table.source()
    await stand_in.continue_game(game.row.id, game.row.revision, ANN, MACHINE, source=source)
    with pytest.raises(AlreadyHandled):
        await stand_in.continue_game(game.row.id, game.row.revision, ANN, MACHINE, source=source)
    await table.end()
    await raises(StaleBoard, go_on(table, stand_in, game))


async def test_a_game_that_was_played_out_is_over(table: Table, stand_in: MachineTakeover) -> None:
    await table.begin()
    update = await table.play_out(random_game(6))
    with pytest.raises((StaleBoard, NotAPlayer)):
        await go_on(table, stand_in, update.game)


async def test_another_game_in_the_channel_comes_first(
    table: Table, stand_in: MachineTakeover
) -> None:
    game = await left_by_bob(table, 9)
    other = (await table.begin(CID)).row.id
    caught = await raises(ChannelBusy, go_on(table, stand_in, game))
    assert (caught.channel, caught.game) == (CHANNEL, other)


@pytest.mark.parametrize("plies", [7, 8])
async def test_it_plays_without_a_clock_at_its_own_level(
    table: Table, stand_in: MachineTakeover, store: Store, clock: Clock, plies: int
) -> None:
    control = TimeControl(bank=timedelta(days=3))
    await table.begin(clock=control)
    game = (await table.play_out(random_game(5)[:plies])).game
    clock.advance(days=4)
    (ended,) = await table.look()
    assert how(ended.game) is EndReason.TIME
    (left,) = {ANN, BOB} - {ended.events[-1].event.actor}
    clock.advance(hours=1)
    update = await stand_in.continue_game(
        game.row.id, ended.game.row.revision, left, MACHINE, source=table.source()
    )
    new = update.game
    assert (new.row.clock, new.clock, update.deadline) == (None, None, None)
    assert new.row.level == LEVEL
    assert (new.row.white, new.row.black) == ((ANN, MACHINE) if left == ANN else (MACHINE, BOB))
    *copies, begun = await store.games.events(new.row.id)
    assert {(event.source, event.used) for event in copies} == {(None, None)}
    assert {event.actor for event in copies} == {left, MACHINE}
    assert (begun.actor, begun.at, begun.data) == (left, clock(), Continued())
    assert await store.games.beginner(new.row) == left
    assert [event.revision for event in (*copies, begun)] == list(range(plies + 2))
    assert await store.timers.due(ALL, clock() + timedelta(days=99)) == {}
    assert new.row.id not in await due_games(store, clock() + timedelta(seconds=4))
    has_board = new.row.id in await due_games(store, clock() + timedelta(seconds=5))
    assert has_board is not new.waits_for_machine


async def test_a_board_that_is_not_the_last_cannot_be_continued(
    table: Table, stand_in: MachineTakeover
) -> None:
    game = await left_by_bob(table, 9)
    with pytest.raises(StaleBoard):
        await stand_in.continue_game(game.row.id, Revision(9), ANN, MACHINE, source=table.source())


async def test_the_machine_replaces_only_a_player_who_left(table: Table) -> None:
    left = await left_by_bob(table, 9)
    assert can_continue(left)
    assert not can_continue(replace(left, row=replace(left.row, machine=ANN)))
    game = await table.begin()
    assert not can_continue(game)
    aborted = await table.abort(ANN)
    assert not can_continue(aborted.game)
    await table.begin()
    assert not can_continue((await table.play_out(random_game(6))).game)


async def test_nobody_plays_on_against_the_machine_for_the_machine(
    table: Table, stand_in: MachineTakeover
) -> None:
    challenge = await table.challenge(MACHINE, level=3)
    game = (await table.accept(challenge, ANN)).game.row
    await table.leaving.resign(game.id, Revision(0), ANN, source=table.source())
    with pytest.raises(StaleBoard):
        await stand_in.continue_game(game.id, Revision(1), MACHINE, MACHINE, source=table.source())


async def test_a_level_that_they_did_not_choose_is_not_the_usual_one(
    table: Table, stand_in: MachineTakeover
) -> None:
    game = await left_by_bob(table, 9)
    await go_on(table, stand_in, game)
    assert await table.lobby.usual_level(ANN) == FIRST_LEVEL
