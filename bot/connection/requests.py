"""Requests to Discord: none is cancelled halfway, none is sent late, and silence is noticed.

During a global rate limit, discord.py shuts a gate, sleeps, and opens it again. It does the same
with a lock if the responses to an interaction are limited. Cancelled in that sleep it would
leave the gate shut forever. So each request has a task of its own, which nobody cancels while the
client lives. A caller may stop waiting. Then the request is not made, unless it has been sent.

And none is sent late. A process may stop for any time between leasing a row and sending its
request: its machine sleeps or is paused, or discord.py waits for a rate limit. By then another
process may have sent it, and Discord recognizes a repeated message for a few minutes only. So each
request first checks that the lease is still ours. A request that is too late is not made at all.
Its caller then looks for the message before the next attempt.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Coroutine, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from contextvars import ContextVar, copy_context
from datetime import datetime, timedelta
from http import HTTPStatus
from itertools import count
from types import SimpleNamespace
from typing import Any, Final, TypeVar

import aiohttp
import discord
import structlog
from aiohttp import hdrs
from discord.http import HTTPClient, Route, json_or_text
from discord.webhook.async_ import AsyncWebhookAdapter, async_context

from bot.base.metrics import INVALID_REQUESTS
from bot.base.priority_semaphore import Priority
from bot.connection.bounded_cache import BoundedCache
from bot.connection.discord_clock import DiscordClock, Road
from bot.connection.liveness import CONNECTING, Liveness
from bot.connection.request_limits import KnownRefusals, TooLateError
from bot.connection.unfinished_work import bound, end
from bot.database.deliveries import LEASE

_log = structlog.get_logger()

_Answer = TypeVar("_Answer")

CUT_OFF: Final = (aiohttp.ClientError, OSError, TimeoutError)
"""Errors of a broken connection. It is unknown if Discord handled the request."""

DISCORD_ERRORS: Final = (discord.HTTPException, *CUT_OFF)
"""Errors of a refused request or a broken connection."""

CONNECTION_ERRORS: Final = (*DISCORD_ERRORS, discord.ConnectionClosed, discord.GatewayNotFound)
"""Errors that end a session and are no bug of the bot."""

ACKNOWLEDGED: Final = 40060
"""Discord's error code for an interaction that was already acknowledged."""

REQUESTS: Final = "requests"
"""Name of the sign of life that each response from Discord gives."""
ASK_EVERY = timedelta(seconds=30)
"""Time after the last response at which a request is made as a test."""
_LATEST = timedelta(minutes=2)
"""Time without a response after which a client counts as dead."""
_LONGEST_LIMIT = timedelta(hours=1)
"""Maximum global rate limit that is believed."""
_LONGEST_SLEEP = timedelta(minutes=1)
"""Maximum rate limit that a request waits for. On a longer one it fails, and its caller retries."""
_INVALID = (HTTPStatus.UNAUTHORIZED, HTTPStatus.FORBIDDEN, HTTPStatus.TOO_MANY_REQUESTS)
_NEW_LIMITS: Final = 256
_WRITING: Final = (hdrs.METH_POST, hdrs.METH_PATCH)
_TIDYING: Final = (hdrs.METH_DELETE, hdrs.METH_PATCH, hdrs.METH_PUT)
IN_TIME = timedelta(minutes=1)
"""Maximum age of a request with a nonce. Discord remembers nonces for longer."""


class _RequestContext:
    """A request and its attempts."""

    is_given_up = False
    tries = 0
    """Number of attempts. discord.py retries after some failures."""


_wish: ContextVar[_RequestContext | None] = ContextVar("wish", default=None)
_check: ContextVar[Callable[[], Awaitable[bool]] | None] = ContextVar("check", default=None)
_taken: ContextVar["SendOutcome | None"] = ContextVar("taken", default=None)
_haste: ContextVar[Priority] = ContextVar("priority", default=Priority.NOW)


async def _as_before() -> bool:
    return True


@contextmanager
def within_lease(
    since: datetime,
    now: Callable[[], datetime],
    renew: Callable[[], Awaitable[bool]] = _as_before,
) -> Iterator[None]:
    """Allow requests for one minute only, including the retries of discord.py.

    Args:
        since: Time of the lease on the deliveries.
        now: Clock.
        renew: Renews a lease that ran out. Returns False if another process has taken it.

    Raises:
        TooLateError: in place of a later request.
    """

    async def check() -> bool:
        age = now() - since
        return age <= IN_TIME and (age <= LEASE or await renew())

    with bound(_check, check):
        yield


@contextmanager
def without_retries() -> Iterator[None]:
    """Allow one request and no retries, for endpoints without a nonce.

    Raises:
        TooLateError: in place of a second one.
    """
    before, requests = _check.get(), count()

    async def check() -> bool:
        return next(requests) == 0 and (before is None or await before())

    with bound(_check, check):
        yield


@contextmanager
def best_effort() -> Iterator[None]:
    """Mark the requests in this block as optional: they are skipped if too many wait."""
    with bound(_check, None), bound(_haste, Priority.OPTIONAL):
        yield


def low_priority() -> AbstractContextManager[None]:
    """Give the requests in this block a lower priority than those that somebody waits for."""
    return bound(_haste, Priority.PATIENT)


class SendOutcome:
    """Records that Discord accepted a message, even if its response cannot be read."""

    is_accepted = False
    """True if the last request about messages was answered with a success."""


@contextmanager
def track_outcome() -> Iterator[SendOutcome]:
    outcome = SendOutcome()
    with bound(_taken, outcome):
        yield outcome


def priority_of(method: str, address: str) -> Priority:
    """Return the priority of the request that is being made."""
    if _check.get() is not None:  # it sends what must arrive
        return Priority.NOW
    tidies = method in _TIDYING or address.endswith("/typing")
    return max(_haste.get(), Priority.PATIENT if tidies else Priority.NOW)


def tracing(time: DiscordClock) -> aiohttp.TraceConfig:
    """Return a trace that checks the lease before each request, and reads each response."""

    async def note(_session: object, about: SimpleNamespace, _request: object) -> None:
        about.asked = time.steady

    async def learn(
        _session: object, about: SimpleNamespace, answer: aiohttp.TraceRequestEndParams
    ) -> None:
        if (date := answer.response.headers.get(hdrs.DATE)) is not None:
            is_socket = answer.response.status == HTTPStatus.SWITCHING_PROTOCOLS
            time.observe(date, about.asked, Road.GATEWAY if is_socket else Road.REQUESTS)
        if (outcome := _taken.get()) is not None:
            is_message = answer.method in _WRITING and "/messages" in answer.url.path
            outcome.is_accepted = is_message and answer.response.ok

    trace = aiohttp.TraceConfig()
    trace.on_request_start.extend((_look_at_lease, note))
    trace.on_request_end.append(learn)
    return trace


async def _look_at_lease(*_about: Any) -> None:
    check = _check.get()
    if check is not None and not await check():
        raise TooLateError("too late to be sent without looking first")


def track_global_limits(liveness: Liveness, trace: aiohttp.TraceConfig) -> aiohttp.TraceConfig:
    """Extend the liveness deadline by Discord's global rate limit."""

    async def heed(
        _session: object, _context: object, request: aiohttp.TraceRequestEndParams
    ) -> None:
        answer = request.response
        if answer.status in _INVALID:
            INVALID_REQUESTS.labels(answer.status).inc()
        if answer.status != HTTPStatus.TOO_MANY_REQUESTS:
            return
        limit = _limit(answer.headers)
        if "X-RateLimit-Global" in answer.headers:
            liveness.wait(CONNECTING, REQUESTS, until_after=limit + _LATEST)
        elif limit > _LONGEST_SLEEP:
            # discord.py would sleep for so long, and tell nobody why.
            raise discord.HTTPException(answer, await json_or_text(answer))

    trace.on_request_end.append(heed)
    return trace


def retry_after(error: Exception) -> timedelta:
    """Return the time until Discord allows a retry, or zero if it did not set one."""
    if isinstance(error, discord.HTTPException) and error.status == HTTPStatus.TOO_MANY_REQUESTS:
        return _limit(error.response.headers)
    return timedelta(0)


def _limit(headers: Mapping[str, str]) -> timedelta:
    """Return the duration of a rate limit, capped at the maximum that is believed."""
    try:
        seconds = float(headers.get("Retry-After", ""))
    except ValueError:
        return timedelta(0)
    return timedelta(seconds=min(max(0.0, seconds), _LONGEST_LIMIT.total_seconds()))


class Requests:
    """The requests of one client. While `keep_asking` runs, responses are signs of life."""

    def __init__(self, liveness: Liveness) -> None:
        self._liveness = liveness
        self._under_way: set[asyncio.Task[Any]] = set()
        self._is_open = True
        self._answered: float | None = None  # by the loop's clock; None while nobody asks

    def tracing(self, trace: aiohttp.TraceConfig) -> aiohttp.TraceConfig:
        """Add the checks for abandoned requests and global rate limits to a client's trace."""
        trace.on_request_start.append(_look_at_wish)
        return track_global_limits(self._liveness, trace)

    def guard(
        self, http: HTTPClient, forbidden: KnownRefusals, *, was_answered: Callable[[], None]
    ) -> None:
        """Route all requests of a client through this object, including interaction responses.

        For the latter this holds in the calling task and in tasks that it starts. If somebody else
        has answered an interaction first, `was_answered` is called.
        """
        make = http.request

        async def until_answered(route: Route, **how: Any) -> Any:
            forbidden.look(route, with_files=bool(how.get("files")))
            try:
                answer = await make(route, **how)
            except discord.Forbidden as error:
                forbidden.note(route, error)
                raise
            except discord.HTTPException as error:
                if error.status == HTTPStatus.UNAUTHORIZED:
                    self._token_is_refused()
                    raise
                self._sign()  # an error, but a response
                raise
            self._sign()
            return answer

        async def request(route: Route, **how: Any) -> Any:
            return await self.let_run(until_answered(route, **how))

        http.request = request  # type: ignore[method-assign]  # discord.py has no place for it
        _forget_in_bulk(http)
        async_context.set(_Answers(self, was_answered))

    async def let_run(self, request: Coroutine[Any, Any, _Answer]) -> _Answer:
        """Wait for a request, which continues if its caller is cancelled."""
        if not self._is_open:
            request.close()
            raise TooLateError("the client is closed")
        wish, context = _RequestContext(), copy_context()
        context.run(_wish.set, wish)
        task = asyncio.create_task(request, context=context)
        self._under_way.add(task)
        task.add_done_callback(self._ended)
        try:
            await asyncio.wait((task,))
        finally:
            wish.is_given_up = True
        return task.result()

    async def keep_asking(self, http: HTTPClient, every: timedelta = ASK_EVERY) -> None:
        """Send a test request whenever Discord has not responded for `every`. Runs forever."""
        loop, every_s = asyncio.get_running_loop(), every.total_seconds()
        self._answered = loop.time()
        self._sign()
        while True:
            await asyncio.sleep(every_s)
            if loop.time() < self._answered + every_s:
                continue  # another request was answered
            try:
                await http.request(Route("GET", "/users/@me"))
            except Exception as error:
                _log.warning(
                    "request failed",
                    route="GET /users/@me",
                    error=f"{type(error).__name__}: {error}",
                )

    async def close(self) -> None:
        """Cancel all requests, even waiting ones. This client makes no more."""
        self._is_open = False
        await end(self._under_way)

    def _token_is_refused(self) -> None:
        """Stop all requests. Discord bans an address that continues with an invalid token."""
        if not self._is_open:
            return
        _log.error("token rejected, requests stopped")
        self._is_open = False
        for task in self._under_way - {asyncio.current_task()}:
            task.cancel()
        self._liveness.end(REQUESTS)

    def _sign(self) -> None:
        if self._answered is not None and self._is_open:
            self._answered = asyncio.get_running_loop().time()
            self._liveness.sign(REQUESTS, next_within=_LATEST)

    def _ended(self, task: "asyncio.Task[Any]") -> None:
        self._under_way.discard(task)
        if not task.cancelled():
            task.exception()  # its caller may have stopped waiting


def _forget_in_bulk(http: HTTPClient) -> None:
    """Remove expired rate limits after each 256 new ones only.

    discord.py checks all of them for each new one, and has one for each channel and kind of
    request. With some thousand games that takes longer than the requests themselves.
    """
    forget, new = http._try_clear_expired_ratelimits, count(1)  # noqa: SLF001

    def seldom() -> None:
        if next(new) % _NEW_LIMITS == 0:
            forget()

    http._try_clear_expired_ratelimits = seldom  # type: ignore[method-assign]  # noqa: SLF001


class _Answers(AsyncWebhookAdapter):
    """Makes the requests that answer interactions.

    `was_answered` is called if Discord had a first answer before our first attempt.
    """

    def __init__(self, requests: Requests, was_answered: Callable[[], None]) -> None:
        super().__init__()  # type: ignore[no-untyped-call]  # discord.py leaves it without types
        self._requests = requests
        self._was_answered = was_answered
        self._tried: BoundedCache[int, bool] = BoundedCache()

    async def request(self, route: Route, *about: Any, **how: Any) -> Any:
        is_first = route.path.endswith("/callback") and self._tried.is_new(
            int(route.webhook_id or 0), value=True
        )
        answering = super().request(route, *about, **how)
        return await self._requests.let_run(self._watched(answering) if is_first else answering)

    async def _watched(self, answering: Coroutine[Any, Any, Any]) -> Any:
        """Send a first response. After a retry, an earlier attempt of ours may have arrived."""
        try:
            return await answering
        except discord.HTTPException as error:
            wish = _wish.get()
            if error.code == ACKNOWLEDGED and wish is not None and wish.tries == 1:
                self._was_answered()
            raise


async def _look_at_wish(*_about: object) -> None:
    wish = _wish.get()
    if wish is None:
        return
    if wish.is_given_up:
        raise TooLateError("nobody waits for it any more")
    wish.tries += 1


def error_text(error: BaseException) -> str:
    """Return the reason of a failed request in one line, with Discord's own words if any."""
    match error:
        case discord.HTTPException(code=0, status=number):
            return status(number)  # a server that is not Discord may answer with a whole page
        case discord.HTTPException(code=code, status=number, text=text):
            return f"{status(number)}: {' '.join(text.split())} (code {code})"
        case aiohttp.InvalidURL():
            return "it is no address"
    return f"{type(error).__name__}: {' '.join(str(error).split())}"


def status(number: int) -> str:
    """Return an HTTP status with its name, where it has one."""
    try:
        return f"{number} {HTTPStatus(number).phrase}"
    except ValueError:
        return str(number)


def _in_one_line(record: logging.LogRecord) -> bool:
    """Shorten a connection error to one line. Its traceback has sixty and says no more."""
    error = record.exc_info[1] if record.exc_info else None
    if isinstance(error, CONNECTION_ERRORS):
        record.msg, record.args = f"{record.getMessage()}: {error_text(error)}", ()
        record.exc_info = None
    return True


logging.getLogger("discord.shard").addFilter(_in_one_line)
