import asyncio
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, text

from bot.base.database_address import database_address
from bot.base.errors import DatabaseError
from bot.database import opening as engines
from bot.database import sqlite
from bot.database.connection import AsyncEngine
from bot.database.opening import VERSIONS, create_engine, migrate, revisions, schema_is_current
from bot.database.schema import metadata
from tests.postgresql import NEEDS_POSTGRESQL


def _is_ours(name: str | None, kind: str, _parents: object) -> bool:
    """Return True unless it is a table of SAQ's, which another test's workers may have left."""
    return kind != "table" or name is None or not name.startswith("saq_")


async def test_migrations_make_the_schema_that_the_code_uses(engine: AsyncEngine) -> None:
    def differences(connection: Connection) -> list[object]:
        opts = {"compare_type": True, "include_name": _is_ours}
        context = MigrationContext.configure(connection, opts=opts)
        return list(compare_metadata(context, metadata))

    async with engine.connect() as connection:
        assert await connection.run_sync(differences) == []


def test_the_composition_knows_every_table(migrated: Path) -> None:
    """Unknown tables would be left out of backups, retention and deletion."""
    named = subprocess.run(
        [sys.executable, "-c", NAME_TABLES], stdout=subprocess.PIPE, text=True, check=True
    ).stdout
    with closing(sqlite3.connect(migrated)) as database:
        made = {name for (name,) in database.execute(TABLES)}
    assert set(named.split()) == made - {"alembic_version", "sqlite_sequence"}


TABLES = "SELECT name FROM sqlite_schema WHERE type = 'table'"


NAME_TABLES = """
import bot.composition
from bot.database.schema import metadata

print(*metadata.tables)
"""


def test_a_new_file_is_small(migrated: Path) -> None:
    """Most hosts have few games, and each table and index takes a page."""
    assert migrated.stat().st_size < 256 * 1024


def test_the_numbers_of_the_files_match_the_migrations() -> None:
    """A start only checks the names."""
    config = Config()
    config.set_main_option("script_location", str(VERSIONS[0].parent))
    config.set_main_option("path_separator", "os")
    chain = [revision.revision for revision in ScriptDirectory.from_config(config).walk_revisions()]
    assert revisions() == chain[::-1]


async def test_a_database_knows_whether_it_is_current(empty_engine: AsyncEngine) -> None:
    assert not await schema_is_current(empty_engine)
    await migrate(empty_engine)
    assert await schema_is_current(empty_engine)


async def test_migrating_twice_changes_nothing(engine: AsyncEngine) -> None:
    async with engine.begin() as connection:
        await connection.execute(text("INSERT INTO listening VALUES (0, 1, 7)"))
    await migrate(engine)
    async with engine.connect() as connection:
        assert (await connection.execute(text("SELECT heard_at FROM listening"))).scalar() == 7


MIGRATE = """
import asyncio, sys
from bot.base.database_address import database_address
from bot.database.opening import create_engine, migrate

async def main():
    engine = create_engine(database_address(sys.argv[1]))
    await migrate(engine)
    await engine.dispose()

asyncio.run(main())
"""


async def test_two_processes_may_migrate_at_once(
    empty_engine: AsyncEngine, database_url: str
) -> None:
    processes = [
        await asyncio.create_subprocess_exec(sys.executable, "-c", MIGRATE, database_url)
        for _ in range(2)
    ]
    assert [await process.wait() for process in processes] == [0, 0]
    assert await schema_is_current(empty_engine)


async def test_a_migration_waits_until_another_process_has_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "dvonn.sqlite3"
    monkeypatch.setattr(sqlite, "BUSY_TIMEOUT_MS", 1)
    with closing(sqlite3.connect(file, isolation_level=None)) as other:
        other.execute("PRAGMA journal_mode = WAL")
        other.execute("BEGIN IMMEDIATE")
        tries = 0
        once = engines._run_in_transaction

        async def after_a_refusal(*what: Any) -> Any:
            nonlocal tries
            tries += 1
            if tries == 2:
                other.execute("ROLLBACK")
            return await once(*what)

        monkeypatch.setattr(engines, "_run_in_transaction", after_a_refusal)
        engine = create_engine(database_address(f"sqlite:///{file}"))
        await migrate(engine)
        assert await schema_is_current(engine)
        await engine.dispose()


async def test_an_unusable_file_is_named(tmp_path: Path) -> None:
    (tmp_path / "notes.sqlite3").write_text("These are notes, not a database. " * 40)
    engine = create_engine(database_address(f"sqlite:///{tmp_path / 'notes.sqlite3'}"))
    with pytest.raises(DatabaseError, match=r"notes\.sqlite3.*not a database"):
        await migrate(engine)
    await engine.dispose()


@NEEDS_POSTGRESQL
async def test_a_server_out_of_reach_is_named_without_its_password() -> None:
    engine = create_engine(database_address("postgresql://dvonn:geheim@127.0.0.1:1/dvonn"))
    with pytest.raises(DatabaseError, match=r"DATABASE_URL .*dvonn@127\.0\.0\.1:1/dvonn") as caught:
        await migrate(engine)
    assert "geheim" not in str(caught.value)
    await engine.dispose()


async def test_sqlite_is_set_up_to_lose_nothing(tmp_path: Path) -> None:
    engine = create_engine(database_address(f"sqlite:///{tmp_path / 'd.sqlite3'}"))
    async with engine.connect() as connection:
        for pragma, value in {
            "journal_mode": "wal",
            "synchronous": 2,  # FULL
            "foreign_keys": 1,
            "busy_timeout": 5_000,
        }.items():
            assert (await connection.execute(text(f"PRAGMA {pragma}"))).scalar() == value
    await engine.dispose()


async def test_a_database_of_a_newer_bot_is_refused(empty_engine: AsyncEngine) -> None:
    engine = empty_engine
    await migrate(engine)
    async with engine.begin() as connection:
        await connection.execute(text("UPDATE alembic_version SET version_num = '9999'"))
    for look in (migrate, schema_is_current):
        with pytest.raises(DatabaseError, match="9999"):
            await look(engine)


async def test_a_database_between_releases_is_refused_with_a_fix(empty_engine: AsyncEngine) -> None:
    """Between 0.1.0 and 0.2.0 there were other migrations, which developers may have run."""
    await migrate(empty_engine)
    async with empty_engine.begin() as connection:
        await connection.execute(text("UPDATE alembic_version SET version_num = '0040'"))
    for look in (migrate, schema_is_current):
        with pytest.raises(
            DatabaseError, match=r"created between two releases: .* 0040"
        ) as refused:
            await look(empty_engine)
        assert "use the commit that created it, or start with an empty database" in str(
            refused.value
        )
        assert "\n" not in str(refused.value)
