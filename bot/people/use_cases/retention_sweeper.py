"""Deletes old data."""

from collections import Counter
from collections.abc import Awaitable, Callable
from datetime import datetime

from bot.base.ids import NO_GUILD, GuildId, Shards
from bot.base.retention import DeletedKind, Retention
from bot.people.store.retention import RetentionTable
from bot.play.store.store import Store
from bot.play.use_cases.game_cache import GameCache


class RetentionSweeper:
    """Deletes data whose retention time is over. Callers pass in the time."""

    def __init__(
        self,
        store: Store,
        game_cache: GameCache,
        retention: Retention,
        *,
        now: Callable[[], datetime],
    ) -> None:
        self._table = store.queries(RetentionTable)
        self._game_cache = game_cache
        self._retention = retention
        self._now = now

    async def sweep(self, *, rest: Callable[[], Awaitable[object]]) -> Counter[DeletedKind]:
        """Delete all expired data except servers' data.

        `rest` is awaited after each transaction, so that players have priority.
        """
        keep, table, now = self._retention, self._table, self._now()
        deleted: Counter[DeletedKind] = Counter()
        if keep.players is not None:
            ended_until = now - keep.players
            while games := await table.make_anonymous(ended_until=ended_until, at=now):
                self._game_cache.forget_games(games)
                deleted[DeletedKind.GAMES] += len(games)
                await rest()
            while over := await table.anonymize(ended_until=ended_until, at=now):
                deleted += over
                await rest()
        for what, kept in (
            (DeletedKind.CHALLENGES, keep.notices),
            (DeletedKind.LESSONS, keep.learning),
            (DeletedKind.ANSWERS, keep.learning),
            (DeletedKind.STUDIES, keep.learning),
            (DeletedKind.RATINGS, keep.learning),
            (DeletedKind.STRENGTHS, keep.players),
        ):
            while kept is not None and (rows := await table.drop(what, until=now - kept)):
                deleted[what] += rows
                await rest()
        after: int | None = 0 if keep.notices is not None else None
        while keep.notices is not None and after is not None:
            rows, after = await table.drop_sent(until=now - keep.notices, after=after)
            deleted[DeletedKind.DELIVERIES] += rows
            await rest()
        return +deleted

    async def sweep_servers(
        self,
        shards: Shards,
        *,
        sees: Callable[[GuildId], bool],
        is_out: Callable[[GuildId], Awaitable[bool]],
        rest: Callable[[], Awaitable[object]],
    ) -> Counter[DeletedKind]:
        """Delete the data of servers that removed the bot long enough ago.

        `sees` returns True if the bot is in a server as far as it knows. Before deleting anything,
        `is_out` asks Discord. `rest` is awaited after each step, so that players have priority.
        """
        keep, table, now = self._retention.servers, self._table, self._now()
        deleted: Counter[DeletedKind] = Counter()
        guild = None if keep is None else await table.next_server(NO_GUILD, shards)
        while keep is not None and guild is not None:
            if sees(guild):
                await table.is_back(guild)
            elif await table.is_away(guild, at=now) <= now - keep and await is_out(guild):
                more = True
                while more:
                    games, more = await table.drop_server(guild, at=now)
                    self._game_cache.forget_games(games)
                    deleted[DeletedKind.GAMES] += len(games)
                    await rest()
                deleted[DeletedKind.SERVERS] += 1
            await rest()
            guild = await table.next_server(guild, shards)
        return +deleted
