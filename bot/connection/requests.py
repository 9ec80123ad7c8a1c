"""Every request to Discord comes to its own end, and the bot notices when none is answered.

While Discord limits everything, discord.py shuts a gate, sleeps, and opens it again; it does the
same with a lock where the answers to an interaction are limited. Cancelled in that sleep it would
leave the gate shut for ever. So each request has a task of its own, which nobody cancels while the
client lives. Who waits for it may stop waiting: then it is not made any more, unless it is on its
way.

And none goes out late. A process may stand still for any time between the moment in which it takes
a row and the one in which its request leaves: its machine sleeps or is paused, or discord.py waits
for a rate limit. By then another process may have sent it; and Discord knows a repeated message for
a few minutes only. So before each request it is seen whether the row is still ours; and one that
comes too late is not made at all: whoever wanted it looks first, as ever.
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
from bot.connection.discord_clock import DiscordClock
from bot.connection.liveness import CONNECTING, Liveness
from bot.connection.request_limits import Forbidden, TooLateError
from bot.connection.unfinished_work import bound, end
from bot.database.deliveries import LEASE

_log = structlog.get_logger()

_Answer = TypeVar("_Answer")

CUT_OFF: Final = (aiohttp.ClientError, OSError, TimeoutError)
"""The connection broke: whether the request was carried out is unknown."""

TROUBLE: Final = (discord.HTTPException, *CUT_OFF)
"""Discord refused, or the connection broke."""

CONNECTION_ERRORS: Final = (*TROUBLE, discord.ConnectionClosed, discord.GatewayNotFound)
"""Errors that end a session and are nobody's fault here."""

ACKNOWLEDGED: Final = 40060
"""Discord's number for an interaction that has had its first answer."""

REQUESTS: Final = "requests"
"""Name of the sign of life that each answer of Discord gives."""
ASK_EVERY = timedelta(seconds=30)
"""Time after the last answer at which something is asked."""
_LATEST = timedelta(minutes=2)
"""A client that got no answer for so long does not speak any more."""
_LONGEST_LIMIT = timedelta(hours=1)
"""Time that Discord is believed to limit everything."""
_LONGEST_SLEEP = timedelta(minutes=1)
"""Longest limit that a request waits for; else it fails, and its caller tries again."""
_INVALID = (HTTPStatus.UNAUTHORIZED, HTTPStatus.FORBIDDEN, HTTPStatus.TOO_MANY_REQUESTS)
_FEW_LIMITS: Final = 256
_WRITING: Final = (hdrs.METH_POST, hdrs.METH_PATCH)
_TIDYING: Final = (hdrs.METH_DELETE, hdrs.METH_PATCH, hdrs.METH_PUT)
IN_TIME = timedelta(minutes=1)
"""Discord remembers nonces for longer, however few its few minutes are."""


class _Wish:
    """The purpose of a request."""

    is_given_up = False
    tries = 0
    """Number of times that it was made: discord.py makes it again after some failures."""


_wish: ContextVar[_Wish | None] = ContextVar("wish", default=None)
_check: ContextVar[Callable[[], Awaitable[bool]] | None] = ContextVar("check", default=None)
_taken: ContextVar["Taken | None"] = ContextVar("taken", default=None)
_haste: ContextVar[Priority] = ContextVar("priority", default=Priority.NOW)


async def _as_before() -> bool:
    return True


@contextmanager
def in_time(
    since: datetime,
    now: Callable[[], datetime],
    renew: Callable[[], Awaitable[bool]] = _as_before,
) -> Iterator[None]:
    """Let requests out for a minute only, also those that discord.py makes again.

    Args:
        since: When what is sent was leased.
        now: Tells the time.
        renew: Renews the lease once it has run out; False where another process has taken it.

    Raises:
        TooLateError: in place of a later request.
    """

    async def check() -> bool:
        age = now() - since
        return age <= IN_TIME and (age <= LEASE or await renew())

    with bound(_check, check):
        yield


@contextmanager
def just_once() -> Iterator[None]:
    """Let one request out, and none that discord.py makes again: for what Discord knows no nonce.

    Raises:
        TooLateError: in place of a second one.
    """
    before, requests = _check.get(), count()

    async def check() -> bool:
        return next(requests) == 0 and (before is None or await before())

    with bound(_check, check):
        yield


@contextmanager
def as_courtesy() -> Iterator[None]:
    """Let requests go unmade where there is no room for them: they are part of no delivery."""
    with bound(_check, None), bound(_haste, Priority.OPTIONAL):
        yield


def patiently() -> AbstractContextManager[None]:
    """Let those requests go first that somebody waits for."""
    return bound(_haste, Priority.PATIENT)


class Taken:
    """Tells that Discord has taken a message, whatever becomes of the answer."""

    is_sure = False
    """True if the last request about messages was answered with a success."""


@contextmanager
def watched() -> Iterator[Taken]:
    taken = Taken()
    with bound(_taken, taken):
        yield taken


def priority_of(method: str, address: str) -> Priority:
    """Return how much the request that is being made is in a hurry."""
    if _check.get() is not None:  # it sends what must arrive
        return Priority.NOW
    tidies = method in _TIDYING or address.endswith("/typing")
    return max(_haste.get(), Priority.PATIENT if tidies else Priority.NOW)


def tracing(time: DiscordClock) -> aiohttp.TraceConfig:
    """Return a trace that looks before each request of a client, and learns from each answer."""

    async def note(_session: object, about: SimpleNamespace, _request: object) -> None:
        about.asked = time.steady

    async def learn(
        _session: object, about: SimpleNamespace, answer: aiohttp.TraceRequestEndParams
    ) -> None:
        if (date := answer.response.headers.get(hdrs.DATE)) is not None:
            time.tell(date, about.asked)
        if (taken := _taken.get()) is not None:
            is_message = answer.method in _WRITING and "/messages" in answer.url.path
            taken.is_sure = is_message and answer.response.ok

    trace = aiohttp.TraceConfig()
    trace.on_request_start.extend((_look_at_lease, note))
    trace.on_request_end.append(learn)
    return trace


async def _look_at_lease(*_about: Any) -> None:
    check = _check.get()
    if check is not None and not await check():
        raise TooLateError("too late to be sent without looking first")


def heeding(liveness: Liveness, trace: aiohttp.TraceConfig) -> aiohttp.TraceConfig:
    """Let nothing be late because Discord has said how long it answers nobody."""

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
    """Return for how long Discord wants not to be asked again; no time where it has not said so."""
    if isinstance(error, discord.HTTPException) and error.status == HTTPStatus.TOO_MANY_REQUESTS:
        return _limit(error.response.headers)
    return timedelta(0)


def _limit(headers: Mapping[str, str]) -> timedelta:
    """Return how long a limit lasts, as far as that is believed."""
    try:
        seconds = float(headers.get("Retry-After", ""))
    except ValueError:
        return timedelta(0)
    return timedelta(seconds=min(max(0.0, seconds), _LONGEST_LIMIT.total_seconds()))


class Requests:
    """The requests of one client; of each answer `liveness` is told, once something is asked."""

    def __init__(self, liveness: Liveness) -> None:
        self._liveness = liveness
        self._under_way: set[asyncio.Task[Any]] = set()
        self._is_open = True
        self._answered: float | None = None  # by the loop's clock; None while nobody asks

    def tracing(self, trace: aiohttp.TraceConfig) -> aiohttp.TraceConfig:
        """Let a client look at its wishes and the signs of life with each of its requests, too."""
        trace.on_request_start.append(_look_at_wish)
        return heeding(self._liveness, trace)

    def guard(
        self, http: HTTPClient, forbidden: Forbidden, *, was_answered: Callable[[], None]
    ) -> None:
        """Let all requests go this way, those that answer interactions too.

        The latter hold for the task that calls this, and for those that come from it. Where
        somebody else has answered an interaction first, `was_answered` is called.
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
                self._sign()  # no, but an answer
                raise
            self._sign()
            return answer

        async def request(route: Route, **how: Any) -> Any:
            return await self.let_run(until_answered(route, **how))

        http.request = request  # type: ignore[method-assign]  # discord.py has no place for it
        _forget_in_bulk(http)
        async_context.set(_Answers(self, was_answered))

    async def let_run(self, request: Coroutine[Any, Any, _Answer]) -> _Answer:
        """Wait for a request, which goes on if its caller is cancelled."""
        if not self._is_open:
            request.close()
            raise TooLateError("the client is closed")
        wish, context = _Wish(), copy_context()
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
        """Ask Discord something whenever it has not answered for a while, for ever."""
        loop, every_s = asyncio.get_running_loop(), every.total_seconds()
        self._answered = loop.time()
        self._sign()
        while True:
            await asyncio.sleep(every_s)
            if loop.time() < self._answered + every_s:
                continue  # it has answered somebody meanwhile
            try:
                await http.request(Route("GET", "/users/@me"))
            except Exception as error:
                _log.warning("Discord fails to answer", error=f"{type(error).__name__}: {error}")

    async def close(self) -> None:
        """End what is under way, in whatever sleep: nothing goes through this client any more."""
        self._is_open = False
        await end(self._under_way)

    def _token_is_refused(self) -> None:
        """Make no more requests: Discord bans an address that goes on without a valid token."""
        if not self._is_open:
            return
        _log.error("Discord refuses the token in the middle of a session: no more requests")
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
            task.exception()  # perhaps nobody waits for it any more


def _forget_in_bulk(http: HTTPClient) -> None:
    """Let limits that are over be looked for when as many are new as were left last time.

    discord.py looks through all of them whenever there is a new one, which is one for each channel
    and kind of request: with some thousand games that takes longer than their turns.
    """
    forget, at = http._try_clear_expired_ratelimits, _FEW_LIMITS  # noqa: SLF001

    def seldom() -> None:
        nonlocal at
        if len(http._buckets) >= at:  # noqa: SLF001
            forget()
            at = max(_FEW_LIMITS, 2 * len(http._buckets))  # noqa: SLF001

    http._try_clear_expired_ratelimits = seldom  # type: ignore[method-assign]  # noqa: SLF001


class _Answers(AsyncWebhookAdapter):
    """Makes the requests that answer interactions.

    `was_answered` is called where Discord has had a first answer before ours was ever tried.
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
        """Give a first answer, which may be tried again: then an earlier try may have arrived."""
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


def reason(error: BaseException) -> str:
    """Return why Discord did not answer, in one line, with its own words where it gives some."""
    match error:
        case discord.HTTPException(code=0, status=number):
            return status(number)  # what is not Discord may answer with a whole page
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
    """Make one line of an error: the way there through discord.py is sixty, and says no more."""
    error = record.exc_info[1] if record.exc_info else None
    if isinstance(error, CONNECTION_ERRORS):
        record.msg, record.args = f"{record.getMessage()}: {reason(error)}", ()
        record.exc_info = None
    return True


logging.getLogger("discord.shard").addFilter(_in_one_line)
