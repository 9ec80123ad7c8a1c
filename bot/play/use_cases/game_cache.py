"""Loads games from their events, and caches running games and older states."""

import asyncio
from collections import OrderedDict
from collections.abc import AsyncIterator, Collection, Iterable, Iterator, Sequence
from contextlib import suppress

from bot.base.ids import BEFORE_START, LATEST, ChannelId, GameId, GuildId, Revision, UserId
from bot.play.model.events import AppliedEvent, Event, apply_event
from bot.play.model.game import Game, GameRow, before_start
from bot.play.model.refusals import GameNotRunning, NoGameHere
from bot.play.store.store import Store

PAGE = 64
"""Number of events that are replayed at a time. After each such page, the game is cached."""
PAGE_ENDS = 128
"""Maximum number of cached page ends, about 20 KiB each.

It is reached over time, because each loaded game leaves a page end.
"""
MAX_INLINE_EVENTS = 16
"""Number of events that are replayed on the event loop, which takes a few milliseconds."""

Steps = list[tuple[AppliedEvent, Game]]


class GameCache:
    """Loads and caches games.

    The cache can be dropped at any time, because the events are authoritative.

    A game is read in two steps, first its row and then its events, and may change in between. So
    facts from the row, such as that the game is running, are checked again on the game.
    """

    def __init__(self, store: Store, *, size: int = 1_000, page_ends: int = PAGE_ENDS) -> None:
        """Cache up to `size` games, and up to `page_ends` states at the ends of pages."""
        self._store = store
        self._size = size
        self._most_page_ends = page_ends
        self._games: OrderedDict[GameId, Game] = OrderedDict()
        self._in_channel: dict[ChannelId, GameId] = {}
        self._page_ends: OrderedDict[tuple[GameId, Revision], Game] = OrderedDict()
        # One thread at a time, because several would slow down the event loop.
        self._thread_lock = asyncio.Lock()

    async def current(self, game: GameId) -> Game | None:
        row = await self._store.games.get(game)
        return None if row is None else await self._load(row)

    async def existing(self, game: GameId) -> Game:
        """Return a game in its current state, ended or not, or raise GameNotRunning."""
        state = await self.current(game)
        if state is None:
            raise GameNotRunning
        return state

    async def running(self, game: GameId) -> Game:
        """Return a running game in its current state.

        Raises:
            GameNotRunning: if it has ended, or there is no such game.
        """
        row = await self._store.games.get(game)
        if row is None or not row.is_running:
            raise GameNotRunning
        state = await self._load(row)
        if not state.is_running:
            raise GameNotRunning
        return state

    async def running_in(self, channel: ChannelId) -> Game:
        """Return a channel's running game in its current state.

        Raises:
            NoGameHere: if there is none.
        """
        row = await self._store.games.running_in(channel)
        if row is None:
            raise NoGameHere
        state = await self._load(row)
        if not state.is_running:
            raise NoGameHere
        return state

    async def is_played_in(self, channel: ChannelId) -> bool:
        """Return True if a game is running in a channel."""
        with suppress(NoGameHere):
            await self.running_in(channel)
            return True
        return False

    async def running_of(self, guild: GuildId, player: UserId) -> list[Game]:
        rows = await self._store.games.running_of(guild, player)
        games = [await self._load(row) for row in rows]
        return [game for game in games if game.is_running]

    async def waiting_for(self, player: UserId) -> list[Game]:
        """Return the running games in all servers that wait for a player's move."""
        games = [await self._load(row) for row in await self._store.games.all_running_of(player)]
        return [game for game in games if game.is_running and game.to_move == player]

    async def at_revision(self, row: GameRow, revision: Revision) -> Game | None:
        """Return the game as of a revision, or None if it has not reached it."""
        if not BEFORE_START < revision <= row.revision:
            return None
        game = self._nearest(row, revision)
        async for steps in self._steps(game, revision):
            _, game = steps[-1]
        return game if game.row.revision == revision else None

    async def since(
        self, row: GameRow, after: Revision, until: Revision
    ) -> tuple[Game, tuple[AppliedEvent, ...]]:
        """Return the game as of a revision, and the events since an earlier one."""
        game = await self.at_revision(row, after) or before_start(row)
        events: list[AppliedEvent] = []
        async for steps in self._steps(game, until):
            events += (applied for applied, _ in steps)
            _, game = steps[-1]
        return game, tuple(events)

    async def apply_events(self, game: Game, events: Sequence[Event]) -> Steps:
        """Apply events one at a time. If there are many, do it off the event loop."""
        steps = replay(game, events)
        if len(events) <= MAX_INLINE_EVENTS:
            return list(steps)
        async with self._thread_lock:
            return await asyncio.to_thread(list, steps)

    def put(self, game: Game) -> None:
        """Cache a game while it is running."""
        self._remove_keys(self._games.pop(game.row.id, None))
        if game.is_running:
            self._games[game.row.id] = game
            self._in_channel[game.row.channel] = game.row.id
            if len(self._games) > self._size:
                self._remove_keys(self._games.popitem(last=False)[1])

    def forget(self, player: UserId) -> None:
        """Remove a player's games from the cache, so that they are loaded again."""
        for game in [game for game in self._games.values() if game.seat(player) is not None]:
            self._remove_keys(self._games.pop(game.row.id))
        for key in [at for at, state in self._page_ends.items() if state.seat(player) is not None]:
            del self._page_ends[key]

    def forget_games(self, games: Collection[GameId]) -> None:
        """Remove some games from the cache, so that they are loaded again."""
        for number in games:
            self._remove_keys(self._games.pop(number, None))
        for key in [at for at in self._page_ends if at[0] in games]:
            del self._page_ends[key]

    def in_channel(self, channel: ChannelId) -> Game | None:
        """Return a channel's cached game, which may be out of date."""
        game = self._in_channel.get(channel)
        return None if game is None else self._games[game]

    def by_id(self, game: GameId) -> Game | None:
        """Return a cached running game, which may be out of date."""
        return self._games.get(game)

    def _remove_keys(self, game: Game | None) -> None:
        # It may have ended, and another game may have replaced it in the channel.
        if game is not None and self._in_channel.get(game.row.channel) == game.row.id:
            del self._in_channel[game.row.channel]

    async def _load(self, row: GameRow) -> Game:
        """Return the game as of its row, or newer."""
        game = self._games.get(row.id)
        if game is None:
            game = self._nearest(row, row.revision)
        if game.row.revision < row.revision:
            async for steps in self._steps(game, LATEST):
                _, game = steps[-1]
        self.put(game)
        return game

    def _nearest(self, row: GameRow, revision: Revision) -> Game:
        """Return the newest cached page end at or before a revision."""
        for end in range(_page_end(revision - PAGE), BEFORE_START, -PAGE):
            key = row.id, Revision(end)
            if key in self._page_ends:
                self._page_ends.move_to_end(key)
                return self._page_ends[key]
        return before_start(row)

    async def _steps(self, game: Game, until: Revision) -> AsyncIterator[Steps]:
        """Apply a game's events up to a revision, page by page."""
        while game.row.revision < until:
            end = min(until, _page_end(game.row.revision))
            events = await self._store.games.events(game.row.id, after=game.row.revision, until=end)
            if not events:
                return
            steps = await self.apply_events(game, events)
            _, game = steps[-1]
            if game.row.revision == _page_end(game.row.revision - 1):
                self._cache_end(game)
            yield steps
            if game.row.revision < end:
                return

    def _cache_end(self, game: Game) -> None:
        self._page_ends[game.row.id, game.row.revision] = game
        if len(self._page_ends) > self._most_page_ends:
            self._page_ends.popitem(last=False)


def _page_end(revision: int) -> Revision:
    """Return the first later revision that ends a page."""
    return Revision((revision + 1) // PAGE * PAGE + PAGE - 1)


def replay(game: Game, events: Iterable[Event]) -> Iterator[tuple[AppliedEvent, Game]]:
    for event in events:
        applied, game = apply_event(game, event)
        yield applied, game
