"""Rematches: another game between the same two players, with swapped colors."""

from collections.abc import Callable, Sequence
from datetime import datetime, timedelta

from bot.base.ids import DELETED_USER, GameId, MessageId, SourceId, UserId
from bot.database.database import Conflict
from bot.play.game_changes import GameUpdate
from bot.play.model import refused_starts
from bot.play.model.conduct import Venue, has_expired
from bot.play.model.game import Game
from bot.play.model.refusals import StaleBoard
from bot.play.model.terms import (
    ChallengeRow,
    ChallengeState,
    ChallengeTerms,
    ColorChoice,
    Place,
    Start,
)
from bot.play.model.turns import check_seat
from bot.play.store.store import Store
from bot.play.use_cases.ledger import (
    check_not_handled,
    retry_on_conflict,
)
from bot.play.use_cases.lobby import Lobby
from dvonn import Color
from dvonn._records.position_text import PrintedPosition
from dvonn.machine import LEVELS

_POSTED_WITHIN = timedelta(minutes=1)
"""Maximum time until a challenge is posted and its message is stored."""


class Rematches:
    """Offers and accepts rematches. A game has at most one, and each player can ask for it once."""

    def __init__(self, store: Store, lobby: Lobby, *, now: Callable[[], datetime]) -> None:
        self._store = store
        self._lobby = lobby
        self._now = now

    async def ask(
        self,
        game: Game,
        user: UserId,
        *,
        message: MessageId,
        venue: Venue,
        source: SourceId,
    ) -> tuple[ChallengeRow, GameUpdate | None]:
        """Ask for another game with swapped colors, or accept the opponent's offer of one.

        If the next game gets a thread, it is opened on `message`, the last board.

        Returns:
            The challenge, which the caller has to post, and the new game if this accepted an offer.

        Raises:
            AlreadyHandled: if this source was already handled.
            NotAPlayer: if the user was a spectator.
            BadOpponent: if the opponent has deleted their data.
            StaleBoard: if the game is still running.
            RematchOffered: if the rematch was accepted, or this user has already asked for it.
            The same errors as `Lobby.accept` or `Lobby.challenge`, except TooSoon.
        """
        check_seat(game, user)
        if game.is_running:
            raise StaleBoard
        if {game.row.white, game.row.black} & set(DELETED_USER.values()):
            raise refused_starts.BadOpponent(refused_starts.OpponentProblem.DELETED)

        async def do() -> tuple[ChallengeRow, GameUpdate | None]:
            rematches = await self._open_rematches(game.row.id)
            pending = next(
                (rematch for rematch in rematches if rematch.state is ChallengeState.OPEN), None
            )
            if pending is not None and pending.terms.challenger != user:
                try:
                    return await self._lobby.accept(
                        pending.id, user, message=message, venue=venue, source=source
                    )
                except refused_starts.ChallengeAnswered as error:  # someone answered concurrently
                    raise Conflict from error
            await check_not_handled(self._store, source)
            if pending is not None and self._was_never_posted(pending):
                return pending, None
            await self._refuse_second_offer(rematches, user)
            terms = _terms(game, user)  # if both ask at the same time, one of them is too late
            return await self._lobby.offer(terms, venue, source, rematches=len(rematches)), None

        return await retry_on_conflict(self._store, do, source=source)

    async def _open_rematches(self, game: GameId) -> list[ChallengeRow]:
        """Return a game's rematches, oldest first. Close those not answered in time."""
        now = self._now()

        async def look() -> list[ChallengeRow]:
            rows = await self._store.challenges.rematches(game)
            old = [row for row in rows if has_expired(row.created_at, now)]
            still_open = next((row for row in old if row.state is ChallengeState.OPEN), None)
            if still_open is None:
                return rows
            await self._store.challenges.close(still_open.id, ChallengeState.EXPIRED, at=now)
            return await self._store.challenges.rematches(game)

        return await retry_on_conflict(self._store, look)

    def _was_never_posted(self, row: ChallengeRow) -> bool:
        """Return True if Discord refused a challenge's message, so that nobody can answer it."""
        return row.message is None and row.created_at + _POSTED_WITHIN <= self._now()

    async def _refuse_second_offer(self, rematches: Sequence[ChallengeRow], user: UserId) -> None:
        """Refuse a second rematch, or one that the user has already asked for without success."""
        for row in rematches:
            rematch = None if row.game is None else await self._store.games.get(row.game)
            if rematch is not None and (rematch.outcome is None or rematch.outcome.has_result):
                board = await self._store.deliveries.newest_board(rematch.id)
                raise refused_starts.RematchOffered(row, board or (rematch.channel, None))
        requests = [row for row in rematches if row.terms.challenger == user and row.game is None]
        if requests and requests[-1].state is not ChallengeState.EXPIRED:
            raise refused_starts.RematchOffered(
                requests[-1], (requests[-1].terms.channel, requests[-1].message)
            )


def _terms(game: Game, user: UserId) -> ChallengeTerms:
    seat = game.seat(user)
    assert seat is not None  # checked by the caller # noqa: S101
    return ChallengeTerms(
        guild=game.row.guild,
        channel=game.row.channel,
        challenger=user,
        opponent=game.player(seat.opponent),
        colour=ColorChoice.BLACK if seat is Color.WHITE else ColorChoice.WHITE,
        coordinates=game.row.coordinates,
        start=game.row.start.today,
        position=PrintedPosition(game.origin) if game.row.start is Start.POSITION else None,
        clock=game.row.clock,
        level=game.row.level,
        place=Place.HERE,
        rematch_of=game.row.id,
        rated=game.row.rated,
        strict=not game.row.claimable,
    )


def next_level(game: Game) -> int | None:
    """Return the next level, if a person has just beaten the machine in a whole game."""
    row, outcome, level = game.row, game.outcome, game.row.level
    if level is None or outcome is None or outcome.winner is None:
        return None
    is_beaten = game.player(outcome.winner) != row.machine and row.start is not Start.POSITION
    return level + 1 if is_beaten and level + 1 in LEVELS else None
