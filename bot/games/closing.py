"""Ending a game whose channel or thread is no more."""

from contextlib import suppress

from bot.games.archive import Archive
from bot.games.events import NO_PLACE
from bot.games.ledger import Deed, Ledger
from bot.model.events import EventKind
from bot.model.ids import GameId, UserId
from bot.model.refusals import GameGone
from bot.store import Conflict


class Closing:
    """What the bot ends by itself."""

    def __init__(self, archive: Archive, ledger: Ledger) -> None:
        self._archive = archive
        self._ledger = ledger

    async def close(self, game: GameId, *, by: UserId) -> None:
        """End a game without a result, in the name of the bot; nothing where it has ended."""
        while True:
            try:
                current = await self._archive.running(game)
            except GameGone:
                return
            deed = Deed(kind=EventKind.ABORT, actor=by, detail=NO_PLACE)
            with suppress(Conflict):  # somebody has moved at the last moment
                await self._ledger.write(current, (deed,), source=None)
