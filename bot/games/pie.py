"""The pie start: one player picks a board of three, the other his colour."""

from typing import Final

from bot.games.archive import Archive
from bot.games.events import opening, pie_seeds
from bot.games.ledger import Deed, Ledger
from bot.games.update import Update
from bot.model.events import EventKind
from bot.model.game import Choosing, Game, GameRow
from bot.model.ids import GameId, Revision, SourceId, UserId
from bot.model.refusals import AlreadyDone, GameGone, NotAPlayer, NotForYou, TurnOver
from bot.model.terms import Start
from bot.store import Conflict, Store
from dvonn import Color, Position

BOARDS: Final = 3
"""How many boards are made, of which one is picked."""
SIDES: Final = {Color.WHITE: "white", Color.BLACK: "black"}
"""The colours, as the event of picking one names them."""


def random_boards(row: GameRow) -> tuple[Position, ...]:
    """The boards to pick from."""
    return tuple(opening(Start.BALANCED, seed) for seed in pie_seeds(row))


class Pie:
    """What is chosen before the first move."""

    def __init__(self, store: Store, archive: Archive, ledger: Ledger) -> None:
        self._store = store
        self._archive = archive
        self._ledger = ledger

    async def pick_board(
        self,
        game: GameId,
        revision: Revision,
        user: UserId,
        number: int,
        *,
        source: SourceId | None,
    ) -> Update:
        """Pick one of the boards, by its number from 1.

        Raises:
            AlreadyDone: if this source has been carried out before.
            GameGone: if the game has ended.
            TurnOver: if it is not to be picked any more, or there is no such board.
            NotAPlayer: if the user only watches.
            NotForYou: if the other player is to pick.
        """
        if not 1 <= number <= BOARDS:
            raise TurnOver  # only a forged button names another
        deed = Deed(kind=EventKind.PICK, actor=user, detail=str(number))
        return await self._choose(game, revision, Choosing.BOARD, deed, source)

    async def pick_side(
        self,
        game: GameId,
        revision: Revision,
        user: UserId,
        color: Color,
        *,
        source: SourceId | None,
    ) -> Update:
        """Pick a colour for the board that the other player picked.

        Raises:
            AlreadyDone, GameGone, TurnOver, NotAPlayer, NotForYou: as `pick_board`.
        """
        deed = Deed(kind=EventKind.SIDE, actor=user, detail=SIDES[color])
        return await self._choose(game, revision, Choosing.SIDE, deed, source)

    async def _choose(
        self, game: GameId, revision: Revision, stage: Choosing, deed: Deed, source: SourceId | None
    ) -> Update:
        try:
            current = await self._at(game, revision, stage, deed.actor)
            return await self._ledger.write(current, (deed,), source=source)
        except (Conflict, GameGone, TurnOver) as error:
            if source is not None and await self._store.games.has_source(source):
                raise AlreadyDone from error
            if isinstance(error, Conflict):
                raise TurnOver from error
            raise

    async def _at(self, game: GameId, revision: Revision, stage: Choosing, user: UserId) -> Game:
        current = await self._archive.running(game)
        if current.seat(user) is None:
            raise NotAPlayer
        if current.row.revision != revision or current.choosing is not stage:
            raise TurnOver
        if current.to_move != user:
            raise NotForYou(current.to_move)
        return current
