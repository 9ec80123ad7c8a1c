"""Every request to Discord comes to its own end, and the bot notices when none is answered.

While Discord limits everything, discord.py shuts a gate, sleeps, and opens it again; it does the
same with a lock where the answers to an interaction are limited. Cancelled in that sleep it would
leave the gate shut for ever. So each request has a task of its own, which nobody cancels while the
client lives. Who waits for it may stop waiting: then it is not made any more, unless it is on its
way.
"""

import asyncio
from collections.abc import Coroutine, Mapping
from contextvars import ContextVar, copy_context
from datetime import timedelta
from typing import Any, Final, TypeVar

import aiohttp
import discord
import structlog
from discord.http import HTTPClient, Route
from discord.webhook.async_ import AsyncWebhookAdapter, async_context

from bot.edge.intime import TooLateError
from bot.edge.work import end
from bot.operations.life import CONNECTING, Life

_log = structlog.get_logger()

_Answer = TypeVar("_Answer")

REQUESTS: Final = "requests"
"""What gives a sign of life with each answer of Discord's."""
ASK_EVERY = timedelta(seconds=30)
"""So long after the last answer something is asked."""
_LATEST = timedelta(minutes=2)
"""A client that got no answer for so long does not speak any more."""
_LONGEST_LIMIT = timedelta(hours=1)
"""How long Discord is believed to limit everything."""
_TOO_MANY = 429


class _Wish:
    """What a request is made for."""

    is_given_up = False


_wish: ContextVar[_Wish | None] = ContextVar("wish", default=None)


def heeding(life: Life, trace: aiohttp.TraceConfig) -> aiohttp.TraceConfig:
    """Let nothing be late because Discord has said how long it answers nobody."""

    async def heed(
        _session: object, _context: object, request: aiohttp.TraceRequestEndParams
    ) -> None:
        answer = request.response
        if answer.status == _TOO_MANY and "X-RateLimit-Global" in answer.headers:
            life.wait(CONNECTING, REQUESTS, until_after=_limit(answer.headers) + _LATEST)

    trace.on_request_end.append(heed)
    return trace


def _limit(headers: Mapping[str, str]) -> timedelta:
    """How long a limit lasts, as far as that is believed."""
    try:
        seconds = float(headers.get("Retry-After", ""))
    except ValueError:
        return timedelta(0)
    return timedelta(seconds=min(max(0.0, seconds), _LONGEST_LIMIT.total_seconds()))


class Requests:
    """The requests of one client.

    Args:
        life: Is told of each answer, from when on something is asked again and again.
    """

    def __init__(self, life: Life) -> None:
        self._life = life
        self._under_way: set[asyncio.Task[Any]] = set()
        self._is_open = True
        self._answered: float | None = None  # by the loop's clock; None while nobody asks

    def tracing(self, trace: aiohttp.TraceConfig) -> aiohttp.TraceConfig:
        """What the client has to look at with each of its requests, besides what it looks at."""
        trace.on_request_start.append(_look)
        return heeding(self._life, trace)

    def guard(self, http: HTTPClient) -> None:
        """Let all requests go this way, those that answer interactions too.

        The latter hold for the task that calls this, and for those that come from it.
        """
        make = http.request

        async def until_answered(route: Route, **how: Any) -> Any:
            try:
                answer = await make(route, **how)
            except discord.HTTPException:
                self._sign()  # no, but an answer
                raise
            self._sign()
            return answer

        async def request(route: Route, **how: Any) -> Any:
            return await self.let_run(until_answered(route, **how))

        http.request = request  # type: ignore[method-assign]  # discord.py has no place for it
        async_context.set(_Answers(self))

    async def let_run(self, request: Coroutine[Any, Any, _Answer]) -> _Answer:
        """Wait for a request, which does not end with whoever waits."""
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

    def _sign(self) -> None:
        if self._answered is not None and self._is_open:
            self._answered = asyncio.get_running_loop().time()
            self._life.sign(REQUESTS, next_within=_LATEST)

    def _ended(self, task: "asyncio.Task[Any]") -> None:
        self._under_way.discard(task)
        if not task.cancelled():
            task.exception()  # perhaps nobody waits for it any more


class _Answers(AsyncWebhookAdapter):
    """Makes the requests that answer interactions."""

    def __init__(self, requests: Requests) -> None:
        super().__init__()  # type: ignore[no-untyped-call]  # discord.py leaves it without types
        self._requests = requests

    async def request(self, *about: Any, **how: Any) -> Any:
        return await self._requests.let_run(super().request(*about, **how))


async def _look(*_about: object) -> None:
    wish = _wish.get()
    if wish is not None and wish.is_given_up:
        raise TooLateError("nobody waits for it any more")
