"""Tests for a bot behind a proxy: all its traffic uses the proxy, by CONNECT."""

import asyncio
import base64
import ssl
from collections.abc import AsyncIterator
from contextlib import suppress
from pathlib import Path
from typing import Final

import pytest

from sandbox import Sandbox
from tests.e2e.bot_process import run_bot, run_cold
from tests.e2e.conftest import FAULTS, Club
from tests.games import random_game
from tests.tls import certificate_of, pour

HOST: Final = "discord.test"
"""A host name that only the proxy can resolve."""
SECRET: Final = "ge+heim"


class Proxy:
    """A proxy with a password that leads to a local Discord with TLS."""

    def __init__(self, world: Sandbox, certificate: Path) -> None:
        self._behind = int(world.state.base_url.rpartition(":")[2])
        self._context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
        self._context.load_cert_chain(certificate)

    async def let_in(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(OSError, asyncio.IncompleteReadError):
            asked = (await reader.readuntil(b"\r\n\r\n")).decode()
            password = base64.b64encode(f"me:{SECRET}".encode()).decode()
            if f"Proxy-Authorization: Basic {password}" not in asked:
                writer.write(b"HTTP/1.1 407 Proxy Authentication Required\r\n\r\n")
            elif asked.startswith(f"CONNECT {HOST}:443 "):
                writer.write(b"HTTP/1.1 200 Connection established\r\n\r\n")
                await writer.drain()
                await writer.start_tls(self._context)
                behind, before = await asyncio.open_connection("127.0.0.1", self._behind)
                await asyncio.gather(pour(reader, before), pour(behind, writer))
        writer.close()


@pytest.fixture
async def proxied(empty_club: Club, tmp_path: Path) -> AsyncIterator[Club]:
    """A server whose bot uses a proxy, and has not been started."""
    world, bot = empty_club.world, empty_club.bot
    certificate = certificate_of(HOST, tmp_path)
    proxy = Proxy(world, certificate)
    server = await asyncio.start_server(proxy.let_in, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    world.state.base_url = f"https://{HOST}"
    bot.cold = True  # it reads the trusted certificates when it is imported
    bot.settings |= {
        "DISCORD_API_URL": world.api_url,
        "https_proxy": f"http://me:{SECRET.replace('+', '%2B')}@127.0.0.1:{port}",
        "SSL_CERT_FILE": str(certificate),
    }
    yield empty_club
    await bot.end()
    server.close()


async def test_all_traffic_uses_the_proxy(proxied: Club, tmp_path: Path) -> None:
    club, bot = proxied, proxied.bot
    status, said, _ = await run_cold(tmp_path, "check", **bot.settings)
    assert (status, "BAD" in said) == (0, False), said
    await bot.start()
    try:
        table = await club.start_game()
        await table.play(random_game(2)[:3])
        await club.world.disconnect()  # the session resumes at the address from READY
        await table.play(random_game(2)[3:5])
        # Files have another host than the API.
        moves = " ".join(map(str, random_game(2))).encode()
        shown = await club.ann.slash(club.channel, "show", file=("game.txt", moves))
    finally:
        status = await bot.stop()
    assert shown.message is not None
    assert shown.message.attachments
    assert (status, FAULTS.findall(bot.log)) == (0, [])


async def test_a_proxy_that_refuses_is_named_without_the_password(
    proxied: Club, tmp_path: Path
) -> None:
    club, bot = proxied, proxied.bot
    wrong = bot.settings["https_proxy"].replace("me:", "you:")
    for settings in (
        bot.settings | {"https_proxy": wrong},
        bot.settings | {"https_proxy": wrong.rpartition(":")[0] + ":1"},
    ):
        status, said, log = await run_bot(tmp_path, "check", **settings, LOG_LEVEL="debug")
        (line,) = (line for line in said.splitlines() if line.startswith("BAD"))
        assert status == 1
        assert line.startswith("BAD Discord cannot be reached through HTTPS_PROXY: ")
        assert line.endswith(" (see whether that proxy runs, and takes its name and password)")
        assert SECRET not in said + log
    bot.settings |= {"https_proxy": wrong, "LOG_LEVEL": "debug"}
    bot.cold = False
    await bot.launch()
    await bot.wrote("Discord cannot be reached through HTTPS_PROXY")
    assert await bot.stop() == 0
    assert SECRET not in bot.log
    assert SECRET.replace("+", "%2B") not in bot.log
    # Without the proxy nobody can resolve the name.
    status, said, _ = await run_bot(tmp_path, "check", **bot.settings, no_proxy="discord.test")
    assert "BAD Discord cannot be reached at DISCORD_API_URL: ClientConnectorDNSError" in said
    assert club.world.exchanges == []
