"""The current time by Discord's clock, independent of the host's clock.

Message ids contain times by Discord's clock, so the times of reading, playing and sending are
stored by that clock, too. That time is read from responses to requests, and advanced by a monotonic
clock of this machine.

Responses can be wrong, for example if a proxy inserts its own time. A time that differs a lot from
the known one needs independent evidence: a response from the other source, or the time of a
message. Until then, nobody loses on time.
"""

import asyncio
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from enum import Enum, auto
from functools import lru_cache
from http import HTTPStatus
from types import SimpleNamespace

import aiohttp
import structlog
from aiohttp import hdrs

_log = structlog.get_logger()

_DATE_S = 1.0
"""Resolution in seconds of the Date header, which is rounded down."""
_NORMAL_OFFSET_S = 60.0
_AGREEMENT_S = 60.0
"""Maximum difference between two times that still agree."""
_TICK_S = 1.0
_SAME_MOMENT_S = 1.0
"""Maximum time between readings of two clocks that count as simultaneous."""

_STEADY = getattr(time, "CLOCK_BOOTTIME", getattr(time, "CLOCK_MONOTONIC", None))


def steady() -> float:
    """Return seconds since a fixed moment, including time that the machine was asleep.

    This clock cannot be set. If the system has no such clock, the clock stops during sleep, and the
    next response from Discord corrects the time.
    """
    return time.monotonic() if _STEADY is None else time.clock_gettime(_STEADY)


def host_time() -> datetime:
    """Return the time by the host's clock, which can be wrong."""
    return datetime.now(UTC)


@dataclass(frozen=True, slots=True)
class HostClocks:
    """The clocks of a machine."""

    wall_clock: Callable[[], datetime]
    """The host's clock, which may be wrong or jump."""
    steady: Callable[[], float]
    """Seconds since a fixed moment, including time asleep. This clock cannot be set."""
    awake: Callable[[], float]
    """Seconds since a fixed moment, excluding time asleep."""
    sleep: Callable[[float], Awaitable[object]] = asyncio.sleep
    """Coroutine that waits for a number of seconds."""


class TimeSource(Enum):
    """The two sources of Discord's time. A proxy affects at most one of them."""

    REQUESTS = auto()
    GATEWAY = auto()
    """The handshake of the gateway's WebSocket."""


@dataclass(frozen=True, slots=True)
class _Doubt:
    """A new time with evidence from only one source."""

    offset_s: float
    """Offset in seconds: Discord's time minus the steady clock's."""
    since: float
    """Time of that response by the steady clock."""
    source: TimeSource


class DiscordClock:
    """The current time. Until Discord's time is known, this is the host's time."""

    def __init__(self, clocks: HostClocks) -> None:
        self._clocks = clocks
        # Discord's clock minus the steady clock, in seconds.
        self._offset_s: float | None = None
        self._doubt: _Doubt | None = None
        # The last time that was proven wrong. It is ignored if the same source repeats it.
        self._wrong: _Doubt | None = None
        self._warned_offset_s = 0.0

    @property
    def is_sure(self) -> bool:
        """True if Discord's time is known and no newer response contradicts it."""
        return self._offset_s is not None and self._doubt is None

    def now(self) -> datetime:
        if self._offset_s is None:
            return self._clocks.wall_clock()
        return datetime.fromtimestamp(self._clocks.steady() + self._offset_s, UTC)

    @property
    def awake(self) -> float:
        """Seconds since a fixed moment, excluding time asleep."""
        return self._clocks.awake()

    def moment(self) -> tuple[datetime, float]:
        """Return the current time and the value of `awake` at exactly that time."""
        while True:
            awake, now = self.awake, self.now()
            if self.awake - awake < _SAME_MOMENT_S:
                return now, awake

    @property
    def steady(self) -> float:
        """Seconds since a fixed moment, including time asleep."""
        return self._clocks.steady()

    async def sleep(self, seconds: float) -> None:
        """Wait for a number of seconds by the steady clock.

        The clock is checked every second, so if the machine was suspended, the wait ends at most a
        second after it wakes.
        """
        ends = self.steady + seconds
        while (remaining_s := ends - self.steady) > 0:
            await self._clocks.sleep(min(remaining_s, _TICK_S))

    def watch(self, trace: aiohttp.TraceConfig) -> aiohttp.TraceConfig:
        """Add a hook to a trace that reads the Date header of each response."""

        async def record_start(
            _session: object, context: SimpleNamespace, _request: object
        ) -> None:
            context.asked = self.steady

        async def read_date(
            _session: object, context: SimpleNamespace, answer: aiohttp.TraceRequestEndParams
        ) -> None:
            if (date := answer.response.headers.get(hdrs.DATE)) is not None:
                is_socket = answer.response.status == HTTPStatus.SWITCHING_PROTOCOLS
                self.observe(
                    date, context.asked, TimeSource.GATEWAY if is_socket else TimeSource.REQUESTS
                )

        trace.on_request_start.append(record_start)
        trace.on_request_end.append(read_date)
        return trace

    def observe(
        self, date: str, requested_at: float, source: TimeSource = TimeSource.REQUESTS
    ) -> None:
        """Learn Discord's time from a response.

        The header's second falls between the request and the response. The known time is changed no
        more than necessary. At first, the earliest possible time is used, so that no future time
        seems past. A big change is not accepted until a message or a later response from the other
        source agrees. A source that repeats a time proven wrong is ignored.

        Args:
            date: The response's Date header. An unreadable one is ignored.
            requested_at: Value of `steady` before the request.
            source: Where the response came from.
        """
        try:
            timestamp = _timestamp(date)
        except (ValueError, OverflowError):
            return
        bounds = _OffsetBounds(timestamp - self.steady, timestamp + _DATE_S - requested_at)
        if self._wrong is not None and self._wrong.source is source and bounds.is_like(self._wrong):
            return
        offset_s, doubt = self._offset_s, self._doubt
        host_offset_s = self._clocks.wall_clock().timestamp() - self.steady
        if offset_s is None:
            self._offset_s = bounds.least
            if not bounds.agrees(host_offset_s):
                self._doubt = _Doubt(bounds.least, self.steady, source)
        elif doubt is not None and source is not doubt.source and requested_at >= doubt.since:
            self._judge(bounds, host_offset_s, offset_s, doubt)
        elif bounds.agrees(offset_s):
            self._offset_s = bounds.nearest(offset_s)
            if doubt is not None and requested_at >= doubt.since and not bounds.is_like(doubt):
                self._doubt = None  # that one response was wrong
        elif doubt is None or not bounds.is_like(doubt):
            self._doubt = _Doubt(bounds.least, self.steady, source)
            _log.warning("response date differs, waiting for another source")
        self._warn()

    def _judge(
        self, bounds: "_OffsetBounds", host_offset_s: float, offset_s: float, doubt: _Doubt
    ) -> None:
        """Check an uncertain time against a response from the other source.

        If all three differ, the host's clock decides.
        """
        if bounds.is_like(doubt):
            self._offset_s, self._doubt = bounds.nearest(doubt.offset_s), None
        elif bounds.agrees(offset_s) or bounds.agrees(host_offset_s):
            self._offset_s = bounds.nearest(offset_s) if bounds.agrees(offset_s) else bounds.least
            self._doubt, self._wrong = None, doubt
            _log.warning("response dates wrong, ignoring them", source=doubt.source.name)

    def observe_message(self, written_at: datetime) -> None:
        """Learn from the time of a message or an interaction, by Discord's clock.

        It may be long past, but is never in the future, so Discord's time is at least that time.
        """
        offset_s, doubt = self._offset_s, self._doubt
        if offset_s is None:
            return
        proven = written_at.timestamp() - self.steady
        if proven > offset_s + _AGREEMENT_S:
            self._wrong = None
        if doubt is None:
            return
        if doubt.offset_s < offset_s and proven > doubt.offset_s + _AGREEMENT_S:
            self._doubt, self._wrong = None, doubt
        elif doubt.offset_s >= offset_s and proven >= doubt.offset_s - _AGREEMENT_S:
            self._offset_s, self._doubt = doubt.offset_s, None
            self._warn()

    def _warn(self) -> None:
        offset_s = (self._clocks.wall_clock() - self.now()).total_seconds()
        if abs(offset_s - self._warned_offset_s) > _NORMAL_OFFSET_S:
            self._warned_offset_s = offset_s
            _log.warning("host clock wrong, using Discord's", offset_s=round(offset_s))


@lru_cache(maxsize=8)  # responses within the same second have the same Date header
def _timestamp(date: str) -> float:
    return parsedate_to_datetime(date).timestamp()


@dataclass(frozen=True, slots=True)
class _OffsetBounds:
    """Bounds on the offset to Discord's clock, in seconds, from one response."""

    least: float
    most: float

    def nearest(self, offset_s: float) -> float:
        return min(max(offset_s, self.least), self.most)

    def agrees(self, offset_s: float) -> bool:
        return abs(offset_s - self.nearest(offset_s)) <= _AGREEMENT_S

    def is_like(self, doubt: _Doubt) -> bool:
        return self.agrees(doubt.offset_s)
