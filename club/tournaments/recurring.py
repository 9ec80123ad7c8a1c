"""Checks regularly which tournaments are due."""

from collections.abc import Iterable

from bot.base.ids import Shards, TournamentId
from bot.connection.channel_requests import Channels
from bot.play.seams import RecurringTask, ShardContext
from club.tournaments.model.tournament import Tournament, TournamentFormat
from club.tournaments.use_cases.director import Director, Surroundings
from club.tournaments.use_cases.tournaments import Tournaments


def recurring(work: ShardContext) -> tuple[RecurringTask, ...]:
    services = work.services
    director, tournaments = services.require(Director), services.require(Tournaments)

    async def due(shards: Shards) -> Iterable[TournamentId]:
        work.start_check()
        return await director.due(shards)

    async def direct(number: TournamentId) -> None:
        tournament = await tournaments.get(number)
        if tournament is None:
            return
        if services.deleted_channels.is_away(tournament.terms.guild):
            await director.put_off(tournament, work.later())
            return
        channels = services.publisher.channels
        if await _has_no_place(channels, tournament):
            await tournaments.close(number)
            return
        surroundings = Surroundings(
            work.received_until, channels.departed, channels.missing_threads
        )
        for update in await director.check(number, surroundings):
            await services.publisher.publish(update)

    return (RecurringTask(name="director", every=work.rhythm.clocks, due=due, do=direct),)


async def _has_no_place(channels: Channels, tournament: Tournament) -> bool:
    """Return True if the channel for a tournament's games was deleted."""
    terms = tournament.terms
    if terms.format is TournamentFormat.LADDER or not channels.sees(terms.guild):
        return False
    return not channels.knows(terms.channel) and await channels.is_gone(terms.channel)
