"""A tournament's event in Discord begins and ends with it."""

import discord
import structlog

from bot.connection.channels import Channels
from bot.connection.requests import TROUBLE
from bot.features.tournaments.model.terms import Tournament, TournamentState

_log = structlog.get_logger()


async def keep_in_step(channels: Channels, tournament: Tournament) -> None:
    """Let a tournament's event begin and end with it: tried once, and nothing depends on it."""
    guild = channels.guild(tournament.terms.guild)
    if guild is None or tournament.event is None:
        return
    try:
        event = await guild.fetch_scheduled_event(tournament.event, with_counts=False)
        match tournament.state:
            case TournamentState.RUNNING if event.status is discord.EventStatus.scheduled:
                await event.start()
            case TournamentState.DONE if event.status is discord.EventStatus.active:
                await event.end()
            case TournamentState.CANCELLED if event.status is discord.EventStatus.scheduled:
                await event.cancel()
            case TournamentState.CANCELLED if event.status is discord.EventStatus.active:
                await event.end()
    except TROUBLE as error:
        _log.info("an event is not in step", tournament=tournament.id, error=str(error))
