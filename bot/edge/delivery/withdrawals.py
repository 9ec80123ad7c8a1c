"""The word to people whom an organiser has taken out of a tournament: where they play, or by DM."""

from collections.abc import Callable, Sequence
from datetime import datetime

import discord

from bot import messages
from bot.edge.channels import Channels
from bot.edge.delivery.kinds import Kind, Parcel
from bot.edge.delivery.news import Newsroom, as_heard
from bot.edge.sending import button_ids
from bot.games.tournaments import WITHDRAWN, Tournaments
from bot.messages import Report
from bot.model.ids import TournamentId
from bot.model.tournaments import Tournament
from bot.model.tournaments.rules import entrant_of
from bot.store.rows import Delivery, Way


class WithdrawnKind(Kind):
    """It is known again by the id of its button, with the tournament and the row's own mark."""

    name = WITHDRAWN

    def __init__(
        self,
        channels: Channels,
        room: Newsroom,
        tournaments: Tournaments,
        *,
        now: Callable[[], datetime],
    ) -> None:
        super().__init__(channels)
        self._room = room
        self._tournaments = tournaments
        self._now = now

    async def prepare(self, rows: Sequence[Delivery]) -> Parcel | None:
        """The message, unless they are in again."""
        row = rows[0]  # of several that go directly, the others come after it
        tournament = await self._tournaments.get(_number(row))
        if tournament is None or row.player is None or _is_in(tournament, row):
            await self._room.store.deliveries.drop([row], at=self._now())
            return None
        readers, terms = self._room.readers, tournament.terms
        reader = (
            await readers.recipient(row.player)
            if row.way is Way.DM
            else await readers.everybody(terms.guild, terms.channel)
        )
        report = Report(tournament=tournament, mark=_mark(row))
        post = messages.tournament_withdrawn(reader, report, row.player, row.way)
        return self.parcel([row], await as_heard(self._room.choices, post))

    def is_it(self, message: discord.Message, row: Delivery) -> bool:
        """Whether a message has the button of that row."""
        return messages.tournament_mark(_number(row), _mark(row)) in button_ids(message)

    async def refused(self, row: Delivery) -> None:
        """Where the thread of their game is no more, the tournament's channel is told."""
        if not await self.channels.is_gone(row.channel):
            return
        tournament = await self._tournaments.get(_number(row))
        deliveries, now = self._room.store.deliveries, self._now()
        if tournament is None or row.channel == tournament.terms.channel:
            await deliveries.drop([row], at=now)
        else:
            await deliveries.readdress(row, tournament.terms.channel, now=now)


def _is_in(tournament: Tournament, row: Delivery) -> bool:
    """Whether they have joined again meanwhile."""
    entrant = None if row.player is None else entrant_of(tournament, row.player)
    return entrant is not None and not entrant.withdrawn


def _number(row: Delivery) -> TournamentId:
    return TournamentId(int(row.data["tournament"]))


def _mark(row: Delivery) -> str:
    return row.key.removeprefix(f"{_number(row)}-")
