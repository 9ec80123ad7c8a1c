"""Messages to one person of a tournament: they are taken out, or are to play a blocked player."""

from collections.abc import Sequence

from bot.connection.delivery_kinds import Parcel
from bot.connection.posts import Post
from bot.database.rows import Delivery, Way
from bot.features.tournaments.delivery.tournaments import (
    TournamentKind,
    mark_of,
    number_of,
    pairing_of,
)
from bot.features.tournaments.model.terms import Tournament
from bot.features.tournaments.use_cases.telling import BLOCKED, WITHDRAWN
from bot.features.tournaments.words.tournaments import (
    Report,
    tournament_blocked,
    tournament_withdrawn,
)


class _ToOne(TournamentKind):
    """A message to one person."""

    async def _parcel(self, row: Delivery, post: Post) -> Parcel:
        return self.parcel([row], await self._made.as_heard(post))


class WithdrawnKind(_ToOne):
    """The word to a player whom an organiser has taken out: where they play, or by DM."""

    name = WITHDRAWN

    async def prepare(self, rows: Sequence[Delivery]) -> Parcel | None:
        """Return the message, unless they are in again."""
        row = rows[0]  # of several that go directly, the others come after it
        tournament = await self._tournaments.get(number_of(row))
        if tournament is None or row.player is None or _is_in(tournament, row):
            await self._drop(row)
            return None
        reader = (
            await self._made.readers.recipient(row.player)
            if row.way is Way.DM
            else await self._posts.reader(tournament)
        )
        report = Report(tournament=tournament, mark=mark_of(row))
        post = tournament_withdrawn(reader, report, row.player, row.way)
        return await self._parcel(row, post)

    async def refused(self, row: Delivery) -> None:
        """Tell the tournament's channel, where the thread of their game is gone."""
        if not await self.channels.is_gone(row.channel):
            return
        tournament = await self._tournaments.get(number_of(row))
        if tournament is None or row.channel == tournament.terms.channel:
            await self._drop(row)
        else:
            deliveries = self._made.cases.store.deliveries
            await deliveries.readdress(row, tournament.terms.channel, now=self._now())


class BlockedKind(_ToOne):
    """The word to a player who is to play whom they have blocked. By DM only: nobody else knows."""

    name = BLOCKED

    async def prepare(self, rows: Sequence[Delivery]) -> Parcel | None:
        """Return the message, unless the game is decided, or a direct message was refused."""
        row = rows[0]
        tournament = await self._tournaments.get(number_of(row))
        pairing = None if tournament is None else pairing_of(tournament, row)
        is_open = pairing is not None and pairing.result is None
        if tournament is None or pairing is None or not is_open or row.way is not Way.DM:
            await self._drop(row)
            return None
        assert row.player is not None  # it goes to them  # noqa: S101
        reader = await self._made.readers.recipient(row.player)
        report = Report(tournament=tournament, mark=mark_of(row))
        post = tournament_blocked(reader, report, pairing, row.player)
        return await self._parcel(row, post)


def _is_in(tournament: Tournament, row: Delivery) -> bool:
    """Tell whether they have joined again meanwhile."""
    entrant = None if row.player is None else tournament.entrant_of(row.player)
    return entrant is not None and not entrant.withdrawn
