"""Tests for PostgreSQL over TLS, with the addresses of managed providers.

The tests' server has no TLS, so a TLS proxy runs in front of it, like a pooler.
"""

import asyncio
import re
import ssl
import struct
from collections.abc import AsyncIterator, Callable
from contextlib import suppress
from pathlib import Path

import pytest
from sqlalchemy import text
from sqlalchemy.engine import URL

from bot.base.database_address import database_address
from bot.base.errors import DatabaseError
from bot.database.opening import create_engine, schema_is_current
from sandbox import Sandbox
from tests.e2e.bot_process import run_bot
from tests.postgresql import without_tables
from tests.tls import certificate_of, pour

_ASKS_FOR_TLS = struct.pack("!ii", 8, 80877103)


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A certificate of localhost, and its key."""
    return certificate_of("localhost", tmp_path_factory.mktemp("tls"))


class Gate:
    """A proxy with TLS that connects to the server without it."""

    def __init__(self, server: URL, certificate: Path) -> None:
        self.port = 0
        self.encrypted = 0
        """Number of connections that have requested TLS and got it."""
        self._server = server
        self._context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
        self._context.load_cert_chain(certificate)

    async def let_in(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(OSError, asyncio.IncompleteReadError):
            if await reader.readexactly(8) == _ASKS_FOR_TLS:
                writer.write(b"S")
                await writer.drain()
                await writer.start_tls(self._context)
                self.encrypted += 1
                behind, before = await self._connect()
                await asyncio.gather(pour(reader, before), pour(behind, writer))
        writer.close()

    async def _connect(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        folder = self._server.query.get("host")
        if isinstance(folder, str):
            return await asyncio.open_unix_connection(f"{folder}/.s.PGSQL.5432")
        return await asyncio.open_connection(self._server.host, self._server.port or 5432)


@pytest.fixture
async def gate(postgres_url: str, certificate: Path) -> AsyncIterator[Gate]:
    await without_tables(postgres_url)
    gate = Gate(database_address(postgres_url), certificate)
    server = await asyncio.start_server(gate.let_in, "localhost", 0)
    gate.port = server.sockets[0].getsockname()[1]
    yield gate
    server.close()


@pytest.fixture
def address(gate: Gate, postgres_url: str) -> Callable[..., str]:
    """Return the proxy's address, with a query and a host name."""
    url = database_address(postgres_url)

    def say(query: str, host: str = "localhost") -> str:
        shown = url.set(drivername="postgresql", host=host, port=gate.port, query={})
        return f"{shown.render_as_string(hide_password=False)}?{query}"

    return say


async def ask(address: str) -> None:
    engine = create_engine(database_address(address))
    try:
        async with engine.connect() as connection:
            assert (await connection.execute(text("SELECT 1"))).scalar() == 1
    finally:
        await engine.dispose()


@pytest.mark.parametrize(
    "query",
    [
        "sslmode=require",
        "sslmode=prefer",
        "",
        "sslmode=require&channel_binding=require",
        "channel_binding=require",
        "channel_binding=prefer",
        "ssl=true",
        "ssl=require",
        "sslmode=verify-full&sslrootcert={certificate}",
        "sslmode=verify-ca&sslrootcert={certificate}",
        "sslmode=require&connect_timeout=15&keepalives=1&application_name=mine&gssencmode=disable",
        "sslmode=require&target_session_attrs=read-write&options=-c%20geqo%3Doff",
    ],
)
async def test_managed_ones_are_reached(
    gate: Gate, address: Callable[..., str], certificate: Path, query: str
) -> None:
    await ask(address(query.format(certificate=certificate)))
    assert gate.encrypted == 1

    await ask_as_the_queue(address(query.format(certificate=certificate)))
    assert gate.encrypted == 2


async def ask_as_the_queue(address: str) -> None:
    """Connect like MACHINE=queue, with PostgreSQL's own library."""
    job_queue = pytest.importorskip(
        "bot.features.machine.opponent.job_queue", reason="an extra is missing"
    )
    async with job_queue.connections(database_address(address), limit=1) as pool:
        await pool.wait(20)


async def test_the_queue_trusts_local_clocks(
    gate: Gate, address: Callable[..., str], certificate: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    query = "sslmode=verify-full&sslrootcert=system"
    monkeypatch.setenv("SSL_CERT_FILE", str(certificate))
    await ask_as_the_queue(address(query))
    assert gate.encrypted == 1


@pytest.mark.parametrize(
    ("query", "host", "said"),
    [
        ("sslmode=verify-full&sslrootcert={certificate}", "127.0.0.1", "IP address mismatch"),
        ("sslmode=verify-full&sslrootcert=system", "localhost", "self-signed certificate"),
        ("sslrootcert=system", "localhost", "self-signed certificate"),
    ],
)
async def test_an_untrusted_certificate_is_reported(
    address: Callable[..., str], certificate: Path, query: str, host: str, said: str
) -> None:
    engine = create_engine(database_address(address(query.format(certificate=certificate), host)))
    with pytest.raises(DatabaseError) as refused:
        await schema_is_current(engine)
    await engine.dispose()

    assert said in str(refused.value)
    assert str(refused.value).endswith(" (check sslmode and sslrootcert)")


async def test_no_tls_where_it_is_disabled(gate: Gate, address: Callable[..., str]) -> None:
    engine = create_engine(database_address(address("sslmode=disable")))
    with pytest.raises(DatabaseError, match="connection was closed"):
        await schema_is_current(engine)
    await engine.dispose()

    assert gate.encrypted == 0


@pytest.mark.parametrize(
    "query",
    ["target_session_attrs=perhaps", "sslnegotiation=perhaps", "ssl_min_protocol_version=TLSv9"],
)
async def test_driver_errors_are_not_server_errors(address: Callable[..., str], query: str) -> None:
    engine = create_engine(database_address(address(query)))
    with pytest.raises(DatabaseError) as refused:
        await schema_is_current(engine)
    await engine.dispose()

    assert "can be reached from here" not in str(refused.value)


async def test_check_and_start_accept_addresses_as_providers_write_them(
    tmp_path: Path, gate: Gate, address: Callable[..., str]
) -> None:
    given = {"DATABASE_URL": address("sslmode=require&channel_binding=require"), "MACHINE": "off"}
    async with Sandbox() as world:
        given |= {"DISCORD_API_URL": world.api_url, "DISCORD_TOKEN": world.token}
        status, out, err = await run_bot(tmp_path, "check", **given)
        assert (status, err) == (0, "")
        assert re.search(rf"ok  DATABASE_URL postgresql://\S*localhost:{gate.port}/", out)
        status, _, err = await run_bot(tmp_path, **given | {"DISCORD_TOKEN": "wrong"})
    assert err.splitlines()[-1].startswith("dvonn-bot: Discord rejected DISCORD_TOKEN")
    assert gate.encrypted >= 2
