"""Games out of their events: replayed, and kept at hand while they are played."""

from collections import OrderedDict
from collections.abc import Iterable, Iterator
from dataclasses import replace

from bot.games.events import advance
from bot.games.model import Game, Told
from bot.ids import ChannelId, GameId, Revision
from bot.store import BEFORE_START, Store
from bot.store.rows import EventRow, GameRow, GameState
from dvonn import Position


class Archive:
    """Loads games. What it keeps can be thrown away at any time: the events are the truth."""

    def __init__(self, store: Store, *, size: int = 1_000) -> None:
        self._store = store
        self._size = size
        self._kept: OrderedDict[GameId, Game] = OrderedDict()
        self._in_channel: dict[ChannelId, GameId] = {}

    async def load(self, row: GameRow) -> Game:
        """The game as its row says it stands."""
        kept = self._kept.get(row.id)
        if kept is None or kept.row.revision > row.revision:
            kept = before_start(row)
        if kept.row.revision < row.revision:
            events = await self._store.games.events(row.id, after=kept.row.revision)
            for event in events:
                _, kept = advance(kept, event)
        self.keep(kept)
        return kept

    async def at(self, row: GameRow, revision: Revision) -> Game | None:
        """The game as it stood at a revision; None if it has not come so far."""
        last = None
        for told, game in replay(before_start(row), await self._store.games.events(row.id)):
            if told.event.revision <= revision:
                last = game
        return last if last is not None and last.row.revision == revision else None

    async def since(
        self, row: GameRow, after: Revision, until: Revision
    ) -> tuple[Game, tuple[Told, ...]]:
        """The game at a revision, and what happened since an earlier one."""
        events = await self._store.games.events(row.id)
        steps = list(replay(before_start(row), (e for e in events if e.revision <= until)))
        return steps[-1][1], tuple(told for told, _ in steps if told.event.revision > after)

    def keep(self, game: Game) -> None:
        """Keep a game at hand as long as it is played."""
        self._forget(self._kept.pop(game.row.id, None))
        if game.is_running:
            self._kept[game.row.id] = game
            self._in_channel[game.row.channel] = game.row.id
            if len(self._kept) > self._size:
                self._forget(self._kept.popitem(last=False)[1])

    def in_channel(self, channel: ChannelId) -> Game | None:
        """The game of a channel as it was seen last; another process may have changed it since."""
        game = self._in_channel.get(channel)
        return None if game is None else self._kept[game]

    def by_id(self, game: GameId) -> Game | None:
        """A running game as it was seen last; another process may have changed it since."""
        return self._kept.get(game)

    def _forget(self, game: Game | None) -> None:
        if game is not None:
            self._in_channel.pop(game.row.channel, None)


def replay(game: Game, events: Iterable[EventRow]) -> Iterator[tuple[Told, Game]]:
    """Carry out events one by one."""
    for event in events:
        told, game = advance(game, event)
        yield told, game


def before_start(row: GameRow) -> Game:
    """The empty board, on which the first event is yet to be carried out."""
    row = replace(row, revision=BEFORE_START, state=GameState.RUNNING)
    return Game(row, Position.initial(), None, Position.initial())
