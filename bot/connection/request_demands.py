"""Demands on the requests in a block: that it is still ours, a priority, a record of its outcome.

The bot may stop for any time between claiming a delivery and sending it: its machine sleeps or is
paused, or discord.py waits for a rate limit. By then it may have been sent, and Discord recognizes
a repeated message for a few minutes only. So each request first checks that the delivery is still
ours (`bot.database.leases`). A request that is too late is not made at all. Its caller then looks
for the message before the next attempt.
"""

from collections.abc import Awaitable, Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from itertools import count
from types import SimpleNamespace
from typing import Any, Final

import aiohttp
from aiohttp import hdrs

from bot.base.priority_semaphore import Priority
from bot.connection.request_errors import TooLateError
from bot.connection.tasks import bound
from bot.database.leases import LEASE

_WRITING: Final = (hdrs.METH_POST, hdrs.METH_PATCH)
_TIDYING: Final = (hdrs.METH_DELETE, hdrs.METH_PATCH, hdrs.METH_PUT)
IN_TIME = timedelta(minutes=1)
"""Maximum age of a request with a nonce. Discord remembers nonces for longer."""


class SendOutcome:
    """Records that Discord accepted a message, even if its response cannot be read."""

    is_accepted = False
    """True if the last request about messages was answered with a success."""


@dataclass(frozen=True, slots=True)
class _Demands:
    """The demands of a caller on its requests."""

    check: Callable[[], Awaitable[bool]] | None = None
    """Returns False if a request would be too late. None if requests are never too late."""
    priority: Priority = Priority.NOW
    outcome: SendOutcome | None = None


_demands: ContextVar[_Demands] = ContextVar("demands")


def _current() -> _Demands:
    return _demands.get(_Demands())


def _demand(**changes: Any) -> AbstractContextManager[None]:
    """Change some demands on the requests in a block."""
    return bound(_demands, replace(_current(), **changes))


async def _as_before() -> bool:
    return True


@contextmanager
def while_ours(
    since: datetime,
    now: Callable[[], datetime],
    renew: Callable[[], Awaitable[bool]] = _as_before,
) -> Iterator[None]:
    """Allow requests for one minute only, including the retries of discord.py.

    Args:
        since: Time when the deliveries were claimed.
        now: Clock.
        renew: Keeps them for longer. Returns False if they are no longer ours.

    Raises:
        TooLateError: in place of a later request.
    """

    async def check() -> bool:
        age = now() - since
        return age <= IN_TIME and (age <= LEASE or await renew())

    with _demand(check=check):
        yield


@contextmanager
def without_retries() -> Iterator[None]:
    """Allow one request and no retries, for endpoints without a nonce.

    Raises:
        TooLateError: in place of a second one.
    """
    before, requests = _current().check, count()

    async def check() -> bool:
        return next(requests) == 0 and (before is None or await before())

    with _demand(check=check):
        yield


@contextmanager
def best_effort() -> Iterator[None]:
    """Mark the requests in this block as optional: they are skipped if too many wait."""
    with _demand(check=None, priority=Priority.OPTIONAL):
        yield


def low_priority() -> AbstractContextManager[None]:
    """Give the requests in this block a lower priority than those that somebody waits for."""
    return _demand(priority=Priority.PATIENT)


@contextmanager
def track_outcome() -> Iterator[SendOutcome]:
    """Record in this block if Discord accepted a message."""
    outcome = SendOutcome()
    with _demand(outcome=outcome):
        yield outcome


def priority_of(method: str, address: str) -> Priority:
    """Return the priority of the request that is being made."""
    demands = _current()
    if demands.check is not None:  # it sends what must arrive
        return Priority.NOW
    tidies = method in _TIDYING or address.endswith("/typing")
    return max(demands.priority, Priority.PATIENT if tidies else Priority.NOW)


def check_demands(trace: aiohttp.TraceConfig) -> aiohttp.TraceConfig:
    """Add to a trace the check before each request, and the record of its outcome."""
    trace.on_request_start.append(_check_in_time)
    trace.on_request_end.append(_record_outcome)
    return trace


async def _check_in_time(*_about: Any) -> None:
    check = _current().check
    if check is not None and not await check():
        raise TooLateError("too late to be sent without looking first")


async def _record_outcome(
    _session: object, _about: SimpleNamespace, answer: aiohttp.TraceRequestEndParams
) -> None:
    if (outcome := _current().outcome) is not None:
        is_message = answer.method in _WRITING and "/messages" in answer.url.path
        outcome.is_accepted = is_message and answer.response.ok
