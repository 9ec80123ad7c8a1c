"""The pie start: one player picks a board of three, the other their colour."""

from typing import Final

from bot.base.ids import GameId, Revision, SourceId, UserId
from bot.play.model.events import BoardPicked, SidePicked
from bot.play.model.game import Choosing, Game
from bot.play.model.refusals.playing import NotAPlayer, TurnOver
from bot.play.model.refusals.starting import NotForYou
from bot.play.use_cases.archive import Archive
from bot.play.use_cases.ledger import Deed, Deeds, Ledger
from bot.play.use_cases.update import Update
from dvonn import Color

BOARDS: Final = 3
"""Number of boards that are made, of which one is picked."""


class Pie:
    """The choices before the first move."""

    def __init__(self, archive: Archive, ledger: Ledger) -> None:
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
        deed = Deed(user, BoardPicked(number))
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
        deed = Deed(user, SidePicked(color))
        return await self._choose(game, revision, Choosing.SIDE, deed, source)

    async def _choose(
        self, game: GameId, revision: Revision, stage: Choosing, deed: Deed, source: SourceId | None
    ) -> Update:
        async def find() -> Deeds:
            return Deeds(await self._at(game, revision, stage, deed.actor), (deed,))

        return await self._ledger.attempt(find, source=source)

    async def _at(self, game: GameId, revision: Revision, stage: Choosing, user: UserId) -> Game:
        current = await self._archive.running(game)
        if current.seat(user) is None:
            raise NotAPlayer
        if current.row.revision != revision or current.choosing is not stage:
            raise TurnOver
        if current.to_move != user:
            raise NotForYou(current.to_move)
        return current
