"""Who has not come, and whose time is up: what becomes of pairings that no game decides."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Final

from bot.games.archive import Archive
from bot.games.deadlines import pauses
from bot.model.clock import elapsed, runs_out
from bot.model.game import Game
from bot.model.ids import GameId, UserId
from bot.model.tournaments import (
    GameProgress,
    Pairing,
    PairingResult,
    Tournament,
    came,
    overdue,
)
from bot.model.tournaments.allowed import is_live
from bot.model.tournaments.field import deadline_of, undecided
from bot.store import Store
from dvonn import Color

NO_SHOW: Final = timedelta(minutes=5)
"""So long somebody has for their first move of a live game; then they have not come."""
UNOPENED: Final = timedelta(days=7)
"""So long it is tried to announce a pairing; then there is nowhere to play it."""

Heard = Callable[[], Awaitable[datetime | None]]


@dataclass(frozen=True, slots=True)
class Looked:
    """What a look at the games of a tournament has shown."""

    decided: tuple[Pairing, ...] = ()
    """Each with the result that it gets."""
    absent: frozenset[UserId] = frozenset()
    """Who has not come to one of them."""
    next_at: datetime | None = None
    """When the next time is up; None: no time runs."""


@dataclass(frozen=True, slots=True)
class _Late:
    """A pairing that is to be decided, as its time was up at a moment."""

    since: datetime
    pairing: Pairing
    absent: frozenset[UserId] = frozenset()


class Presence:
    """Looks at the games of a tournament. What it finds is the same whoever looks."""

    def __init__(self, store: Store, archive: Archive, *, now: Callable[[], datetime]) -> None:
        self._store = store
        self._archive = archive
        self._now = now

    async def look(self, tournament: Tournament, *, heard: Heard) -> Looked:
        """See which pairings are to be decided now.

        Args:
            tournament: As it stands.
            heard: Tells until when everything was heard that players have done, or None. It is
                asked only where a time is up.
        """
        now, late, times = self._now(), [], []
        games = {one: await self._game(one) for one in undecided(tournament)}
        for pairing, game in games.items():
            if (missed := await self._first_move_due(tournament, game)) is not None:
                since, absent = missed
                times.append(since)
                if since <= now:
                    result = PairingResult.won_by(pairing.color_of(absent).opponent)
                    lost = replace(pairing, result=result, forfeit=True)
                    late.append(_Late(since, lost, frozenset({absent})))
            elif game is None and pairing.paired_at is not None:
                times.append(pairing.paired_at + UNOPENED)
                if times[-1] <= now:
                    nowhere = replace(pairing, result=PairingResult.NEITHER, forfeit=True)
                    late.append(_Late(times[-1], nowhere))
            if (deadline := deadline_of(tournament, pairing)) is not None:
                times.append(deadline)
        late += await self._overdue(tournament, games, now)
        if late:
            until = await heard()
            late = [one for one in late if until is not None and one.since <= until]
        places = {(one.pairing.round, one.pairing.board): one.pairing for one in reversed(late)}
        return Looked(
            decided=tuple(places.values()),
            absent=frozenset(who for one in late for who in one.absent),
            next_at=min((time for time in times if time > now), default=None),
        )

    async def _overdue(
        self, tournament: Tournament, games: dict[Pairing, Game | None], now: datetime
    ) -> list[_Late]:
        """The pairings whose round is over."""
        late = {one.game for one in overdue(tournament, {}, now=now)}
        progress = {
            game.row.id: await self._progress(game, now)
            for game in games.values()
            if game is not None and game.row.id in late
        }
        return [
            _Late(deadline_of(tournament, one) or now, one, _absent(one, progress))
            for one in overdue(tournament, progress, now=now)
        ]

    async def _game(self, pairing: Pairing) -> Game | None:
        return None if pairing.game is None else await self._archive.current(pairing.game)

    async def _progress(self, game: Game, now: datetime) -> GameProgress:
        """How far a game is. Without a clock, what was played counts by the hours of its moves."""
        used = dict.fromkeys(Color, timedelta())
        before = await self._store.games.began(game.row.id)
        for ply in game.line:
            seat = game.seat(ply.actor)
            if seat is not None and before is not None:
                used[seat] += ply.used if game.clock is not None else ply.at - before
            before = ply.at
        if game.turn is not None and game.turn_since is not None:
            weekends = None if game.row.clock is None else game.row.clock.weekends
            still = (await pauses(self._store, game)).of(game.to_move)
            used[game.turn] += elapsed(game.turn_since, now, still, weekends)
        return GameProgress(came=came(game), used=used)

    async def _first_move_due(
        self, tournament: Tournament, game: Game | None
    ) -> tuple[datetime, UserId] | None:
        """Until when somebody has to come to a live game, and who; None where everybody has."""
        if game is None or not is_live(tournament.terms):
            return None
        player, turn = game.to_move, game.turn
        if player is None or turn is None or game.turn_since is None or turn in came(game):
            return None
        away = (await pauses(self._store, game)).outages
        return runs_out(game.turn_since, NO_SHOW, away, weekends=None), player


def _absent(pairing: Pairing, progress: dict[GameId, GameProgress]) -> frozenset[UserId]:
    """Who has never come to a game that could be played."""
    if pairing.game is None or pairing.game not in progress or not pairing.forfeit:
        return frozenset()
    came = {
        pairing.white if color is Color.WHITE else pairing.black
        for color in progress[pairing.game].came
    }
    return frozenset(player for player in pairing.players if player not in came)
