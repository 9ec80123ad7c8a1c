"""Requirements for the requests in a block: a valid lease, a priority, a record of the outcome.

Much time can pass between claiming a delivery and sending it: the machine may sleep, the process
may be paused, or discord.py may wait for a rate limit. By then, another process may have sent the
message, and Discord recognizes a repeated message for only a few minutes. So each request first
checks that the delivery is still ours (`bot.database.leases`). If it is too late, the request is
not made. Its caller then looks for the message before the next attempt.
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
_CLEANUP: Final = (hdrs.METH_DELETE, hdrs.METH_PATCH, hdrs.METH_PUT)
IN_TIME = timedelta(minutes=1)
"""Maximum age of a request with a nonce. Discord remembers nonces for longer than this."""


class SendOutcome:
    """Records that Discord accepted a message, even if its response cannot be read."""

    is_accepted = False
    """True if the last message request succeeded."""


@dataclass(frozen=True, slots=True)
class _Demands:
    """A caller's requirements for its requests."""

    check: Callable[[], Awaitable[bool]] | None = None
    """Function that returns False if a request would be too late. None if that can't happen."""
    priority: Priority = Priority.NOW
    outcome: SendOutcome | None = None


_demands: ContextVar[_Demands] = ContextVar("demands")


def _current() -> _Demands:
    return _demands.get(_Demands())


def _demand(**changes: Any) -> AbstractContextManager[None]:
    """Change some requirements for the requests in the block."""
    return bound(_demands, replace(_current(), **changes))


async def _always_valid() -> bool:
    return True


@contextmanager
def while_claimed(
    since: datetime,
    now: Callable[[], datetime],
    renew: Callable[[], Awaitable[bool]] = _always_valid,
) -> Iterator[None]:
    """Allow requests for only one minute, including discord.py's retries.

    Args:
        since: Time at which the deliveries were claimed.
        now: Clock.
        renew: Extends the claim. Returns False if the deliveries are no longer ours.

    Raises:
        TooLateError: instead of any request after that.
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
        TooLateError: instead of a second request.
    """
    before, requests = _current().check, count()

    async def check() -> bool:
        return next(requests) == 0 and (before is None or await before())

    with _demand(check=check):
        yield


@contextmanager
def best_effort() -> Iterator[None]:
    """Mark the requests in this block as optional. They are skipped if too many are waiting."""
    with _demand(check=None, priority=Priority.OPTIONAL):
        yield


def low_priority() -> AbstractContextManager[None]:
    """Make the requests in this block yield to requests that a user is waiting for."""
    return _demand(priority=Priority.PATIENT)


@contextmanager
def track_outcome() -> Iterator[SendOutcome]:
    """Record whether Discord accepts a message during this block."""
    outcome = SendOutcome()
    with _demand(outcome=outcome):
        yield outcome


def priority_of(method: str, address: str) -> Priority:
    """Return the priority of the request being made."""
    demands = _current()
    if demands.check is not None:  # it is part of a delivery, which must arrive
        return Priority.NOW
    is_cleanup = method in _CLEANUP or address.endswith("/typing")
    return max(demands.priority, Priority.PATIENT if is_cleanup else Priority.NOW)


def check_demands(trace: aiohttp.TraceConfig) -> aiohttp.TraceConfig:
    """Add the check before each request, and the record of its outcome, to a trace."""
    trace.on_request_start.append(_check_in_time)
    trace.on_request_end.append(_record_outcome)
    return trace


async def _check_in_time(*_about: Any) -> None:
    check = _current().check
    if check is not None and not await check():
        raise TooLateError("too late to be sent without a search for an earlier attempt")


async def _record_outcome(
    _session: object, _about: SimpleNamespace, answer: aiohttp.TraceRequestEndParams
) -> None:
    if (outcome := _current().outcome) is not None:
        is_message = answer.method in _WRITING and "/messages" in answer.url.path
        outcome.is_accepted = is_message and answer.response.ok
