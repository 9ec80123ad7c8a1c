"""Discord's scheduled events, which list something that will start among a server's events.

Each step is tried only once, and nothing depends on it. Without the permission, no event is
created.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import Enum, auto
from typing import Final

import discord
import structlog

from bot.connection.request_demands import without_retries
from bot.connection.request_errors import DISCORD_ERRORS

_log = structlog.get_logger()

_DESCRIPTION: Final = 1_000
"""Maximum length of a description in characters (Discord's limit)."""
_WORTH_MOVING: Final = timedelta(minutes=1)
"""Minimum change of a start that also moves the event."""


class EventState(Enum):
    """States of a scheduled event."""

    PLANNED = auto()
    RUNNING = auto()
    OVER = auto()
    CANCELLED = auto()


@dataclass(frozen=True, slots=True, kw_only=True)
class ServerEvent:
    """Something that starts at a time."""

    name: str
    description: str
    location: str
    """An address or other text, which identifies the event together with its name."""
    starts_at: datetime | None
    length: timedelta
    """Its expected length. Discord requires an end."""
    state: EventState


async def keep_event(
    guild: discord.Guild | None, event: ServerEvent, number: int | None, *, now: datetime
) -> int | None:
    """Create a planned event, or move, start or end it. Return the id of a new one.

    `number` is the id of an event that was created earlier.
    """
    if guild is None:
        return None
    try:
        if number is not None:
            await _update(await guild.fetch_scheduled_event(number, with_counts=False), event)
        elif event.state is EventState.PLANNED and event.starts_at and event.starts_at > now:
            return (await _create(guild, event, event.starts_at)).id
    except DISCORD_ERRORS as error:
        _log.info("scheduled event update failed", number=number, error=str(error))
    return None


async def _update(scheduled: discord.ScheduledEvent, event: ServerEvent) -> None:
    starts_at = event.starts_at or scheduled.start_time
    has_moved = abs(starts_at - scheduled.start_time) >= _WORTH_MOVING
    is_ahead = scheduled.status is discord.EventStatus.scheduled
    match event.state:
        case EventState.PLANNED if has_moved or scheduled.name != event.name:
            ends_at = starts_at + event.length
            await scheduled.edit(name=event.name, start_time=starts_at, end_time=ends_at)
        case EventState.RUNNING if is_ahead:
            await scheduled.start()
        case EventState.CANCELLED if is_ahead:
            await scheduled.cancel()
        case EventState.OVER | EventState.CANCELLED if (
            scheduled.status is discord.EventStatus.active
        ):
            await scheduled.end()


async def _create(
    guild: discord.Guild, event: ServerEvent, starts_at: datetime
) -> discord.ScheduledEvent:
    """Create the event, or return the one that an earlier attempt created."""
    identity = (guild.me.id, event.name, event.location)
    for scheduled in await guild.fetch_scheduled_events(with_counts=False):
        if (scheduled.creator_id, scheduled.name, scheduled.location) == identity:
            return scheduled
    with without_retries():
        return await guild.create_scheduled_event(
            name=event.name,
            start_time=starts_at,
            end_time=starts_at + event.length,
            description=event.description[:_DESCRIPTION],
            location=event.location,
            entity_type=discord.EntityType.external,
            privacy_level=discord.PrivacyLevel.guild_only,
        )
