"""Discord's scheduled events, which list a tournament's start among the server's events.

Each step is tried only once, and nothing depends on it. Without the permission, no event is
created.
"""

from datetime import datetime, timedelta
from typing import Final

import discord
import structlog

from bot.base.languages import Reader
from bot.connection.channel_requests import Channels
from bot.connection.request_demands import without_retries
from bot.connection.request_errors import DISCORD_ERRORS
from club.tournaments.model.tournament import Tournament, TournamentState
from club.tournaments.use_cases.tournaments import Tournaments
from club.tournaments.words.terms import tournament_event

_log = structlog.get_logger()

_LIVE: Final = timedelta(hours=3)
_SLOW: Final = timedelta(days=1)
"""Length of an event whose end is unknown. Discord requires an end."""
_DESCRIPTION: Final = 1_000
_WORTH_MOVING: Final = timedelta(minutes=1)
"""Minimum change of a start that also moves the event."""


async def keep_event(
    channels: Channels,
    tournaments: Tournaments,
    tournament: Tournament,
    reader: Reader,
    *,
    now: datetime,
) -> None:
    """Create a planned tournament's event, or move, start or end it together with it."""
    guild = channels.guild(tournament.terms.guild)
    if guild is None:
        return
    try:
        if tournament.event is not None:
            event = await guild.fetch_scheduled_event(tournament.event, with_counts=False)
            await _update(event, tournament)
        elif _is_ahead(tournament, now):
            event = await _create(guild, tournament, reader)
            await tournaments.scheduled(tournament.id, event.id)
    except DISCORD_ERRORS as error:
        _log.info("scheduled event update failed", tournament=tournament.id, error=str(error))


async def _update(event: discord.ScheduledEvent, tournament: Tournament) -> None:
    terms = tournament.terms
    begins_at = terms.begins_at or event.start_time
    has_moved = abs(begins_at - event.start_time) >= _WORTH_MOVING
    match tournament.state:
        case TournamentState.OPEN | TournamentState.CHECK_IN if (
            has_moved or event.name != terms.name
        ):
            ends_at = begins_at + _length(tournament)
            await event.edit(name=terms.name, start_time=begins_at, end_time=ends_at)
        case TournamentState.RUNNING if event.status is discord.EventStatus.scheduled:
            await event.start()
        case TournamentState.CANCELLED if event.status is discord.EventStatus.scheduled:
            await event.cancel()
        case TournamentState.DONE | TournamentState.CANCELLED if (
            event.status is discord.EventStatus.active
        ):
            await event.end()


async def _create(
    guild: discord.Guild, tournament: Tournament, reader: Reader
) -> discord.ScheduledEvent:
    """Create the event, or return the one that an earlier attempt created."""
    terms = tournament.terms
    assert terms.begins_at is not None  # it is ahead # noqa: S101
    location = f"https://discord.com/channels/{terms.guild}/{terms.channel}"
    for event in await guild.fetch_scheduled_events(with_counts=False):
        if (event.creator_id, event.name, event.location) == (guild.me.id, terms.name, location):
            return event
    with without_retries():
        return await guild.create_scheduled_event(
            name=terms.name,
            start_time=terms.begins_at,
            end_time=terms.begins_at + _length(tournament),
            description=tournament_event(reader, tournament)[:_DESCRIPTION],
            location=location,
            entity_type=discord.EntityType.external,
            privacy_level=discord.PrivacyLevel.guild_only,
        )


def _is_ahead(tournament: Tournament, now: datetime) -> bool:
    begins_at = tournament.terms.begins_at
    is_open = tournament.state is TournamentState.OPEN
    return is_open and begins_at is not None and begins_at > now


def _length(tournament: Tournament) -> timedelta:
    terms = tournament.terms
    if terms.lasts is not None:
        return terms.lasts
    if terms.round_time is not None:
        return terms.round_time * (terms.rounds or 1)
    return _LIVE if terms.is_live else _SLOW
