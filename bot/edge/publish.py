"""The one way out: boards and threads, each sent exactly once, in order, come what may.

What is to be sent stands in the outbox, written together with the event it tells of. Sending uses
a nonce, by which Discord knows a repeated message for a few minutes; before a row is tried again,
the channel is read back for the picture's name, so that a send whose fate is unknown is not made
twice. Where the channel's history may not be read, only the nonce protects.
"""

import asyncio
from collections.abc import Callable
from contextlib import suppress
from datetime import datetime, timedelta
from typing import Final
from weakref import WeakValueDictionary

import discord
import structlog

from bot import messages
from bot.edge.drawing import Drawer
from bot.edge.sending import arguments
from bot.edge.work import Work
from bot.games import LEASE, Games, Update
from bot.ids import ChannelId, GameId, GuildId, MessageId, UserId
from bot.messages import Post
from bot.store import BEFORE_START, Store
from bot.store.rows import OutboxKind, OutboxRow, Shards

_log = structlog.get_logger()

SWEEP = timedelta(seconds=2)
"""How often the outbox is looked through for what a failure or another process left there."""
_FIRST_DELAY = timedelta(seconds=5)
_LONGEST_DELAY = timedelta(minutes=10)
_CLOCK_ERROR = timedelta(minutes=10)
"""How far this machine's clock and Discord's may differ."""
_LONGEST_FLIGHT = timedelta(minutes=30)
"""A request that was begun has arrived, or is lost for ever, after this time."""
_THREAD_EXISTS = 160004
_ARCHIVE_AFTER_MINUTES: Final = 10_080  # a week: the longest that Discord knows


class Publisher:
    """Sends what the outbox holds for one client's shards."""

    def __init__(
        self,
        client: discord.Client,
        store: Store,
        games: Games,
        work: Work,
        *,
        now: Callable[[], datetime],
    ) -> None:
        self._client = client
        self._work = work
        self._store = store
        self._games = games
        self._now = now
        self._drawer = Drawer()
        self._locks: WeakValueDictionary[GameId, asyncio.Lock] = WeakValueDictionary()
        # Games with older boards unsent: a new board of theirs must not overtake them.
        self._behind: set[GameId] = set()

    async def draw(self, post: Post) -> bytes | None:
        """The picture of a post, if it has one."""
        return None if post.picture is None else await self._drawer.draw(post.picture)

    def channel(
        self, channel: ChannelId, guild: GuildId | None = None
    ) -> discord.PartialMessageable:
        """A channel or thread by its number, without asking Discord."""
        return self._client.get_partial_messageable(channel, guild_id=guild)

    async def publish(self, update: Update) -> None:
        """Send what an update brings. What fails stays in the outbox and is tried again."""
        game = update.game.row.id
        async with self._lock(game):
            if game in self._behind:
                await self._catch_up(game)
                return
            for row in update.outbox:
                if not await self._try(row, update):
                    self._behind.add(game)
                    return

    async def prepare(self) -> None:
        """Learn which games have older boards unsent. To be done before the first publish."""
        self._behind |= await self._store.outbox.games_with_unsent()

    async def run(self, shards: Shards) -> None:
        """Send what earlier failures left, for ever.

        Whatever is leased for these shards was leased to a process that is no more: a shard has
        one process at a time.
        """
        with self._work.piece():
            await self._store.outbox.release(shards, self._now())
        while True:
            try:
                with self._work.piece():
                    await self._sweep(shards)
            except Exception:
                _log.exception("the outbox could not be swept")
            await asyncio.sleep(SWEEP.total_seconds())

    async def _sweep(self, shards: Shards) -> None:
        for game in await self._store.outbox.due_games(shards, self._now()):
            async with self._lock(game):
                await self._catch_up(game)

    def close(self) -> None:
        """Let go of what was taken."""
        self._drawer.close()

    def _lock(self, game: GameId) -> asyncio.Lock:
        return self._locks.setdefault(game, asyncio.Lock())

    async def _catch_up(self, game: GameId) -> None:
        """Send the newest board of a game, which tells of those that were not sent before it."""
        rows = await self._store.outbox.unsent(game)
        boards = [row for row in rows if row.kind is OutboxKind.BOARD]
        if boards[:-1]:
            await self._store.outbox.drop(boards[:-1], at=self._now())
        for row in [*(row for row in rows if row.kind is OutboxKind.THREAD), *boards[-1:]]:
            now = self._now()
            if not await self._store.outbox.claim(row, now=now, until=now + LEASE):
                return  # leased to another, or not due yet
            if not await self._try_again(row):
                return
        self._behind.discard(game)

    async def _try_again(self, row: OutboxRow) -> bool:
        try:
            sent = await self._find(row)
        except (discord.HTTPException, OSError) as error:
            _log.info("cannot read back", game=row.game, revision=row.revision, error=str(error))
            sent = None
        if sent is not None:
            await self._store.outbox.mark_sent(row, sent, at=self._now())
            return True
        told = await self._store.outbox.last_told(row.game, row.revision)
        after = BEFORE_START if told is None else told
        return await self._try(row, await self._games.untold(row.game, row.revision, after))

    async def _try(self, row: OutboxRow, update: Update) -> bool:
        """Send one row; whether it went out."""
        try:
            message = await self._send(row, update)
        except asyncio.CancelledError:
            raise
        except Exception as error:
            delay = min(_FIRST_DELAY * 2 ** min(row.tries - 1, 10), _LONGEST_DELAY)
            _log.warning(
                "not sent",
                game=row.game,
                revision=row.revision,
                kind=row.kind,
                tries=row.tries,
                error=f"{type(error).__name__}: {error}",
            )
            with suppress(Exception):  # a database that is out of reach lets the lease run out
                await self._store.outbox.postpone(row, until=self._now() + delay)
            return False
        await self._store.outbox.mark_sent(row, message, at=self._now())
        return True

    async def _send(self, row: OutboxRow, update: Update) -> MessageId:
        if row.kind is OutboxKind.THREAD:
            return await self._open_thread(row, update)
        post = messages.board(update)
        png = await self.draw(post)
        where = self.channel(row.channel)
        message = await where.send(**arguments(post, png), nonce=f"{row.game}-{row.revision}")
        return MessageId(message.id)

    async def _open_thread(self, row: OutboxRow, update: Update) -> MessageId:
        game = update.game.row
        where = self.channel(row.channel, game.guild)
        if where.guild is None or row.message is None:
            raise LookupError(f"guild {game.guild} is out of sight")
        white = await _name(where.guild, game.white)
        black = await _name(where.guild, game.black)
        try:
            await where.get_partial_message(row.message).create_thread(
                name=messages.thread_name(game.id, white, black),
                auto_archive_duration=_ARCHIVE_AFTER_MINUTES,
            )
        except discord.HTTPException as error:
            if error.code != _THREAD_EXISTS:
                raise
        return row.message

    async def _find(self, row: OutboxRow) -> MessageId | None:
        """The message that an earlier try sent, if it did."""
        if row.kind is OutboxKind.THREAD:
            return None  # opening it again is refused by Discord, which is answer enough
        name = messages.picture_name(row.game, row.revision)
        where = self.channel(row.channel)
        async for message in where.history(
            limit=None,
            after=row.tried_at - _CLOCK_ERROR,
            before=row.tried_at + _LONGEST_FLIGHT,
        ):
            own = self._client.user is not None and message.author.id == self._client.user.id
            if own and any(file.filename == name for file in message.attachments):
                return MessageId(message.id)
        return None


async def _name(guild: discord.Guild, player: UserId) -> str:
    try:
        return (await guild.fetch_member(player)).display_name
    except discord.NotFound:  # gone from the server since
        return "?"
