"""Deletion of old data, and export and deletion of a person's data."""

import gzip
import json
from collections import Counter
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import datetime

from bot.base.ids import NO_GUILD, GuildId, Shards, UserId
from bot.base.retention import Gone, Retention
from bot.play.game_changes import Update
from bot.play.model.refusals import CannotDelete
from bot.play.model.terms import ChallengeRow
from bot.play.store.store import Store
from bot.play.use_cases.endings import Leaving
from bot.play.use_cases.game_cache import GameCache


class Housekeeping:
    """Deletes data at the end of its retention time. The time comes in as an argument."""

    def __init__(
        self,
        store: Store,
        game_cache: GameCache,
        retention: Retention,
        *,
        now: Callable[[], datetime],
    ) -> None:
        self._store = store
        self._game_cache = game_cache
        self._retention = retention
        self._now = now

    async def sweep(self, *, rest: Callable[[], Awaitable[object]]) -> Counter[Gone]:
        """Delete all expired data, except servers' data.

        `rest` is awaited after each transaction, so that players go first.
        """
        keep, table, now = self._retention, self._store.retention, self._now()
        gone: Counter[Gone] = Counter()
        if keep.players is not None:
            ended_until = now - keep.players
            while games := await table.make_anonymous(ended_until=ended_until, at=now):
                self._game_cache.forget_games(games)
                gone[Gone.GAMES] += len(games)
                await rest()
            while over := await table.leave_as_nobodys(ended_until=ended_until, at=now):
                gone += over
                await rest()
        for what, kept in (
            (Gone.CHALLENGES, keep.notices),
            (Gone.LESSONS, keep.learning),
            (Gone.ANSWERS, keep.learning),
            (Gone.STUDIES, keep.learning),
            (Gone.RATINGS, keep.learning),
            (Gone.STRENGTHS, keep.players),
        ):
            while kept is not None and (rows := await table.drop(what, until=now - kept)):
                gone[what] += rows
                await rest()
        after: int | None = 0 if keep.notices is not None else None
        while keep.notices is not None and after is not None:
            rows, after = await table.drop_sent(until=now - keep.notices, after=after)
            gone[Gone.DELIVERIES] += rows
            await rest()
        return +gone

    async def sweep_servers(
        self,
        shards: Shards,
        *,
        sees: Callable[[GuildId], bool],
        is_out: Callable[[GuildId], Awaitable[bool]],
        rest: Callable[[], Awaitable[object]],
    ) -> Counter[Gone]:
        """Delete the data of servers that the bot left long enough ago.

        `sees` returns True if the bot is in a server as far as it knows. Before any deletion,
        `is_out` asks Discord. `rest` is awaited after each step, so that players go first.
        """
        keep, table, now = self._retention.servers, self._store.retention, self._now()
        gone: Counter[Gone] = Counter()
        guild = None if keep is None else await table.next_server(NO_GUILD, shards)
        while keep is not None and guild is not None:
            if sees(guild):
                await table.is_back(guild)
            elif await table.is_away(guild, at=now) <= now - keep and await is_out(guild):
                more = True
                while more:
                    games, more = await table.drop_server(guild, at=now)
                    self._game_cache.forget_games(games)
                    gone[Gone.GAMES] += len(games)
                    await rest()
                gone[Gone.SERVERS] += 1
            await rest()
            guild = await table.next_server(guild, shards)
        return +gone


_ROUNDS = 10
"""Maximum number of attempts to end all games of a person. Few begin between two attempts."""
_PLAIN_BYTES = 8_000_000
"""Size in bytes above which the file is compressed: Discord takes 10 MB."""


@dataclass(frozen=True, slots=True)
class Goodbye:
    """Changes to announce to others after the deletion of a person's data."""

    closed: list[ChallengeRow]
    """Challenges by or to them, which are over."""
    left: list[Update]
    """Games that they have resigned by it."""


class Privacy:
    """Export and deletion of a person's data. The time comes in as an argument."""

    def __init__(
        self, store: Store, game_cache: GameCache, leaving: Leaving, *, now: Callable[[], datetime]
    ) -> None:
        self._store = store
        self._game_cache = game_cache
        self._leaving = leaving
        self._now = now

    async def export(self, player: UserId) -> tuple[str, bytes]:
        rows = await self._store.privacy.export(player)
        told = {"person": player, "told_at": self._now(), "tables": rows}
        return packed(json.dumps(told, indent=1, default=_written).encode(), most=_PLAIN_BYTES)

    async def running(self, player: UserId) -> int:
        return len(await self._store.privacy.running(player))

    async def delete(self, player: UserId) -> Goodbye:
        """Delete all data about a person. They resign their games, which stay without them.

        Raises:
            CannotDelete: if some of their games still run. The other games are ended.
        """
        closed = await self._store.privacy.close(player, at=self._now())
        left: list[Update | None] = []
        for _ in range(_ROUNDS):  # a new game may have begun, for example of a tournament
            running = await self._store.privacy.running(player)
            left += [await self._leaving.leave(game, player) for game in running]
            if await self._store.privacy.erase(player, at=self._now()):
                self._game_cache.forget(player)
                return Goodbye(closed, [update for update in left if update is not None])
        raise CannotDelete(await self._store.privacy.running(player))


def packed(text: bytes, *, most: int) -> tuple[str, bytes]:
    """Compress a file larger than `most` bytes. Return its name's suffix and its contents."""
    return ("json", text) if len(text) <= most else ("json.gz", gzip.compress(text))


def _written(value: object) -> str:
    """Return a moment as a text. No other type unknown to JSON is stored."""
    if isinstance(value, datetime):
        return value.isoformat()
    raise TypeError(f"{value!r} cannot be written")
