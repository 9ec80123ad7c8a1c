"""What was written in a channel while nobody could hear it: read in pages, from the newest back.

It is bounded: of a channel in which people talked for weeks the newest part is read, and the
channel is told so.
"""

from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

import discord

from bot.ids import SourceId

MOST_MESSAGES: Final = 1_000
MOST_AGE: Final = timedelta(days=14)
_PAGE = 100
"""So many messages Discord tells at once."""

Turn = Callable[[], AbstractAsyncContextManager[None]]
"""Waits until it is a channel's turn to have a page read or a message played."""


@dataclass(frozen=True, slots=True)
class Past:
    """What was written, oldest first."""

    messages: list[discord.Message]
    whole: bool
    """Whether nothing older was left unread."""


async def read_past(
    where: discord.abc.Messageable, after: SourceId, *, now: datetime, turn: Turn
) -> Past:
    """Read what was written in a place after a message or interaction.

    Raises:
        One of `TROUBLE`: if it cannot be read.
    """
    oldest = discord.utils.time_snowflake(now - MOST_AGE)
    found: list[discord.Message] = []
    before: discord.Message | None = None
    while True:
        async with turn():
            page = [message async for message in where.history(limit=_PAGE, before=before)]
        for message in page:
            if message.id <= after:
                return Past(found[::-1], whole=True)
            if message.id < oldest or len(found) == MOST_MESSAGES:
                return Past(found[::-1], whole=False)
            found.append(message)
        if len(page) < _PAGE:
            return Past(found[::-1], whole=True)
        before = page[-1]
