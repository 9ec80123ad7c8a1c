"""No message goes out late.

A process may stand still for any time between the moment in which it takes a row and the one in
which its request leaves: its machine sleeps or is paused, or discord.py waits for a rate limit. By
then another process may have sent it; and Discord knows a repeated message for a few minutes only.
So before each request it is seen whether the row is still ours; and one that comes too late is not
made at all: whoever wanted it looks first, as ever.
"""

from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import datetime, timedelta
from types import SimpleNamespace
from typing import Any

import aiohttp
from aiohttp import hdrs

from bot.edge.hour import Time
from bot.games.update import LEASE

IN_TIME = timedelta(minutes=1)
"""Discord remembers nonces for longer, however few its few minutes are."""

_check: ContextVar[Callable[[], Awaitable[bool]] | None] = ContextVar("check", default=None)


class TooLateError(TimeoutError):
    """A request was not made, for it would have come too late."""


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

    token = _check.set(check)
    try:
        yield
    finally:
        _check.reset(token)


def tracing(time: Time) -> aiohttp.TraceConfig:
    """What a client has to look at before each of its requests, and what each answer teaches."""

    async def note(_session: object, about: SimpleNamespace, _request: object) -> None:
        about.asked = time.steady

    async def learn(
        _session: object, about: SimpleNamespace, answer: aiohttp.TraceRequestEndParams
    ) -> None:
        if (date := answer.response.headers.get(hdrs.DATE)) is not None:
            time.tell(date, about.asked)

    trace = aiohttp.TraceConfig()
    trace.on_request_start.extend((_look, note))
    trace.on_request_end.append(learn)
    return trace


async def _look(*_about: Any) -> None:
    check = _check.get()
    if check is not None and not await check():
        raise TooLateError("too late to be sent without looking first")
