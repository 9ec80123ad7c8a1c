"""Tests for games and challenges of 0.1.0."""

import importlib
from datetime import timedelta
from typing import Any

import pytest
from sqlalchemy import insert, select, update

from bot.base.ids import ChannelId, UserId
from bot.database.connection import AsyncEngine
from bot.database.delivery_rows import BOARD
from bot.play.model.clock import TimeControl
from bot.play.model.game import Game
from bot.play.model.terms import Start
from bot.play.store.schema import challenges, events, games
from dvonn import Color, Position, symmetric_start
from tests.bot.rows import all_rows
from tests.bot.table import ANN, BOB, CHANNEL, Table
from tests.games import drawn

MACHINE = UserId(900)
SEED = 2001
LIVE = TimeControl(bank=timedelta(minutes=10))
MINUTE = timedelta(minutes=1)
BOARD_2: tuple[str, UserId, dict[str, Any], int] = ("pick", ANN, {"number": 2}, 4)
MIGRATION = importlib.import_module("bot.database.migrations.versions.0041_release_0_2_0")


async def old_game(
    table: Table,
    engine: AsyncEngine,
    *picks: tuple[str, UserId, dict[str, Any], int],
    start: Start = Start.PIE,
    white: UserId = ANN,
    began: dict[str, Any] | None = None,
) -> Game:
    """A running game as an older version left it. Each pick took some minutes."""
    row = (await table.begin(clock=LIVE)).row
    changes = {"start": start.value, "seed": SEED, "revision": len(picks)}
    seats = {"white_id": white, "black_id": BOB if white == ANN else ANN}
    at = table.clock()
    async with engine.begin() as connection:
        own = games.c.id == row.id
        await connection.execute(update(games).where(own).values(**changes, **seats))
        if began is not None:
            of_game = events.c.game_id == row.id
            await connection.execute(update(events).where(of_game).values(data=began))
        for revision, (kind, actor, data, minutes) in enumerate(picks, start=1):
            at += minutes * MINUTE
            values = {"game_id": row.id, "revision": revision, "kind": kind, "data": data}
            values |= {"actor_id": actor, "at": at, "used_ms": minutes * 60_000}
            await connection.execute(insert(events).values(values))
    table.clock.time = at
    return await reread(table)


def another(table: Table) -> Table:
    """A process with an empty cache."""
    other = Table(table.store, table.clock)
    other.last_source = table.last_source + 1_000
    return other


async def reread(table: Table) -> Game:
    return await another(table).game_cache.running_in(CHANNEL)


def minutes_left(game: Game) -> dict[UserId, timedelta]:
    assert game.clock is not None
    return {game.player(color): game.clock.time_left(color) for color in Color}


@pytest.mark.parametrize("color", Color)
async def test_an_old_games_picks_give_its_board_and_seats_and_clocks(
    table: Table, engine: AsyncEngine, color: Color
) -> None:
    white = BOB if color is Color.WHITE else ANN
    side = ("side", BOB, {"color": color.value}, 1)
    game = await old_game(table, engine, BOARD_2, side, white=white)
    assert (game.position, game.random_seed) == (drawn(SEED + 1), SEED + 1)
    assert (game.row.white, game.to_move) == (white, white)
    assert minutes_left(game) == {ANN: 6 * MINUTE, BOB: 9 * MINUTE}
    after = (await another(table).move(game)).game
    assert after.position == drawn(SEED + 1).play(game.position.legal_moves()[0])
    assert await reread(table) == after


async def test_the_accepting_player_has_picked_in_some_rematches(
    table: Table, engine: AsyncEngine
) -> None:
    picks = (("pick", BOB, {"number": 1}, 4), ("side", ANN, {"color": "W"}, 1))
    game = await old_game(table, engine, *picks, began={"picks": True})
    assert (game.position, game.row.white) == (drawn(SEED), ANN)
    assert minutes_left(game) == {ANN: 9 * MINUTE, BOB: 6 * MINUTE}


async def test_a_symmetric_board_is_its_seeds(table: Table, engine: AsyncEngine) -> None:
    game = await old_game(table, engine, start=Start.SYMMETRIC)
    position = Position.initial()
    for placement in symmetric_start(SEED):
        position = position.play(placement)
    assert (game.position, game.random_seed) == (position, SEED)


@pytest.mark.parametrize(("picks", "seed"), [((), SEED), ((BOARD_2,), SEED + 1)])
async def test_a_game_that_waited_for_a_pick_continues_without_it(
    table: Table, engine: AsyncEngine, picks: tuple[Any, ...], seed: int
) -> None:
    before = await old_game(table, engine, *picks)
    async with engine.begin() as connection:
        await connection.run_sync(MIGRATION.settle_picks)
    game = await reread(table)
    assert (game.row.white, game.row.black) == (ANN, BOB)
    assert (game.position, game.board_seed, game.to_move) == (drawn(seed), seed, ANN)
    assert minutes_left(game) == minutes_left(before), "it took nobody's time"
    assert game.turn_since is not None
    actors = [event.actor for event in await table.store.games.events(game.row.id)]
    assert actors == [BOB, ANN, BOB]
    newest = (await table.store.deliveries.unsent(game.row.id))[-1]
    assert (newest.kind, newest.event_key) == (BOARD, (game.row.id, 2))
    table.clock.time = game.turn_since
    after = (await another(table).move(game)).game
    assert await reread(table) == after


async def test_no_other_game_is_touched(table: Table, engine: AsyncEngine) -> None:
    await another(table).resign(await old_game(table, engine), ANN)
    await old_game(table, engine, BOARD_2, ("side", BOB, {"color": "B"}, 1))
    await table.begin(start=Start.BALANCED, channel=ChannelId(501))
    before = await all_rows(engine)
    async with engine.begin() as connection:
        await connection.run_sync(MIGRATION.settle_picks)
    assert await all_rows(engine) == before


@pytest.mark.parametrize("start", [Start.PIE, Start.SYMMETRIC])
async def test_old_starts_become_balanced_boards(
    table: Table, engine: AsyncEngine, start: Start
) -> None:
    game, other = await old_game(table, engine, start=start), another(table)
    challenge, _ = await other.rematch((await other.resign(game)).game, BOB)
    assert challenge.terms.start is Start.BALANCED
    asked = await other.challenge(start=start, channel=ChannelId(501))
    async with engine.begin() as connection:
        await connection.run_sync(MIGRATION.convert_starts)
    for begun in (await other.accept(challenge.id, ANN), await other.accept(asked)):
        assert begun.game.row.start is Start.BALANCED


async def test_levels_become_the_nearest_of_today(table: Table, engine: AsyncEngine) -> None:
    await table.begin(MACHINE, level=8)
    for level in (1, 8, 10):
        await table.challenge(MACHINE, level=level, channel=ChannelId(502))
    await table.challenge(BOB, channel=ChannelId(502))
    async with engine.begin() as connection:
        await connection.run_sync(MIGRATION.convert_levels)
        for rows, levels in ((games, [13]), (challenges, [13, 3, 13, 16, None])):
            found = await connection.execute(select(rows.c.level).order_by(rows.c.id))
            assert list(found.scalars()) == levels
