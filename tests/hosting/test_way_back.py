"""Tests for the way back after an upgrade, with the real 0.1.0 and with a future version."""

import re
import shutil
import subprocess
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from sqlalchemy import text

from bot.base.database_address import database_address
from bot.base.errors import DatabaseError
from bot.database.aside import put_aside
from bot.database.opening import create_engine, migrate
from sandbox import Message, RateLimits, Sandbox
from tests.bot.conftest import Clock
from tests.bot.table import raises
from tests.e2e.bot_process import BotProcess, run_bot, run_cold
from tests.e2e.conftest import PATIENCE, Table
from tests.games import random_game
from tests.postgresql import without_tables

ROOT = Path(__file__).resolve().parents[2]
RELEASED = "8db42e24"
"""The commit of 0.1.0."""
MOVES = random_game(2)


@pytest.fixture(params=["sqlite", "postgresql"])
async def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'dvonn.sqlite3'}"
    url = await without_tables(request.getfixturevalue("postgres_url"))
    await forget_schemas(url)
    return url


async def forget_schemas(url: str) -> None:
    engine = create_engine(database_address(url))
    async with engine.begin() as connection:
        for schema in await asides(url):
            await connection.execute(text(f'DROP SCHEMA "{schema}" CASCADE'))
    await engine.dispose()


async def asides(url: str) -> list[str]:
    """Return the files or schemas that were moved aside."""
    if url.startswith("sqlite"):
        file = Path(database_address(url).database or "")
        return sorted(path.name for path in file.parent.glob("*.aside-*"))
    engine = create_engine(database_address(url))
    async with engine.connect() as connection:
        found = await connection.execute(
            text("SELECT nspname FROM pg_namespace WHERE nspname LIKE 'aside%' ORDER BY nspname")
        )
        names = [str(name) for (name,) in found]
    await engine.dispose()
    return names


async def upgrade_to_come(url: str) -> None:
    """Change the database like a later version, with a table that this one doesn't know."""
    engine = create_engine(database_address(url))
    async with engine.begin() as connection:
        await connection.execute(text("CREATE TABLE of_later (id INTEGER PRIMARY KEY)"))
        await connection.execute(text("CREATE INDEX ix_of_later ON of_later (id)"))
        await connection.execute(text("UPDATE alembic_version SET version_num = '0999'"))
    await engine.dispose()


@pytest.fixture
def released(tmp_path: Path) -> Path:
    """The code of 0.1.0, from the history."""
    git, tar = shutil.which("git"), shutil.which("tar")
    if git is None or tar is None:
        pytest.skip("there is no git here, or no tar")
    known = (git, "cat-file", "-e", f"{RELEASED}^{{commit}}")
    if subprocess.run(known, cwd=ROOT, check=False).returncode:
        pytest.skip("the history of 0.1.0 is not in this checkout")
    folder = tmp_path / "0.1.0"
    folder.mkdir()
    packed = subprocess.run(
        (git, "archive", RELEASED, "bot", "dvonn", "renderer"),
        cwd=ROOT,
        check=True,
        capture_output=True,
    )
    subprocess.run((tar, "-x", "-C", str(folder)), input=packed.stdout, check=True)
    return folder


def released_bot(world: Sandbox, folder: Path, settings: dict[str, str]) -> BotProcess:
    bot = BotProcess(world, folder, **settings)
    bot.cold = True
    return bot


def challenge(message: Message) -> bool:
    return bool(message.components) and "Accept" in str(message.components)


async def test_the_documented_commands_lead_back_to_the_real_release(
    url: str, released: Path, tmp_path: Path
) -> None:
    old = {"PYTHONPATH": str(released), "MACHINE": "off", "DATABASE_URL": url}
    new = {"MACHINE": "off", "DATABASE_URL": url, "DISCORD_TOKEN": "x"}
    async with Sandbox(rate_limits=RateLimits.generous(), patience=PATIENCE) as world:
        guild = world.create_guild("Friends")
        channel = guild.create_channel("dvonn")
        ann, bob = guild.add_person("Ann"), guild.add_person("Bob")
        bot = released_bot(world, tmp_path, old)
        await bot.start()
        await ann.slash(channel, "challenge", opponent=bob, colour="white", start="placement")
        await bob.click(await channel.wait_for(challenge), "Accept")
        table = Table(channel, ann, bob)
        await table.play(MOVES[:2])
        assert "bot.edge.session" in bot.log  # a folder that only the old version has
        status, said, err = await run_cold(
            tmp_path, "backup", "dvonn-backup", DISCORD_TOKEN="x", **old
        )
        assert (status, err) == (0, ""), said
        assert await bot.stop() == 0

        later = BotProcess(world, tmp_path, DATABASE_URL=url)
        later.live_often()
        await later.start()
        await table.play(MOVES[2:4])
        assert await later.stop() == 0

        # A host may try this first: the old version says why it can't.
        tried = await run_cold(
            tmp_path, "restore", "--replace", "dvonn-backup", DISCORD_TOKEN="x", **old
        )
        assert tried[0] == 2
        assert "of a newer dvonn-bot" in tried[2]

        status, said, _ = await run_bot(tmp_path, "put-aside", **new)
        assert status == 0, said
        (aside,) = await asides(url)
        assert said.rstrip().endswith(aside)
        status, said, err = await run_cold(
            tmp_path, "restore", "dvonn-backup", DISCORD_TOKEN="x", **old
        )
        assert status == 0, err
        bot = released_bot(world, tmp_path, old)
        await bot.start()
        await table.play(MOVES[4:6])  # the moves typed since the backup were played again
        assert await bot.stop() == 0
        assert bot.log.count("[bot.edge.session]") == 2
    if not url.startswith("sqlite"):
        await forget_schemas(url)


async def test_restore_moves_a_newer_bots_database_aside(url: str, tmp_path: Path) -> None:
    settings = {"DISCORD_TOKEN": "x", "DATABASE_URL": url, "MACHINE": "off"}
    engine = create_engine(database_address(url))
    await migrate(engine)
    await engine.dispose()
    assert (await run_bot(tmp_path, "backup", "kept", **settings))[0] == 0
    await upgrade_to_come(url)
    status, _, err = await run_bot(tmp_path, **settings)
    assert (status, "return to a backup: restore --replace renames this one" in err) == (2, True)
    status, _, err = await run_bot(tmp_path, "restore", "kept", **settings)
    assert (status, "created by a newer dvonn-bot" in err) == (2, True)
    assert await asides(url) == []

    status, said, err = await run_bot(tmp_path, "restore", "--replace", "kept", **settings)
    assert (status, err) == (0, "")
    (aside,) = await asides(url)
    first, second = said.splitlines()
    assert re.fullmatch(r"moved \S+ to .*aside[-_]\d{8}[-_]\d{6}", first)
    assert first.endswith(aside)
    assert second.startswith("restored kept into ")
    # When the newer one is used again, nothing is in its way.
    await upgrade_to_come(url)
    assert (await run_bot(tmp_path, "put-aside", **settings))[0] == 0
    assert len(await asides(url)) == 2
    if not url.startswith("sqlite"):
        await forget_schemas(url)


@pytest.fixture
async def running(url: str, tmp_path: Path) -> AsyncIterator[BotProcess]:
    async with Sandbox() as world:
        bot = BotProcess(world, tmp_path, DATABASE_URL=url)
        await bot.start()
        yield bot
        await bot.stop()


async def test_nothing_is_put_aside_under_a_bot_that_runs(running: BotProcess, url: str) -> None:
    status, _, err = await run_bot(running.folder, "put-aside", **running.settings)
    assert (status, "a bot is using the database; stop it first" in err) == (2, True)
    assert await asides(url) == []


async def test_a_user_without_the_right_to_create_schemas_gets_the_commands(
    postgres_url: str,
) -> None:
    await without_tables(postgres_url)
    engine = create_engine(database_address(postgres_url))
    async with engine.begin() as connection:
        name = (await connection.execute(text("SELECT current_database()"))).scalar_one()
        for statement in (
            "DROP ROLE IF EXISTS keeper",
            "CREATE ROLE keeper LOGIN PASSWORD 'keeper'",
            f'REVOKE CREATE ON DATABASE "{name}" FROM PUBLIC',
            "GRANT CREATE, USAGE ON SCHEMA public TO keeper",
        ):
            await connection.execute(text(statement))
    await engine.dispose()
    url = database_address(postgres_url).set(username="keeper", password="keeper")
    keeper = create_engine(url)
    try:
        await migrate(keeper)
        error = await raises(DatabaseError, put_aside(keeper, now=Clock().time))
        assert "make a new database with createdb" in error.reason
    finally:
        await keeper.dispose()
        async with engine.begin() as connection:
            await connection.execute(text("DROP OWNED BY keeper"))
            await connection.execute(text("DROP ROLE keeper"))
        await engine.dispose()
