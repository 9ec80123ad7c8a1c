"""Use cases for tournament players and organizers. The director does the periodic work."""

from collections.abc import Awaitable, Callable, Collection, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from functools import partial

from bot.base.ids import GameId, GuildId, SourceId, TournamentId, UserId
from bot.base.zones import Interval
from bot.database.connection import AsyncConnection
from bot.database.delivery_rows import DeliveryRoute, NewDelivery
from bot.people.store.stops import StoppedGames, StopTable, begin_stop, end_stop
from bot.people.use_cases import stops
from bot.play.model.conduct import check_blocked
from bot.play.model.preferences import RemindBy
from bot.play.use_cases.ledger import retry_on_conflict
from bot.play.use_cases.use_cases import UseCases
from club.ratings.store import Ratings
from club.tournaments import refusals
from club.tournaments.model import possible_terms as allowed
from club.tournaments.model import rules
from club.tournaments.model.acts import ActKind, TournamentAct
from club.tournaments.model.results import asked_in, corrected, in_question
from club.tournaments.model.rules import ORGANIZERS
from club.tournaments.model.standings import standings
from club.tournaments.model.tournament import (
    Pairing,
    PairingResult,
    Tournament,
    TournamentState,
    TournamentTerms,
)
from club.tournaments.store.rows import TournamentChange
from club.tournaments.store.tournaments import TournamentTable
from club.tournaments.use_cases import news
from club.tournaments.use_cases.news import NAMED_AT_THE_END, News


class Tournaments:
    """Use cases of tournaments. Each returns the tournament's new state."""

    def __init__(self, cases: UseCases) -> None:
        self._store = cases.store
        self._table = cases.store.queries(TournamentTable)
        self._game_cache = cases.game_cache
        self._ratings = cases.require(Ratings)
        self._stops = cases.store.queries(StopTable)
        self._now = cases.now

    # Reading

    async def get(self, tournament: TournamentId) -> Tournament | None:
        """Return a tournament's current state, or None if there is none."""
        return await self._table.get(tournament)

    async def divisions(self, league: Tournament, season: int | None = None) -> list[Tournament]:
        """Return the divisions of a league's season, by default the newest, strongest first."""
        return await self._table.divisions(league.id, season or league.round)

    async def find(self, guild: GuildId) -> list[Tournament]:
        """Return a server's tournaments that are open or running, oldest first."""
        return await self._all(await self._table.running(guild))

    async def latest(self, guild: GuildId, most: int = 10) -> list[Tournament]:
        """Return a server's newest tournaments, including ended ones, newest first."""
        return await self._all(await self._table.latest(guild, most))

    async def strength(self, tournament: Tournament, *others: UserId) -> dict[UserId, float]:
        """Return the ratings of a tournament's entrants, and of others, at its pace."""
        terms = tournament.terms
        players = [*(entrant.player for entrant in tournament.entrants), *others]
        known = await self._ratings.ratings_of(terms.guild, terms.clock, players)
        return {player: known[player].rating for player in players}

    async def may_create(self, guild: GuildId, *, manages: bool, roles: Sequence[int] = ()) -> bool:
        """Return True if a user with some roles may create tournaments in a server.

        Everyone has the role whose id equals the server's.
        """
        return manages or (await self._store.guilds.rules(guild)).choice(ORGANIZERS) in roles

    # Organizers

    async def create(
        self, terms: TournamentTerms, *, source: SourceId | None, is_organizer: bool
    ) -> Tournament:
        """Create a tournament that people can join.

        If it has a start time, Discord's event is created.

        Raises:
            AlreadyHandled: if this source has already created one.
            MayNotCreate: if this user may not create any here (`may_create`).
            BadTerms: if its terms are impossible.
            TooManyTournaments: if there are too many in the server.
        """
        terms = replace(terms, name=" ".join(terms.name.split()))

        async def do() -> Tournament:
            now = self._now()
            if not is_organizer:
                raise refusals.MayNotCreate
            allowed.check_terms(terms, now)
            tells: list[Callable[[Tournament], NewDelivery]]
            tells = [partial(news.news, what=News.CREATED)]
            if terms.begins_at is not None:
                tells.append(news.scheduled)
            made = await self._table.add(
                terms, source=source, at=now, most=allowed.MOST_TOURNAMENTS, tells=tells
            )
            if made is None:
                raise refusals.TooManyTournaments(allowed.MOST_TOURNAMENTS)
            return made

        return await retry_on_conflict(
            self._store, do, source=source, was_done=self._table.has_source
        )

    async def begin(
        self, tournament: TournamentId, by: UserId, *, manages: bool = False
    ) -> Tournament:
        """Start a tournament now, with everyone who has joined or checked in.

        With a live clock, the first call only opens check-in for `SHORT_CHECK_IN`.

        Raises:
            TournamentGone: if there is no such tournament.
            OrganizersOnly: if it is someone else's and they don't manage the server.
            NotOpen: if it has started or ended.
            TooFewPlayers: if fewer than two would play.
        """

        async def do(found: Tournament) -> TournamentChange:
            now, act = self._now(), TournamentAct(kind=ActKind.STARTED, by=by)
            rules.check_organizer(found, by, manages=manages)
            if found.state not in (TournamentState.OPEN, TournamentState.CHECK_IN):
                runs = found.state is TournamentState.RUNNING
                raise refusals.NotOpen(
                    refusals.NotOpenProblem.BEGUN if runs else refusals.NotOpenProblem.OVER
                )
            if len(found.entrants) < (least := rules.fewest_players(found.terms)):
                raise refusals.TooFewPlayers(least)
            asks_first = found.terms.has_check_in and found.terms.is_live
            if found.state is TournamentState.OPEN and asks_first:
                until = now + rules.SHORT_CHECK_IN
                after = rules.check_in_opened(found, now, until)
                return TournamentChange(found, after, news.asked(found), act=act)
            after = rules.begun(found, await self.strength(found), now)
            return TournamentChange(found, after, news.begun(after), act=act)

        return await self._change(tournament, do)

    async def cancel(
        self, tournament: TournamentId, by: UserId, *, manages: bool = False
    ) -> Tournament:
        """Cancel a tournament.

        Its running games continue on their own.

        Raises:
            TournamentGone, OrganizersOnly: like `begin`.
            NotOpen: if it is over.
        """

        async def do(found: Tournament) -> TournamentChange:
            rules.check_organizer(found, by, manages=manages)
            if found.ended_at is not None:
                raise refusals.NotOpen(refusals.NotOpenProblem.OVER)
            after = rules.finished_tournament(found, TournamentState.CANCELLED, self._now())
            act = TournamentAct(kind=ActKind.CALLED_OFF, by=by)
            return TournamentChange(found, after, [news.news(found, News.CANCELLED)], act=act)

        return await self._change(tournament, do)

    async def pause(
        self, tournament: TournamentId, by: UserId, days: int, *, manages: bool = False
    ) -> tuple[Tournament, Interval]:
        """Stop all clocks of a running tournament for some days, and tell all its players.

        It replaces the current stop, if there is one.

        Raises:
            TournamentGone, OrganizersOnly: like `begin`.
            NotOpen: if it hasn't started, or has ended.
            BadTerms: if the number of days is zero or too large.
            TooManyStops: if too many were begun within a day.
        """
        now, most = self._now(), stops.LONGEST_STOP.days
        if not 1 <= days <= most:
            raise refusals.BadTerms(refusals.TermsProblem.STOP, 1, most)
        stop = Interval(begins=now, ends=now + timedelta(days=days))

        async def do(found: Tournament) -> TournamentChange:
            rules.check_organizer(found, by, manages=manages)
            rules.check_runs(found)
            games = StoppedGames(found.terms.guild, found.id)
            since, check = now - stops.COUNTED_FOR, stops.check_number
            first = partial(begin_stop, games=games, stop=stop, since=since, check=check)
            tells = news.stopped(found, stop.ends, is_over=False)
            act = TournamentAct(kind=ActKind.STOPPED, by=by, days=days)
            return TournamentChange(found, found, tells, first=first, act=act)

        return await self._change(tournament, do), stop

    async def resume(
        self, tournament: TournamentId, by: UserId, *, manages: bool = False
    ) -> Tournament:
        """Restart a tournament's clocks, and tell all its players.

        Raises:
            TournamentGone, OrganizersOnly, NotOpen: like `pause`.
            NotStopped: if they are not stopped.
        """

        async def do(found: Tournament) -> TournamentChange:
            now = self._now()
            rules.check_organizer(found, by, manages=manages)
            rules.check_runs(found)
            games = StoppedGames(found.terms.guild, found.id)

            async def end(connection: AsyncConnection) -> None:
                if not await end_stop(connection, games, now):
                    raise refusals.NotStopped

            tells = news.stopped(found, now, is_over=True)
            act = TournamentAct(kind=ActKind.RESUMED, by=by)
            return TournamentChange(found, found, tells, first=end, act=act)

        return await self._change(tournament, do)

    async def stopped_until(self, tournament: Tournament) -> datetime | None:
        """Return when a tournament's clocks run again, or None if they are running."""
        if tournament.state is not TournamentState.RUNNING:
            return None
        games = StoppedGames(tournament.terms.guild, tournament.id)
        stop = await self._stops.running_in(games, self._now())
        return None if stop is None else stop.ends

    async def close(self, tournament: TournamentId) -> Tournament:
        """Cancel a tournament whose channel was deleted.

        Its players get direct messages.

        Raises:
            TournamentGone: if there is no such tournament.
        """

        async def do(found: Tournament) -> TournamentChange | None:
            if found.ended_at is not None:
                return None
            after = rules.finished_tournament(found, TournamentState.CANCELLED, self._now())
            players = [entrant.player for entrant in found.entrants if not entrant.withdrawn]
            is_told = found.terms.league is None  # otherwise its league tells them
            return TournamentChange(
                found, after, news.held_up(found, 0, players) if is_told else ()
            )

        return await self._change(tournament, do)

    async def correct(
        self,
        tournament: TournamentId,
        round_: int,
        board: int,
        result: PairingResult,
        note: str,
        by: UserId,
        *,
        manages: bool = False,
        agreed: Collection[tuple[int, int]] = (),
    ) -> tuple[Tournament, tuple[Pairing, ...]]:
        """Set a result, with a note that everyone can read.

        A game still running there ends without a result.

        In a knockout this also calls off dependent games, as long as both players could still leave
        them without a result. Returns the tournament, and the games that would end if the organizer
        has not agreed to all of them. In that case nothing was done.

        Raises:
            TournamentGone, OrganizersOnly: like `begin`.
            OwnRatedGame: if that would end a rated game of their own.
            NotOpen: if it has not started, or was canceled.
            CannotCorrect: if it can't be set.
        """
        note = " ".join(note.split())
        place, ends = (round_, board), tuple[Pairing, ...]()

        async def do(found: Tournament) -> TournamentChange | None:
            nonlocal ends
            rules.check_organizer(found, by, manages=manages)
            rules.check_not_own(found, place, by)
            young = [
                pairing for pairing in in_question(found, place) if await self._is_young(pairing)
            ]
            correction = corrected(found, place, result, note, by, young=young)
            is_known = {pairing.place for pairing in correction.ends} <= set(agreed)
            ends = () if is_known else correction.ends
            if ends or correction.after == found:  # a repeated request
                return None
            tells = [news.corrected(found, correction)]
            if found.ended_at is not None and _first(found) != _first(correction.after):
                tells.append(news.news(found, News.ENDED, number=found.version))
            act = TournamentAct(kind=ActKind.CORRECTED, by=by, place=place)
            return TournamentChange(found, correction.after, tells, act=act)

        after = await self._change(tournament, do)
        return after, ends

    async def edit(
        self,
        tournament: TournamentId,
        by: UserId,
        change: Callable[[TournamentTerms], TournamentTerms],
        *,
        manages: bool = False,
    ) -> Tournament:
        """Change the name, start, rounds or clock of a tournament that people can join.

        Raises:
            TournamentGone, OrganizersOnly: like `begin`.
            NotOpen: if its check-in is open, or it has started or ended.
            BadTerms: if the new terms are impossible.
        """

        async def do(found: Tournament) -> TournamentChange | None:
            rules.check_organizer(found, by, manages=manages)
            if found.state is not TournamentState.OPEN:
                is_over = found.ended_at is not None
                problem = refusals.NotOpenProblem
                raise refusals.NotOpen(problem.OVER if is_over else problem.BEGUN)
            before, after = found.terms, change(found.terms)
            after = replace(after, name=" ".join(after.name.split()))
            if after == before:
                return None
            allowed.check_terms(after, self._now())
            is_planned = before.begins_at is None and after.begins_at is not None
            edited = replace(found, terms=after)
            tells = [news.scheduled(edited)] if is_planned else []
            act = TournamentAct(kind=ActKind.EDITED, by=by)
            return TournamentChange(found, edited, tells, act=act)

        return await self._change(tournament, do)

    async def add(
        self,
        tournament: TournamentId,
        player: UserId,
        by: UserId,
        *,
        source: SourceId,
        manages: bool = False,
    ) -> Tournament:
        """Enter a player, or bring one back, as an organizer.

        Raises:
            OrganizersOnly: like `begin`.
            The errors of `join`.
        """

        async def do(found: Tournament) -> TournamentChange:
            rules.check_organizer(found, by, manages=manages)
            act = TournamentAct(kind=ActKind.ADDED, by=by, player=player)
            try:
                return replace(await self._enter(player, source, found), act=act)
            except refusals.AlreadyIn as error:
                raise refusals.AlreadyIn(player) from error

        return await self._change(tournament, do, source=source)

    async def extend(
        self,
        tournament: TournamentId,
        place: tuple[int, int],
        days: int,
        by: UserId,
        *,
        manages: bool = False,
    ) -> Tournament:
        """Give an unfinished game more time than its round has.

        Raises:
            TournamentGone, OrganizersOnly: like `begin`.
            NotOpen: if the tournament is not running.
            CannotCorrect: if there is no such game.
            TooLateToAnswer: if it is decided.
            NoTimeLimit: if only the clocks end its games.
        """

        async def do(found: Tournament) -> TournamentChange:
            rules.check_organizer(found, by, manages=manages)
            rules.check_runs(found)
            if found.terms.round_time is None:
                raise refusals.NoTimeLimit
            pairing = found.pairing_at(place)
            if pairing is None:
                raise refusals.CannotCorrect(refusals.CorrectionProblem.NO_PAIRING)
            if pairing.result is not None:
                raise refusals.TooLateToAnswer
            longer = replace(pairing, extra=pairing.extra + timedelta(days=days))
            act = TournamentAct(kind=ActKind.EXTENDED, by=by, place=place, days=days)
            return TournamentChange(found, rules.decided(found, [longer]), act=act)

        return await self._change(tournament, do)

    async def choose_helper(
        self, tournament: TournamentId, helper: UserId | None, by: UserId, *, manages: bool = False
    ) -> Tournament:
        """Choose the second organizer, who may do everything that the first one may, or nobody.

        Raises:
            TournamentGone, OrganizersOnly: like `begin`.
        """

        async def do(found: Tournament) -> TournamentChange | None:
            rules.check_organizer(found, by, manages=manages)
            if found.terms.helper == helper:
                return None
            after = replace(found, terms=replace(found.terms, helper=helper))
            act = TournamentAct(kind=ActKind.HELPER, by=by, player=helper)
            return TournamentChange(found, after, act=act)

        return await self._change(tournament, do)

    async def acts(self, tournament: TournamentId, most: int = 25) -> list[TournamentAct]:
        """Return the newest acts of organizers, newest first."""
        return await self._table.acts(tournament, most)

    async def ended(self, guild: GuildId, most: int = 15) -> list[Tournament]:
        """Return a server's newest tournaments that were played to the end, newest first."""
        return await self._all(await self._table.ended(guild, most))

    async def _is_young(self, number: GameId) -> bool:
        game = await self._game_cache.existing(number)
        return all(game.may_leave(player) for player in (game.row.white, game.row.black))

    async def scheduled(self, tournament: TournamentId, event: int) -> None:
        """Store the id of Discord's scheduled event for a tournament's start."""
        await self._table.schedule(tournament, event)

    # Players

    async def join(
        self, tournament: TournamentId, player: UserId, *, source: SourceId
    ) -> Tournament:
        """Join a tournament, or return to it.

        During check-in, this also checks the user in.

        So an entrant who presses this button during check-in is paired.

        Raises:
            AlreadyHandled: if this source was handled before.
            TournamentGone: if there is no such tournament.
            AlreadyIn: if they have joined.
            NotOpen: if it is over.
            TooLateToJoin: if it is running and takes no new players.
            TournamentFull: if the maximum number of players has joined.
            BlockedHere: if a moderator has blocked them in the server.
        """
        return await self._change(tournament, partial(self._enter, player, source), source=source)

    async def check_in(
        self, tournament: TournamentId, player: UserId, *, source: SourceId | None = None
    ) -> Tournament:
        """Check in, once.

        A latecomer joins a running tournament this way.

        Raises:
            AlreadyHandled: if this source was handled before.
            TournamentGone: if there is no such tournament.
            NotOpen: if its check-in is not open yet, or the tournament is over.
            NotIn: if they have not joined.
            TooLateToJoin: if it is running and takes no new players.
            TournamentFull: if the maximum number of players has joined.
        """

        async def do(found: Tournament) -> TournamentChange | None:
            if found.state is TournamentState.RUNNING:
                return None if found.has(player) else await self._enter(player, source, found)
            after = rules.checked_in(found, player)
            return None if after == found else TournamentChange(found, after)

        return await self._change(tournament, do, source=source)

    async def answer(self, tournament: TournamentId, game: GameId, player: UserId) -> Pairing:
        """Confirm the presence of a player whose opponent never showed up, so that they win.

        Raises:
            TournamentGone: if there is no such tournament, or no such game in it.
            NotForYou, TooLateToAnswer: like `rules.answered`.
        """

        async def do(found: Tournament) -> TournamentChange | None:
            ended = await self._game_cache.current(game)
            who = None if ended is None else asked_in(ended)
            after = rules.answered(found, game, player, asked=who)
            return None if after == found else TournamentChange(found, after)

        after = await self._change(tournament, do)
        return next(pairing for pairing in after.pairings if pairing.game == game)

    async def withdraw(
        self,
        tournament: TournamentId,
        player: UserId,
        *,
        by: UserId | None = None,
        manages: bool = False,
    ) -> Tournament:
        """Leave a tournament.

        A running game continues and counts. A game that has not started is lost.

        If the organizer or a server manager removes a player, the player is told.

        Raises:
            TournamentGone: if there is no such tournament.
            OrganizersOnly: if the user is neither that player nor an organizer.
            NotOpen: if it is over.
            NotIn: if they have not joined, or have left.
        """

        async def do(found: Tournament) -> TournamentChange:
            tells, act = [], None
            if by is not None and by != player:
                act = TournamentAct(kind=ActKind.REMOVED, by=by, player=player)
                rules.check_organizer(found, by, manages=manages)
                wishes = await self._store.players.get(player)
                way = DeliveryRoute.DM if wishes.remind_by is RemindBy.DM else DeliveryRoute.CHANNEL
                tells.append(news.taken_out(found, player, way))
            return TournamentChange(found, rules.with_withdrawal(found, player, by), tells, act=act)

        return await self._change(tournament, do)

    # Internals

    async def _enter(
        self, player: UserId, source: SourceId | None, found: Tournament
    ) -> TournamentChange:
        blocked = await self._store.server_blocks.find(found.terms.guild, player, now=self._now())
        check_blocked(blocked, player)
        rating = (await self.strength(found, player)).get(player)
        after = rules.joined(found, player, rating=rating)
        change = TournamentChange(found, after)
        return change if source is None else replace(change, joins=(player, source))

    async def _change(
        self,
        tournament: TournamentId,
        do: Callable[[Tournament], Awaitable[TournamentChange | None]],
        *,
        source: SourceId | None = None,
    ) -> Tournament:
        """Load a tournament and write its change.

        Retry if another writer is faster.

        If there is no change, write nothing.
        """

        async def write() -> Tournament:
            found = await self.get(tournament)
            if found is None:
                raise refusals.TournamentGone
            change = await do(found)
            return found if change is None else await self._table.change(change, at=self._now())

        return await retry_on_conflict(
            self._store, write, source=source, was_done=self._table.has_source
        )

    async def _all(self, numbers: Sequence[TournamentId]) -> list[Tournament]:
        found = [await self.get(number) for number in numbers]
        return [tournament for tournament in found if tournament is not None]


def _first(tournament: Tournament) -> list[UserId]:
    """Return the top places, as announced at the end."""
    return [standing.player for standing in standings(tournament)[:NAMED_AT_THE_END]]
