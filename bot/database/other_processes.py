"""Detects other processes that use the same database, which is often intended on PostgreSQL."""

from datetime import UTC, datetime, timedelta

import structlog

from bot.database.connection import AsyncEngine
from bot.database.in_use import is_in_use

_log = structlog.get_logger()

_COMPARISONS = 3
"""Number of comparisons, 30 seconds apart, until another process must have written."""

_ENDS_WITHIN = timedelta(minutes=2)


class OtherProcesses:
    """Detects other processes that do the same work, and warns the host once.

    No process is stopped: two bots that run by mistake don't harm the games, and a rolling upgrade
    runs two on purpose.
    """

    def __init__(self, engine: AsyncEngine) -> None:
        self._engine = engine
        self._shards: set[int] = set()
        self._compared: dict[int, datetime] = {}
        self._has_warned = False
        # The file was open at startup, and still counts as open during this number of comparisons.
        self._open_checks_left = 0
        self._may_end_until = datetime.min.replace(tzinfo=UTC)

    @property
    def shards(self) -> list[int]:
        """Shards of this process that another process has recently run, too."""
        return sorted(self._shards)

    @property
    def any_active(self) -> bool:
        """True if another process is doing the same work, or recently did."""
        return bool(self._open_checks_left or self._shards)

    def may_be_active(self, now: datetime) -> bool:
        """Return True if another process does the same work, or may still be shutting down."""
        return self.any_active or now < self._may_end_until

    def record_takeover(self, at: datetime) -> None:
        """Record that this process took over from another one, which may still be shutting down."""
        self._may_end_until = at + _ENDS_WITHIN

    async def check(self) -> None:
        """Check at startup whether another process has the same file open.

        On PostgreSQL, processes of other shards have the database open, too. There, a duplicate
        shows only when it writes for one of our shards.
        """
        if self._engine.dialect.name == "sqlite" and await is_in_use(self._engine):
            self._open_checks_left = _COMPARISONS
            self._warn()

    def has_compared_since(self, moment: datetime) -> bool:
        """Return True if this process has compared every shard since `moment`."""
        return bool(self._compared) and min(self._compared.values()) >= moment

    def record_comparison(self, shard: int, at: datetime, *, with_another: bool) -> None:
        """Record whether another process has written for a shard since this one did."""
        self._compared[shard] = at
        if with_another:
            self._shards.add(shard)
            self._warn()
            return
        was_active = self.any_active
        self._shards.discard(shard)
        self._open_checks_left = max(self._open_checks_left - 1, 0)
        if was_active and not self.any_active:
            self._has_warned = False
            _log.info("duplicate process gone")

    def _warn(self) -> None:
        if not self._has_warned:
            self._has_warned = True
            _log.warning("duplicate process detected", cure=CURE)


CURE = "stop one of the two, unless one is about to take the other's place"
