"""Use cases for tournament players and organizers. The director does the periodic work."""

from collections.abc import Awaitable, Callable, Collection, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from functools import partial

from bot.base.ids import GameId, GuildId, SourceId, TournamentId, UserId
from bot.base.zones import Interval
from bot.database.connection import AsyncConnection
from bot.people.store.stops import StoppedGames, StopTable, begin_stop, end_stop
from bot.people.use_cases import stops
from bot.play.model.conduct import check_blocked
from bot.play.use_cases.ledger import retry_on_conflict
from bot.play.use_cases.use_cases import UseCases
from club.ratings.store import Ratings
from club.tournaments import refusals
from club.tournaments.model import possible_terms, rules
from club.tournaments.model.acts import ActKind, TournamentAct
from club.tournaments.model.results import asked_in, corrected
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

_Change = Callable[[Tournament], Awaitable[TournamentChange | None]]


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
        ratings = await self._ratings.ratings_of(terms.guild, terms.clock, players)
        return {player: ratings[player].rating for player in players}

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

        Raises:
            AlreadyHandled: if this source has already created one.
            MayNotCreate: if this user may not create any here (`may_create`).
            BadTerms: if its terms are impossible.
            TooManyTournaments: if there are too many in the server.
        """
        terms = replace(terms, name=" ".join(terms.name.split()))

        async def write() -> Tournament:
            now = self._now()
            if not is_organizer:
                raise refusals.MayNotCreate
            possible_terms.check_terms(terms, now)
            most = possible_terms.MOST_TOURNAMENTS
            announcement = partial(news.news, what=News.CREATED)
            created = await self._table.add(terms, announcement, source=source, at=now, most=most)
            if created is None:
                raise refusals.TooManyTournaments(most)
            return created

        return await retry_on_conflict(
            self._store, write, source=source, is_handled=self._table.has_source
        )

    async def organize(self, number: TournamentId, by: UserId, *, manages: bool) -> Tournament:
        """Return a tournament that the user may organize.

        Raises:
            TournamentGone, OrganizersOnly: if there is none, or they may not.
        """
        if (tournament := await self.get(number)) is None:
            raise refusals.TournamentGone
        rules.check_organizer(tournament, by, manages=manages)
        return tournament

    async def begin(
        self, tournament: TournamentId, by: UserId, *, manages: bool = False
    ) -> Tournament:
        """Start a tournament now, with everyone who has joined or checked in.

        With a live clock, the first call only opens check-in for `SHORT_CHECK_IN`. Like each act of
        an organizer, it raises `TournamentGone` and `OrganizersOnly`.

        Raises:
            NotOpen: if it has started or ended.
            TooFewPlayers: if fewer than two would play.
        """

        async def start(before: Tournament) -> TournamentChange:
            now = self._now()
            if before.state not in (TournamentState.OPEN, TournamentState.CHECK_IN):
                raise refusals.NotOpen(before.problem)
            if len(before.entrants) < (least := rules.fewest_players(before.terms)):
                raise refusals.TooFewPlayers(least)
            asks_first = before.terms.has_check_in and before.terms.is_live
            if before.state is TournamentState.OPEN and asks_first:
                after = rules.check_in_opened(before, now, now + rules.SHORT_CHECK_IN)
                return TournamentChange(before, after, [news.news(before, News.CHECK_IN)])
            after = rules.begun(before, await self.strength(before), now)
            return TournamentChange(before, after, news.begun(after))

        act = TournamentAct(kind=ActKind.STARTED, by=by)
        return await self._act(tournament, act, start, manages=manages)

    async def cancel(
        self, tournament: TournamentId, by: UserId, *, manages: bool = False
    ) -> Tournament:
        """Cancel a tournament. Its running games continue on their own.

        Raises:
            NotOpen: if it is over.
        """

        async def end(before: Tournament) -> TournamentChange:
            rules.check_not_over(before)
            after = rules.finished_tournament(before, TournamentState.CANCELLED, self._now())
            return TournamentChange(before, after, [news.news(before, News.CANCELLED)])

        act = TournamentAct(kind=ActKind.CALLED_OFF, by=by)
        return await self._act(tournament, act, end, manages=manages)

    async def pause(
        self, tournament: TournamentId, by: UserId, days: int, *, manages: bool = False
    ) -> tuple[Tournament, Interval]:
        """Stop all clocks of a running tournament for some days, and tell its channel.

        It replaces the current stop, if there is one. In a league it stops all divisions, and no
        season begins.

        Raises:
            NotOpen: if it hasn't started, or has ended.
            BadTerms: if the number of days is zero or too large.
            TooManyStops: if too many were begun within a day.
        """
        now, most = self._now(), stops.LONGEST_STOP.days
        if not 1 <= days <= most:
            raise refusals.BadTerms(refusals.TermsProblem.STOP, 1, most)
        stop = Interval(begins=now, ends=now + timedelta(days=days))

        async def stop_clocks(before: Tournament) -> TournamentChange:
            rules.check_runs(before)
            all_games = await self._games_of(before)

            async def begin_stops(connection: AsyncConnection) -> None:
                since, check = now - stops.COUNTED_FOR, stops.check_number
                for games in all_games:
                    await begin_stop(connection, games, stop, since=since, check=check)

            announcement = news.stopped(before, stop.ends, is_over=False)
            return TournamentChange(before, before, [announcement], first=begin_stops)

        act = TournamentAct(kind=ActKind.STOPPED, by=by, days=days)
        return await self._act(tournament, act, stop_clocks, manages=manages), stop

    async def resume(
        self, tournament: TournamentId, by: UserId, *, manages: bool = False
    ) -> Tournament:
        """Restart a tournament's clocks, and tell its channel.

        Raises:
            NotOpen: if it hasn't started, or has ended.
            NotStopped: if they are not stopped.
        """

        async def start_clocks(before: Tournament) -> TournamentChange:
            now = self._now()
            rules.check_runs(before)
            all_games = await self._games_of(before)

            async def end_stops(connection: AsyncConnection) -> None:
                ended = [await end_stop(connection, games, now) for games in all_games]
                if not any(ended):
                    raise refusals.NotStopped

            announcement = news.stopped(before, now, is_over=True)
            return TournamentChange(before, before, [announcement], first=end_stops)

        act = TournamentAct(kind=ActKind.RESUMED, by=by)
        return await self._act(tournament, act, start_clocks, manages=manages)

    async def _games_of(self, tournament: Tournament) -> list[StoppedGames]:
        """Return the games of a tournament, and of each of its divisions."""
        parts = [tournament, *await self.divisions(tournament)]
        return [StoppedGames(part.terms.guild, part.id) for part in parts]

    async def stopped_until(self, tournament: Tournament) -> datetime | None:
        """Return when a tournament's clocks run again, or None if they are running."""
        if tournament.state is not TournamentState.RUNNING:
            return None
        games = StoppedGames(tournament.terms.guild, tournament.id)
        stop = await self._stops.running_in(games, self._now())
        return None if stop is None else stop.ends

    async def close(self, tournament: TournamentId) -> Tournament:
        """Cancel a tournament whose channel was deleted. Its players get direct messages.

        Raises:
            TournamentGone: if there is no such tournament.
        """

        async def end(before: Tournament) -> TournamentChange | None:
            if before.ended_at is not None:
                return None
            after = rules.finished_tournament(before, TournamentState.CANCELLED, self._now())
            is_division = before.terms.league is not None  # its league tells the players
            notices = () if is_division else news.channel_deleted(before)
            return TournamentChange(before, after, notices)

        return await self._change(tournament, end)

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

        A game still running there ends without a result. In a knockout this also calls off running
        games that depend on it. Return the tournament, and the games that would end, if the
        organizer has not agreed to all of them. In that case nothing was done.

        Raises:
            NotOpen: if it has not started, or was canceled.
            CannotCorrect: if it can't be set.
            OwnRatedGame: if that would end a rated game of their own.
        """
        note = " ".join(note.split())
        place, ends = (round_, board), tuple[Pairing, ...]()

        async def set_result(before: Tournament) -> TournamentChange | None:
            nonlocal ends
            correction = corrected(before, place, result, note, by)
            is_agreed = {pairing.place for pairing in correction.ends} <= set(agreed)
            ends = () if is_agreed else correction.ends
            if ends or correction.after == before:  # a repeated request
                return None
            messages = [news.corrected(before, correction)]
            if before.ended_at is not None and _first(before) != _first(correction.after):
                messages.append(news.news(before, News.ENDED, number=before.version))
            return TournamentChange(before, correction.after, messages)

        act = TournamentAct(kind=ActKind.CORRECTED, by=by, place=place)
        after = await self._act(tournament, act, set_result, manages=manages)
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
            NotOpen: if its check-in is open, or it has started or ended.
            BadTerms: if the new terms are impossible.
        """

        async def change_terms(before: Tournament) -> TournamentChange | None:
            if before.state is not TournamentState.OPEN:
                is_over = before.ended_at is not None
                problem = refusals.NotOpenProblem
                raise refusals.NotOpen(problem.OVER if is_over else problem.BEGUN)
            terms = change(before.terms)
            terms = replace(terms, name=" ".join(terms.name.split()))
            if terms == before.terms:
                return None
            possible_terms.check_terms(terms, self._now())
            return TournamentChange(before, replace(before, terms=terms))

        act = TournamentAct(kind=ActKind.EDITED, by=by)
        return await self._act(tournament, act, change_terms, manages=manages)

    async def add(
        self,
        tournament: TournamentId,
        player: UserId,
        by: UserId,
        *,
        source: SourceId,
        manages: bool = False,
    ) -> Tournament:
        """Enter a player, or bring one back, as an organizer. The player is told.

        Raises:
            The errors of `join`.
        """

        async def enter(before: Tournament) -> TournamentChange:
            try:
                change = await self._enter(player, source, before)
            except refusals.AlreadyIn as error:
                raise refusals.AlreadyIn(player) from error
            return replace(change, messages=[news.about_player(before, News.ADDED, player)])

        act = TournamentAct(kind=ActKind.ADDED, by=by, player=player)
        return await self._act(tournament, act, enter, manages=manages, source=source)

    async def remove(
        self, tournament: TournamentId, player: UserId, by: UserId, *, manages: bool = False
    ) -> Tournament:
        """Take a player out, as an organizer. The player is told.

        Raises:
            The errors of `withdraw`.
        """

        async def take_out(before: Tournament) -> TournamentChange:
            after = rules.with_withdrawal(before, player, by)
            message = news.about_player(before, News.REMOVED, player)
            return TournamentChange(before, after, [message])

        act = TournamentAct(kind=ActKind.REMOVED, by=by, player=player)
        return await self._act(tournament, act, take_out, manages=manages)

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
            NotOpen: if the tournament is not running.
            BadTerms: if the number of days is zero or too large.
            CannotCorrect: if there is no such game.
            TooLateToAnswer: if it is decided.
            NoTimeLimit: if only the clocks end its games.
        """

        async def add_time(before: Tournament) -> TournamentChange:
            rules.check_runs(before)
            if not 1 <= days <= possible_terms.LONGEST_EXTENSION:
                most = possible_terms.LONGEST_EXTENSION
                raise refusals.BadTerms(refusals.TermsProblem.EXTENSION, 1, most)
            if before.terms.round_time is None:
                raise refusals.NoTimeLimit
            pairing = before.pairing_at(place)
            if pairing is None:
                raise refusals.CannotCorrect(refusals.CorrectionProblem.NO_PAIRING)
            if pairing.result is not None:
                raise refusals.TooLateToAnswer
            longer = replace(pairing, extra=pairing.extra + timedelta(days=days))
            return TournamentChange(before, rules.decided(before, [longer]))

        act = TournamentAct(kind=ActKind.EXTENDED, by=by, place=place, days=days)
        return await self._act(tournament, act, add_time, manages=manages)

    async def choose_helper(
        self, tournament: TournamentId, helper: UserId | None, by: UserId, *, manages: bool = False
    ) -> Tournament:
        """Choose the second organizer, who may do everything that the first one may, or nobody."""

        async def choose(before: Tournament) -> TournamentChange | None:
            if before.terms.helper == helper:
                return None
            terms = replace(before.terms, helper=helper)
            return TournamentChange(before, replace(before, terms=terms))

        act = TournamentAct(kind=ActKind.HELPER, by=by, player=helper)
        return await self._act(tournament, act, choose, manages=manages)

    async def acts(self, tournament: TournamentId, most: int = 25) -> list[TournamentAct]:
        """Return the newest acts of organizers, newest first."""
        return await self._table.acts(tournament, most)

    async def ended(self, guild: GuildId, most: int = 15) -> list[Tournament]:
        """Return a server's newest tournaments that were played to the end, newest first."""
        return await self._all(await self._table.ended(guild, most))

    async def scheduled(self, tournament: TournamentId, event: int) -> None:
        """Store the id of Discord's scheduled event for a tournament's start."""
        await self._table.schedule(tournament, event)

    # Players

    async def join(
        self, tournament: TournamentId, player: UserId, *, source: SourceId
    ) -> Tournament:
        """Join a tournament, or return to it. During check-in, this also checks the user in.

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
        self, tournament: TournamentId, player: UserId, *, source: SourceId
    ) -> Tournament:
        """Check in, once. A latecomer joins a running tournament this way.

        Raises:
            NotIn: if they have not joined.
            The errors of `join`.
        """

        async def confirm(before: Tournament) -> TournamentChange | None:
            if before.state is TournamentState.RUNNING:
                return None if before.has(player) else await self._enter(player, source, before)
            after = rules.checked_in(before, player)
            return None if after == before else TournamentChange(before, after)

        return await self._change(tournament, confirm, source=source)

    async def answer(self, tournament: TournamentId, game: GameId, player: UserId) -> Pairing:
        """Confirm the presence of a player whose opponent never showed up, so that they win.

        Raises:
            TournamentGone: if there is no such tournament, or no such game in it.
            NotForYou, TooLateToAnswer: like `rules.answered`.
        """

        async def confirm(before: Tournament) -> TournamentChange | None:
            ended = await self._game_cache.current(game)
            asked = None if ended is None else asked_in(ended)
            after = rules.answered(before, game, player, asked=asked)
            return None if after == before else TournamentChange(before, after)

        after = await self._change(tournament, confirm)
        return next(pairing for pairing in after.pairings if pairing.game == game)

    async def withdraw(self, tournament: TournamentId, player: UserId) -> Tournament:
        """Leave a tournament.

        A running game continues and counts. A game that has not started is lost.

        Raises:
            TournamentGone: if there is no such tournament.
            NotOpen: if it is over.
            NotIn: if they have not joined, or have left.
        """

        async def leave(before: Tournament) -> TournamentChange:
            return TournamentChange(before, rules.with_withdrawal(before, player))

        return await self._change(tournament, leave)

    # Internals

    async def _enter(
        self, player: UserId, source: SourceId, before: Tournament
    ) -> TournamentChange:
        blocks = await self._store.server_blocks.find(before.terms.guild, player, now=self._now())
        check_blocked(blocks, player)
        rating = (await self.strength(before, player)).get(player)
        after = rules.joined(before, player, rating=rating)
        return TournamentChange(before, after, joins=(player, source))

    async def _act(
        self,
        number: TournamentId,
        act: TournamentAct,
        change: _Change,
        *,
        manages: bool,
        source: SourceId | None = None,
    ) -> Tournament:
        """Change a tournament as an organizer, and log the act."""

        async def logged(before: Tournament) -> TournamentChange | None:
            rules.check_organizer(before, act.by, manages=manages)
            planned = await change(before)
            return None if planned is None else replace(planned, act=act)

        return await self._change(number, logged, source=source)

    async def _change(
        self, number: TournamentId, change: _Change, *, source: SourceId | None = None
    ) -> Tournament:
        """Load a tournament and write its change, if there is one. Retry on a conflict."""

        async def write() -> Tournament:
            if (before := await self.get(number)) is None:
                raise refusals.TournamentGone
            planned = await change(before)
            if planned is None:
                return before
            return await self._table.change(planned, at=self._now())

        return await retry_on_conflict(
            self._store, write, source=source, is_handled=self._table.has_source
        )

    async def _all(self, numbers: Sequence[TournamentId]) -> list[Tournament]:
        tournaments = [await self.get(number) for number in numbers]
        return [tournament for tournament in tournaments if tournament is not None]


def _first(tournament: Tournament) -> list[UserId]:
    """Return the top places, as announced at the end."""
    return [standing.player for standing in standings(tournament)[:NAMED_AT_THE_END]]
