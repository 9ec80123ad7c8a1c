"""Errors of requests: their types and texts, and when Discord allows a retry."""

import logging
from collections.abc import Mapping
from datetime import timedelta
from http import HTTPStatus
from types import SimpleNamespace
from typing import Any, Final

import aiohttp
import discord

CUT_OFF: Final = (aiohttp.ClientError, OSError, TimeoutError)
"""Errors of a broken connection. Discord may or may not have handled the request."""

DISCORD_ERRORS: Final = (discord.HTTPException, *CUT_OFF)
"""Errors of a refused request or a broken connection."""

CONNECTION_ERRORS: Final = (*DISCORD_ERRORS, discord.ConnectionClosed, discord.GatewayNotFound)
"""Errors that end a session but are not bugs in the bot."""

ACKNOWLEDGED: Final = 40060
"""Discord's error code for an interaction that was already acknowledged."""

_LONGEST_LIMIT = timedelta(hours=1)
"""Maximum global rate limit that counts as plausible."""


class TooLateError(TimeoutError):
    """A request was not made because it would have been too late."""


class ForbiddenError(discord.Forbidden):
    """A request was not made because Discord would forbid it."""

    def __init__(self, reason: str) -> None:
        answer: Any = SimpleNamespace(status=403, reason="Forbidden")
        super().__init__(answer, {"code": 50013, "message": reason})


def error_text(error: BaseException) -> str:
    """Return the reason for a failed request in one line, with any text from Discord."""
    match error:
        case discord.HTTPException(code=0, status=number):
            return status(number)  # a server other than Discord may answer with a whole web page
        case discord.HTTPException(code=code, status=number, text=text):
            return f"{status(number)}: {' '.join(text.split())} (code {code})"
        case aiohttp.InvalidURL():
            return "the address is invalid"
    return f"{type(error).__name__}: {' '.join(str(error).split())}"


def status(number: int) -> str:
    """Return an HTTP status code, with its name if it has one."""
    try:
        return f"{number} {HTTPStatus(number).phrase}"
    except ValueError:
        return str(number)


def retry_after(error: Exception) -> timedelta:
    """Return the time until Discord allows a retry, or zero if it did not set one."""
    if isinstance(error, discord.HTTPException) and error.status == HTTPStatus.TOO_MANY_REQUESTS:
        return limit_of(error.response.headers)
    return timedelta(0)


def limit_of(headers: Mapping[str, str]) -> timedelta:
    """Return a rate limit's duration, capped at the maximum that is plausible."""
    try:
        seconds = float(headers.get("Retry-After", ""))
    except ValueError:
        return timedelta(0)
    return timedelta(seconds=min(max(0.0, seconds), _LONGEST_LIMIT.total_seconds()))


def _in_one_line(record: logging.LogRecord) -> bool:
    """Shorten a connection error to one line. Its 60-line traceback adds nothing."""
    error = record.exc_info[1] if record.exc_info else None
    if isinstance(error, CONNECTION_ERRORS):
        record.msg, record.args = f"{record.getMessage()}: {error_text(error)}", ()
        record.exc_info = None
    return True


logging.getLogger("discord.shard").addFilter(_in_one_line)
