"""Limits new Discord sessions across all processes of the bot."""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

import structlog

from bot.base import metrics
from bot.base.errors import StoreError
from bot.connection.discord_clock import DiscordClock
from bot.connection.liveness import CONNECTED_WITHIN, Liveness
from bot.connection.session_budget import DAY, Permit, SessionBudget, SessionLimit, SessionStart
from bot.connection.store import IdentifyTable

_log = structlog.get_logger()

NORMAL_WAIT = timedelta(seconds=20)
"""Maximum wait that counts as normal while connecting."""
_REPORT_INTERVAL_S = 30.0
_MAX_AGE_S = 60.0
"""Maximum age in seconds of a session limit. Sessions started since then are subtracted."""

_COUNT_DELAY = timedelta(seconds=20)
"""Maximum delay before Discord's count includes a new session."""
_SAME_DAY = timedelta(minutes=2)
"""Maximum difference between two reset times of the same day."""


class IdentifyLimiter:
    """Limits this process to the sessions that all processes of the bot may start together.

    If the database cannot be used, only this process's own sessions count.
    """

    def __init__(
        self,
        identifies: IdentifyTable,
        time: DiscordClock,
        liveness: Liveness,
        allowance: SessionBudget,
    ) -> None:
        self._identifies = identifies
        self._time = time
        self._liveness = liveness
        self._allowance = allowance
        self._since = time.now()
        # Discord's documented limits, until its real ones are known.
        self._terms = SessionLimit(
            total=1_000,
            remaining=1_000,
            asked_at=self._since,
            resets_at=self._since + DAY,
            concurrency=1,
        )
        self._asked_at: float | None = None
        self._own_starts: list[SessionStart] = []
        # Sessions are counted from this limit: the first one, or the first of a new day.
        self._compared_since: SessionLimit | None = None
        self._announced_until: dict[int, datetime] = {}

    async def has_foreign_starts(self) -> bool:
        """Return True if Discord's last count includes sessions that we don't know about."""
        since, now = self._compared_since, self._time.now()
        if since is None:
            return False
        try:
            history = await self._identifies.history(now)
        except StoreError:  # other processes can't record their sessions either
            self._compared_since = None
            return False
        own_count = sum(start.at > since.asked_at - _COUNT_DELAY for start in history)
        if since.remaining - self._terms.remaining <= own_count:
            return False
        self._compared_since = self._terms
        return True

    async def last_start_elsewhere(self) -> datetime | None:
        """Return when another process of this database last started a session for our servers.

        Return None if none has since this process started.
        """
        try:
            history = await self._identifies.history(self._time.now())
        except StoreError:
            return None
        shards = {(own_start.shard, own_start.count) for own_start in self._own_starts}
        counts = {count for _, count in shards}
        times = [
            start.at
            for start in history
            if start.at > self._since
            and ((start.shard, start.count) in shards or start.count not in counts)
            and not any(_is_same(start, own_start) for own_start in self._own_starts)
        ]
        return max(times, default=None)

    def learn(self, limit: Mapping[str, Any], *, took_s: float = 0.0) -> None:
        """Record Discord's `session_start_limit`, received `took_s` seconds after the request."""
        now = self._time.now()
        self._asked_at = self._time.steady
        self._terms = SessionLimit(
            total=limit["total"],
            remaining=limit["remaining"],
            asked_at=now - timedelta(seconds=took_s),
            resets_at=now + timedelta(milliseconds=limit["reset_after"]),
            concurrency=max(limit["max_concurrency"], 1),
        )
        since = self._compared_since
        if since is None or abs(since.resets_at - self._terms.resets_at) > _SAME_DAY:
            self._compared_since = self._terms
        metrics.GATEWAY_IDENTIFIES_LEFT.set(max(self._terms.remaining_at(self._own_starts, now), 0))

    @property
    def is_behind(self) -> bool:
        """True if the known limit is outdated and should be requested again."""
        return self._asked_at is None or self._time.steady - self._asked_at > _MAX_AGE_S

    async def begin(self, shard: int, count: int) -> timedelta:
        """Record a new session and return zero, or return how long the shard has to wait."""
        now = self._time.now()

        def judge(history: Sequence[SessionStart]) -> Permit:
            return self._judge(shard, count, history, now)

        try:
            permit = await self._identifies.begin(shard, count, judge, now)
        except StoreError:
            self._compared_since = None
            permit = judge(self._own_starts)
        if permit.at > now:
            return permit.at - now
        self._own_starts = [start for start in self._own_starts if start.at > now - DAY]
        self._own_starts.append(SessionStart(shard=shard, count=count, at=now))
        self.clear_wait(shard)
        metrics.GATEWAY_IDENTIFIES.labels(shard).inc()
        metrics.GATEWAY_IDENTIFIES_LEFT.set(max(self._terms.remaining_at(self._own_starts, now), 0))
        return timedelta(0)

    async def must_wait(self, shard: int, count: int, liveness_name: str) -> bool:
        """Return True if a shard has a long wait before its session.

        A long wait is logged and reported to `liveness`, so the shard isn't taken for dead.
        """
        permit, now = await self._check(shard, count)
        if permit.at - now <= NORMAL_WAIT:
            return False
        self._report_wait(shard, liveness_name, permit)
        return True

    async def wait(self, shard: int, count: int, liveness_name: str) -> None:
        """Wait until a shard may start a session. A long wait is reported to `liveness`."""
        while True:
            permit, now = await self._check(shard, count)
            delay = permit.at - now
            if delay <= timedelta(0):
                break
            ends = self._time.steady + delay.total_seconds()
            while (seconds := ends - self._time.steady) > 0:
                if delay > NORMAL_WAIT:
                    self._report_wait(shard, liveness_name, permit)
                await self._time.sleep(min(seconds, _REPORT_INTERVAL_S))
        if shard in self._announced_until:
            self.clear_wait(shard)
            self._liveness.sign(liveness_name, next_within=CONNECTED_WITHIN)

    def clear_wait(self, shard: int) -> None:
        if self._announced_until.pop(shard, None) is not None:
            metrics.GATEWAY_WAITS_UNTIL_SECONDS.labels(shard).set(0)

    async def _check(self, shard: int, count: int) -> tuple[Permit, datetime]:
        now = self._time.now()
        try:
            history: Sequence[SessionStart] = await self._identifies.history(now)
        except StoreError:
            history = self._own_starts
        return self._judge(shard, count, history, now), now

    def _judge(
        self, shard: int, count: int, history: Sequence[SessionStart], now: datetime
    ) -> Permit:
        return self._allowance.permit(
            shard, count, history, self._terms, now=now, since=self._since
        )

    def _report_wait(self, shard: int, liveness_name: str, permit: Permit) -> None:
        self._liveness.pause(liveness_name, until=permit.at, next_within=CONNECTED_WITHIN)
        metrics.GATEWAY_WAITS_UNTIL_SECONDS.labels(shard).set(permit.at.timestamp())
        if abs(permit.at - self._announced_until.get(shard, _NEVER)) > NORMAL_WAIT:
            self._announced_until[shard] = permit.at
            _log.warning(
                "session start delayed",
                shard=shard,
                at=f"{permit.at:%Y-%m-%d %H:%M:%S} UTC",
                reason=str(permit.reason),
            )


def _is_same(stored: SessionStart, own_start: SessionStart) -> bool:
    """Return True if a stored session is one that this process has recorded itself."""
    return stored.shard == own_start.shard and abs(stored.at - own_start.at) < timedelta(
        milliseconds=1
    )


_NEVER = datetime.min.replace(tzinfo=UTC)
