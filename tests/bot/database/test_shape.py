"""Tests for databases whose tables differ from the code's."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from sqlalchemy import (
    CheckConstraint,
    Column,
    Connection,
    Constraint,
    Index,
    MetaData,
    PrimaryKeyConstraint,
    String,
    Table,
    inspect,
    text,
)
from sqlalchemy.schema import CreateIndex, CreateTable
from sqlalchemy.sql.elements import conv
from sqlalchemy.util import await_only

from bot.base.database_address import database_address
from bot.base.errors import DatabaseError
from bot.database.connection import AsyncEngine
from bot.database.opening import create_engine, migrate, schema_is_current
from bot.database.schema import index_condition, metadata
from bot.database.schema_check import _condition
from tests.bot.released import FOLDER, Release, load, migrations

RELEASED = sorted(FOLDER.glob("*.json"))
NEWEST = max(migrations())[: len("0001")]
"""The newest migration."""
_GAMES = "ck_guild_settings_games_per_person"
CURE = "use the commit that created it, or start with an empty database"


def constraint(table: Table, name: str) -> Constraint:
    (found,) = (part for part in table.constraints if part.name == name)
    return found


def index(table: Table, name: str) -> Index:
    (found,) = (part for part in table.indexes if part.name == name)
    return found


def checked(table: Table, name: str, condition: str) -> None:
    """Another constraint with the same name."""
    table.constraints.discard(constraint(table, name))
    table.append_constraint(CheckConstraint(condition, conv(name)))


def lose_a_table(tables: MetaData) -> None:
    tables.remove(tables.tables["outages"])


def know_no_desertion(tables: MetaData) -> None:
    events = tables.tables["events"]
    known = constraint(events, "ck_events_kind")
    assert isinstance(known, CheckConstraint)
    condition = str(known.sqltext).replace(", 'desert'", "")
    checked(events, "ck_events_kind", condition)


def lose_a_check(tables: MetaData) -> None:
    games = tables.tables["games"]
    games.constraints.discard(constraint(games, "ck_games_margin"))


def check_another_column(tables: MetaData) -> None:
    checked(tables.tables["challenges"], "ck_challenges_place", "start IN ('here', 'thread')")


def allow_more_games(tables: MetaData) -> None:
    checked(tables.tables["guild_settings"], _GAMES, "games_per_person BETWEEN 1 AND 50")


def lose_a_column(tables: MetaData) -> None:
    events = tables.tables["events"]
    events._columns.remove(events.columns["used_ms"])


def have_one_more(tables: MetaData) -> None:
    tables.tables["players"].append_column(Column("nickname", String(9), nullable=False))


def let_it_be_null(tables: MetaData) -> None:
    tables.tables["timers"].c.due_at.nullable = True


def be_shorter(tables: MetaData) -> None:
    tables.tables["games"].c.outcome.type = String(8)


def have_another_key(tables: MetaData) -> None:
    listening = tables.tables["listening"]
    listening.columns["shard_count"].primary_key = False
    listening.append_constraint(PrimaryKeyConstraint(listening.columns["shard_id"]))


def lose_a_unique(tables: MetaData) -> None:
    events = tables.tables["events"]
    events.constraints.discard(constraint(events, "uq_events_source_id"))


def lose_a_reference(tables: MetaData) -> None:
    plans = tables.tables["plans"]
    plans.constraints.discard(constraint(plans, "fk_plans_game_id"))


def lose_an_index(tables: MetaData) -> None:
    timers = tables.tables["timers"]
    timers.indexes.discard(index(timers, "ix_timers_due"))


def have_it_of_all(tables: MetaData) -> None:
    """The unique index covers every game, not only running ones."""
    games = tables.tables["games"]
    games.indexes.discard(index(games, "uq_games_running_channel"))
    Index("uq_games_running_channel", games.c.channel_id, unique=True)


def have_a_narrower_index(tables: MetaData) -> None:
    Index("uq_of_a_host", tables.tables["vacations"].c.player_id, unique=True)


HARM: dict[Callable[[MetaData], None], str] = {
    lose_a_table: "the table outages is missing",
    know_no_desertion: "the check ck_events_kind of events is different",
    lose_a_check: "the check ck_games_margin of games is missing",
    check_another_column: "the check ck_challenges_place of challenges is different",
    allow_more_games: f"the check {_GAMES} of guild_settings is different",
    lose_a_column: "the column used_ms of events is missing",
    have_one_more: "the column nickname of players is unknown",
    let_it_be_null: "the column due_at of timers is different",
    be_shorter: "the column outcome of games is different",
    have_another_key: "the primary key of listening is different",
    lose_a_unique: "the unique uq_events_source_id of events is missing",
    lose_a_reference: "the foreign key fk_plans_game_id of plans is missing",
    lose_an_index: "the index ix_timers_due of timers is missing",
    have_it_of_all: "the index uq_games_running_channel of games is different",
    have_a_narrower_index: "the index uq_of_a_host of vacations is unknown",
}


def create_at_once(connection: Connection, tables: MetaData) -> None:
    """Create tables: on SQLite by one script, as each statement takes a trip to its thread."""
    if connection.dialect.name == "postgresql":
        for table in tables.tables.values():
            for index in table.indexes:
                index.dialect_kwargs["postgresql_where"] = index_condition(index)
        tables.create_all(connection)
        return
    script = list[str]()
    for table in tables.sorted_tables:
        script.append(str(CreateTable(table).compile(dialect=connection.dialect)))
        for index in table.indexes:
            script.append(str(CreateIndex(index).compile(dialect=connection.dialect)))
    driver: Any = connection.connection.driver_connection
    await_only(driver.executescript(";\n".join(script)))


async def made_by_another_commit(engine: AsyncEngine, harm: Callable[[MetaData], None]) -> None:
    """Make the tables of another commit, with today's revision."""
    theirs = MetaData(naming_convention=metadata.naming_convention)
    for table in metadata.sorted_tables:
        table.to_metadata(theirs)
    harm(theirs)
    async with engine.begin() as connection:
        await connection.run_sync(create_at_once, theirs)
        await connection.execute(text("CREATE TABLE alembic_version (version_num VARCHAR(32))"))
        await connection.execute(text("INSERT INTO alembic_version VALUES (:at)"), {"at": NEWEST})
        await connection.execute(text("INSERT INTO listening VALUES (0, 1, 7)"))


SHAPE = {
    "sqlite": ["SELECT type, name, tbl_name, sql FROM sqlite_master ORDER BY type, name"],
    "postgresql": [
        """SELECT table_name, column_name, ordinal_position, column_default, is_nullable, data_type,
               character_maximum_length
           FROM information_schema.columns WHERE table_schema = 'public' ORDER BY 1, 3""",
        """SELECT conrelid::regclass::text, conname, pg_get_constraintdef(oid)
           FROM pg_constraint WHERE connamespace = 'public'::regnamespace ORDER BY 1, 2""",
        """SELECT tablename, indexname, indexdef
           FROM pg_indexes WHERE schemaname = 'public' ORDER BY 1, 2""",
    ],
}
"""Queries that return each database's own description of its tables and indexes."""
NAMES = {
    "sqlite": "SELECT name FROM sqlite_master WHERE type = 'table'",
    "postgresql": "SELECT tablename FROM pg_tables WHERE schemaname = 'public'",
}


async def everything(engine: AsyncEngine) -> list[object]:
    """Return all tables and their parts, as the database itself describes them."""
    async with engine.connect() as connection:

        async def rows(question: str) -> list[object]:
            return [tuple(row) for row in await connection.execute(text(question))]

        shape = [await rows(question) for question in SHAPE[engine.dialect.name]]
        named = await connection.execute(text(NAMES[engine.dialect.name]))
        names = sorted(str(name) for (name,) in named)
        return [*shape, *[(name, await rows(f'SELECT * FROM "{name}"')) for name in names]]  # noqa: S608 - names of tables


@pytest.mark.both_databases(thorough="how it is told is the same there")
@pytest.mark.parametrize("harm", HARM, ids=lambda harm: harm.__name__)
async def test_another_commits_schema_is_reported_with_a_fix_and_unchanged(
    empty_engine: AsyncEngine, harm: Callable[[MetaData], None]
) -> None:
    await made_by_another_commit(empty_engine, harm)
    before = await everything(empty_engine)
    for look in (migrate, schema_is_current):
        with pytest.raises(DatabaseError) as refused:
            await look(empty_engine)
        said = str(refused.value)
        assert f"it was created by another commit of dvonn-bot: {HARM[harm]}" in said
        assert CURE in said
        assert "\n" not in said
    assert await everything(empty_engine) == before


async def test_of_several_differences_the_first_is_named_and_the_others_are_counted(
    empty_engine: AsyncEngine,
) -> None:
    def harm_three(tables: MetaData) -> None:
        lose_a_table(tables)
        lose_a_column(tables)
        lose_a_check(tables)

    await made_by_another_commit(empty_engine, harm_three)
    with pytest.raises(DatabaseError, match=r"the (table|column|check) \w+ .*, and 2 more"):
        await migrate(empty_engine)


async def test_the_codes_schema_equals_the_databases(empty_engine: AsyncEngine) -> None:
    """Tables made by the code equal those made by migrations."""
    await made_by_another_commit(empty_engine, lambda _: None)
    assert await schema_is_current(empty_engine)
    await migrate(empty_engine)


PARTS = {
    "sqlite": [
        """SELECT m.name, c.name, c.type, c."notnull", replace(c.dflt_value, 'false', '0'), c.pk
           FROM sqlite_master AS m, pragma_table_xinfo(m.name) AS c WHERE m.type = 'table'""",
        """SELECT m.name, f."from", f."table", f."to"
           FROM sqlite_master AS m, pragma_foreign_key_list(m.name) AS f WHERE m.type = 'table'""",
        "SELECT tbl_name, sql FROM sqlite_master WHERE type = 'index' AND sql IS NOT NULL",
    ],
    "postgresql": [
        query.replace("column_name, ordinal_position", "column_name")
        for query in SHAPE["postgresql"]
    ],
}
"""Queries that return columns, keys and indexes, without the order in which they were added."""


def constraints_by_table(connection: Connection) -> tuple[Any, Any]:
    inspector = inspect(connection)
    return inspector.get_multi_check_constraints(), inspector.get_multi_unique_constraints()


async def parts(engine: AsyncEngine) -> set[str]:
    """Return each column, key, check and index of a database."""
    async with engine.connect() as connection:
        found = {
            " ".join(str(tuple(row)).split()).replace("\\n", "")
            for query in PARTS[engine.dialect.name]
            for row in await connection.execute(text(query))
        }
        checks = await connection.run_sync(lambda sync: inspect(sync).get_multi_check_constraints())
        uniques = await connection.run_sync(
            lambda sync: inspect(sync).get_multi_unique_constraints()
        )
    for constraints in (checks, uniques):
        found |= {
            f"{table} {constraint}" for (_, table), own in constraints.items() for constraint in own
        }
    return {part for part in found if "alembic_version" not in part}


@pytest.mark.parametrize("release", [json.loads(file.read_text()) for file in RELEASED])
async def test_an_upgraded_database_has_the_parts_of_a_new_one(
    release: Release, empty_engine: AsyncEngine
) -> None:
    """Compare with a migrated empty database, and with tables made by the code."""
    await load(release, empty_engine)
    await migrate(empty_engine)
    upgraded = await parts(empty_engine)
    async with empty_engine.begin() as connection:
        await connection.run_sync(metadata.drop_all)
        await connection.execute(text("DROP TABLE alembic_version"))
    await migrate(empty_engine)
    assert await parts(empty_engine) == upgraded
    async with empty_engine.begin() as connection:
        await connection.run_sync(metadata.drop_all)
        await connection.run_sync(create_at_once, metadata)
    assert await parts(empty_engine) == upgraded


async def test_harmless_additions_of_a_host_stay(engine: AsyncEngine) -> None:
    async with engine.begin() as connection:
        await connection.execute(text("CREATE TABLE notes (id INTEGER PRIMARY KEY)"))
        await connection.execute(text("CREATE INDEX ix_mine ON events (actor_id)"))
    try:
        await migrate(engine)
        assert await schema_is_current(engine)
    finally:
        async with engine.begin() as connection:
            await connection.execute(text("DROP TABLE notes"))


async def test_a_condition_that_was_dumped_and_restored_is_the_same(postgres_url: str) -> None:
    """PostgreSQL rewrites constraints when they are created."""
    engine = create_engine(database_address(postgres_url))
    words = text(
        "SELECT pg_get_constraintdef(oid) FROM pg_constraint WHERE conname = 'ck_events_kind'"
    )
    async with engine.begin() as connection:
        await connection.run_sync(metadata.drop_all)
        await connection.execute(text("DROP TABLE IF EXISTS alembic_version"))
    await migrate(engine)
    async with engine.begin() as connection:
        before = (await connection.execute(words)).scalar_one()
        await connection.execute(text("ALTER TABLE events DROP CONSTRAINT ck_events_kind"))
        again = f"ALTER TABLE events ADD CONSTRAINT ck_events_kind {before}"
        await connection.exec_driver_sql(again)
        assert (await connection.execute(words)).scalar_one() != before
    await migrate(engine)
    await engine.dispose()


@pytest.mark.parametrize(
    ("ours", "theirs"),
    [
        ("kind = 'move'", "((kind)::character varying(9) = 'move'::character varying)"),
        ("kind IN ('a', 'b')", "((kind)::text = ANY (ARRAY[('a'::text)::text, 'b'::text]))"),
        ("level BETWEEN 1 AND 8", "((level >= 1) AND (level <= 8))"),
        ("level > -1", "(level > '-1'::integer)"),
        ("text = 'it''s'", "((text)::text = 'it''s'::text)"),
        ("level IS NULL", "(level IS NULL)"),
    ],
)
def test_a_condition_is_the_same_in_the_words_of_postgresql(ours: str, theirs: str) -> None:
    names = {"kind", "level", "text"}
    assert _condition(ours, names) == _condition(theirs, names)


@pytest.mark.parametrize(
    "other", ["kind = 'moves'", "level = 'move'", "kind = 'move' OR level = 2"]
)
def test_another_condition_is_another(other: str) -> None:
    names = {"kind", "level", "text"}
    assert _condition("kind = 'move'", names) != _condition(other, names)


async def test_a_foreign_database_is_not_changed(empty_engine: AsyncEngine) -> None:
    async with empty_engine.begin() as connection:
        await connection.execute(text("CREATE TABLE games (title VARCHAR(9))"))
    before = await everything(empty_engine)
    with pytest.raises(DatabaseError, match="has a table games that isn't dvonn-bot's"):
        await migrate(empty_engine)
    assert await everything(empty_engine) == before
    async with empty_engine.begin() as connection:
        await connection.execute(text("DROP TABLE games"))
