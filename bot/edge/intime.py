"""No message goes out late.

A process may stand still for any time between the moment in which it takes a row and the one in
which its request leaves: its machine sleeps or is paused, or discord.py waits for a rate limit. By
then another process may have sent it; and Discord knows a repeated message for a few minutes only.
So a request that comes too late is not made, and whoever wanted it looks first, as ever.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import datetime, timedelta
from typing import Any

import aiohttp

IN_TIME = timedelta(minutes=1)
"""Discord remembers nonces for longer, however few its few minutes are."""

_late: ContextVar[Callable[[], bool] | None] = ContextVar("late", default=None)


class TooLateError(TimeoutError):
    """A request was not made, for it would have come too late."""


@contextmanager
def in_time(since: datetime, now: Callable[[], datetime]) -> Iterator[None]:
    """Let requests out for a minute only, also those that discord.py makes again.

    Args:
        since: When what is sent was taken.
        now: Tells the time.

    Raises:
        TooLateError: in place of a later request.
    """
    token = _late.set(lambda: now() - since > IN_TIME)
    try:
        yield
    finally:
        _late.reset(token)


def tracing() -> aiohttp.TraceConfig:
    """What a client has to look at before each of its requests."""
    trace = aiohttp.TraceConfig()
    trace.on_request_start.append(_look)
    return trace


async def _look(*_about: Any) -> None:
    late = _late.get()
    if late is not None and late():
        raise TooLateError("too late to be sent without looking first")
