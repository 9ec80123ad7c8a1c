"""Messages to one person of a tournament: they are taken out, or are to play a blocked player."""

from collections.abc import Callable, Sequence
from datetime import datetime

import discord

from bot.base.ids import TournamentId
from bot.connection.channels import Channels
from bot.connection.delivery_kinds import Kind, Parcel
from bot.connection.posts import Post
from bot.connection.sending import button_ids
from bot.database.rows import Delivery, Way
from bot.features.tournaments.delivery.tournaments import pairing_of
from bot.features.tournaments.model.rules import entrant_of
from bot.features.tournaments.model.terms import Tournament
from bot.features.tournaments.use_cases.telling import BLOCKED, WITHDRAWN
from bot.features.tournaments.use_cases.tournaments import Tournaments
from bot.features.tournaments.words.terms import tournament_mark
from bot.features.tournaments.words.tournaments import (
    Report,
    tournament_blocked,
    tournament_withdrawn,
)
from bot.play.delivery.news import NewsServices, as_heard


class _ToOne(Kind):
    """It is known again by the id of its button, with the tournament and the row's own mark."""

    def __init__(
        self,
        channels: Channels,
        services: NewsServices,
        tournaments: Tournaments,
        *,
        now: Callable[[], datetime],
    ) -> None:
        super().__init__(channels)
        self._services = services
        self._tournaments = tournaments
        self._now = now

    def is_it(self, message: discord.Message, row: Delivery) -> bool:
        return tournament_mark(_number(row), _mark(row)) in button_ids(message)

    async def _parcel(self, row: Delivery, post: Post) -> Parcel:
        return self.parcel([row], await as_heard(self._services.choices, post))

    async def _drop(self, row: Delivery) -> None:
        await self._services.store.deliveries.drop([row], at=self._now())


class WithdrawnKind(_ToOne):
    """The word to a player whom an organiser has taken out: where they play, or by DM."""

    name = WITHDRAWN

    async def prepare(self, rows: Sequence[Delivery]) -> Parcel | None:
        """The message, unless they are in again."""
        row = rows[0]  # of several that go directly, the others come after it
        tournament = await self._tournaments.get(_number(row))
        if tournament is None or row.player is None or _is_in(tournament, row):
            await self._drop(row)
            return None
        readers, terms = self._services.readers, tournament.terms
        reader = (
            await readers.recipient(row.player)
            if row.way is Way.DM
            else await readers.everybody(terms.guild, terms.channel)
        )
        report = Report(tournament=tournament, mark=_mark(row))
        post = tournament_withdrawn(reader, report, row.player, row.way)
        return await self._parcel(row, post)

    async def refused(self, row: Delivery) -> None:
        """Tell the tournament's channel, where the thread of their game is gone."""
        if not await self.channels.is_gone(row.channel):
            return
        tournament = await self._tournaments.get(_number(row))
        if tournament is None or row.channel == tournament.terms.channel:
            await self._drop(row)
        else:
            deliveries = self._services.store.deliveries
            await deliveries.readdress(row, tournament.terms.channel, now=self._now())


class BlockedKind(_ToOne):
    """The word to a player who is to play whom they have blocked. By DM only: nobody else knows."""

    name = BLOCKED

    async def prepare(self, rows: Sequence[Delivery]) -> Parcel | None:
        """The message, unless the game is decided by now, or a direct message was refused."""
        row = rows[0]
        tournament = await self._tournaments.get(_number(row))
        pairing = None if tournament is None else pairing_of(tournament, row)
        is_open = pairing is not None and pairing.result is None
        if tournament is None or pairing is None or not is_open or row.way is not Way.DM:
            await self._drop(row)
            return None
        assert row.player is not None  # it goes to them  # noqa: S101
        reader = await self._services.readers.recipient(row.player)
        report = Report(tournament=tournament, mark=_mark(row))
        post = tournament_blocked(reader, report, pairing, row.player)
        return await self._parcel(row, post)


def _is_in(tournament: Tournament, row: Delivery) -> bool:
    """Tell whether they have joined again meanwhile."""
    entrant = None if row.player is None else entrant_of(tournament, row.player)
    return entrant is not None and not entrant.withdrawn


def _number(row: Delivery) -> TournamentId:
    return TournamentId(int(row.data["tournament"]))


def _mark(row: Delivery) -> str:
    return row.key.removeprefix(f"{_number(row)}-")
