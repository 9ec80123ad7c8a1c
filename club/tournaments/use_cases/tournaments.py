"""Use cases for tournament players and organizers. The director does the periodic work."""

from collections import defaultdict
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
from club.tournaments.model.acts import EndsGames, LoggedAct, OrganizerAct, OrganizerChoice
from club.tournaments.model.badges import winner
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
    """Use cases for tournaments. Each returns the tournament's new state.

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

    async def _with_pauses(self, tournament: Tournament) -> Tournament:
        """Return a running tournament with the times when its games couldn't be played.

        These are times when the bot was offline or could not post there, or when clocks were
        stopped.
        """
        if tournament.state is not TournamentState.RUNNING:
            return tournament
        places: dict[GameId | str, tuple[int, int]] = {}
        for pairing in tournament.undecided:
            places[news.pairing_key(tournament, pairing)] = pairing.place
            if pairing.game is not None:
                places[pairing.game] = pairing.place
        is_league = tournament.terms.format is TournamentFormat.LEAGUE
        began = [tournament.round_began or tournament.created_at] if is_league else []
        began += [p.paired_at for p in tournament.undecided if p.paired_at is not None]
        if not began:
            return tournament
        pauses, guild, now = self._store.pauses, tournament.terms.guild, self._now()
        shared = await pauses.since(min(began), guild, None, tournament=tournament.id, now=now)
        keys = [key for key in places if isinstance(key, str)]
        games = [key for key in places if not isinstance(key, str)]
        held_up = defaultdict[tuple[int, int], list[Interval]](list)
        for key, interval in await pauses.delays(games, news.PAIRING, keys, now=now):
            held_up[places[key]].append(interval)
        return replace(tournament, pauses=shared.intervals, held_up=held_up)

    async def divisions(self, league: Tournament, season: int | None = None) -> list[Tournament]:
        """Return the divisions of a league's season, by default the newest, strongest first."""
        return await self._table.divisions(league.id, season or league.round)

    async def latest(self, guild: GuildId, limit: int = 10) -> list[Tournament]:
        """Return a server's newest tournaments, including ended ones, newest first."""
        return await self._all(await self._table.latest(guild, limit))

    async def strength(self, tournament: Tournament, *more_players: UserId) -> dict[UserId, float]:
        """Return the ratings of a tournament's entrants and other users, at its pace."""
        terms = tournament.terms
        players = [*(entrant.player for entrant in tournament.entrants), *more_players]
        ratings = await self._ratings.ratings_of(terms.guild, terms.clock, players)
        return {player: ratings[player].rating for player in players}

    async def may_create(self, guild: GuildId, *, manages: bool, roles: Sequence[int] = ()) -> bool:
        """Return True if a user with some roles may create tournaments in a server.

        Everyone has the role whose id is the server's id.
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
            maximum = possible_terms.MOST_TOURNAMENTS
            announcement = partial(news.news, kind=News.CREATED)
            created = await self._table.add(
                terms, announcement, source=source, at=now, limit=maximum
            )
            if created is None:
                raise TournamentRefusal(Problem.TOO_MANY, maximum)
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
        self, number: TournamentId, act: OrganizerAct, by: UserId, *, manages: bool = False
    ) -> Tournament:
        """Do an organizer's act, and log it.

        Raises:
            TournamentRefusal: if it is impossible, or they may not organize the tournament.
            AlreadyIn, NotIn, BlockedHere: if a player can't be added or removed.
            BadTerms: if new terms are impossible, or a number of days is.
            TooManyStops: if clocks were stopped too often within a day.
            EndsGames: if a correction ends games that they have not agreed to end.
            OwnRatedGame: if one of these is the organizer's own rated game.
        """

        async def change(before: Tournament) -> TournamentChange | None:
            rules.check_organizer(before, by, manages=manages)
            planned = await self._plan(before, act, by)
            if planned is None:
                return None
            logged = LoggedAct(act=act, by=by, division=before.terms.division, at=self._now())
            return replace(planned, act=logged)

        return await self._change(number, change, source=act.source)

    async def _plan(  # noqa: PLR0911 - one line for each
        self, before: Tournament, act: OrganizerAct, by: UserId
    ) -> TournamentChange | None:
        """Return the change made by an act, or None if it changes nothing."""
        match act.kind:
            case OrganizerChoice.BEGIN:
                return await self._begin(before)
            case OrganizerChoice.EDIT:
                return self._edit(before, act)
            case OrganizerChoice.ADD:
                return await self._add(before, act)
            case OrganizerChoice.REMOVE:
                return _remove(before, act, by)
            case OrganizerChoice.EXTEND:
                return _extend(before, act)
            case OrganizerChoice.CORRECT:
                return _correct(before, act, by)
            case OrganizerChoice.STOP:
                return await self._stop_clocks(before, act)
            case OrganizerChoice.RESUME:
                return await self._start_clocks(before)
            case OrganizerChoice.HELPER:
                return _choose_helper(before, act.player)
            case _:  # it is called off, and its running games continue on their own
                rules.check_not_over(before)
                cancelled = TournamentState.CANCELLED
                after = rules.finished_tournament(before, cancelled, self._now())
                return TournamentChange(before, after, [news.news(before, News.CANCELLED)])

    async def _begin(self, before: Tournament) -> TournamentChange:
        """Start now. With a live clock, the first call only opens check-in."""
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

    def _edit(self, before: Tournament, act: OrganizerAct) -> TournamentChange | None:
        """Change the terms, until it begins."""
        if before.state not in (TournamentState.OPEN, TournamentState.CHECK_IN):
            raise TournamentRefusal(before.problem)
        terms = before.terms if act.change is None else _named(act.change(before.terms))
        if terms == before.terms:
            return None
        possible_terms.check_terms(terms, self._now())
        return TournamentChange(before, replace(before, terms=terms))

    async def _add(self, before: Tournament, act: OrganizerAct) -> TournamentChange:
        player, source = _needed(act.player), act.source
        assert source is not None  # an interaction adds a player # noqa: S101
        try:
            change = await self._enter(player, source, before)
        except AlreadyIn as error:
            raise AlreadyIn(player) from error
        return replace(change, messages=[news.about_player(before, News.ADDED, player)])

    async def _stop_clocks(self, before: Tournament, act: OrganizerAct) -> TournamentChange:
        """Stop all clocks, and tell the channel.

        This replaces a current stop. In a league, it stops all divisions, and no season begins.
        """
        rules.check_runs(before)
        length = _days(act, stops.LONGEST_STOP.days, TermsProblem.STOP)
        stop = Interval(begins=self._now(), ends=self._now() + length)
        all_games = await self._games_of(before)

        async def begin_stops(connection: AsyncConnection) -> None:
            since, check = stop.begins - stops.COUNTED_FOR, stops.check_count
            for games in all_games:
                await begin_stop(connection, games, stop, since=since, check=check)

        announcement = news.stopped(before, stop.ends, is_over=False)
        return TournamentChange(before, before, [announcement], first=begin_stops)

    async def _start_clocks(self, before: Tournament) -> TournamentChange:
        """Restart the clocks, and tell the channel."""
        now = self._now()
        rules.check_runs(before)
        all_games = await self._games_of(before)

        async def end_stops(connection: AsyncConnection) -> None:
            ended = [await end_stop(connection, games, now) for games in all_games]
            if not any(ended):
                raise TournamentRefusal(Problem.NOT_STOPPED)

        announcement = news.stopped(before, now, is_over=True)
        return TournamentChange(before, before, [announcement], first=end_stops)

    async def _games_of(self, tournament: Tournament) -> list[StoppedGames]:
        """Return the games of a tournament, and of each of its divisions."""
        parts = [tournament, *await self.divisions(tournament)]
        return [StoppedGames(part.terms.guild, part.id) for part in parts]

    async def stopped_until(self, tournament: Tournament) -> datetime | None:
        """Return when a tournament's clocks restart, or None if they are running."""
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
            is_division = before.terms.league is not None  # the league tells the players
            notices = () if is_division else news.channel_deleted(before)
            return TournamentChange(before, after, notices)

        return await self._change(tournament, end)

    async def acts(self, tournament: TournamentId, limit: int = 25) -> list[LoggedAct]:
        """Return what organizers did most recently, newest first."""
        return await self._table.acts(tournament, limit)

    async def ended(self, guild: GuildId, limit: int = 15) -> list[Tournament]:
        """Return a server's newest tournaments that were played to the end, newest first."""
        return await self._all(await self._table.ended(guild, limit))

    async def scheduled(self, tournament: TournamentId, event: int) -> None:
        """Store the id of Discord's scheduled event for a tournament's start."""
        await self._table.schedule(tournament, event)

    # Players

    async def join(
        self, tournament: TournamentId, player: UserId, *, source: SourceId
    ) -> Tournament:
        """Join a tournament, return to it, or check in.

        Raises:
            AlreadyHandled: if this source was handled before.
            AlreadyIn: if they have joined, and checked in.
            BlockedHere: if a moderator has blocked them in the server.
        """
        return await self._change(tournament, partial(self._enter, player, source), source=source)

    async def answer(self, tournament: TournamentId, game: GameId, player: UserId) -> Pairing:
        """Confirm the presence of a player whose opponent never showed up. The player then wins.

        Raises:
            NotForYou: like `rules.answered`.
        """

        async def confirm(before: Tournament) -> TournamentChange | None:
            ended = await self._game_cache.current(game)
            asked_player = None if ended is None else asked_in(ended)
            after = rules.answered(before, game, player, asked_player=asked_player)
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
        """Load a tournament and write a change to it, if there is one. Retry on a conflict."""

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


def _remove(before: Tournament, act: OrganizerAct, by: UserId) -> TournamentChange:
    player = _needed(act.player)
    after = rules.with_withdrawal(before, player, by)
    return TournamentChange(before, after, [news.about_player(before, News.REMOVED, player)])


def _needed(player: UserId | None) -> UserId:
    """Return the player of an act, if one was chosen."""
    if player is None:
        raise TournamentRefusal(Problem.FIELD_EMPTY)
    return player


def _extend(before: Tournament, act: OrganizerAct) -> TournamentChange:
    rules.check_runs(before)
    time = _days(act, possible_terms.LONGEST_EXTENSION, TermsProblem.EXTENSION)
    if before.terms.round_time is None:
        raise TournamentRefusal(Problem.NO_TIME_LIMIT)
    pairing = before.pairing_at(act.place)
    if pairing is None:
        raise TournamentRefusal(Problem.NO_PAIRING)
    if pairing.result is not None:
        raise TournamentRefusal(Problem.TOO_LATE_TO_ANSWER)
    longer = replace(pairing, extra=pairing.extra + time)
    return TournamentChange(before, rules.decided(before, [longer]))


def _correct(before: Tournament, act: OrganizerAct, by: UserId) -> TournamentChange | None:
    """Set a result.

    A game that is still running there ends without a result. In a knockout, running games that
    depend on it are called off, too.
    """
    correction = corrected(before, act.place, act.result, " ".join(act.note.split()), by)
    if not {pairing.place for pairing in correction.ends} <= act.agreed:
        raise EndsGames(correction.ends)
    if correction.after == before:  # a repeated request
        return None
    messages = [news.corrected(before, correction)]
    former = winner(before)
    changed = (_first(before), former) != (_first(correction.after), winner(correction.after))
    if before.ended_at is not None and changed:
        messages.append(news.news(before, News.ENDED, number=before.version, former=former))
    return TournamentChange(before, correction.after, messages)


def _choose_helper(before: Tournament, helper: UserId | None) -> TournamentChange | None:
    """Choose a second organizer, who is informed, or none."""
    if before.terms.helper == helper:
        return None
    after = replace(before, terms=replace(before.terms, helper=helper))
    messages = [] if helper is None else [news.about_player(after, News.HELPER, helper)]
    return TournamentChange(before, after, messages)


def _days(act: OrganizerAct, maximum: int, problem: TermsProblem) -> timedelta:
    """Return the number of days of an act, if it is valid."""
    if act.days is None or not 1 <= act.days <= maximum:
        raise BadTerms(problem, 1, maximum)
    return timedelta(days=act.days)


def _named(terms: TournamentTerms) -> TournamentTerms:
    """Return terms with single spaces in the name."""
    return replace(terms, name=" ".join(terms.name.split()))


def _first(tournament: Tournament) -> list[UserId]:
    """Return the top places, as announced at the end of a tournament."""
    return [standing.player for standing in standings(tournament)[:NAMED_AT_THE_END]]
