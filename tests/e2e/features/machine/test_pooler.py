"""Tests with a real pgbouncer that assigns transactions to three connections in turn."""

import asyncio
import os
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from shutil import which
from tempfile import TemporaryDirectory

import pytest
from sqlalchemy import text

from bot.base.database_address import database_address
from bot.base.errors import DatabaseError
from bot.database.database import Database
from bot.database.opening import create_engine, schema_is_current
from tests.e2e.bot_process import run_bot
from tests.e2e.conftest import House
from tests.games import random_game
from tests.ports import free_port
from tests.postgresql import without_tables

TOOL = which("pgbouncer") or which("pgbouncer", path="/usr/sbin")
AT_ONCE = 40
SETTINGS = """\
[databases]
dvonn = host={host} port={port} dbname={database} user={user}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = {own_port}
unix_socket_dir =
auth_type = any
pool_mode = {mode}
default_pool_size = 3
"""


@pytest.fixture
def pooled(request: pytest.FixtureRequest, postgres_url: str) -> Iterator[str]:
    """Address of a pgbouncer in front of the tests' PostgreSQL."""
    if TOOL is None:
        pytest.skip("there is no pgbouncer here")
    url = database_address(postgres_url)
    host = url.query.get("host", url.host or "localhost")
    assert isinstance(host, str)
    # It refuses to run as root, and not every user can reach the tests' PostgreSQL socket.
    user = Path(host).stat().st_uid if host.startswith("/") else 65_534
    settings = {"host": host, "port": url.port or 5432, "database": url.database}
    settings["mode"] = getattr(request, "param", "transaction")
    own_port = free_port()
    with TemporaryDirectory() as folder:
        Path(folder).chmod(0o755)
        file = Path(folder) / "pgbouncer.ini"
        file.write_text(SETTINGS.format(**settings, user=url.username, own_port=own_port))
        process = subprocess.Popen(
            [TOOL, "--quiet", str(file)], user=user if os.geteuid() == 0 else None
        )
        try:
            _wait_for(own_port)
            yield f"postgresql://{url.username}@127.0.0.1:{own_port}/dvonn"
        finally:
            process.terminate()
            process.wait()


def _wait_for(port: int) -> None:
    while True:
        with suppress(OSError), socket.create_connection(("127.0.0.1", port)):
            return
        time.sleep(0.02)  # it reports no event when it is ready


async def test_statements_and_transactions_at_once(house: House, pooled: str) -> None:
    engine, other = (create_engine(database_address(pooled), idle_s=idle_s) for idle_s in (10, 0))
    database = Database(engine)
    limit = text("SELECT current_setting('idle_in_transaction_session_timeout')")

    async def ask(number: int) -> None:
        # a unique text, so that no cached statement answers it
        lone = text(f"SELECT CAST(:n AS integer), {number}")
        assert await database.first(lone, {"n": number}) == (number, number)
        async with database.transaction() as connection:
            assert (await connection.execute(limit)).scalar_one() == "10s"
        async with other.begin() as connection:
            assert (await connection.execute(limit)).scalar_one() == "0"

    try:
        await asyncio.gather(*(ask(number) for number in range(AT_ONCE)))
    finally:
        await engine.dispose()
        await other.dispose()


@pytest.mark.parametrize("pooled", ["statement"], indirect=True)
async def test_a_pooler_without_transactions_is_reported(pooled: str) -> None:
    engine = create_engine(database_address(pooled), idle_s=10)
    with pytest.raises(DatabaseError, match="transaction blocks not allowed in statement pooling"):
        await schema_is_current(engine)
    await engine.dispose()


async def test_games_and_tools_through_a_pooler(house: House, pooled: str, tmp_path: Path) -> None:
    settings = {
        # With the settings that other programs expect.
        "DATABASE_URL": f"{pooled}?prepared_statement_cache_size=0",
        "DISCORD_TOKEN": house.world.token,
        "DISCORD_API_URL": house.world.api_url,
    }
    bot = house.processes.add()
    bot.settings |= settings
    await house.start(bot)
    clubs = [house.club(house.world.create_guild(name)) for name in ("Friends", "Others")]
    tables = [await club.start_game() for club in clubs]
    lengths = (None, 51)  # one process ends
    await asyncio.gather(
        *(table.reach(random_game(2)[:end]) for table, end in zip(tables, lengths, strict=True))
    )
    await bot.restart()
    game = await clubs[0].start_game()
    await asyncio.gather(game.play(random_game(2)[:4]), tables[1].play(random_game(2)[51:53]))
    for _ in range(2):
        status, said, _ = await run_bot(tmp_path, "check", **settings)
        assert (status, "is up to date" in said) == (0, True), said
    backup = tmp_path / "games.backup"
    status, _, said = await run_bot(tmp_path, "backup", str(backup), **settings)
    assert status == 0, said
    status, _, said = await run_bot(tmp_path, "restore", str(backup), "--replace", **settings)
    assert status == 2, said
    assert "behind a pooler" in said
    assert await bot.stop() == 0


async def test_a_bot_asks_workers_through_it_and_a_worker_names_postgresql_itself(
    pooled: str, postgres_url: str
) -> None:
    pytest.importorskip("saq", reason="the extra `cluster` is not installed")
    from bot.features.machine.opponent.queue_worker import answer_questions  # noqa: PLC0415 - an extra
    from bot.features.machine.opponent.remote import remote_machine  # noqa: PLC0415
    from tests.bot.features.machine.test_remote_machine import BOARDS, Plain, working  # noqa: PLC0415

    thinker, direct = Plain(), database_address(await without_tables(postgres_url))
    async with remote_machine(database_address(pooled), "b") as machine:
        async with working(direct, thinker, "b"):
            for seed in range(10):
                await machine.choose(BOARDS[0], level=1, seed=seed)
        with pytest.raises(DatabaseError, match="use PostgreSQL's own address for a worker"):
            await answer_questions(database_address(pooled), thinker, searches=1, build="b")
