"""Ending a game whose channel or thread is no more."""

from bot.games.archive import Archive
from bot.games.events import NO_PLACE
from bot.games.ledger import Deed, Ledger
from bot.ids import GameId, UserId
from bot.store import Conflict, Store
from bot.store.rows import EventKind, GameState


class Closing:
    """What the bot ends by itself."""

    def __init__(self, store: Store, archive: Archive, ledger: Ledger) -> None:
        self._store = store
        self._archive = archive
        self._ledger = ledger

    async def close(self, game: GameId, *, by: UserId) -> None:
        """End a game without a result, in the name of the bot; nothing where it has ended."""
        while True:
            row = await self._store.games.get(game)
            if row is None or row.state is not GameState.RUNNING:
                return
            deed = Deed(kind=EventKind.ABORT, actor=by, detail=NO_PLACE)
            try:
                await self._ledger.write(await self._archive.load(row), (deed,), source=None)
            except Conflict:
                continue  # somebody has moved at the last moment
            return
