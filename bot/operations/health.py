"""The bot's health, which `/healthz` and `/metrics` report to the host."""

import asyncio
from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any

from prometheus_client import CONTENT_TYPE_LATEST, generate_latest

from bot.base import metrics
from bot.base.health import ActiveFaults, Fault, HealthStatus
from bot.connection.liveness import Liveness
from bot.database.other_processes import CURE
from bot.play.opponent import Opponent
from bot.play.seams import Measure
from bot.play.store.store import Counts, Store

if TYPE_CHECKING:
    from aiohttp import web

PATIENCE_S = 5.0
"""Timeout for an answer from the database or from another bot."""
_MAX_DELAY = timedelta(minutes=2)
"""Delay after which a due delivery counts as late. Deliveries are checked every two seconds."""


class Overview:
    """Answers requests about the bot's health."""

    def __init__(
        self,
        liveness: Liveness,
        store: Store,
        degraded: ActiveFaults,
        *,
        opponent: Opponent | None = None,
        measures: Sequence[Measure] = (),
        now: Callable[[], datetime],
    ) -> None:
        self._liveness = liveness
        self._store = store
        self._degraded = degraded
        self._opponent = opponent
        self._measures = measures
        self._now = now

    async def metrics(self, _request: "web.Request") -> "web.Response":
        from aiohttp import web  # noqa: PLC0415 - see `bot.base.http_port`

        await self._assess()
        return web.Response(
            body=generate_latest(metrics.REGISTRY), headers={"Content-Type": CONTENT_TYPE_LATEST}
        )

    async def health(self, _request: "web.Request") -> "web.Response":
        """Answer 200 if the bot is playing, or 503 with the reason.

        A bot that delays its session on purpose reports that it is unhealthy, but must not be
        restarted.
        """
        from aiohttp import web  # noqa: PLC0415 - see `bot.base.http_port`

        status, faults, problem = await self._assess()
        liveness, silent = self._liveness, self._liveness.silent
        waiting = liveness.waiting.items()
        answer: dict[str, Any] = {
            "healthy": status.is_healthy,
            "status": status,
            "degraded": faults,
            "silent": silent,
            "waiting": {name: f"{until:%Y-%m-%dT%H:%M:%SZ}" for name, until in waiting},
            "heard": sorted({*liveness.expected} - {*silent, *liveness.unheard}),
            "unheard": liveness.unheard,
            "shared": [f"shard {shard}" for shard in self._store.other_processes.shards],
            "database": problem or "well",
        }
        return web.json_response(answer, status=200 if status.is_healthy else 503)

    async def _assess(self) -> tuple[HealthStatus, dict[Fault, str], str | None]:
        """Return the bot's status, its faults and its database's problem.

        Also update the metrics.
        """
        counts, problem = await self._query_counts()
        faults = self._faults(counts)
        status = self._status(faults, problem)
        metrics.READY.set(status.is_healthy)
        for fault in Fault:
            metrics.DEGRADED.labels(fault).set(fault in faults)
        return status, faults, problem

    def _status(self, faults: dict[Fault, str], problem: str | None) -> HealthStatus:
        if problem is not None:
            return HealthStatus.DATABASE
        if self._liveness.silent:
            return HealthStatus.SILENT
        if self._liveness.waiting:
            return HealthStatus.WAITING
        if not self._liveness.is_ready:
            return HealthStatus.STARTING
        return HealthStatus.DEGRADED if faults else HealthStatus.READY

    def _faults(self, counts: Counts | None) -> dict[Fault, str]:
        faults = self._degraded.faults
        if self._store.other_processes.any_active:
            faults[Fault.SHARED_SHARDS] = CURE
        if self._opponent is not None and (fault := self._opponent.fault) is not None:
            faults[Fault.MACHINE_SILENT] = fault
        if counts is None:
            return faults
        if counts.failing:
            faults[Fault.DELIVERIES_FAILING] = (
                f"{counts.failing} unsent; see 'delivery failed' in the log"
            )
        if counts.due_since is not None and self._now() - counts.due_since > _MAX_DELAY:
            since = f"{counts.due_since:%Y-%m-%d %H:%M:%S} UTC"
            faults[Fault.DELIVERIES_LATE] = f"no process has sent what was due at {since}"
        return faults

    async def _query_counts(self) -> tuple[Counts | None, str | None]:
        """Return the database's counts, or None and its problem."""
        statistics = self._store.statistics
        try:
            async with asyncio.timeout(PATIENCE_S):
                counts = await statistics.counts()
                for measure in self._measures:
                    await measure(self._store)
        except Exception as error:
            metrics.STORE_ANSWERS.set(0)
            return None, statistics.problem or f"fails: {type(error).__name__}"
        problem = statistics.problem  # it may be readable but not writable
        metrics.STORE_ANSWERS.set(0 if problem else 1)
        metrics.GAMES_RUNNING.set(counts.running_games)
        metrics.CHALLENGES_OPEN.set(counts.open_challenges)
        metrics.DELIVERIES_UNSENT.set(counts.unsent)
        metrics.DELIVERIES_FAILING.set(counts.failing)
        since = counts.oldest_unsent
        waiting = 0.0 if since is None else (self._now() - since).total_seconds()
        metrics.DELIVERIES_OLDEST_SECONDS.set(max(waiting, 0.0))
        return counts, problem
