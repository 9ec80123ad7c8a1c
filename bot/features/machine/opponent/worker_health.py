"""A worker's `/healthz` and `/metrics` for the host."""

import asyncio
import time
from http import HTTPStatus
from typing import Any, Final

import psycopg
from aiohttp import web
from prometheus_client import CONTENT_TYPE_LATEST, generate_latest
from psycopg_pool import PoolTimeout

from bot.base import metrics
from bot.base.health import Fault, HealthStatus
from bot.features.machine.opponent.job_queue import BACKDATED_S, JobQueue
from bot.features.machine.opponent.watched_thinker import WatchedThinker

_PATIENCE_S: Final = 5.0
_MAX_WAIT_S: Final = 60.0
"""Waiting time of a question, in seconds, above which the host should start more workers."""
_CONNECTION_ERRORS: Final = (psycopg.Error, PoolTimeout, OSError, TimeoutError)
_WAITING: Final = (
    "SELECT count(*), min(scheduled) FILTER (WHERE priority <= 1) FROM saq_jobs "
    "WHERE queue = %s AND status = 'queued'"
)


class WorkerOverview:
    """Answers requests about the worker's health."""

    def __init__(self, queue: JobQueue, thinker: WatchedThinker) -> None:
        self._queue = queue
        self._thinker = thinker

    async def metrics(self, _request: web.Request) -> web.Response:
        await self._assess()
        return web.Response(
            body=generate_latest(metrics.WORKER_REGISTRY),
            headers={"Content-Type": CONTENT_TYPE_LATEST},
        )

    async def health(self, _request: web.Request) -> web.Response:
        """Answer 200 if the worker is working, or 503 with the reason."""
        status, faults, problem = await self._assess()
        answer = {
            "healthy": status.is_healthy,
            "status": status,
            "degraded": faults,
            "database": problem or "well",
        }
        code = HTTPStatus.OK if status.is_healthy else HTTPStatus.SERVICE_UNAVAILABLE
        return web.json_response(answer, status=code)

    async def _assess(self) -> tuple[HealthStatus, dict[Fault, str], str | None]:
        faults: dict[Fault, str] = {}
        if (failed := self._thinker.fault) is not None:
            faults[Fault.MACHINE_SILENT] = failed
        problem = None
        try:
            async with asyncio.timeout(_PATIENCE_S):
                waiting, oldest_s = await self._waiting()
        except _CONNECTION_ERRORS as error:
            problem = f"fails: {type(error).__name__}"
        else:
            metrics.QUEUE_WAITING.set(waiting)
            metrics.QUEUE_OLDEST_SECONDS.set(oldest_s)
            if oldest_s > _MAX_WAIT_S:
                faults[Fault.MACHINE_SILENT] = f"a question has been waiting for {oldest_s:.0f} s"
        status = HealthStatus.DEGRADED if faults else HealthStatus.READY
        if problem is not None:
            status = HealthStatus.DATABASE
        metrics.READY.set(status.is_healthy)
        for fault in Fault:
            metrics.DEGRADED.labels(fault).set(fault in faults)
        return status, faults, problem

    async def _waiting(self) -> tuple[int, float]:
        """Return the number of waiting questions and the longest wait of a player's question."""
        async with self._queue.pool.connection() as connection:
            row: Any = await (await connection.execute(_WAITING, (self._queue.name,))).fetchone()
        number, scheduled = row
        if scheduled is None:
            return number, 0.0
        return number, max(time.time() - scheduled - BACKDATED_S, 0.0)
