"""Signs of life: each says by when the next one must have come.

Only what really happened is a sign: an event from Discord that was asked for, or an attempt to
connect. A process that has stopped doing anything gives none, however well its timers run.
"""

import asyncio
import math
from collections.abc import Callable
from datetime import datetime, timedelta


class Liveness:
    """Signs of life, and the times when they are due again, by a clock of even seconds."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._due: dict[str, float] = {}
        self._not_before: dict[str, float] = {}
        self._waiting: dict[str, datetime] = {}
        self._heard: dict[str, float] = {}
        self._unheard: set[str] = set()

    def expect(self, of: str, *, next_within: timedelta) -> None:
        """Count something as missing from now on, unless it is missing already."""
        if of not in self._due:
            self._unheard.add(of)
        self._heard.setdefault(of, self._clock())
        self.sign(of, next_within=next_within)

    def hear(self, of: str, *, next_within: timedelta) -> None:
        """Note that something expected was heard; by then it must be heard again."""
        self._heard[of] = self._clock()
        self._unheard.discard(of)
        self.sign(of, next_within=next_within)

    def sign(self, of: str, *, next_within: timedelta) -> None:
        """Note a sign of life, and the time when the next one is due."""
        self._due[of] = self._clock() + next_within.total_seconds()
        self._waiting.pop(of, None)

    def pause(self, of: str, *, until: datetime, next_within: timedelta) -> None:
        """Note a pause on purpose until a moment: that is a sign of life as well."""
        self.sign(of, next_within=next_within)
        self._waiting[of] = until

    def wait(self, *for_whom: str, until_after: timedelta) -> None:
        """Note that somebody was told to keep still so long: until then that is no bad sign."""
        until = self._clock() + until_after.total_seconds()
        self._not_before |= dict.fromkeys(for_whom, until)

    def forget(self, of: str) -> None:
        """Expect nothing more of a name."""
        self._due.pop(of, None)
        self._waiting.pop(of, None)
        self._heard.pop(of, None)
        self._unheard.discard(of)

    def end(self, of: str) -> None:
        """Count something as late at once: it gives no sign any more."""
        self._not_before.pop(of, None)
        self._due[of] = -math.inf

    def begin_anew(self, *, next_within: timedelta) -> None:
        """Note a new attempt to connect: nothing else is expected before it is done.

        What was missing stays missing: attempts alone are no session.
        """
        self._due.clear()
        self._waiting.clear()
        self._unheard.clear()
        self.expect(CONNECTING, next_within=next_within)

    @property
    def unheard(self) -> list[str]:
        """Names that were not heard since the last attempt to connect."""
        return sorted(self._unheard)

    @property
    def is_ready(self) -> bool:
        """True once all that is expected was heard since the last attempt to connect."""
        return bool(self._due) and not self._unheard

    @property
    def late(self) -> list[str]:
        """Names that should have given a sign by now, and have not."""
        now = self._clock()
        return sorted(of for of in self._due if self._late_at(of) < now)

    @property
    def silent(self) -> list[str]:
        """Names that are late, or have been missing for long, however many attempts there were."""
        longest = self._clock() - CONNECTED_WITHIN.total_seconds()
        return sorted({*self.late, *(of for of, at in self._heard.items() if at < longest)})

    def _late_at(self, of: str) -> float:
        return max(self._due[of], self._not_before.get(of, self._due[of]))

    @property
    def expected(self) -> list[str]:
        return sorted(self._due)

    async def connected(self) -> None:
        """Wait until an attempt to connect has come to something."""
        while not self._due or CONNECTING in self._due:  # noqa: ASYNC110 - once, at a start
            await asyncio.sleep(_LOOK_WHETHER_S)

    @property
    def waiting(self) -> dict[str, datetime]:
        """Names that wait on purpose, and until when."""
        return dict(self._waiting)

    async def lost(self) -> list[str]:
        """Wait until something is late; what it is."""
        while not self.late:
            due = min(map(self._late_at, self._due), default=self._clock() + _LOOK_AGAIN_S)
            await asyncio.sleep(min(max(due - self._clock(), 0) + _A_MOMENT_S, _LOOK_AGAIN_S))
        return self.late


def shard_name(shard_id: int) -> str:
    """Return what a shard's signs are of."""
    return f"shard {shard_id}"


CONNECTING = "connecting"
CONNECTED_WITHIN = timedelta(minutes=2)
"""An attempt to connect that has come to nothing by then hangs."""
_LOOK_AGAIN_S = 5.0
_LOOK_WHETHER_S = 0.5
_A_MOMENT_S = 0.05
