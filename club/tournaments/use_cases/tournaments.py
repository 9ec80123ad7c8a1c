"""Use cases for tournament players and organizers. The director does the periodic work."""

from collections.abc import Awaitable, Callable, Sequence
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
from club.tournaments.model import possible_terms, rules
from club.tournaments.model.acts import EndsGames, OrganizerChoice, TournamentAct
from club.tournaments.model.results import asked_in, corrected
from club.tournaments.model.rules import ORGANIZERS
from club.tournaments.model.standings import standings
from club.tournaments.model.tournament import (
    Pairing,
    Tournament,
    TournamentFormat,
    TournamentState,
    TournamentTerms,
)
from club.tournaments.refusals import (
    AlreadyIn,
    BadTerms,
    Problem,
    TermsProblem,
    TournamentRefusal,
)
from club.tournaments.store.rows import TournamentChange
from club.tournaments.store.tournaments import TournamentTable
from club.tournaments.use_cases import news
from club.tournaments.use_cases.news import NAMED_AT_THE_END, News

_Change = Callable[[Tournament], Awaitable[TournamentChange | None]]


class Tournaments:
    """Use cases of tournaments. Each returns the tournament's new state.

    Impossible actions raise `TournamentRefusal`.
    """

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
        current = await self._table.get(tournament)
        return None if current is None else await self._with_pauses(current)

    async def _with_pauses(self, league: Tournament) -> Tournament:
        """Return a running league with the pauses of its season. Others stay as they are."""
        terms = league.terms
        if (
            terms.format is not TournamentFormat.LEAGUE
            or league.state is not TournamentState.RUNNING
        ):
            return league
        since, now = league.round_began or league.created_at, self._now()
        pauses = self._store.pauses.since(since, terms.guild, None, tournament=league.id, now=now)
        return replace(league, pauses=(await pauses).intervals)

    async def divisions(self, league: Tournament, season: int | None = None) -> list[Tournament]:
        """Return the divisions of a league's season, by default the newest, strongest first."""
        return await self._table.divisions(league.id, season or league.round)

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
            BadTerms: if its terms are impossible.
        """
        terms = _named(terms)

        async def write() -> Tournament:
            now = self._now()
            if not is_organizer:
                raise TournamentRefusal(Problem.MAY_NOT_CREATE)
            possible_terms.check_terms(terms, now)
            most = possible_terms.MOST_TOURNAMENTS
            announcement = partial(news.news, what=News.CREATED)
            created = await self._table.add(terms, announcement, source=source, at=now, most=most)
            if created is None:
                raise TournamentRefusal(Problem.TOO_MANY, most)
            return created

        return await retry_on_conflict(
            self._store, write, source=source, is_handled=self._table.has_source
        )

    async def organize(self, number: TournamentId, by: UserId, *, manages: bool) -> Tournament:
        """Return a tournament that the user may organize."""
        if (tournament := await self.get(number)) is None:
            raise TournamentRefusal(Problem.GONE)
        rules.check_organizer(tournament, by, manages=manages)
        return tournament

    async def perform(
        self, number: TournamentId, act: TournamentAct, *, manages: bool = False
    ) -> Tournament:
        """Do an organizer's act, and log it.

        Raises:
            TournamentRefusal: if it is impossible, or they may not organize the tournament.
            AlreadyIn, NotIn, BlockedHere: if a player can't be added or removed.
            BadTerms: if new terms are impossible, or a number of days is.
            TooManyStops: if clocks were stopped too often within a day.
            EndsGames: if a correction ends games that they have not agreed to end.
            OwnRatedGame: if one of those is a rated game of their own.
        """
        plan = {
            OrganizerChoice.BEGIN: self._begin,
            OrganizerChoice.EDIT: self._edit,
            OrganizerChoice.ADD: self._add,
            OrganizerChoice.REMOVE: self._remove,
            OrganizerChoice.EXTEND: self._extend,
            OrganizerChoice.CORRECT: self._correct,
            OrganizerChoice.STOP: self._stop_clocks,
            OrganizerChoice.RESUME: self._start_clocks,
            OrganizerChoice.HELPER: self._choose_helper,
            OrganizerChoice.CALL_OFF: self._call_off,
        }[act.kind]

        async def logged(before: Tournament) -> TournamentChange | None:
            rules.check_organizer(before, act.by, manages=manages)
            planned = await plan(before, act)
            return None if planned is None else replace(planned, act=act)

        return await self._change(number, logged, source=act.source)

    async def _begin(self, before: Tournament, _act: TournamentAct) -> TournamentChange:
        """Start now, with everyone who has joined or checked in.

        With a live clock, the first time only opens check-in for `SHORT_CHECK_IN`.
        """
        now = self._now()
        if before.state not in (TournamentState.OPEN, TournamentState.CHECK_IN):
            raise TournamentRefusal(before.problem)
        if len(before.entrants) < (least := rules.fewest_players(before.terms)):
            raise TournamentRefusal(Problem.TOO_FEW, least)
        asks_first = before.terms.has_check_in and before.terms.is_live
        if before.state is TournamentState.OPEN and asks_first:
            after = rules.check_in_opened(before, now, now + rules.SHORT_CHECK_IN)
            return TournamentChange(before, after, [news.news(before, News.CHECK_IN)])
        after = rules.begun(before, await self.strength(before), now)
        return TournamentChange(before, after, news.begun(after))

    async def _call_off(self, before: Tournament, _act: TournamentAct) -> TournamentChange:
        """Cancel it. Its running games continue on their own."""
        rules.check_not_over(before)
        after = rules.finished_tournament(before, TournamentState.CANCELLED, self._now())
        return TournamentChange(before, after, [news.news(before, News.CANCELLED)])

    async def _stop_clocks(self, before: Tournament, act: TournamentAct) -> TournamentChange:
        """Stop all clocks for some days, and tell the channel.

        It replaces the current stop, if there is one. In a league it stops all divisions, and no
        season begins.
        """
        rules.check_runs(before)
        days = _days(act, stops.LONGEST_STOP.days, TermsProblem.STOP)
        stop = Interval(begins=self._now(), ends=self._now() + days)
        all_games = await self._games_of(before)

        async def begin_stops(connection: AsyncConnection) -> None:
            since, check = stop.begins - stops.COUNTED_FOR, stops.check_number
            for games in all_games:
                await begin_stop(connection, games, stop, since=since, check=check)

        announcement = news.stopped(before, stop.ends, is_over=False)
        return TournamentChange(before, before, [announcement], first=begin_stops)

    async def _start_clocks(self, before: Tournament, _act: TournamentAct) -> TournamentChange:
        """Start the clocks again, and tell the channel."""
        now = self._now()
        rules.check_runs(before)
        all_games = await self._games_of(before)

        async def end_stops(connection: AsyncConnection) -> None:
            ended = [await end_stop(connection, games, now) for games in all_games]
            if not any(ended):
                raise TournamentRefusal(Problem.NOT_STOPPED)

        announcement = news.stopped(before, now, is_over=True)
        return TournamentChange(before, before, [announcement], first=end_stops)

    async def _correct(self, before: Tournament, act: TournamentAct) -> TournamentChange | None:
        """Set a result, with a note that everyone can read.

        A game still running there ends without a result. In a knockout this also calls off running
        games that depend on it.
        """
        assert act.place is not None  # checked by the form  # noqa: S101
        assert act.result is not None  # the same  # noqa: S101
        note = " ".join(act.note.split())
        correction = corrected(before, act.place, act.result, note, act.by)
        if not {pairing.place for pairing in correction.ends} <= act.agreed:
            raise EndsGames(correction.ends)
        if correction.after == before:  # a repeated request
            return None
        messages = [news.corrected(before, correction)]
        if before.ended_at is not None and _first(before) != _first(correction.after):
            messages.append(news.news(before, News.ENDED, number=before.version))
        return TournamentChange(before, correction.after, messages)

    async def _edit(self, before: Tournament, act: TournamentAct) -> TournamentChange | None:
        """Change the name, start, rounds or clock, until check-in opens."""
        assert act.edit is not None  # checked by the form  # noqa: S101
        if before.state is not TournamentState.OPEN:
            is_over = before.ended_at is not None
            raise TournamentRefusal(Problem.OVER if is_over else Problem.BEGUN)
        terms = _named(act.edit(before.terms))
        if terms == before.terms:
            return None
        possible_terms.check_terms(terms, self._now())
        return TournamentChange(before, replace(before, terms=terms))

    async def _add(self, before: Tournament, act: TournamentAct) -> TournamentChange:
        """Enter a player, or bring one back. The player is told."""
        player, source = act.player, act.source
        assert player is not None  # checked by the form  # noqa: S101
        assert source is not None  # of the form  # noqa: S101
        try:
            change = await self._enter(player, source, before)
        except AlreadyIn as error:
            raise AlreadyIn(player) from error
        return replace(change, messages=[news.about_player(before, News.ADDED, player)])

    async def _remove(self, before: Tournament, act: TournamentAct) -> TournamentChange:
        """Take a player out. The player is told."""
        assert act.player is not None  # checked by the form  # noqa: S101
        after = rules.with_withdrawal(before, act.player, act.by)
        message = news.about_player(before, News.REMOVED, act.player)
        return TournamentChange(before, after, [message])

    async def _extend(self, before: Tournament, act: TournamentAct) -> TournamentChange:
        """Give an unfinished game more time than its round has."""
        rules.check_runs(before)
        days = _days(act, possible_terms.LONGEST_EXTENSION, TermsProblem.EXTENSION)
        if before.terms.round_time is None:
            raise TournamentRefusal(Problem.NO_TIME_LIMIT)
        pairing = None if act.place is None else before.pairing_at(act.place)
        if pairing is None:
            raise TournamentRefusal(Problem.NO_PAIRING)
        if pairing.result is not None:
            raise TournamentRefusal(Problem.TOO_LATE_TO_ANSWER)
        longer = replace(pairing, extra=pairing.extra + days)
        return TournamentChange(before, rules.decided(before, [longer]))

    async def _choose_helper(
        self, before: Tournament, act: TournamentAct
    ) -> TournamentChange | None:
        """Choose the second organizer, who may do everything that the first one may, or nobody.

        The player is told.
        """
        if before.terms.helper == act.player:
            return None
        after = replace(before, terms=replace(before.terms, helper=act.player))
        chosen = [] if act.player is None else [news.about_player(after, News.HELPER, act.player)]
        return TournamentChange(before, after, chosen)

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
        """Cancel a tournament whose channel was deleted. Its players get direct messages."""

        async def end(before: Tournament) -> TournamentChange | None:
            if before.ended_at is not None:
                return None
            after = rules.finished_tournament(before, TournamentState.CANCELLED, self._now())
            is_division = before.terms.league is not None  # its league tells the players
            notices = () if is_division else news.channel_deleted(before)
            return TournamentChange(before, after, notices)

        return await self._change(tournament, end)

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
            AlreadyIn: if they have joined.
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
            NotForYou: like `rules.answered`.
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

    async def _change(
        self, number: TournamentId, change: _Change, *, source: SourceId | None = None
    ) -> Tournament:
        """Load a tournament and write its change, if there is one. Retry on a conflict."""

        async def write() -> Tournament:
            if (before := await self.get(number)) is None:
                raise TournamentRefusal(Problem.GONE)
            planned = await change(before)
            if planned is None:
                return before
            return await self._with_pauses(await self._table.change(planned, at=self._now()))

        return await retry_on_conflict(
            self._store, write, source=source, is_handled=self._table.has_source
        )

    async def _all(self, numbers: Sequence[TournamentId]) -> list[Tournament]:
        tournaments = [await self.get(number) for number in numbers]
        return [tournament for tournament in tournaments if tournament is not None]


def _days(act: TournamentAct, most: int, problem: TermsProblem) -> timedelta:
    """Return an act's number of days, if it is possible."""
    days = act.days or 0
    if not 1 <= days <= most:
        raise BadTerms(problem, 1, most)
    return timedelta(days=days)


def _named(terms: TournamentTerms) -> TournamentTerms:
    """Return terms with single spaces in the name."""
    return replace(terms, name=" ".join(terms.name.split()))


def _first(tournament: Tournament) -> list[UserId]:
    """Return the top places, as announced at the end."""
    return [standing.player for standing in standings(tournament)[:NAMED_AT_THE_END]]
