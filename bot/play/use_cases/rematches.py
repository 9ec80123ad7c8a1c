"""Starts another game of the same two, from the last board of the ended one."""

from collections.abc import Callable, Sequence
from datetime import datetime, timedelta

from bot.base.ids import NOBODY, GameId, MessageId, SourceId, UserId
from bot.database.database import Conflict
from bot.play.model.conduct import Venue, has_expired
from bot.play.model.game import Game
from bot.play.model.refusals.playing import TurnOver
from bot.play.model.refusals.starting import (
    BadOpponent,
    ChallengeAnswered,
    OpponentProblem,
    RematchOffered,
)
from bot.play.model.terms import ChallengeRow, ChallengeState, ChallengeTerms, ColourChoice, Place
from bot.play.model.voting import check_seat
from bot.play.store.tables import Store
from bot.play.use_cases.lobby import Lobby
from bot.play.use_cases.protocol import attempt, refuse_twice
from bot.play.use_cases.update import Update
from dvonn import Color

_POSTED_WITHIN = timedelta(minutes=1)
"""Time in which a challenge is posted, and its message known."""


class Rematches:
    """A game has one rematch, and each player asks for it once. The time comes as an argument."""

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
    ) -> tuple[ChallengeRow, Update | None]:
        """Ask for another game with colours swapped, or accept the opponent's asking.

        After a pie start, swapped is who picks the board and who their colour.

        Args:
            game: The game that has ended.
            user: Who asks.
            message: Its last board. If the next game gets a thread, this starts it.
            venue: Where that message is.
            source: The interaction.

        Returns:
            The challenge, which is yet to be posted; or the new game, if this accepted it.

        Raises:
            AlreadyDone: if this source has been carried out before.
            NotAPlayer: if the user only watched.
            BadOpponent: if the opponent had all about them deleted.
            TurnOver: if the game is still running.
            RematchOffered: if the rematch is accepted, or this user has asked for it already.
            And what `Lobby.accept` raises, or `Lobby.challenge`; only the pace is not looked at.
        """
        check_seat(game, user)
        if game.is_running:
            raise TurnOver
        if {game.row.white, game.row.black} & set(NOBODY.values()):
            raise BadOpponent(OpponentProblem.DELETED)

        async def do() -> tuple[ChallengeRow, Update | None]:
            rematches = await self._of(game.row.id)
            offered = next((one for one in rematches if one.state is ChallengeState.OPEN), None)
            if offered is not None and offered.terms.challenger != user:
                try:
                    return await self._lobby.accept(
                        offered.id, user, message=message, venue=venue, source=source
                    )
                except ChallengeAnswered as error:  # in this moment
                    raise Conflict from error
            await refuse_twice(self._store, source)
            if offered is not None and self._was_never_posted(offered):
                return offered, None
            await self._refuse_another(rematches, user)
            terms = _terms(game, user)  # where both ask at once, one comes too late
            return await self._lobby.offer(terms, venue, source, rematches=len(rematches)), None

        return await attempt(self._store, do, source=source)

    async def _of(self, game: GameId) -> list[ChallengeRow]:
        """Return a game's rematches, oldest first. One that was not answered in time is closed."""
        now = self._now()

        async def look() -> list[ChallengeRow]:
            rows = await self._store.challenges.rematches(game)
            old = [one for one in rows if has_expired(one.created_at, now)]
            still_open = next((one for one in old if one.state is ChallengeState.OPEN), None)
            if still_open is None:
                return rows
            await self._store.challenges.close(still_open.id, ChallengeState.EXPIRED, at=now)
            return await self._store.challenges.rematches(game)

        return await attempt(self._store, look)

    def _was_never_posted(self, row: ChallengeRow) -> bool:
        """Tell whether Discord did not take a challenge: then nobody can answer it."""
        return row.message is None and row.created_at + _POSTED_WITHIN <= self._now()

    async def _refuse_another(self, rematches: Sequence[ChallengeRow], user: UserId) -> None:
        """Refuse a rematch beside the one there is, or to somebody who has asked in vain."""
        for one in rematches:
            rematch = None if one.game is None else await self._store.games.get(one.game)
            if rematch is not None and (rematch.outcome is None or rematch.outcome.has_result):
                board = await self._store.deliveries.newest_board(rematch.id)
                raise RematchOffered(one, board or (rematch.channel, None))
        asked = [one for one in rematches if one.terms.challenger == user and one.game is None]
        if asked and asked[-1].state is not ChallengeState.EXPIRED:
            raise RematchOffered(asked[-1], (asked[-1].terms.channel, asked[-1].message))


def _terms(game: Game, user: UserId) -> ChallengeTerms:
    seat = game.seat(user)
    assert seat is not None  # seen by the caller  # noqa: S101
    was_white = user == game.picker if game.picker else seat is Color.WHITE
    return ChallengeTerms(
        guild=game.row.guild,
        channel=game.row.channel,
        challenger=user,
        opponent=game.player(seat.opponent),
        colour=ColourChoice.BLACK if was_white else ColourChoice.WHITE,
        coordinates=game.row.coordinates,
        start=game.row.start,
        clock=game.row.clock,
        level=game.row.level,
        place=Place.HERE,
        rematch_of=game.row.id,
        rated=game.row.rated,
    )
