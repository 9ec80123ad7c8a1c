"""The time by Discord's clock, whatever the host's clock says.

Messages tell by their ids when they were written, by Discord's clock; so what was heard, played
and sent is kept by that clock, too. It is read from the answers to requests, and carried on by a
clock of this machine that nobody sets.

One answer can be wrong, as where a proxy writes an hour of its own. So an hour that is far from the
known one is believed once a second sign agrees, and until then no time is up.
"""

import asyncio
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

import structlog

_log = structlog.get_logger()

_DATE_S = 1.0
"""A header tells whole seconds that have begun."""
_WORTH_TELLING_S = 60.0
_LIKE_S = 60.0
"""Two signs of the hour that differ by this at most agree."""
_TICK_S = 1.0
_AT_ONCE_S = 1.0
"""Two clocks that are read within this were read at one moment."""

_STEADY = getattr(time, "CLOCK_BOOTTIME", getattr(time, "CLOCK_MONOTONIC", None))


def steady() -> float:
    """Return seconds since some moment, also those in which the machine sleeps.

    Nobody can set it. Where the system has no such clock, it stands still in sleep, and the next
    answer of Discord's brings the hour forward.
    """
    return time.monotonic() if _STEADY is None else time.clock_gettime(_STEADY)


def host_hour() -> datetime:
    """Return this machine's clock, which can be wrong."""
    return datetime.now(UTC)


@dataclass(frozen=True, slots=True)
class HostClocks:
    """The clocks of a machine."""

    hour: Callable[[], datetime]
    """Clock of the host; it may be wrong, and jump."""
    steady: Callable[[], float]
    """Seconds since some moment; they pass while the machine sleeps, and nobody sets them."""
    awake: Callable[[], float]
    """Seconds since some moment, without those in which the machine slept."""
    sleep: Callable[[float], Awaitable[object]] = asyncio.sleep
    """Waits a number of seconds."""


@dataclass(frozen=True, slots=True)
class _Doubt:
    """An hour that only one sign tells of."""

    behind: float
    """Seconds that the steady clock would be behind Discord's."""
    since: float
    """Moment of that sign, by the steady clock."""


class DiscordClock:
    """Tells the hour: the machine's own until Discord has told its."""

    def __init__(self, clocks: HostClocks) -> None:
        self._clocks = clocks
        # What the steady clock is behind Discord's, in seconds.
        self._behind: float | None = None
        self._doubt: _Doubt | None = None
        self._warned_of = 0.0

    @property
    def is_sure(self) -> bool:
        """True once Discord has told its hour, unless one sign speaks against what is known."""
        return self._behind is not None and self._doubt is None

    def now(self) -> datetime:
        if self._behind is None:
            return self._clocks.hour()
        return datetime.fromtimestamp(self._clocks.steady() + self._behind, UTC)

    @property
    def awake(self) -> float:
        """Seconds since some moment; they stand still while the machine sleeps."""
        return self._clocks.awake()

    def moment(self) -> tuple[datetime, float]:
        """Return the present moment, and `awake` at it, even if the process stands still."""
        while True:
            awake, now = self.awake, self.now()
            if self.awake - awake < _AT_ONCE_S:
                return now, awake

    @property
    def steady(self) -> float:
        """Seconds since some moment; they pass while the machine sleeps."""
        return self._clocks.steady()

    async def sleep(self, seconds: float) -> None:
        """Wait a number of seconds by the steady clock, which is read each second.

        So a machine that was suspended meanwhile goes on a second after it wakes, at the latest.
        """
        ends = self.steady + seconds
        while (left := ends - self.steady) > 0:
            await self._clocks.sleep(min(left, _TICK_S))

    def tell(self, date: str, asked: float) -> None:
        """Learn Discord's hour from an answer.

        It was this second at some moment between question and answer. What is known of the hour is
        changed no further than that asks for; at first the earliest is taken, so that nothing
        seems to lie behind us that may still come. What would change it by much is doubted until
        the answer to a later question agrees, or a message does.

        Args:
            date: The answer's header; one that cannot be read teaches nothing.
            asked: What `steady` said before the question.
        """
        try:
            told = parsedate_to_datetime(date).timestamp()
        except (ValueError, OverflowError):
            return
        least, most = told - self.steady, told + _DATE_S - asked
        known, doubt = self._behind, self._doubt
        is_later = doubt is not None and asked >= doubt.since
        if known is None:
            own, self._behind = self._clocks.hour().timestamp() - self.steady, least
            if not _is_like(own, _nearest(own, least, most)):
                self._doubt = _Doubt(least, self.steady)
        elif _is_like(known, near := _nearest(known, least, most)):
            self._behind, self._doubt = near, None if is_later else doubt
        elif doubt is not None and _is_like(doubt.behind, _nearest(doubt.behind, least, most)):
            if is_later:
                self._behind, self._doubt = _nearest(doubt.behind, least, most), None
        else:
            self._doubt = _Doubt(least, self.steady)
            _log.warning("an answer tells another hour: I wait for a second sign")
        self._warn()

    def hear(self, written: datetime) -> None:
        """Learn from a message or an interaction that was written at a moment of Discord's clock.

        It may be long past, but never to come: so it proves that it is that late by now.
        """
        known, doubt = self._behind, self._doubt
        if known is None or doubt is None:
            return
        proven = written.timestamp() - self.steady
        if doubt.behind < known and proven > doubt.behind + _LIKE_S:
            self._doubt = None
        elif doubt.behind >= known and proven >= doubt.behind - _LIKE_S:
            self._behind, self._doubt = doubt.behind, None
            self._warn()

    def _warn(self) -> None:
        ahead = (self._clocks.hour() - self.now()).total_seconds()
        if abs(ahead - self._warned_of) > _WORTH_TELLING_S:
            self._warned_of = ahead
            _log.warning("this machine's clock is wrong: I go by Discord's", ahead_s=round(ahead))


def _nearest(value: float, least: float, most: float) -> float:
    return min(max(value, least), most)


def _is_like(one: float, other: float) -> bool:
    return abs(one - other) <= _LIKE_S
