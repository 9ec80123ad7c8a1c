"""The port on which a host finds the numbers and the health, where one is set."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from datetime import datetime
from typing import Any

from aiohttp import ClientError, ClientSession, ClientTimeout, web
from prometheus_client import CONTENT_TYPE_LATEST, generate_latest
from yarl import URL

from bot.base import metrics
from bot.base.errors import StartError
from bot.connection.liveness import Liveness
from bot.database.other_processes import OtherProcesses
from bot.play.store.store import Statistics

HEALTH = "/healthz"
_TOLD = frozenset({"healthy", "silent", "heard", "database"})
"""Fields that the health has at least."""

_PATIENCE_S = 5.0
"""Time in which the database, or another bot, must answer."""


class Overview:
    """Answers those who ask how the bot is."""

    def __init__(
        self,
        liveness: Liveness,
        statistics: Statistics,
        other_processes: OtherProcesses,
        *,
        now: Callable[[], datetime],
    ) -> None:
        self._liveness = liveness
        self._statistics = statistics
        self._other_processes = other_processes
        self._now = now

    async def metrics(self, _request: web.Request) -> web.Response:
        await self._ask_the_store()
        return web.Response(
            body=generate_latest(metrics.REGISTRY), headers={"Content-Type": CONTENT_TYPE_LATEST}
        )

    async def health(self, _request: web.Request) -> web.Response:
        """Answer 200 if all is well, or 503 and what is not.

        Whoever waits on purpose hears nobody: that is not well, though it lives and needs no help.
        """
        trouble = await self._ask_the_store()
        silent, waiting = self._liveness.silent, self._liveness.waiting
        answer: dict[str, Any] = {
            "healthy": not silent and not waiting and trouble is None,
            "silent": silent,
            "waiting": {of: f"{until:%Y-%m-%dT%H:%M:%SZ}" for of, until in waiting.items()},
            "heard": [one for one in self._liveness.expected if one not in silent],
            "shared": [f"shard {shard}" for shard in self._other_processes.shards],
            "database": trouble or "well",
        }
        return web.json_response(answer, status=200 if answer["healthy"] else 503)

    async def _ask_the_store(self) -> str | None:
        """Read the numbers that the database knows; what is wrong with it, if anything."""
        try:
            async with asyncio.timeout(_PATIENCE_S):
                counts = await self._statistics.counts()
        except Exception as error:
            metrics.STORE_ANSWERS.set(0)
            return self._statistics.problem or f"fails: {type(error).__name__}"
        problem = self._statistics.problem  # it may be read and not written
        metrics.STORE_ANSWERS.set(0 if problem else 1)
        metrics.GAMES_RUNNING.set(counts.running_games)
        metrics.CHALLENGES_OPEN.set(counts.open_challenges)
        metrics.DELIVERIES_UNSENT.set(counts.unsent)
        since = counts.oldest_unsent
        waiting = 0.0 if since is None else (self._now() - since).total_seconds()
        metrics.DELIVERIES_OLDEST_SECONDS.set(max(waiting, 0.0))
        return problem


@asynccontextmanager
async def serving(overview: Overview, host: str, port: int) -> AsyncIterator[None]:
    """Answer on a port while the block runs; port 0: on none.

    Raises:
        StartError: if the port cannot be had.
    """
    app = web.Application()
    app.router.add_get("/metrics", overview.metrics)
    app.router.add_get(HEALTH, overview.health)
    async with _opened(app, host, port):
        yield


async def look_at_port(host: str, port: int) -> bool:
    """Tell whether the port is free, by opening it for a moment; False: a dvonn-bot answers there.

    Raises:
        StartError: if the port cannot be had.
    """
    try:
        async with _opened(web.Application(), host, port):
            return True
    except StartError:
        if await _is_ours(host, port):
            return False
        raise


@asynccontextmanager
async def _opened(app: web.Application, host: str, port: int) -> AsyncIterator[None]:
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


async def _is_ours(host: str, port: int) -> bool:
    """Tell whether the server at the port tells of a bot's health."""
    patience = ClientTimeout(total=_PATIENCE_S)
    place = URL.build(scheme="http", host=host, port=port, path=HEALTH)
    try:
        async with ClientSession(timeout=patience) as session, session.get(place) as answer:
            told = await answer.json()
    except (ClientError, OSError, ValueError, TimeoutError):
        return False
    return isinstance(told, dict) and told.keys() >= _TOLD
