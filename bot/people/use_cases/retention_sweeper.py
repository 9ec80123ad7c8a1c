"""Deletes expired data."""

from collections import Counter
from collections.abc import Awaitable, Callable
from datetime import datetime

from bot.base.ids import NO_GUILD, GuildId, Shards
from bot.base.retention import DeletedKind, Retention
from bot.people.store.retention import RetentionTable
from bot.play.store.store import Store
from bot.play.use_cases.game_cache import GameCache


class RetentionSweeper:
    """Deletes data whose retention time has passed."""

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

    async def sweep(self, *, pause: Callable[[], Awaitable[object]]) -> Counter[DeletedKind]:
        """Delete all expired data except servers' data.

        `pause` is awaited after each transaction, so that players have priority.
        """
        keep, table, now = self._retention, self._table, self._now()
        deleted: Counter[DeletedKind] = Counter()
        if keep.players is not None:
            ended_until = now - keep.players
            while games := await table.anonymize_games(ended_until=ended_until, at=now):
                self._game_cache.forget_games(games)
                deleted[DeletedKind.GAMES] += len(games)
                await pause()
            while over := await table.anonymize(ended_until=ended_until, at=now):
                deleted += over
                await pause()
        for kind, age in (
            (DeletedKind.CHALLENGES, keep.notices),
            (DeletedKind.LESSONS, keep.learning),
            (DeletedKind.ANSWERS, keep.learning),
            (DeletedKind.STUDIES, keep.learning),
            (DeletedKind.RATINGS, keep.learning),
            (DeletedKind.STRENGTHS, keep.players),
        ):
            while age is not None and (rows := await table.drop(kind, until=now - age)):
                deleted[kind] += rows
                await pause()
        after: int | None = 0 if keep.notices is not None else None
        while keep.notices is not None and after is not None:
            rows, after = await table.drop_sent(until=now - keep.notices, after=after)
            deleted[DeletedKind.DELIVERIES] += rows
            await pause()
        return +deleted

    async def sweep_servers(
        self,
        shards: Shards,
        *,
        sees: Callable[[GuildId], bool],
        is_out: Callable[[GuildId], Awaitable[bool]],
        pause: Callable[[], Awaitable[object]],
    ) -> Counter[DeletedKind]:
        """Delete the data of servers that removed the bot long enough ago.

        `sees` returns True if the bot believes that it is in a server. `is_out` asks Discord before
        anything is deleted. `pause` is awaited after each step, so that players have priority.
        """
        keep, table, now = self._retention.servers, self._table, self._now()
        deleted: Counter[DeletedKind] = Counter()
        guild = None if keep is None else await table.next_server(NO_GUILD, shards)
        while keep is not None and guild is not None:
            if sees(guild):
                await table.record_presence(guild)
            elif await table.record_absence(guild, at=now) <= now - keep and await is_out(guild):
                is_more = True
                while is_more:
                    games, is_more = await table.drop_server(guild, at=now)
                    self._game_cache.forget_games(games)
                    deleted[DeletedKind.GAMES] += len(games)
                    await pause()
                deleted[DeletedKind.SERVERS] += 1
            await pause()
            guild = await table.next_server(guild, shards)
        return +deleted
