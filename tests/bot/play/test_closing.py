"""Tests for games whose channel or thread is gone, on both databases."""

import pytest

from bot.base.ids import GameId, UserId
from bot.database.connection import AsyncEngine
from bot.play.game_changes import GameUpdate
from bot.play.model.events import Aborted
from bot.play.model.refusals import NoGameHere
from bot.play.model.terms import EndReason
from tests.bot.conftest import Clock
from tests.bot.hands import Hands
from tests.bot.rows import all_rows
from tests.bot.table import ANN, CHANNEL, Table, how

BOT = UserId(900)


async def close(table: Table, game: GameId) -> None:
    await table.leaving.close(game, by=BOT)


async def test_a_game_without_a_place_ends_without_a_result(table: Table) -> None:
    game = (await table.accept(await table.challenge())).game.row.id
    await table.play(ANN, "a1")
    await close(table, game)
    ended = await table.game_cache.existing(game)
    assert how(ended) is EndReason.ABORT
    assert set(ended.position.stacks) == {"a1"}
    *_, event = await table.store.games.events(game)
    assert (event.data, event.actor) == (Aborted(no_place=True), BOT)
    assert event.source is None  # no user asked for this
    with pytest.raises(NoGameHere):
        await table.game_cache.running_in(CHANNEL)


async def test_ended_or_missing_games_are_not_changed(table: Table, engine: AsyncEngine) -> None:
    game = (await table.ended()).row.id
    before = await all_rows(engine)
    await close(table, game)
    await close(table, GameId(99))
    assert await all_rows(engine) == before


async def test_a_move_at_the_last_moment_is_kept(engine: AsyncEngine, clock: Clock) -> None:
    hands = Hands(engine, clock)
    game = (await hands.quick.accept(await hands.quick.challenge())).game.row.id
    late, move = await hands.race(
        lambda table: close(table, game), lambda table: table.play(ANN, "a1")
    )
    assert late is None
    assert isinstance(move, GameUpdate)
    ended = await hands.quick.game_cache.existing(game)
    assert (how(ended), ended.row.revision) == (EndReason.ABORT, 2)
    assert set(ended.position.stacks) == {"a1"}
