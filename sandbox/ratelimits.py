"""Rate limits: buckets per route and major parameter, a global limit, and Discord's headers."""

import hashlib
import math
from dataclasses import dataclass, field, replace
from typing import Any

from sandbox.clock import Clock


@dataclass(frozen=True, slots=True)
class Limit:
    """A number of requests per number of seconds."""

    requests: int
    per_s: float


@dataclass(frozen=True, slots=True)
class RateLimits:
    """The limits of a sandbox.

    Discord publishes only a few of its limits, and bots learn them from headers. The defaults are
    values that were observed, if known, and otherwise similar ones. ``old_edits``, the limit on
    edits of messages older than an hour (error 30046), is a guess. ``identify`` is for shards with
    the same remainder modulo the gateway's ``max_concurrency``.
    """

    everything: Limit = Limit(50, 1)
    create_message: Limit = Limit(5, 5)
    edit_message: Limit = Limit(5, 5)
    delete_message: Limit = Limit(5, 1)
    old_edits: Limit = Limit(10, 600)
    reaction: Limit = Limit(1, 0.25)
    edit_channel: Limit = Limit(2, 600)
    start_thread: Limit = Limit(10, 60)
    typing: Limit = Limit(5, 5)
    direct_channel: Limit = Limit(10, 10)
    commands: Limit = Limit(5, 20)
    webhook: Limit = Limit(5, 2)
    scheduled_events: Limit = Limit(5, 60)
    other: Limit = Limit(30, 10)
    identify: Limit = Limit(1, 5)

    @classmethod
    def generous(cls) -> "RateLimits":
        """Return limits that are never reached, for benchmarks, the demo and stopped clocks."""
        names = cls.__dataclass_fields__
        return cls(**dict.fromkeys(names, Limit(1_000_000, 1)))

    def but(self, **limits: Limit) -> "RateLimits":
        """Return the limits with some replaced.

        >>> RateLimits().but(typing=Limit(1, 5)).typing
        Limit(requests=1, per_s=5)
        """
        return replace(self, **limits)


@dataclass(slots=True)
class _Window:
    """A time window that counts requests. It starts with the first one."""

    limit: Limit
    used: int = 0
    closes_s: float = 0.0

    def take(self, now_s: float) -> float:
        """Count a request, and return the number of seconds that it must wait."""
        if now_s >= self.closes_s:
            self.used = 0
            self.closes_s = now_s + self.limit.per_s
        if self.used >= self.limit.requests:
            return self.closes_s - now_s
        self.used += 1
        return 0.0

    def open(self, now_s: float) -> bool:
        """Return True if the window is still open."""
        return now_s < self.closes_s


@dataclass(slots=True)
class Verdict:
    """The decision about one request: headers to send, and a body if it is refused."""

    headers: dict[str, str] = field(default_factory=dict)
    refusal: dict[str, Any] | None = None


_SWEEP_AT = 4096


class RateLimiter:
    """Counts requests, and decides which are refused."""

    def __init__(self, limits: RateLimits, clock: Clock) -> None:
        self.limits = limits
        self._clock = clock
        self._global = _Window(limits.everything)
        self._closed_until_s = 0.0
        self._windows: dict[tuple[str, str], _Window] = {}
        self._hashes: dict[str, str] = {}

    def check(self, bucket: str, major: str, *, route: str = "", exempt: bool = False) -> Verdict:
        """Count a request against its bucket and, unless exempt, against the global limit.

        Args:
            bucket: Name of a field of :class:`RateLimits`.
            major: The channel, guild or webhook with a separate bucket.
            route: Key that distinguishes routes with separate buckets.
            exempt: True for interaction callbacks and follow-ups, which don't count globally.
        """
        now_s = self._clock.time()
        if not exempt:
            wait_s = self._closed_until_s - now_s
            if wait_s <= 0:
                wait_s = self._global.take(now_s)
            if wait_s:
                return self._refused(wait_s, "global", {"X-RateLimit-Global": "true"})
        window = self._window(bucket, f"{route} {major}", now_s)
        wait_s = window.take(now_s)
        headers = {
            "X-RateLimit-Bucket": self._hash(f"{bucket} {route}"),
            "X-RateLimit-Limit": str(window.limit.requests),
            "X-RateLimit-Remaining": str(window.limit.requests - window.used),
            "X-RateLimit-Reset": f"{window.closes_s:.3f}",
            "X-RateLimit-Reset-After": f"{window.closes_s - now_s:.3f}",
        }
        if wait_s:
            return self._refused(wait_s, "user", headers)
        return Verdict(headers)

    def refuse_all(self, *, seconds: float) -> None:
        """Use up the global limit for a number of seconds from now."""
        self._closed_until_s = self._clock.time() + seconds

    def check_old_edit(self, channel_id: int) -> Verdict:
        """Count an edit of a message older than an hour. Too many are refused with error 30046."""
        now_s = self._clock.time()
        wait_s = self._window("old_edits", str(channel_id), now_s).take(now_s)
        if not wait_s:
            return Verdict()
        text = "Maximum number of edits to messages older than 1 hour reached. Try again later."
        return self._refused(wait_s, "shared", {}, code=30046, message=text)

    def _window(self, bucket: str, major: str, now_s: float) -> _Window:
        key = (bucket, major)
        window = self._windows.get(key)
        if window is None:
            if len(self._windows) >= _SWEEP_AT:
                self._windows = {k: w for k, w in self._windows.items() if w.open(now_s)}
            limit: Limit = getattr(self.limits, bucket)
            window = self._windows[key] = _Window(limit)
        return window

    def _hash(self, name: str) -> str:
        digest = self._hashes.get(name)
        if digest is None:
            digest = hashlib.blake2s(name.encode(), digest_size=16).hexdigest()
            self._hashes[name] = digest
        return digest

    @staticmethod
    def _refused(
        wait_s: float,
        scope: str,
        headers: dict[str, str],
        *,
        code: int = 0,
        message: str = "You are being rate limited.",
    ) -> Verdict:
        headers |= {
            "Retry-After": str(math.ceil(wait_s)),
            "X-RateLimit-Scope": scope,
            # clients treat a 429 without this header as a ban by the proxy in front of Discord
            "Via": "1.1 google",
        }
        body = {
            "message": message,
            "retry_after": math.ceil(wait_s * 1000) / 1000,
            "global": scope == "global",
            "code": code,
        }
        return Verdict(headers, body)
