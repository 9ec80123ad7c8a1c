"""Starts the games of pairings, and decides them if nobody shows up or time runs out."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import partial
from typing import Final

import structlog

from bot.base import ids
from bot.base.errors import AlreadyHandled, StoreError
from bot.play.game_changes import GameUpdate
from bot.play.model.engine_thoughts import Thought
from bot.play.model.events import Started
from bot.play.model.game import Game, GameRow
from bot.play.model.pauses import runs_out
from bot.play.model.preferences import OwnSwitch
from bot.play.store.changes import NO_GAME_ID, NewGame
from bot.play.use_cases.deadlines import pauses
from bot.play.use_cases.ledger import retry_on_conflict
from bot.play.use_cases.use_cases import UseCases
from club.tournaments.model import results
from club.tournaments.model.leagues import adjudicated
from club.tournaments.model.tournament import Pairing, PairingResult, Tournament
from club.tournaments.store.paired_games import open_pairing
from club.tournaments.store.tournaments import TournamentTable
from club.tournaments.use_cases.news import PAIRING, pairing_key
from dvonn import Color


class PairingStarter:
    """Starts the games of pairings, each exactly once, even if called repeatedly.

    Neither a limit on games nor a block prevents them. If no other pairing was possible, entrants
    even play users they have blocked.
    """

    def __init__(self, cases: UseCases) -> None:
        self._store = cases.store
        self._ledger = cases.ledger
        self._rng = cases.rng
        self._now = cases.now

    async def open(
        self, number: ids.TournamentId, place: tuple[int, int], message: ids.MessageId
    ) -> GameUpdate | None:
        """Start the game of a tournament's pairing, by round and board.

        Return None if it has already started, or no longer needs to.
        """
        begin = partial(self._begin, number, place, message)
        try:
            return await retry_on_conflict(self._store, begin, source=ids.SourceId(message))
        except AlreadyHandled:
            return None

    async def _begin(
        self, number: ids.TournamentId, place: tuple[int, int], message: ids.MessageId
    ) -> GameUpdate | None:
        tournament = await self._store.queries(TournamentTable).get(number)
        pairing = None if tournament is None else tournament.pairing_at(place)
        if tournament is None or pairing is None or not tournament.waits(pairing):
            return None
        if tournament.is_left(pairing):
            return None  # the director decides the pairing, unless the player comes back first
        if await self._store.games.running_in(ids.ChannelId(message)) is not None:
            return None  # a game that doesn't belong to this pairing
        new = await self._new_game(tournament, pairing, message)
        return await self._ledger.begin(new, source=ids.SourceId(message))

    async def open_announced(self, tournament: Tournament) -> list[GameUpdate]:
        """Start games whose announcements were sent but that were not started then."""
        waiting = {
            pairing_key(tournament, pairing): pairing
            for pairing in tournament.pairings
            if tournament.waits(pairing)
        }
        sent = await self._store.deliveries.sent(PAIRING, list(waiting))
        opened = [
            await self.open(tournament.id, waiting[key].place, message)
            for key, message in sent.items()
        ]
        return [update for update in opened if update is not None]

    async def _new_game(
        self, tournament: Tournament, pairing: Pairing, message: ids.MessageId
    ) -> NewGame:
        terms = tournament.terms
        assert pairing.black is not None  # it has two players # noqa: S101
        row = GameRow(
            id=NO_GAME_ID,
            guild=terms.guild,
            channel=ids.ChannelId(message),
            white=pairing.white,
            black=pairing.black,
            coordinates=terms.coordinates,
            start=terms.start,
            seed=await self._store.games.new_board(terms.start, terms.guild, self._rng),
            clock=terms.clock,
            own_thread=True,
            rated=terms.rated,
            tournament=tournament.id,
            revision=ids.BEFORE_START,
        )
        return NewGame(
            row=row,
            actor=pairing.white,
            data=Started(),
            thread_parent=terms.channel,
            step=partial(open_pairing, pairing.place, message, self._now()),
        )


_log = structlog.get_logger()

ADJUDICATION: Final = OwnSwitch("adjudication", default=True)
"""Let the engine decide the player's unfinished games when a league's season ends."""
_LONGEST_THOUGHT: Final = timedelta(minutes=1)
"""Maximum time for the engine's evaluation of a game. After that, the game is a draw."""


class Adjudicator:
    """Asks the engine about unfinished games, if both players allow it."""

    def __init__(self, cases: UseCases) -> None:
        self._store = cases.store
        self._engine = cases.opponent if cases.has_reviews else None

    async def verdict(self, game: Game) -> PairingResult:
        """Return the result of an unfinished game: a draw unless the engine is sure."""
        players = (game.row.white, game.row.black)
        wishes = [await self._store.players.get(player) for player in players]
        allowed = all(wish.is_on(ADJUDICATION) for wish in wishes)
        return adjudicated(await self._thoughts(game) if allowed else None)

    async def _thoughts(self, game: Game) -> Sequence[Thought] | None:
        """Return the engine's evaluation, or None if there is none."""
        if self._engine is None:
            return None
        try:
            async with asyncio.timeout(_LONGEST_THOUGHT.total_seconds()):
                return await self._engine.thinker.analyse(game.position)
        except StoreError:
            raise
        except Exception:
            _log.exception("adjudication failed", game=game.row.id)
            return None


_ADJUDICATED_AT_ONCE: Final = 4
"""Maximum number of games decided in one step at the end of a season."""
UNOPENED: Final = timedelta(days=7)
"""Maximum time until an announced pairing's game starts. After that, it is not played."""
Heard = Callable[[], Awaitable[datetime | None]]


@dataclass(frozen=True, slots=True)
class PresenceCheck:
    """The result of checking a tournament's games."""

    decided: tuple[Pairing, ...] = ()
    """The pairings to decide, each with its result."""
    absent: frozenset[ids.UserId] = frozenset()
    """Players who were absent from one of these games."""
    waited_for: tuple[tuple[ids.GameId, ids.Revision], ...] = ()
    """Games whose player to move never showed up and has no time left."""
    next_at: datetime | None = None
    """The next deadline, or None."""


@dataclass(frozen=True, slots=True)
class _Late:
    """A pairing whose time has run out."""

    since: datetime
    pairing: Pairing
    end: results.PairingEnd
    """Its end. Without a result, the player to move loses its game on time."""


class Presence:
    """Checks a tournament's games. The result is the same in every process."""

    def __init__(self, cases: UseCases) -> None:
        self._store = cases.store
        self._game_cache = cases.game_cache
        self._now = cases.now
        self._adjudicator = Adjudicator(cases)

    async def check(self, tournament: Tournament, *, received_until: Heard) -> PresenceCheck:
        """Return the pairings to decide now.

        `received_until` is called only if a deadline has passed.
        """
        now, late, times = self._now(), list[_Late](), list[datetime]()
        games = {pairing: await self._game(pairing) for pairing in tournament.undecided}
        for pairing, game in games.items():
            if (end := await self._missed_at(tournament, pairing, game)) is not None:
                times.append(end.since)
                late += [end] if end.since <= now else []
            if (deadline := tournament.deadline_of(pairing)) is not None:
                times.append(deadline)
        late += await self._decided_late(tournament, games, now)
        if late:
            until = await received_until()
            late = [pairing for pairing in late if until is not None and pairing.since <= until]
        ends = {overdue.pairing: overdue.end for overdue in reversed(late)}
        return PresenceCheck(
            decided=tuple(
                end.apply_to(pairing) for pairing, end in ends.items() if end.result is not None
            ),
            absent=frozenset(player for overdue in late for player in overdue.end.absent),
            waited_for=tuple(
                (game.row.id, game.row.revision)
                for pairing, end in ends.items()
                if end.result is None and (game := games[pairing]) is not None
            ),
            next_at=min((time for time in times if time > now), default=None),
        )

    async def _missed_at(
        self, tournament: Tournament, pairing: Pairing, game: Game | None
    ) -> _Late | None:
        """Return when a pairing ends because a player, or the message for its game, is missing."""
        if pairing.asks and game is not None:
            return await self._answer_due(tournament, pairing, game)
        if (since := await self._first_move_due(tournament, game)) is not None:
            return _Late(since, pairing, results.PairingEnd(None))
        since = tournament.playable_since(pairing, UNOPENED)
        if game is not None or since is None:
            return None
        return _Late(since, pairing, results.NOBODY_WINS)

    async def _decided_late(
        self, tournament: Tournament, games: dict[Pairing, Game | None], now: datetime
    ) -> list[_Late]:
        """Return the pairings of rounds that have ended, with their results."""
        in_league, late = tournament.terms.league is not None, list[_Late]()
        for pairing, deadline in tournament.late(now).items():
            if in_league and len(late) == _ADJUDICATED_AT_ONCE:  # the engine takes some seconds
                break
            game, progress = games[pairing], None
            if game is not None:
                progress = await self._progress(game, now, adjudicates=in_league)
            late.append(_Late(deadline, pairing, results.at_deadline(pairing, progress)))
        return late

    async def _game(self, pairing: Pairing) -> Game | None:
        return None if pairing.game is None else await self._game_cache.current(pairing.game)

    async def _progress(
        self, game: Game, now: datetime, *, adjudicates: bool
    ) -> results.GameProgress:
        """Return a game's progress. Without a clock, it is derived from the times of its moves."""
        used = dict.fromkeys(Color, timedelta())
        before = await self._store.games.began(game.row.id)
        for ply in game.line:
            seat = game.seat(ply.actor)
            if seat is not None and before is not None:
                used[seat] += ply.used if game.clock is not None else ply.at - before
            before = ply.at
        if game.turn is not None and game.turn_since is not None:
            still = await pauses(self._store, game, now)
            used[game.turn] += still.elapsed(game.turn_since, now)
        came, verdict = results.colors_present(game), None
        if adjudicates and len(came) == len(Color):
            verdict = await self._adjudicator.verdict(game)
        return results.GameProgress(came=came, used=used, verdict=verdict)

    async def _first_move_due(self, tournament: Tournament, game: Game | None) -> datetime | None:
        """Return the deadline for the player to move to show up, or None if they have."""
        if game is None or not tournament.terms.is_live:
            return None
        if (
            game.turn is None
            or game.turn_since is None
            or game.turn in results.colors_present(game)
        ):
            return None
        still = await pauses(self._store, game, self._now())
        return still.runs_out(game.turn_since, results.NO_SHOW)

    async def _answer_due(self, tournament: Tournament, pairing: Pairing, game: Game) -> _Late:
        """Return the deadline for a confirmation of presence, and the result without one.

        A player who has left gets no time. A vacation extends the deadline, but not beyond the end
        of the round.
        """
        player, ended_at = results.asked_in(game), pairing.ended_at
        assert player is not None  # someone was to move # noqa: S101
        assert ended_at is not None  # its game has ended # noqa: S101
        if not tournament.has(player):
            return _Late(ended_at, pairing, results.NOBODY_WINS)
        time = results.time_to_answer(tournament.terms)
        still = await self._store.pauses.since(
            ended_at,
            game.row.guild,
            (player, player),
            tournament=tournament.id,
            now=self._now(),
        )
        untold = tournament.held_up.get(pairing.place, ())  # the last board asks the player
        until = least = runs_out(ended_at, time, [*still.for_player(None).intervals, *untold])
        if not tournament.terms.is_live:
            until = runs_out(ended_at, time, [*still.for_player(player).intervals, *untold])
        if (ends := tournament.round_ends(pairing)) is not None:
            until = max(least, min(until, ends))
        return _Late(until, pairing, replace(results.NOBODY_WINS, absent=frozenset({player})))
