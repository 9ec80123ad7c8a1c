"""Serves SAQ's web page for the queue to browsers on this machine.

The page can cancel and repeat jobs. So requests with another `Host` are refused, and so are
requests that come from other sites according to `Origin` or `Sec-Fetch-Site`.
"""

import ipaddress
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from http import HTTPStatus
from typing import Final

import structlog
from aiohttp import web
from saq.queue import Queue
from saq.web.aiohttp import create_app, exceptions
from yarl import URL

from bot.base.errors import ConfigError

_log = structlog.get_logger()

_HOST: Final = "127.0.0.1"
_OWN_FETCHES: Final = frozenset({"same-origin", "none"})
_NOT_FOUND: Final = (KeyError, ValueError)
"""Errors that SAQ's page raises for a missing queue or job."""

_Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]


@asynccontextmanager
async def queue_page(queue: Queue, port: int) -> AsyncIterator[None]:
    """Serve SAQ's page of a queue during the block.

    With port 0, do nothing.

    Raises:
        ConfigError: if the port can't be opened.
    """
    if port == 0:
        yield
        return
    app = create_app([queue])
    app.middlewares.remove(exceptions)  # it puts tracebacks into answers and the log
    app.middlewares.insert(0, _guard)
    runner = web.AppRunner(app, access_log=None)
    await runner.setup()
    try:
        try:
            await web.TCPSite(runner, _HOST, port).start()
        except OSError as error:
            raise ConfigError("--page", f"{port} cannot be opened: {error.strerror}") from error
        yield
    finally:
        await runner.cleanup()


@web.middleware
async def _guard(request: web.Request, handler: _Handler) -> web.StreamResponse:
    if (refusal := _refusal(request)) is not None:
        return _problem(HTTPStatus.FORBIDDEN, refusal)
    try:
        return await handler(request)
    except web.HTTPException as error:
        return _problem(HTTPStatus(error.status), error.reason)
    except _NOT_FOUND:
        return _problem(HTTPStatus.NOT_FOUND, "there is no such queue or question")
    except Exception as error:
        _log.warning("queue page failed", error=f"{type(error).__name__}: {error}")
        return _problem(HTTPStatus.INTERNAL_SERVER_ERROR, "the queue can't be read right now")


def _problem(status: HTTPStatus, text: str) -> web.Response:
    return web.json_response({"error": text}, status=status)


def _refusal(request: web.Request) -> str | None:
    """Return why a request is refused, or None if it comes from the page itself."""
    host = request.headers.get("Host", "")
    if not _is_this_machine(host):
        return "open the page at 127.0.0.1"
    origin = request.headers.get("Origin", f"http://{host}")
    fetched_by = request.headers.get("Sec-Fetch-Site", "none")
    is_opened = request.method == "GET" and request.headers.get("Sec-Fetch-Mode") == "navigate"
    if origin != f"http://{host}" or (fetched_by not in _OWN_FETCHES and not is_opened):
        return "only the page itself may do that"
    return None


def _is_this_machine(host: str) -> bool:
    try:
        name = URL(f"http://{host}").host or ""
        return name == "localhost" or ipaddress.ip_address(name).is_loopback
    except ValueError:
        return False
