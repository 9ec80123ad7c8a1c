"""Tests for deleting people during other changes, and for people who can't be deleted."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest
from sqlalchemy import Table as SqlTable
from sqlalchemy import insert, select, update

from bot.base.ids import DELETED_USER, GameId, UserId
from bot.database.connection import AsyncEngine
from bot.database.database import lock
from bot.people.model import CannotDelete
from bot.people.store.privacy import PrivacyTable
from bot.play.model.refusals import GameNotRunning
from bot.play.model.terms import EndReason
from bot.play.store.schema import IS_RUNNING, blocks, challenges, events, games
from bot.play.store.store import Store
from dvonn import Color
from tests.bot.conftest import Clock
from tests.bot.table import ANN, BOB, CID, Table, how
from tests.postgresql import somebody_waits

on_postgresql = pytest.mark.parametrize("database_url", ["postgresql"], indirect=True)
"""SQLite has one writer at a time."""


@asynccontextmanager
async def locked_rows(
    engine: AsyncEngine, table: SqlTable, **columns: object
) -> AsyncIterator[None]:
    """Block changes of a table's rows with these values."""
    async with engine.begin() as connection:
        which = [table.c[name] == value for name, value in columns.items()]
        found = await connection.execute(select(table).where(*which).with_for_update())
        assert found.all() != []
        yield


async def done_or_waiting(
    engine: AsyncEngine, work: asyncio.Future[Any], how_many: int = 1
) -> None:
    """Wait until a task is done, or until a number of connections wait for a lock."""
    waiting = asyncio.ensure_future(somebody_waits(engine, how_many))
    await asyncio.wait((work, waiting), return_when=asyncio.FIRST_COMPLETED)
    waiting.cancel()


async def running(engine: AsyncEngine) -> list[GameId]:
    async with engine.connect() as connection:
        rows = await connection.execute(select(games.c.id).where(IS_RUNNING))
        return [GameId(row.id) for row in rows]


async def resigned(table: Table, loser: UserId, winner: UserId) -> GameId:
    """A game that someone has resigned, as White."""
    challenge = await table.challenge(winner, challenger=loser)
    game = (await table.accept(challenge, winner)).game.row.id
    await table.leaving.leave(game, loser)
    return game


@on_postgresql
async def test_no_game_starts_between_the_last_check_of_games_and_the_end(
    engine: AsyncEngine, table: Table, clock: Clock
) -> None:
    other = Table(Store(engine), clock)
    other.last_source = 500_000
    over = await resigned(table, ANN, BOB)
    challenge = await table.challenge()
    async with locked_rows(engine, events, game_id=over, actor_id=ANN):
        erasing = asyncio.ensure_future(table.store.queries(PrivacyTable).erase(ANN, at=clock()))
        await somebody_waits(engine)  # it has seen that Ann has no games
        accepting = asyncio.ensure_future(other.accept(challenge))
        await done_or_waiting(engine, accepting, 2)
    assert await erasing
    with pytest.raises(GameNotRunning):
        await accepting
    assert await running(engine) == []


@on_postgresql
async def test_a_deletion_waits_for_a_starting_game(
    engine: AsyncEngine, table: Table, clock: Clock
) -> None:
    other = Table(Store(engine), clock)
    other.last_source = 500_000
    challenge = await table.challenge()
    async with locked_rows(engine, challenges, id=challenge):
        accepting = asyncio.ensure_future(other.accept(challenge))
        await somebody_waits(engine)  # the game is written, but not visible yet
        erasing = asyncio.ensure_future(table.store.queries(PrivacyTable).erase(ANN, at=clock()))
        await somebody_waits(engine, 2)
    assert not await erasing
    assert await running(engine) == [(await accepting).game.row.id]


@on_postgresql
async def test_a_new_setting_is_deleted_with_its_person(
    engine: AsyncEngine, table: Table, clock: Clock
) -> None:
    async with engine.begin() as connection:
        await lock(connection, ANN)
        await connection.execute(
            insert(blocks), {"player_id": ANN, "blocked_id": BOB}
        )  # nobody else can see this yet
        erasing = asyncio.ensure_future(table.store.queries(PrivacyTable).erase(ANN, at=clock()))
        await done_or_waiting(engine, erasing)
    assert await erasing
    assert (await table.store.queries(PrivacyTable).export(ANN))["blocks"] == []


@on_postgresql
async def test_two_who_have_played_each_other_are_deleted_at_once(
    engine: AsyncEngine, table: Table, clock: Clock
) -> None:
    await resigned(table, ANN, BOB)
    second = await resigned(table, BOB, ANN)
    other = Store(engine)
    async with locked_rows(engine, events, game_id=second, actor_id=ANN):
        ann = asyncio.ensure_future(table.store.queries(PrivacyTable).erase(ANN, at=clock()))
        await somebody_waits(engine)  # she has left the first game, but not the second
        bob = asyncio.ensure_future(other.queries(PrivacyTable).erase(BOB, at=clock()))
        await somebody_waits(engine, 2)
    assert all(await asyncio.gather(ann, bob))
    async with engine.connect() as connection:
        rows = (await connection.execute(select(games.c.white_id, games.c.black_id))).all()
    assert [*map(tuple, rows)] == [(DELETED_USER[Color.WHITE], DELETED_USER[Color.BLACK])] * 2


@pytest.mark.both_databases
async def test_a_person_whose_game_cannot_be_ended_is_informed_and_not_deleted(
    engine: AsyncEngine, table: Table
) -> None:
    """A damaged game: its row says that it is running, and its events say that it has ended."""
    game = await resigned(table, ANN, BOB)
    async with engine.begin() as connection:
        not_over = {"outcome": None, "winner": None, "margin": None, "ended_at": None}
        await connection.execute(update(games).where(games.c.id == game).values(not_over))
    other = (await table.accept(await table.challenge(CID), CID)).game.row.id
    with pytest.raises(CannotDelete) as caught:
        await table.privacy.delete(ANN)
    assert caught.value.games == [game]
    assert how(await table.game_cache.existing(other)) is EndReason.RESIGNATION
    assert (await table.store.queries(PrivacyTable).export(ANN))["games"] != []
