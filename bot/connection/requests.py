"""Requests to Discord. They are never canceled halfway, and missing responses are detected.

During a global rate limit, discord.py closes a gate, sleeps, and opens the gate again. It does the
same with a lock if interaction responses are rate-limited. If it were canceled while asleep, the
gate would stay closed forever. So each request has its own task, which is canceled only when the
client ends or its token is rejected. If its caller stops waiting, the request is not made, unless
it was already sent.
"""

import asyncio
from collections.abc import Callable, Coroutine, Iterable, Mapping
from contextvars import ContextVar, copy_context
from datetime import timedelta
from http import HTTPStatus
from itertools import count
from typing import Any, Final, TypeVar

import aiohttp
import discord
import structlog
from discord.http import HTTPClient, Route, json_or_text
from discord.webhook.async_ import AsyncWebhookAdapter, async_context

from bot.base.metrics import INVALID_REQUESTS
from bot.connection.bounded_cache import BoundedCache
from bot.connection.discord_clock import DiscordClock
from bot.connection.known_refusals import KnownRefusals
from bot.connection.liveness import CONNECTING, Liveness
from bot.connection.request_demands import check_demands
from bot.connection.request_errors import ACKNOWLEDGED, TooLateError, limit_of
from bot.connection.tasks import end

_log = structlog.get_logger()

_Answer = TypeVar("_Answer")

REQUESTS: Final = "requests"
"""Name of the sign of life that is recorded for each response from Discord."""
ASK_EVERY = timedelta(seconds=30)
"""Time after the last response at which a test request is made."""
_MAX_SILENCE = timedelta(minutes=2)
"""Time without a response after which a client counts as dead."""
_LONGEST_SLEEP = timedelta(minutes=1)
"""Maximum rate limit that a request waits for.

With a longer one, the request fails, and its caller retries.
"""
_INVALID = (HTTPStatus.UNAUTHORIZED, HTTPStatus.FORBIDDEN, HTTPStatus.TOO_MANY_REQUESTS)
_NEW_LIMITS: Final = 256


class _Attempts:
    """The attempts of one request. discord.py retries after certain failures."""

    is_given_up = False
    """True if the caller no longer waits for it."""
    number = 0


_attempts: ContextVar[_Attempts | None] = ContextVar("attempts", default=None)


def tracing(time: DiscordClock) -> aiohttp.TraceConfig:
    """Return a trace for one client that checks callers' requirements and reads Discord's time."""
    return time.watch(check_demands(aiohttp.TraceConfig()))


def handle_rate_limits(liveness: Liveness, trace: aiohttp.TraceConfig) -> aiohttp.TraceConfig:
    """Add a hook for responses that report rate limits.

    It counts invalid requests, and extends the liveness deadline during a global rate limit. If
    another limit is too long to wait for, it raises `discord.HTTPException`.
    """

    async def check_response(
        _session: object, _context: object, request: aiohttp.TraceRequestEndParams
    ) -> None:
        answer = request.response
        if answer.status in _INVALID:
            INVALID_REQUESTS.labels(answer.status).inc()
        if answer.status != HTTPStatus.TOO_MANY_REQUESTS:
            return
        limit = limit_of(answer.headers)
        if "X-RateLimit-Global" in answer.headers:
            liveness.wait(CONNECTING, REQUESTS, until_after=limit + _MAX_SILENCE)
        elif limit > _LONGEST_SLEEP:
            # Otherwise discord.py would sleep that long without logging why.
            raise discord.HTTPException(answer, await json_or_text(answer))

    trace.on_request_end.append(check_response)
    return trace


class Requests:
    """All requests of one client. While `keep_asking` runs, responses are signs of life."""

    def __init__(self, liveness: Liveness) -> None:
        self._liveness = liveness
        self._in_flight: set[asyncio.Task[Any]] = set()
        self._is_open = True
        self._answered: float | None = None  # event loop time, while `keep_asking` runs

    def tracing(self, trace: aiohttp.TraceConfig) -> aiohttp.TraceConfig:
        """Make a client's trace handle abandoned requests and global rate limits."""
        trace.on_request_start.append(_count_attempt)
        return handle_rate_limits(self._liveness, trace)

    def route_through(
        self,
        http: HTTPClient,
        forbidden: KnownRefusals,
        *,
        on_already_acknowledged: Callable[[], None],
    ) -> None:
        """Route all requests of a client through this object, including interaction responses.

        For interaction responses, this works in the calling task and in tasks that it starts. If
        another process has already responded to an interaction, `on_already_acknowledged` is
        called.
        """
        make = http.request

        async def until_answered(route: Route, **options: Any) -> Any:
            forbidden.check(route, with_files=bool(options.get("files")))
            if form := options.pop("form", None):
                options["data"] = await _in_one_piece(form)
            try:
                answer = await make(route, **options)
            except discord.Forbidden as error:
                forbidden.note(route, error)
                raise
            except discord.HTTPException as error:
                if error.status == HTTPStatus.UNAUTHORIZED:
                    self._stop_requests()
                    raise
                self._record_response()  # an error, but still a response
                raise
            self._record_response()
            return answer

        async def request(route: Route, **options: Any) -> Any:
            return await self.run_request(until_answered(route, **options))

        http.request = request  # type: ignore[method-assign]  # discord.py has no place for it
        _throttle_ratelimit_cleanup(http)
        async_context.set(_InteractionAdapter(self, on_already_acknowledged))

    async def run_request(self, request: Coroutine[Any, Any, _Answer]) -> _Answer:
        """Wait for a request, which continues even if its caller is canceled."""
        if not self._is_open:
            request.close()
            raise TooLateError("the client is closed")
        attempts, context = _Attempts(), copy_context()
        context.run(_attempts.set, attempts)
        task = asyncio.create_task(request, context=context)
        self._in_flight.add(task)
        task.add_done_callback(self._on_done)
        try:
            await asyncio.wait((task,))
        finally:
            attempts.is_given_up = True
        return task.result()

    async def keep_asking(self, http: HTTPClient, every: timedelta = ASK_EVERY) -> None:
        """Send a test request whenever Discord has sent nothing for `every`. Runs forever."""
        loop, every_s = asyncio.get_running_loop(), every.total_seconds()
        self._answered = loop.time()
        self._record_response()
        while True:
            await asyncio.sleep(every_s)
            if loop.time() < self._answered + every_s:
                continue  # another request got a response
            try:
                await http.request(Route("GET", "/users/@me"))
            except Exception as error:
                _log.warning(
                    "request failed",
                    route="GET /users/@me",
                    error=f"{type(error).__name__}: {error}",
                )

    async def close(self) -> None:
        """Cancel all requests, including waiting ones. The client can make no more."""
        self._is_open = False
        await end(self._in_flight)

    def _stop_requests(self) -> None:
        """Stop all requests. Discord bans an IP address that keeps using an invalid token."""
        if not self._is_open:
            return
        _log.error("token rejected, requests stopped")
        self._is_open = False
        for task in self._in_flight - {asyncio.current_task()}:
            task.cancel()
        self._liveness.end(REQUESTS)

    def _record_response(self) -> None:
        if self._answered is not None and self._is_open:
            self._answered = asyncio.get_running_loop().time()
            self._liveness.sign(REQUESTS, next_within=_MAX_SILENCE)

    def _on_done(self, task: "asyncio.Task[Any]") -> None:
        self._in_flight.discard(task)
        if not task.cancelled():
            task.exception()  # its caller may have stopped waiting


async def _in_one_piece(form: Iterable[Mapping[str, Any]]) -> aiohttp.BytesPayload:
    """Return a form with files as a single payload.

    aiohttp makes a separate system call for each part of a form, and for each part's header.
    """
    fields = aiohttp.FormData(quote_fields=False)  # Discord doesn't parse quoted names
    for field in form:
        fields.add_field(**field)
    parts = fields()
    return aiohttp.BytesPayload(await parts.as_bytes(), headers=parts.headers)


def _throttle_ratelimit_cleanup(http: HTTPClient) -> None:
    """Check for expired rate limits only once per 256 calls ones.

    discord.py has one per channel and kind of request, and checks all of them for each calls one.
    With a few thousand games, that takes longer than the requests themselves.
    """
    clear, calls = http._try_clear_expired_ratelimits, count(1)  # noqa: SLF001

    def clear_sometimes() -> None:
        if next(calls) % _NEW_LIMITS == 0:
            clear()

    http._try_clear_expired_ratelimits = clear_sometimes  # type: ignore[method-assign]  # noqa: SLF001


class _InteractionAdapter(AsyncWebhookAdapter):
    """Makes the requests that respond to interactions.

    `on_already_acknowledged` is called if Discord already had a response before our first attempt.
    """

    def __init__(self, requests: Requests, on_already_acknowledged: Callable[[], None]) -> None:
        super().__init__()  # type: ignore[no-untyped-call]  # discord.py leaves it without types
        self._requests = requests
        self._on_already_acknowledged = on_already_acknowledged
        self._tried: BoundedCache[int, bool] = BoundedCache()

    async def request(self, route: Route, *arguments: Any, **options: Any) -> Any:
        is_first = route.path.endswith("/callback") and self._tried.is_new(
            int(route.webhook_id or 0), value=True
        )
        answering = super().request(route, *arguments, **options)
        return await self._requests.run_request(
            self._send_first_response(answering) if is_first else answering
        )

    async def _send_first_response(self, answering: Coroutine[Any, Any, Any]) -> Any:
        """Send a first response. In a retry, our own earlier attempt may have arrived."""
        try:
            return await answering
        except discord.HTTPException as error:
            attempts = _attempts.get()
            if error.code == ACKNOWLEDGED and attempts is not None and attempts.number == 1:
                self._on_already_acknowledged()
            raise


async def _count_attempt(*_about: object) -> None:
    attempts = _attempts.get()
    if attempts is None:
        return
    if attempts.is_given_up:
        raise TooLateError("its caller stopped waiting")
    attempts.number += 1
