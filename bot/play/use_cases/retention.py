"""Deletes data after the times that the host has set."""

from collections import Counter
from collections.abc import Awaitable, Callable
from datetime import datetime

from bot.base.ids import NO_GUILD, GuildId, Shards
from bot.base.retention import Gone, Retention
from bot.play.store.tables import Store
from bot.play.use_cases.archive import Archive


class Housekeeping:
    """Sweeps out what has been kept long enough. The time comes in as an argument."""

    def __init__(
        self, store: Store, archive: Archive, retention: Retention, *, now: Callable[[], datetime]
    ) -> None:
        self._store = store
        self._archive = archive
        self._retention = retention
        self._now = now

    async def sweep(self, *, rest: Callable[[], Awaitable[object]]) -> Counter[Gone]:
        """Take away all that has been kept long enough, but for what is kept for servers.

        Args:
            rest: Is waited for after each transaction, so that whoever plays goes first.

        Returns:
            How much has gone, of what.
        """
        keep, table, now = self._retention, self._store.retention, self._now()
        gone: Counter[Gone] = Counter()
        if keep.players is not None:
            ended_until = now - keep.players
            while games := await table.make_anonymous(ended_until=ended_until, at=now):
                self._archive.forget_games(games)
                gone[Gone.GAMES] += len(games)
                await rest()
            while over := await table.leave_as_nobodys(ended_until=ended_until, at=now):
                gone += over
                await rest()
        for what, kept in (
            (Gone.CHALLENGES, keep.notices),
            (Gone.LESSONS, keep.learning),
            (Gone.ANSWERS, keep.learning),
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
        """Take away what is kept for servers in which the bot has not been for long enough.

        Args:
            shards: Whose servers are looked at.
            sees: Tells whether the bot is in a server, as far as it knows.
            is_out: Asks Discord whether it is not, before anything goes.
            rest: Is waited for after each step, so that whoever plays goes first.

        Returns:
            How much has gone, of what.
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
                    self._archive.forget_games(games)
                    gone[Gone.GAMES] += len(games)
                    await rest()
                gone[Gone.SERVERS] += 1
            await rest()
            guild = await table.next_server(guild, shards)
        return +gone
