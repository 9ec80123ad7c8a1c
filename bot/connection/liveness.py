"""Signs of life (heartbeats) from parts of the bot.

Each sign sets a deadline for the next one.

Only real progress counts: a requested event from Discord, or an attempt to connect. Timers don't
count, because they may keep running in a process that hangs.
"""

import asyncio
import math
from collections.abc import Callable
from datetime import datetime, timedelta


class Liveness:
    """Signs of life (heartbeats) and their deadlines, by a monotonic clock."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._due: dict[str, float] = {}
        self._not_before: dict[str, float] = {}
        self._waiting: dict[str, datetime] = {}
        self._last_signs: dict[str, float] = {}
        self._not_ready: set[str] = set()

    def expect(self, name: str, *, next_within: timedelta) -> None:
        """Expect a first sign of life from a name, if the name is new."""
        if name not in self._due:
            self._not_ready.add(name)
        self._last_signs.setdefault(name, self._clock())
        self.sign(name, next_within=next_within)

    def record(self, name: str, *, next_within: timedelta) -> None:
        """Record a sign of life from an expected name. The next is due within `next_within`."""
        self._last_signs[name] = self._clock()
        self._not_ready.discard(name)
        self.sign(name, next_within=next_within)

    def sign(self, name: str, *, next_within: timedelta) -> None:
        """Postpone a name's deadline. The name needn't be expected, and doesn't become ready."""
        self._due[name] = self._clock() + next_within.total_seconds()
        self._waiting.pop(name, None)

    def pause(self, name: str, *, until: datetime, next_within: timedelta) -> None:
        """Record an intended pause until the given time. It also counts as a sign of life."""
        self.sign(name, next_within=next_within)
        self._waiting[name] = until

    def wait(self, *names: str, until_after: timedelta) -> None:
        """Record that some names are paused, and can't be late until then."""
        until = self._clock() + until_after.total_seconds()
        self._not_before |= dict.fromkeys(names, until)

    def forget(self, name: str) -> None:
        """Stop expecting signs from a name."""
        self._due.pop(name, None)
        self._waiting.pop(name, None)
        self._last_signs.pop(name, None)
        self._not_ready.discard(name)

    def end(self, name: str) -> None:
        """Make a name late immediately."""
        self._not_before.pop(name, None)
        self._due[name] = -math.inf

    def note_reconnect(self, *, next_within: timedelta) -> None:
        """Record a new attempt to connect.

        Until it has succeeded, nothing else is expected.

        Names that have long been silent still count as silent, because an attempt is not a session.
        """
        self._due.clear()
        self._waiting.clear()
        self._not_ready.clear()
        self.expect(CONNECTING, next_within=next_within)

    @property
    def unheard(self) -> list[str]:
        """Names that are expected but have given no sign since the last attempt to connect."""
        return sorted(self._not_ready)

    @property
    def is_ready(self) -> bool:
        """True if all expected names have given a sign since the last attempt to connect."""
        return bool(self._due) and not self._not_ready

    @property
    def late(self) -> list[str]:
        """Names whose next sign is overdue."""
        now = self._clock()
        return sorted(name for name in self._due if self._late_at(name) < now)

    @property
    def silent(self) -> list[str]:
        """Names that are late, or that have long been silent despite attempts to connect."""
        longest = self._clock() - CONNECTED_WITHIN.total_seconds()
        return sorted(
            {*self.late, *(name for name, at in self._last_signs.items() if at < longest)}
        )

    def _late_at(self, name: str) -> float:
        return max(self._due[name], self._not_before.get(name, self._due[name]))

    @property
    def expected(self) -> list[str]:
        return sorted(self._due)

    async def connected(self) -> None:
        """Wait until an attempt to connect has succeeded."""
        while not self._due or CONNECTING in self._due:  # noqa: ASYNC110 - only at startup
            await asyncio.sleep(_POLL_S)

    @property
    def waiting(self) -> dict[str, datetime]:
        """Names that are paused on purpose, and when their pauses end."""
        return dict(self._waiting)

    async def lost(self) -> list[str]:
        """Wait until any name misses its deadline. Return all late names."""
        while not self.late:
            deadline = min(map(self._late_at, self._due), default=self._clock() + _MAX_POLL_S)
            await asyncio.sleep(min(max(deadline - self._clock(), 0) + _MARGIN_S, _MAX_POLL_S))
        return self.late


def shard_name(shard_id: int) -> str:
    """Return a shard's name for signs of life."""
    return f"shard {shard_id}"


CONNECTING = "connecting"
CONNECTED_WITHIN = timedelta(minutes=2)
"""Maximum duration of an attempt to connect. A longer one counts as hanging."""
_MAX_POLL_S = 5.0
_POLL_S = 0.5
_MARGIN_S = 0.05
