"""Discord's scheduled events: a tournament's start appears in the server's list of events.

Nothing depends on it. If the bot may not create events, there is none.
"""

from collections.abc import Sequence
from datetime import timedelta
from functools import partial
from typing import Final

import discord
import structlog

from bot.base.ids import MessageId, TournamentId
from bot.base.languages import Reader
from bot.connection.delivery_handlers import OutgoingMessage
from bot.connection.request_demands import IN_TIME, without_retries
from bot.database.delivery_rows import Delivery
from club.tournaments.delivery.messages import TournamentHandler, keep_in_step, number_of
from club.tournaments.model.tournament import Tournament, TournamentState
from club.tournaments.use_cases.news import EVENT
from club.tournaments.words.terms import tournament_event

_log = structlog.get_logger()

_LIVE: Final = timedelta(hours=3)
_SLOW: Final = timedelta(days=1)
"""Length of an event whose end is unknown. Discord requires an end."""
_DESCRIPTION: Final = 1_000
_ROUNDING_S: Final = 1
"""Resolution of the start time."""


class EarlierTryError(TimeoutError):
    """A request from an earlier attempt may still be in flight, and create the event later."""


class ScheduledEventHandler(TournamentHandler):
    """Creates scheduled events.

    It recognizes one by its creator, name, location and start. Discord accepts no nonce for events,
    so each attempt is a single request, and the next attempt waits until the earlier one can no
    longer arrive.
    """

    name = EVENT

    async def prepare(self, rows: Sequence[Delivery]) -> OutgoingMessage | None:
        """Return the event, unless it is too late or the event already exists."""
        (row,) = rows
        tournament = await self._tournaments.get(number_of(row))
        if tournament is None or tournament.event is not None or not self._is_ahead(tournament):
            await self.drop(row)
            return None
        reader = await self._posts.reader(tournament)
        return OutgoingMessage([row], partial(self._make, row, tournament, reader))

    async def find(self, row: Delivery) -> MessageId | None:
        """Return the event that an earlier attempt created.

        Raises:
            EarlierTryError: if there is none, but one may still appear.
        """
        tournament = await self._tournaments.get(number_of(row))
        guild = self.channels.guild(row.guild)
        if tournament is None or guild is None:
            return None
        if tournament.event is not None:  # as last stored
            return MessageId(tournament.event)
        for event in await guild.fetch_scheduled_events(with_counts=False):
            if self._is_of(event, tournament, row):
                await self._remember(tournament.id, event.id)
                return MessageId(event.id)
        if self.context.now() < row.tried_at + IN_TIME:
            raise EarlierTryError("an earlier request may be on its way")
        return None

    async def on_refused(self, row: Delivery) -> None:
        """Drop it. The organizer was told about the missing permission."""
        await self.drop(row)

    async def _make(self, row: Delivery, tournament: Tournament, reader: Reader) -> MessageId:
        guild, terms = self.channels.guild(row.guild), tournament.terms
        if guild is None or terms.begins_at is None:
            raise LookupError(f"guild {row.guild} is out of sight")
        with without_retries():
            event = await guild.create_scheduled_event(
                name=terms.name,
                start_time=terms.begins_at,
                end_time=terms.begins_at + _length(tournament),
                description=tournament_event(reader, tournament)[:_DESCRIPTION],
                location=_place(tournament),
                entity_type=discord.EntityType.external,
                privacy_level=discord.PrivacyLevel.guild_only,
            )
        await self._remember(tournament.id, event.id)
        return MessageId(event.id)

    async def _remember(self, number: TournamentId, event: int) -> None:
        """Store a tournament's event.

        Start or end it if the tournament has already started or ended.
        """
        await self._tournaments.scheduled(number, event)
        tournament = await self._tournaments.get(number)
        if tournament is not None and not _is_planned(tournament):
            await keep_in_step(self.channels, tournament)

    def _is_ahead(self, tournament: Tournament) -> bool:
        begins = tournament.terms.begins_at
        return _is_planned(tournament) and begins is not None and begins > self.context.now()

    def _is_of(self, event: discord.ScheduledEvent, tournament: Tournament, row: Delivery) -> bool:
        """Return True if an event belongs to a tournament, even if its start was postponed."""
        own, terms = self.channels.own_id, tournament.terms
        begins = [] if terms.begins_at is None else [terms.begins_at.timestamp()]
        if (planned := row.data.get("begins")) is not None:
            begins.append(planned)
        start = event.start_time.timestamp()
        return any(abs(start - begin) <= _ROUNDING_S for begin in begins) and (
            (event.creator_id, event.name, event.location) == (own, terms.name, _place(tournament))
        )


def _is_planned(tournament: Tournament) -> bool:
    return tournament.state in (TournamentState.OPEN, TournamentState.CHECK_IN)


def _length(tournament: Tournament) -> timedelta:
    terms = tournament.terms
    if terms.lasts is not None:
        return terms.lasts
    if terms.round_time is not None:
        return terms.round_time * (terms.rounds or 1)
    return _LIVE if terms.clock is not None and terms.clock.is_live else _SLOW


def _place(tournament: Tournament) -> str:
    """Return the event's location: a link to the channel."""
    return f"https://discord.com/channels/{tournament.terms.guild}/{tournament.terms.channel}"
