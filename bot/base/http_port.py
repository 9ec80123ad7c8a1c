"""An HTTP port for the host's health checks and metrics."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Protocol

from aiohttp import web

from bot.base.errors import StartError

HEALTH = "/healthz"
_METRICS = "/metrics"


class HostAnswers(Protocol):
    """The HTTP handlers that a process offers its host: health and metrics."""

    async def metrics(self, request: web.Request, /) -> web.Response: ...

    async def health(self, request: web.Request, /) -> web.Response: ...


@asynccontextmanager
async def answering_host(overview: HostAnswers, host: str, port: int) -> AsyncIterator[None]:
    """Serve the host's requests during the block.

    With port 0, do nothing.

    Raises:
        StartError: if the port cannot be opened.
    """
    app = web.Application()
    app.router.add_get(_METRICS, overview.metrics)
    app.router.add_get(HEALTH, overview.health)
    async with opened(app, host, port):
        yield


@asynccontextmanager
async def opened(app: web.Application, host: str, port: int) -> AsyncIterator[None]:
    """Serve an application on a port during the block.

    With port 0, do nothing.

    Raises:
        StartError: if the port cannot be opened.
    """
    if port == 0:
        yield
        return
    runner = web.AppRunner(app, access_log=None)
    await runner.setup()
    try:
        try:
            await web.TCPSite(runner, host, port).start()
        except OSError as error:
            raise StartError(
                f"METRICS_PORT {port} cannot be opened on METRICS_HOST {host}: {error.strerror} "
                "(choose another port, or an address of this machine)"
            ) from error
        yield
    finally:
        await runner.cleanup()
