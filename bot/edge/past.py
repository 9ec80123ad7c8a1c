"""What was written in a channel while nobody could hear it, read in pages.

Mostly it is little. Where people talked for weeks the newest part is read, and the channel is told
so.
"""

from collections.abc import Awaitable, Callable
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

import discord
from discord.abc import Snowflake

from bot.model.ids import SourceId

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

    async def page(
        *, after: Snowflake | None = None, before: Snowflake | None = None
    ) -> list[discord.Message]:
        async with turn():
            told = where.history(limit=_PAGE, after=after, before=before)
            return [message async for message in told]

    found = await page(after=discord.Object(after))
    oldest, whole = discord.utils.time_snowflake(now - MOST_AGE), True
    if len(found) == _PAGE:
        newer, whole = await _back_to(found[-1].id, page, oldest)
        found = found + newer if whole else newer
    young = [message for message in found[-MOST_MESSAGES:] if message.id >= oldest]
    return Past(young, whole=whole and len(young) == len(found))


async def _back_to(
    reached: int, page: Callable[..., Awaitable[list[discord.Message]]], oldest: int
) -> tuple[list[discord.Message], bool]:
    """What is newer than a message, oldest first, and whether there is nothing in between."""
    newer: list[discord.Message] = []
    before: discord.Message | None = None
    while len(newer) < MOST_MESSAGES:
        told = await page(before=before)
        fresh = [message for message in told if message.id > reached]
        newer += fresh
        if len(fresh) < _PAGE:
            return newer[::-1], True
        before = fresh[-1]
        if before.id < oldest:
            break
    return newer[::-1], False
