"""A listening port that can be closed temporarily."""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress

from aiohttp import web

_ITERATIONS_TO_REGISTER = 3
"""Number of event loop iterations after which the server knows of an accepted connection.

If its port is closed earlier, the connection stays open forever.
"""


class Port:
    """A listening port that can be closed and opened again.

    Args:
        host: Host to listen on.
        port: Port, or 0 for any free one.
        handle: Handles each request.
    """

    def __init__(
        self,
        host: str,
        port: int,
        handle: Callable[[web.BaseRequest], Awaitable[web.StreamResponse]],
    ) -> None:
        self._host, self._port = host, port
        self._handle = handle
        self._listener: asyncio.Server | None = None
        self._runner: web.ServerRunner | None = None

    async def start(self) -> str:
        """Start listening, and return the URL of the port."""
        server = web.Server(self._handle, access_log=None)
        self._runner = web.ServerRunner(server, access_log=None, shutdown_timeout=1.0)
        await self._runner.setup()
        listener = await self._open(self._runner)
        host, self._port = listener.sockets[0].getsockname()[:2]
        return f"http://[{host}]:{self._port}" if ":" in host else f"http://{host}:{self._port}"

    async def open(self) -> None:
        """Accept connections again, after :meth:`shut`."""
        if self._runner is not None:
            await self._open(self._runner)

    async def shut(self) -> None:
        """Cut all connections and refuse new ones."""
        await self._close_port()
        server = self._runner.server if self._runner is not None else None
        for connection in server.connections if server is not None else ():
            if connection.transport is not None:
                connection.transport.abort()

    async def close(self) -> None:
        """Close the port and every connection for good."""
        await self._close_port()
        if self._runner is not None:
            await self._runner.cleanup()

    async def _open(self, runner: web.ServerRunner) -> asyncio.Server:
        assert runner.server is not None  # noqa: S101 - set by `setup`
        loop = asyncio.get_running_loop()
        self._listener = await loop.create_server(runner.server, self._host, self._port)
        return self._listener

    async def _close_port(self) -> None:
        if self._listener is None:
            return
        with suppress(NotImplementedError):  # on Windows
            for socket in self._listener.sockets:
                asyncio.get_running_loop().remove_reader(socket.fileno())
        for _ in range(_ITERATIONS_TO_REGISTER):
            await asyncio.sleep(0)
        self._listener.close()
        self._listener = None
