"""A tournament's periodic work: check-in, rounds, deadlines and end."""

import asyncio
from collections.abc import Awaitable, Callable, Collection, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from functools import partial
from typing import Final

from bot.base.ids import (
    DELETED_USER,
    ChannelId,
    GameId,
    GuildId,
    MessageId,
    Revision,
    Shards,
    TournamentId,
    UserId,
)
from bot.base.separate_process import run_in_process
from bot.database.database import Conflict
from bot.database.delivery_rows import NewDelivery
from bot.play.game_changes import GameUpdate
from bot.play.model.events import Aborted, TimedOut
from bot.play.model.game import Game
from bot.play.model.refusals import GameNotRunning, StaleBoard
from bot.play.use_cases.ledger import GameAction
from bot.play.use_cases.use_cases import UseCases
from club.tournaments.model import leagues, rules
from club.tournaments.model.pairing import next_step
from club.tournaments.model.tournament import (
    Conclude,
    Pairing,
    PairUp,
    Step,
    Tournament,
    TournamentFormat,
    TournamentState,
    Wait,
)
from club.tournaments.refusals import TournamentRefusal
from club.tournaments.store.rows import TournamentChange
from club.tournaments.store.tournaments import TournamentTable
from club.tournaments.use_cases import news
from club.tournaments.use_cases.news import News
from club.tournaments.use_cases.pairings import Heard, PairingStarter, Presence
from club.tournaments.use_cases.tournaments import Tournaments

_FEW: Final = 8
"""Maximum number of players that can be paired within a few milliseconds."""


def is_costly(tournament: Tournament) -> bool:
    """Return True if the next step may have to pair many players by score.

    A round of a Swiss is not over until its last game has ended.
    """
    is_swiss = tournament.terms.format is TournamentFormat.SWISS
    active = tournament.active(tournament.round + 1)
    return is_swiss and not tournament.undecided and len(active) > _FEW


_POLL: Final = timedelta(seconds=30)
"""Interval between checks for announcements whose sending was not reported."""
_MOST_STEPS: Final = 50
"""Maximum number of steps per check, so that other tournaments get their turn."""
_SOON: Final = timedelta(seconds=1)
_AT_THE_LATEST: Final = timedelta(hours=1)
"""Maximum time between two checks of a running tournament."""


@dataclass(slots=True)
class Surroundings:
    """The director's requests to Discord during a check of a tournament."""

    heard: Heard
    """Returns the time up to which all input was received, or None.

    It is called only after a deadline. A deadline after the returned time does not count as passed.
    """
    gone: Callable[[GuildId, Sequence[UserId]], Awaitable[Collection[UserId]]]
    """Returns the users who are known to have left a server."""
    lacks: Callable[[ChannelId], Collection[str]]
    """Returns the permissions that the bot lacks to start games in a channel.

    Until it has them, nobody is paired.
    """
    _members: set[UserId] = field(default_factory=set)

    async def without_departed(
        self, tournament: Tournament, players: Collection[UserId]
    ) -> Tournament:
        """Return a tournament without players who have left its server, before they are paired.

        Each player is looked up once. A division is not changed, because its league does this
        before a season.
        """
        if tournament.terms.league is not None:
            return tournament
        unknown = [
            entrant.player
            for entrant in tournament.members
            if entrant.player in set(players) - self._members
        ]
        departed = await self.gone(tournament.terms.guild, unknown) if unknown else ()
        self._members.update(set(unknown) - set(departed))
        for player in departed:
            tournament = rules.with_withdrawal(tournament, player)
        return tournament


class Director:
    """Advances tournaments, with checks that are safe at any time.

    The tournament's state determines what is due. Each step is one transaction, which fails if the
    tournament has changed since it was read. So several checks can run at once, and the bot can
    crash after any step.
    """

    def __init__(self, cases: UseCases) -> None:
        self._game_cache = cases.game_cache
        self._ledger = cases.ledger
        self._deliveries = cases.store.deliveries
        self._table = cases.store.queries(TournamentTable)
        self._tournaments = cases.require(Tournaments)
        self._now = cases.now
        self._opening = PairingStarter(cases)
        self._presence = Presence(cases)
        self._pairing = asyncio.Lock()

    async def due(self, shards: Shards) -> dict[TournamentId, datetime]:
        return await self._table.due(shards, self._now())

    async def put_off(self, tournament: Tournament, until: datetime) -> None:
        await self._table.put_off(tournament, until)

    async def opened(
        self, tournament: TournamentId, round_: int, board: int, message: MessageId
    ) -> GameUpdate | None:
        """Start a pairing's game in the thread of its announcement.

        Return None if it has already started, or no longer needs to.
        """
        return await self._opening.open(tournament, (round_, board), message)

    async def check(self, tournament: TournamentId, surroundings: Surroundings) -> list[GameUpdate]:
        """Do everything that is due in a tournament.

        Return the games that were started or ended.
        """
        updates: list[GameUpdate] = []
        for _ in range(_MOST_STEPS):
            if not await self.step(tournament, updates, surroundings):
                break
        return updates

    async def step(  # noqa: PLR0911 - one line for each state
        self, tournament: TournamentId, updates: list[GameUpdate], surroundings: Surroundings
    ) -> bool:
        """Do the next due step, like `check`. Return False if nothing is due now."""
        current = await self._tournaments.get(tournament)
        if current is None:
            return False
        try:
            match current.state:
                case TournamentState.OPEN:
                    return await self._open_check_in(current)
                case TournamentState.CHECK_IN:
                    return await self._begin(current)
                case TournamentState.RUNNING if current.terms.format is TournamentFormat.LEAGUE:
                    return await self._run_league(current, surroundings)
                case TournamentState.RUNNING:
                    return await self._run(current, updates, surroundings)
                case _:
                    return False
        except Conflict:  # it has changed, so it is checked again
            return True

    # Before it starts

    async def _open_check_in(self, tournament: Tournament) -> bool:
        now, opens = self._now(), rules.due_at(tournament, self._now())
        begins_at = tournament.terms.begins_at
        if opens is None or begins_at is None or opens > now:
            await self._table.put_off(tournament, opens)
            return False
        if not tournament.terms.has_check_in:
            return await self._begin(tournament)
        after = rules.check_in_opened(tournament, now, begins_at)
        await self._write(tournament, after, [news.news(tournament, News.CHECK_IN)])
        return True

    async def _begin(self, tournament: Tournament) -> bool:
        now, begins_at = self._now(), tournament.terms.begins_at
        if begins_at is not None and begins_at > now:
            await self._table.put_off(tournament, begins_at)
            return False
        try:
            after = rules.begun(tournament, await self._tournaments.strength(tournament), now)
        except TournamentRefusal:  # too few players
            after = rules.finished_tournament(tournament, TournamentState.CANCELLED, now)
            await self._write(tournament, after, [news.news(tournament, News.CANCELLED)])
            return False
        await self._write(tournament, after, news.begun(after))
        return True

    # While it is running

    async def _run(
        self, tournament: Tournament, updates: list[GameUpdate], surroundings: Surroundings
    ) -> bool:
        if await self._end_games(tournament, updates) or await self._follow_league(tournament):
            return True
        if (after := rules.without_who_left(tournament)) != tournament:
            await self._write(tournament, after)
            return True
        presence = await self._presence.check(tournament, received_until=surroundings.heard)
        if presence.decided:
            await self._write(
                tournament, rules.decided(tournament, presence.decided, presence.absent)
            )
            return True
        if presence.waited_for:
            for game, revision in presence.waited_for:
                await self._end_on_time(game, revision, updates)
            return True
        if opened := await self._opening.open_announced(tournament):
            updates += opened
            return True
        return await self._go_on(tournament, presence.next_at, surroundings)

    async def _go_on(
        self, tournament: Tournament, next_at: datetime | None, surroundings: Surroundings
    ) -> bool:
        """Pair a round, end the tournament, or postpone the check."""
        now = self._now()
        blocks = await self._table.blocks_between(tournament.id)
        tournament = replace(tournament, apart=frozenset(map(frozenset, blocks)))
        step = await self._next_step(tournament, now)
        match step:
            case PairUp(pairings=pairings) if pairings:
                players = [player for pairing in pairings for player in pairing.players]
                obstacle = await self._obstacle(tournament, players, step.round, surroundings)
                if obstacle is not None:
                    return obstacle
                await self._pair(tournament, step, blocks)
            case Conclude():
                after = rules.finished_tournament(tournament, TournamentState.DONE, now)
                is_division = tournament.terms.league is not None
                await self._write(
                    tournament, after, () if is_division else [news.news(tournament, News.ENDED)]
                )
            case _:
                times = [now + _AT_THE_LATEST, next_at]
                times.append(step.until if isinstance(step, Wait) else None)
                if any(tournament.waits(pairing) for pairing in tournament.pairings):
                    times.append(now + _POLL)
                later = min(time for time in times if time is not None)
                await self._table.put_off(tournament, max(later, now + _SOON))
                return False
        return True

    # Leagues

    async def _run_league(self, tournament: Tournament, surroundings: Surroundings) -> bool:
        """Begin or end a season, or post its weekly standings."""
        now = self._now()
        divisions = await self._table.divisions(tournament.id, tournament.round)
        match leagues.next_league_step(tournament, divisions, now=now):
            case leagues.SeasonChange(after, ()):
                messages = [news.news(tournament, News.SEASON_OVER, number=after.round)]
                await self._write(tournament, after, messages)
            case leagues.SeasonChange(after, new_divisions):
                players = [entrant.player for entrant in after.entrants]
                obstacle = await self._obstacle(tournament, players, after.round, surroundings)
                if obstacle is not None:
                    return obstacle
                messages = [news.news(tournament, News.SEASON, number=after.round)]
                change = TournamentChange(tournament, after, messages, divisions=new_divisions)
                await self._table.change(change, at=now)
            case Wait(until):
                if week := leagues.weeks_over(tournament, now):
                    with suppress(Conflict):  # announced before
                        await self._deliveries.add(news.weekly(tournament, week), at=now)
                later = now + _AT_THE_LATEST
                await self._table.put_off(tournament, later if until is None else min(until, later))
                return False
        return True

    async def _follow_league(self, tournament: Tournament) -> bool:
        """Update a division after players have left its league, or the league was called off."""
        if tournament.terms.league is None:
            return False
        league = await self._table.get(tournament.terms.league)
        if league is None or league.ended_at is not None:
            after = rules.finished_tournament(tournament, TournamentState.CANCELLED, self._now())
        else:
            after = leagues.follow_league(tournament, league)
        if after != tournament:
            await self._write(tournament, after)
        return after != tournament

    async def _obstacle(
        self,
        tournament: Tournament,
        players: Collection[UserId],
        number: int,
        surroundings: Surroundings,
    ) -> bool | None:
        """Check that games between players can start, before a round or season.

        Players who have left the server are withdrawn. Without permission to start games, the
        channel and the organizer are told once.

        Return None if they can start, and otherwise whether something is due now.
        """
        if (after := await surroundings.without_departed(tournament, players)) != tournament:
            await self._write(tournament, after)
            return True
        if not surroundings.lacks(tournament.terms.channel):
            return None
        with suppress(Conflict):
            for message in news.held_up(tournament, number):
                await self._deliveries.add(message, at=self._now())
        await self._table.put_off(tournament, self._now() + _POLL)
        return False

    async def _next_step(self, tournament: Tournament, now: datetime) -> Step:
        """Return the next step, computed in a thread if that is fast, otherwise in a process.

        Pairing 64 people for a Swiss keeps a thread busy for a second or more, while other threads
        wait for the GIL. On a busy machine with two cores, the event loop waited 0.4 s, but with a
        process it did not wait. Such a process takes 27 MiB for 12 people, 45 MiB for 64, and 82
        MiB and 10 s for 128. Only one runs at a time, because several would compete for time and
        memory. Canceling the call ends the process.

        Raises:
            BrokenProcessPool: if the process dies, for example because memory ran out.
        """
        ask = partial(next_step, tournament, now=now)
        async with self._pairing:
            if not is_costly(tournament):
                return await asyncio.to_thread(ask)
            return await run_in_process(ask)

    async def _end_games(self, tournament: Tournament, updates: list[GameUpdate]) -> bool:
        """End running games whose pairings are decided."""
        running = await self._table.left_running(tournament.id)
        for number in running:
            pairing = tournament.pairing_of(number)
            if pairing is None:  # started and decided in the meantime, so it is checked again
                continue

            async def find(number: GameId = number, pairing: Pairing = pairing) -> GameAction:
                game = await self._game_cache.running(number)
                ends = tournament.round_ends(pairing)
                is_over = (
                    ends is not None and ends <= self._now() and not tournament.is_left(pairing)
                )
                return _ending(game, pairing, round_over=is_over)

            await self._end(find, updates)
        return bool(running)

    async def _end_on_time(
        self, number: GameId, seen_revision: Revision, updates: list[GameUpdate]
    ) -> None:
        """End a game on time, because the player to move never showed up."""

        async def find() -> GameAction:
            game = await self._game_cache.running(number)
            if game.to_move is None or game.row.revision != seen_revision:
                raise StaleBoard  # the player showed up at the last moment
            return GameAction(game, game.to_move, (TimedOut(),))

        await self._end(find, updates)

    async def _end(
        self, find: Callable[[], Awaitable[GameAction]], updates: list[GameUpdate]
    ) -> None:
        with suppress(GameNotRunning, StaleBoard):
            updates.append(await self._ledger.write_decided(find, source=None))

    async def _pair(
        self, tournament: Tournament, step: PairUp, blocks: Sequence[tuple[UserId, UserId]]
    ) -> None:
        """Store the new pairings and queue their announcements in one transaction."""
        now, new_round = self._now(), step.round > tournament.round
        after = replace(
            tournament,
            pairings=(*tournament.pairings, *step.pairings),
            round=step.round,
            round_began=now if new_round else tournament.round_began,
        )
        messages: list[NewDelivery] = []
        if new_round and tournament.terms.league is None:
            if tournament.round:
                messages.append(news.news(tournament, News.RESULTS, number=tournament.round))
            messages.append(news.news(tournament, News.ROUND, number=step.round))
        messages += [
            news.announced(tournament, pairing)
            for pairing in step.pairings
            if tournament.waits(pairing)
        ]
        messages += [
            news.blocked_pairing_notice(tournament, pairing, player)
            for player, other in blocks
            for pairing in step.pairings
            if pairing.result is None and {player, other} == set(pairing.players)
        ]
        await self._write(tournament, after, messages)

    async def _write(
        self, before: Tournament, after: Tournament, messages: Sequence[NewDelivery] = ()
    ) -> None:
        await self._table.change(TournamentChange(before, after, messages), at=self._now())


def _ending(game: Game, pairing: Pairing, *, round_over: bool) -> GameAction:
    """Return the action that ends a game whose pairing is decided, as a loss on time."""
    winner = None if pairing.result is None else pairing.result.winner
    if winner is None or pairing.adjudicated or pairing.corrected_by is not None:
        actor = pairing.corrected_by or DELETED_USER[None]
        return GameAction(game, actor, (Aborted(decided=True),))
    loser = game.player(winner.opponent)
    return GameAction(game, loser, (TimedOut(round_over=round_over),))
