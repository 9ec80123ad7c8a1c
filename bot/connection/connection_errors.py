"""A connection with Discord that is lost: by which errors that shows, and how it is told.

Discord is away now and then, for an hour perhaps, and each attempt fails as the one before. So it
is one line: the way there through discord.py and aiohttp is sixty, and tells a host no more.
"""

import logging
from http import HTTPStatus
from typing import Final

import aiohttp
import discord

from bot.connection.requests import TROUBLE

CONNECTION_ERRORS: Final = (*TROUBLE, discord.ConnectionClosed, discord.GatewayNotFound)
"""Errors that end a session and are nobody's fault here."""


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
    error = record.exc_info[1] if record.exc_info else None
    if isinstance(error, CONNECTION_ERRORS):
        record.msg, record.args = f"{record.getMessage()}: {reason(error)}", ()
        record.exc_info = None
    return True


logging.getLogger("discord.shard").addFilter(_in_one_line)
