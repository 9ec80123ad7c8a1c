"""Call the move: what spectators do, privately; `Ledger` answers them with the move."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from bot.base.ids import GameId, GuildId, Revision, UserId
from bot.features.guesses.model import Caller, check_call
from bot.features.guesses.refusals import CallProblem, CannotCall
from bot.features.guesses.store import CallTable
from bot.play.model.game import Game
from bot.play.model.lists import read_typed
from bot.play.model.refusals.playing import IllegalPlay, TurnOver, UnreadableMove
from bot.play.store.tables import Store
from bot.play.use_cases.archive import Archive
from bot.play.use_cases.protocol import attempt
from dvonn import Coordinates, IllegalMoveError, Move, NotationError, Point

BEST: Final = 10
"""So many callers a server's table names."""


@dataclass(frozen=True, slots=True)
class Standings:
    """A server's table of right guesses, with the place of the person who asks."""

    best: tuple[Caller, ...]
    own: Caller | None


class Calling:
    """The guesses of spectators. Until a move is played nobody else learns of them."""

    def __init__(self, store: Store, archive: Archive, *, now: Callable[[], datetime]) -> None:
        self._store = store
        self._archive = archive
        self._now = now

    async def look(self, game: GameId, user: UserId) -> tuple[Game, Move | None]:
        """Return a game for a spectator who may guess its next move, with their guess.

        Raises:
            GameGone, NotAPlayer, CannotCall: if they may not, as `check_call`.
        """
        found = await self._archive.running(game)
        check_call(found, user)
        return found, await self._store.of(CallTable).own(game, user, board=found.board_since)

    async def look_at_stack(
        self, game: GameId, revision: Revision, user: UserId, label: str
    ) -> tuple[Game, Point]:
        """The stack that a picker names, in the game's coordinates.

        Raises:
            GameGone, NotAPlayer, CannotCall: as `look`, or if its next move has been played.
            TurnOver: if there is no such stack that can move.
        """
        found = await self._at(game, revision, user)
        point = found.row.coordinates.point(label)
        if point is None or not found.position.destinations(point):
            raise TurnOver
        return found, point

    async def call(
        self,
        game: GameId,
        revision: Revision,
        user: UserId,
        text: str,
        named: Coordinates | None = None,
    ) -> tuple[Game, Move]:
        """Call the next move of a game, in place of what one has called before.

        Args:
            game: The game.
            revision: The one for which it was asked.
            user: Who calls.
            text: The move.
            named: How they see spaces named where they said it; None: as in the game.

        Raises:
            GameGone, NotAPlayer, CannotCall: as `look`, or if the move has been played.
            UnreadableMove: if the text is no move.
            IllegalPlay: if the rules refuse the move.
        """

        async def do() -> tuple[Game, Move]:
            found = await self._at(game, revision, user)
            move = _read(found, text, named or found.row.coordinates)
            await self._store.of(CallTable).put(
                game,
                user,
                move,
                board=found.board_since,
                revision=found.row.revision,
                at=self._now(),
            )
            return found, move

        return await attempt(self._store, do)

    async def table(self, guild: GuildId, user: UserId) -> Standings:
        """A server's table, for one who asks."""
        best = await self._store.of(CallTable).best(guild, limit=BEST)
        return Standings(tuple(best), await self._store.of(CallTable).of(guild, user))

    async def _at(self, game: GameId, revision: Revision, user: UserId) -> Game:
        """Return a game whose board is as it was at a revision, for a user who may guess there."""
        found = await self._archive.running(game)
        if not found.has_board_of(revision):
            raise CannotCall(CallProblem.PLAYED)
        check_call(found, user)
        return found


def _read(game: Game, text: str, coordinates: Coordinates) -> Move:
    try:
        return read_typed(text, coordinates, game.position).moves[0]
    except NotationError as error:
        raise UnreadableMove(error, game.position, coordinates) from error
    except IllegalMoveError as error:
        raise IllegalPlay(error, coordinates) from error
