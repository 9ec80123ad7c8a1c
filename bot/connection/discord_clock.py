"""The time by Discord's clock, whatever the host's clock says.

Message ids contain their times by Discord's clock, so received, played and sent times are stored by
that clock, too. It is read from the responses to requests, and continued by a monotonic clock of
this machine.

Responses can be wrong, for example if a proxy writes its own time, once or always. A time far
from the known one is believed only after independent evidence agrees: a response from the other
source, or the time of a message. Until then nobody loses on time.
"""

import asyncio
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from enum import Enum, auto
from http import HTTPStatus
from types import SimpleNamespace

import aiohttp
import structlog
from aiohttp import hdrs

_log = structlog.get_logger()

_DATE_S = 1.0
"""Resolution of the Date header, which is rounded down to seconds."""
_WORTH_TELLING_S = 60.0
_LIKE_S = 60.0
"""Maximum difference of two times that agree."""
_TICK_S = 1.0
_AT_ONCE_S = 1.0
"""Maximum time between reading two clocks that counts as one moment."""

_STEADY = getattr(time, "CLOCK_BOOTTIME", getattr(time, "CLOCK_MONOTONIC", None))


def steady() -> float:
    """Return seconds since a fixed moment, including time asleep.

    The clock cannot be set. If the system has no such clock, this one stops during sleep, and the
    next response from Discord corrects the time.
    """
    return time.monotonic() if _STEADY is None else time.clock_gettime(_STEADY)


def host_time() -> datetime:
    """Return this machine's clock, which can be wrong."""
    return datetime.now(UTC)


@dataclass(frozen=True, slots=True)
class HostClocks:
    """The clocks of a machine."""

    wall_clock: Callable[[], datetime]
    """Clock of the host, which may be wrong or jump."""
    steady: Callable[[], float]
    """Seconds since a fixed moment, with time asleep. This clock cannot be set."""
    awake: Callable[[], float]
    """Seconds since a fixed moment, without time asleep."""
    sleep: Callable[[float], Awaitable[object]] = asyncio.sleep
    """Coroutine that waits a number of seconds."""


class TimeSource(Enum):
    """The two routes to Discord. A proxy affects one of them at most."""

    REQUESTS = auto()
    GATEWAY = auto()
    """The handshake of a socket."""


@dataclass(frozen=True, slots=True)
class _Doubt:
    """A new time that only one kind of sign supports."""

    offset_s: float
    """Offset in seconds: Discord's time minus the steady clock's."""
    since: float
    """When that response came, by the steady clock."""
    source: TimeSource


class DiscordClock:
    """The current time: the host's until Discord's is known."""

    def __init__(self, clocks: HostClocks) -> None:
        self._clocks = clocks
        # Offset of Discord's clock to the steady clock, in seconds.
        self._offset_s: float | None = None
        self._doubt: _Doubt | None = None
        # The last time that was proven wrong. It is ignored if its source repeats it.
        self._wrong: _Doubt | None = None
        self._warned_of = 0.0

    @property
    def is_sure(self) -> bool:
        """True once Discord's time is known, unless a newer sign contradicts it."""
        return self._offset_s is not None and self._doubt is None

    def now(self) -> datetime:
        if self._offset_s is None:
            return self._clocks.wall_clock()
        return datetime.fromtimestamp(self._clocks.steady() + self._offset_s, UTC)

    @property
    def awake(self) -> float:
        """Seconds since a fixed moment. The clock stops while the machine sleeps."""
        return self._clocks.awake()

    def moment(self) -> tuple[datetime, float]:
        """Return the current time, and `awake` at that time, even if the process pauses."""
        while True:
            awake, now = self.awake, self.now()
            if self.awake - awake < _AT_ONCE_S:
                return now, awake

    @property
    def steady(self) -> float:
        """Seconds since a fixed moment. They pass while the machine sleeps."""
        return self._clocks.steady()

    async def sleep(self, seconds: float) -> None:
        """Wait a number of seconds by the steady clock, which is read each second.

        So after a suspend the wait ends at most a second after the machine wakes.
        """
        ends = self.steady + seconds
        while (left := ends - self.steady) > 0:
            await self._clocks.sleep(min(left, _TICK_S))

    def watch(self, trace: aiohttp.TraceConfig) -> aiohttp.TraceConfig:
        """Add a hook to a trace that reads the date of each response."""

        async def note(_session: object, about: SimpleNamespace, _request: object) -> None:
            about.asked = self.steady

        async def learn(
            _session: object, about: SimpleNamespace, answer: aiohttp.TraceRequestEndParams
        ) -> None:
            if (date := answer.response.headers.get(hdrs.DATE)) is not None:
                is_socket = answer.response.status == HTTPStatus.SWITCHING_PROTOCOLS
                self.observe(
                    date, about.asked, TimeSource.GATEWAY if is_socket else TimeSource.REQUESTS
                )

        trace.on_request_start.append(note)
        trace.on_request_end.append(learn)
        return trace

    def observe(self, date: str, asked: float, source: TimeSource = TimeSource.REQUESTS) -> None:
        """Learn Discord's time from a response.

        It was this second at some moment between request and response. The known time is changed no
        more than needed. At first the earliest possible time is taken, so that no future moment
        seems past. A big change is doubted until a later response by the other source or a message
        agrees. A source that repeats a time proven wrong is ignored.

        Args:
            date: The response's Date header. An unreadable one is ignored.
            asked: Value of `steady` before the request.
            source: How the response came.
        """
        try:
            told = parsedate_to_datetime(date).timestamp()
        except (ValueError, OverflowError):
            return
        sign = _OffsetBounds(told - self.steady, told + _DATE_S - asked)
        if self._wrong is not None and self._wrong.source is source and sign.is_like(self._wrong):
            return
        known, doubt = self._offset_s, self._doubt
        own = self._clocks.wall_clock().timestamp() - self.steady
        if known is None:
            self._offset_s = sign.least
            if not sign.agrees(own):
                self._doubt = _Doubt(sign.least, self.steady, source)
        elif doubt is not None and source is not doubt.source and asked >= doubt.since:
            self._judge(sign, own, known, doubt)
        elif sign.agrees(known):
            self._offset_s = sign.nearest(known)
            if doubt is not None and asked >= doubt.since and not sign.is_like(doubt):
                self._doubt = None  # that one answer was wrong
        elif doubt is None or not sign.is_like(doubt):
            self._doubt = _Doubt(sign.least, self.steady, source)
            _log.warning("response date differs, waiting for another source")
        self._warn()

    def _judge(self, sign: "_OffsetBounds", own: float, known: float, doubt: _Doubt) -> None:
        """Settle a doubt by a sign of the other source. If all differ, the host's clock decides."""
        if sign.is_like(doubt):
            self._offset_s, self._doubt = sign.nearest(doubt.offset_s), None
        elif sign.agrees(known) or sign.agrees(own):
            self._offset_s = sign.nearest(known) if sign.agrees(known) else sign.least
            self._doubt, self._wrong = None, doubt
            _log.warning("response dates wrong, ignoring them", source=doubt.source.name)

    def hear(self, written: datetime) -> None:
        """Learn from the time of a message or an interaction, by Discord's clock.

        It may be long past, but never in the future. So Discord's time is at least that.
        """
        known, doubt = self._offset_s, self._doubt
        if known is None:
            return
        proven = written.timestamp() - self.steady
        if proven > known + _LIKE_S:
            self._wrong = None
        if doubt is None:
            return
        if doubt.offset_s < known and proven > doubt.offset_s + _LIKE_S:
            self._doubt, self._wrong = None, doubt
        elif doubt.offset_s >= known and proven >= doubt.offset_s - _LIKE_S:
            self._offset_s, self._doubt = doubt.offset_s, None
            self._warn()

    def _warn(self) -> None:
        ahead = (self._clocks.wall_clock() - self.now()).total_seconds()
        if abs(ahead - self._warned_of) > _WORTH_TELLING_S:
            self._warned_of = ahead
            _log.warning("host clock wrong, using Discord's", offset_s=round(ahead))


@dataclass(frozen=True, slots=True)
class _OffsetBounds:
    """Bounds of the offset to Discord's clock, from one response, in seconds."""

    least: float
    most: float

    def nearest(self, offset_s: float) -> float:
        return min(max(offset_s, self.least), self.most)

    def agrees(self, offset_s: float) -> bool:
        return abs(offset_s - self.nearest(offset_s)) <= _LIKE_S

    def is_like(self, doubt: _Doubt) -> bool:
        return self.agrees(doubt.offset_s)
