"""Tests that the database of every release can be migrated, and that its games continue."""

import asyncio
import json
import re
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import Connection

from bot.base.ids import ChannelId, GuildId
from bot.base.languages import IN_ENGLISH
from bot.composition import FEATURE_SET
from bot.connection.words import unknown_form
from bot.database.backup_files import count, tables
from bot.database.connection import AsyncEngine
from bot.database.opening import migrate, schema_is_current
from bot.database.schema import metadata
from bot.play.store.store import Store
from bot.play.words.compat_0_1_0 import unknown_command
from dvonn import Phase
from tests.bot.composition.release import commands, ids
from tests.bot.conftest import Clock
from tests.bot.released import FOLDER, Release, all_games, fill, load, make, migrations, standing
from tests.bot.table import ANN, BOB, Table
from tests.games import random_game

ROOT = Path(__file__).resolve().parents[3]
RELEASED = sorted(FOLDER.glob("*.json"))


async def check_migration(release: Release, engine: AsyncEngine, clock: Clock) -> None:
    """Migrate a release's database with everything in it, and continue its games."""
    await load(release, engine)
    await migrate(engine)

    def differences(connection: Connection) -> list[object]:
        context = MigrationContext.configure(connection, opts={"compare_type": True})
        return list(compare_metadata(context, metadata))

    assert await schema_is_current(engine)
    async with engine.connect() as connection:
        assert await connection.run_sync(differences) == []
        kept = {table.name: await count(table, connection) for table in tables()}
    for name, table in release["tables"].items():
        assert kept.get(name, 0) >= len(table["rows"]), name
    games = {str(game): await standing(engine, game) for game in await all_games(engine)}
    assert games == release["games"]

    clock.advance(days=1_000)
    table = Table(Store(engine), clock)
    table.last_source = 1 << 40
    await table.play(ANN, str(random_game(0)[20]), ChannelId(500))
    await table.game_cache.running_in(ChannelId(501))
    new = await table.accept(
        await table.challenge(BOB, channel=ChannelId(900), guild=GuildId(1 << 23))
    )
    assert new.game.row.id > len(games)


@pytest.mark.parametrize("file", RELEASED, ids=[file.stem for file in RELEASED])
async def test_a_released_database_is_migrated(
    file: Path, empty_engine: AsyncEngine, clock: Clock
) -> None:
    await check_migration(read_release(file), empty_engine, clock)


def read_release(file: Path) -> Release:
    release: Release = json.loads(file.read_text(encoding="utf-8"))
    return release


@pytest.fixture(scope="module")
def today() -> Release:
    """The script's output today."""
    release: Release = json.loads(json.dumps(asyncio.run(make("today"))))
    return release


@pytest.mark.later("what the next release will have, once more")
async def test_todays_database_could_be_released(
    today: Release, empty_engine: AsyncEngine, clock: Clock
) -> None:
    """Check that the script writes everything, and that all of it can be restored."""
    assert set(today["tables"]) == {table.name for table in tables()}
    assert all(table["rows"] for table in today["tables"].values())
    phases = {phase for _, phase, *_ in today["games"].values()}
    assert phases == {phase.name for phase in Phase}
    await check_migration(today, empty_engine, clock)


@pytest.mark.later("of the script that writes a release down")
async def test_a_row_is_made_up_for_each_table(empty_engine: AsyncEngine) -> None:
    """A new table needs no list of example rows."""
    await migrate(empty_engine)
    await fill(empty_engine, listed={})
    async with empty_engine.connect() as connection:
        counted = {table.name: await count(table, connection) for table in tables()}
    assert [name for name, rows in counted.items() if not rows] == []


@pytest.mark.later("of the script that writes a release down")
async def test_the_script_writes_the_same_again(today: Release) -> None:
    assert today == json.loads(json.dumps(await make("today")))


@pytest.mark.parametrize("file", RELEASED, ids=[file.stem for file in RELEASED])
def test_released_schemas_are_changed_by_new_migrations(file: Path) -> None:
    """A migration that databases have run stays unchanged. Changes go into new migrations."""
    assert read_release(file)["migrations"].items() <= migrations().items()


@pytest.mark.parametrize("file", RELEASED, ids=[file.stem for file in RELEASED])
def test_a_releases_buttons_still_work(file: Path) -> None:
    """Boards, challenges and forms stay in channels for years."""
    posted = read_release(file)["ids"]
    assert len(posted) > 20
    assert unknown(posted) == []


@pytest.mark.thorough("all that can be said is said, 5 s; a plain test sees to what was released")
def test_todays_buttons_have_handlers() -> None:
    posted = ids()
    assert len(posted) > 100
    assert unknown(posted) == []


def unknown(posted: list[str]) -> list[str]:
    """Return the ids that no button or select handles."""
    known = [kind.ids for kind in FEATURE_SET.buttons]
    return [item for item in posted if not any(kind.fullmatch(item) for kind in known)]


@pytest.mark.parametrize("file", RELEASED, ids=[file.stem for file in RELEASED])
def test_a_released_command_works_or_names_its_replacement(file: Path) -> None:
    nowhere = unknown_form(IN_ENGLISH)
    gone = set(read_release(file)["commands"]) - set(commands())
    assert [item for item in gone if unknown_command(IN_ENGLISH, item, {}) == nowhere] == []


def test_every_release_has_its_database_here() -> None:
    changelog = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    versions = re.findall(r"^## \[(\d+\.\d+\.\d+)\]", changelog, re.MULTILINE)
    assert set(versions) == {file.stem for file in RELEASED}
