"""Clients for the sandbox's contract tests: unmodified discord.py, and bare HTTP."""

import asyncio
import io
import json
import struct
import sys
import zlib
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any, TypeVar

import aiohttp
import discord
import yarl
from discord import app_commands
from discord.gateway import DiscordWebSocket
from discord.http import Route

from sandbox import Sandbox

INTENTS = discord.Intents(guilds=True, messages=True, message_content=True, reactions=True)


def png(width: int = 2, height: int = 1) -> bytes:
    """Return a small but valid picture."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return (
            struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
        )

    header = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    rows = zlib.compress(b"".join(b"\0" + b"\x7f" * width for _ in range(height)))
    return (
        b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", rows) + chunk(b"IEND", b"")
    )


class Bot(discord.AutoShardedClient):
    """A client that registers its command tree at the start, and stores its handlers' errors."""

    def __init__(self, *, intents: discord.Intents = INTENTS, **options: Any) -> None:
        # discord.py would wait two seconds for guilds that have all arrived.
        super().__init__(intents=intents, guild_ready_timeout=0, **options)
        self.tree = app_commands.CommandTree(self)
        self.tree.error(self._on_command_error)
        self.errors: list[BaseException] = []

    async def setup_hook(self) -> None:
        await self.tree.sync()

    async def before_identify_hook(self, _: int | None, *, initial: bool = False) -> None:
        """Identify again at once, where discord.py would wait five seconds."""

    async def on_error(self, _: str, /, *__: Any, **___: Any) -> None:
        error = sys.exc_info()[1]
        if error is not None:
            self.errors.append(error)

    async def _on_command_error(
        self, _: discord.Interaction, error: app_commands.AppCommandError
    ) -> None:
        self.errors.append(error)


_Bot = TypeVar("_Bot", bound=Bot)


@asynccontextmanager
async def running(world: Sandbox, bot: _Bot) -> AsyncIterator[_Bot]:
    """The connected bot. Errors in its handlers are raised at the end."""
    base, gateway = Route.BASE, DiscordWebSocket.DEFAULT_GATEWAY
    Route.BASE = world.api_url
    DiscordWebSocket.DEFAULT_GATEWAY = yarl.URL(world.gateway_url)
    task = asyncio.create_task(bot.start(world.token))
    ready = asyncio.create_task(world.wait_ready())
    try:
        await asyncio.wait({task, ready}, return_when=asyncio.FIRST_COMPLETED)
        if task.done():
            task.result()
        await ready
        await bot.wait_until_ready()
        yield bot
    finally:
        ready.cancel()
        await bot.close()
        Route.BASE, DiscordWebSocket.DEFAULT_GATEWAY = base, gateway
    await task
    for error in bot.errors:
        raise error


class Api:
    """Sends the bot's REST requests by hand."""

    def __init__(self, world: Sandbox, session: aiohttp.ClientSession) -> None:
        self._world = world
        self._session = session
        self.headers: dict[str, str] = {}

    async def __call__(
        self,
        method: str,
        path: str,
        body: object = None,
        *,
        token: str | None = None,
        files: tuple[tuple[str, bytes], ...] = (),
        query: dict[str, str] | None = None,
    ) -> tuple[int, Any]:
        """Send a request.

        Returns:
            The status, and the JSON of the response (None without one). Its headers are stored.
        """
        options: dict[str, Any] = {"json": body} if body is not None else {}
        if files:
            form = aiohttp.FormData(quote_fields=False)
            form.add_field("payload_json", json.dumps(body or {}))
            for n, (name, data) in enumerate(files):
                form.add_field(f"files[{n}]", io.BytesIO(data), filename=name)
            options = {"data": form}
        headers = {"Authorization": f"Bot {token or self._world.token}"}
        async with self._session.request(
            method, self._world.api_url + path, headers=headers, params=query, **options
        ) as response:
            self.headers = dict(response.headers)
            text = await response.text()
            return response.status, json.loads(text) if text else None


class Socket:
    """A gateway connection, handled by hand."""

    def __init__(self, socket: aiohttp.ClientWebSocketResponse, compression: str = "") -> None:
        self._socket = socket
        self._decompress = _decompressor(compression)
        self.session_id = ""
        self.sequence = 0

    async def send(self, op: object, data: object, *, binary: bool = False) -> None:
        text = json.dumps({"op": op, "d": data})
        await (self._socket.send_bytes(text.encode()) if binary else self._socket.send_str(text))

    async def receive(self) -> dict[str, Any]:
        """Return the next payload.

        Raises:
            ConnectionError: the gateway closed; ``code`` tells how.
        """
        message = await self._socket.receive()
        if message.type is aiohttp.WSMsgType.TEXT:
            payload = json.loads(message.data)
        elif message.type is aiohttp.WSMsgType.BINARY:
            payload = json.loads(self._decompress(message.data))
        else:
            raise ClosedError(self._socket.close_code or 0)
        self.sequence = payload["s"] or self.sequence
        if payload["t"] == "READY":
            self.session_id = payload["d"]["session_id"]
        return dict(payload)

    async def event(self, name: str) -> dict[str, Any]:
        """Return the data of the next event of that name. Others are skipped."""
        while True:
            payload = await self.receive()
            if payload["t"] == name:
                return dict(payload["d"])

    async def close(self, code: int = 4000) -> None:
        await self._socket.close(code=code)


class ClosedError(ConnectionError):
    """The gateway closed the connection."""

    def __init__(self, code: int) -> None:
        super().__init__(f"closed with {code}")
        self.code = code


def _decompressor(compression: str) -> Any:
    if compression == "zlib-stream":
        return zlib.decompressobj().decompress
    if compression == "zstd-stream":
        import zstandard  # noqa: PLC0415

        return zstandard.ZstdDecompressor().decompressobj().decompress
    return None


@asynccontextmanager
async def connected(
    world: Sandbox,
    *,
    intents: int = INTENTS.value,
    compression: str = "",
    identify: bool = True,
    query: dict[str, str] | None = None,
    **more: object,
) -> AsyncIterator[Socket]:
    """A gateway connection after HELLO, by default identified."""
    asked = {"v": "10", "encoding": "json"} | ({"compress": compression} if compression else {})
    url = yarl.URL(world.gateway_url).with_query(asked | (query or {}))
    async with aiohttp.ClientSession() as session, session.ws_connect(url) as raw:
        socket = Socket(raw, compression)
        assert (await socket.receive())["op"] == 10
        if identify:
            data = {"token": world.token, "intents": intents, "properties": {}, **more}
            await socket.send(2, data)
        yield socket
