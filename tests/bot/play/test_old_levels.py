"""Tests of games and plans from versions with ten levels."""

import importlib
from dataclasses import replace
from typing import Any

import pytest
import sqlalchemy as sa

from bot.base.ids import ChannelId, UserId
from bot.base.languages import IN_ENGLISH
from bot.database.connection import AsyncEngine
from bot.play.store.schema import games
from bot.play.use_cases.rematches import next_level
from bot.play.words.boards import board
from bot.play.words.challenges import level_name
from dvonn.machine import LEVELS, MEASURED, VERSION, level_now
from tests.bot.table import ANN, BOB, CHANNEL, Table

MACHINE = UserId(900)
MIGRATION = importlib.import_module("bot.database.migrations.versions.0041_release_0_2_0")


@pytest.mark.parametrize(("level", "version"), [(8, None), (1, None), (10, None)])
async def test_an_older_versions_game_continues_with_the_same_strength(
    table: Table, engine: AsyncEngine, level: int, version: int | None
) -> None:
    today = level_now(level, version)
    begun = await table.begin(MACHINE, level=level)
    async with engine.begin() as connection:
        old = sa.update(games).where(games.c.id == begun.row.id).values(engine=version)
        await connection.execute(old)
    other = Table(table.store, table.clock)  # a process that has read nothing yet
    other.last_source = table.last_source + 1_000
    game = await other.game_cache.running_in(CHANNEL)
    assert (game.row.level, game.row.level_now) == (level, today), "it keeps what it says"
    assert await other.lobby.usual_level(ANN) == today
    won = (await other.resign(game, MACHINE)).game
    assert next_level(won) == (today + 1 if today < LEVELS[-1] else None)
    row, _ = await other.rematch(won, ANN)
    assert row.terms.level == today


async def test_its_first_board_names_the_level_that_it_plays_at(table: Table) -> None:
    new = await table.accept(await table.challenge(MACHINE, level=8), ANN)
    old = replace(new, game=replace(new.game, row=replace(new.game.row, engine=None)))
    for told, level in ((new, 8), (old, level_now(8, None))):
        assert f"Level {level_name(IN_ENGLISH, level)}." in board(IN_ENGLISH, told).content


def test_stronger_levels_stay_stronger_and_the_strongest_the_strongest() -> None:
    now = [level_now(level, None) for level in range(1, 11)]
    assert now == sorted(set(now) & set(LEVELS))
    assert now[-1] == MEASURED[-1]
    assert level_now(14, None) == 14, "an older process began a newer one's tournament game"


def test_a_level_of_today_is_itself() -> None:
    assert [level_now(level, VERSION) for level in LEVELS] == list(LEVELS)


async def test_unfinished_games_continue_with_the_same_strength(
    table: Table, engine: AsyncEngine
) -> None:
    await table.begin(MACHINE, level=8)
    await table.challenge(MACHINE, level=8, channel=ChannelId(501))
    await table.challenge(BOB, channel=ChannelId(502))
    async with engine.begin() as connection:
        await connection.run_sync(MIGRATION.convert_levels)
    assert await levels(engine, "challenges") == [8, 13, None]
    assert await levels(engine, "games") == [8]


def plain(name: str, *columns: str) -> Any:
    """Return a table with its stored values."""
    return sa.table(name, *map(sa.column, columns))


async def levels(engine: AsyncEngine, name: str) -> list[int | None]:
    """Return the levels in a table, in the order of insertion."""
    rows = plain(name, "level", "id")
    async with engine.connect() as connection:
        found = await connection.execute(sa.select(rows.c.level).order_by(list(rows.c)[1]))
        return list(found.scalars())
