"""The pie start: one player picks a board of three, the other his colour."""

from bot.errors import AlreadyDone, GameGone, NotAPlayer, NotForYou, TurnOver
from bot.games.archive import Archive
from bot.games.ledger import Deed, Ledger
from bot.games.model import Choosing, Game, Update
from bot.ids import GameId, Revision, SourceId, UserId
from bot.store import Conflict, Store
from bot.store.rows import EventKind

BOARDS = 3
"""How many boards are drawn."""


class Pie:
    """What is chosen before the first move."""

    def __init__(self, store: Store, archive: Archive, ledger: Ledger) -> None:
        self._store = store
        self._archive = archive
        self._ledger = ledger

    async def pick_board(
        self, game: GameId, revision: Revision, user: UserId, number: int, *, source: SourceId
    ) -> Update:
        """Pick one of the boards.

        Raises:
            AlreadyDone: if this source has been carried out before.
            GameGone: if the game has ended.
            TurnOver: if it is not to be picked any more.
            NotAPlayer: if the user only watches.
            NotForYou: if the other player is to pick.
        """
        deed = Deed(kind=EventKind.PICK, actor=user, detail=str(number))
        return await self._choose(game, revision, Choosing.BOARD, deed, source)

    async def pick_side(
        self, game: GameId, revision: Revision, user: UserId, colour: str, *, source: SourceId
    ) -> Update:
        """Pick a colour, "white" or "black", for the board that the other player picked.

        Raises:
            AlreadyDone, GameGone, TurnOver, NotAPlayer, NotForYou: as `pick_board`.
        """
        deed = Deed(kind=EventKind.SIDE, actor=user, detail=colour)
        return await self._choose(game, revision, Choosing.SIDE, deed, source)

    async def _choose(
        self, game: GameId, revision: Revision, stage: Choosing, deed: Deed, source: SourceId
    ) -> Update:
        try:
            current = await self._at(game, revision, stage, deed.actor)
            return await self._ledger.write(current, (deed,), source=source)
        except (Conflict, GameGone, TurnOver) as error:
            if await self._store.games.has_source(source):
                raise AlreadyDone from error
            if isinstance(error, Conflict):
                raise TurnOver from error
            raise

    async def _at(self, game: GameId, revision: Revision, stage: Choosing, user: UserId) -> Game:
        row = await self._store.games.get(game)
        current = None if row is None else await self._archive.load(row)
        if current is None or not current.is_running:
            raise GameGone
        if current.seat(user) is None:
            raise NotAPlayer
        if current.row.revision != revision or current.choosing is not stage:
            raise TurnOver
        if current.to_move != user:
            raise NotForYou(current.to_move)
        return current
