"""An HTTP port for the host's health checks and metrics.

aiohttp's server takes 2 MiB of memory. It is imported only if a port is set, which is rare.
"""

from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Protocol

from bot.base.errors import StartError

if TYPE_CHECKING:
    from aiohttp import web

HEALTH = "/healthz"
_METRICS = "/metrics"


class HostHandlers(Protocol):
    """The HTTP handlers that a process offers its host: health and metrics."""

    async def metrics(self, request: "web.Request", /) -> "web.Response": ...

    async def health(self, request: "web.Request", /) -> "web.Response": ...


@asynccontextmanager
async def serving_host(overview: HostHandlers, host: str, port: int) -> AsyncIterator[None]:
    """Serve the host's requests for health and metrics during the block.

    With port 0, do nothing.

    Raises:
        StartError: if the port cannot be opened.
    """
    if port == 0:
        yield
        return
    handlers = {_METRICS: overview.metrics, HEALTH: overview.health}
    async with open_port(handlers, host, port):
        yield


Handler = Callable[["web.Request"], Awaitable["web.Response"]]


@asynccontextmanager
async def open_port(handlers: Mapping[str, Handler], host: str, port: int) -> AsyncIterator[None]:
    """Serve requests on a port during the block, each path with its handler.

    Raises:
        StartError: if the port cannot be opened.
    """
    from aiohttp import web  # noqa: PLC0415 - see above

    app = web.Application()
    for path, handler in handlers.items():
        app.router.add_get(path, handler)
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
