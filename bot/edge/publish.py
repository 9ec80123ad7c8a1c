"""The one way out: boards and threads, each sent exactly once, in order, come what may.

What is to be sent stands in the outbox, written together with the event it tells of. Sending uses
a nonce, by which Discord knows a repeated message for a few minutes; before a row is tried again,
the channel is read back for the picture's name, so that a send whose fate is unknown is not made
twice. Where the channel's history may not be read, only the nonce protects.
"""

import asyncio
from collections.abc import Callable, Collection, Mapping
from contextlib import suppress
from dataclasses import replace
from datetime import datetime, timedelta
from types import MappingProxyType
from weakref import WeakValueDictionary

import discord
import structlog

from bot import messages
from bot.edge.channels import Channels
from bot.edge.intime import in_time
from bot.edge.readers import everybody
from bot.edge.rendering import Renderer
from bot.edge.trouble import TROUBLE
from bot.edge.vanished import Vanished
from bot.edge.visits import played
from bot.edge.work import Work
from bot.errors import StoreError
from bot.games import Games
from bot.games.update import LEASE, Update
from bot.messages import Post
from bot.model.game import Game
from bot.model.ids import BEFORE_START, GameId, GuildId, MessageId, Shards
from bot.model.terms import PlacementBoards
from bot.store import Store
from bot.store.rows import OutboxKind, OutboxRow
from dvonn import Phase

_log = structlog.get_logger()

SWEEP = timedelta(seconds=2)
"""How often the outbox is looked through for what a failure or another process left there."""
_AT_ONCE = 8
"""How many games' failed rows are sent at the same time."""
_FIRST_DELAY = timedelta(seconds=5)
_LONGEST_DELAY = timedelta(minutes=10)


class Publisher:
    """Sends what the outbox holds for one client's shards."""

    def __init__(
        self,
        channels: Channels,
        store: Store,
        games: Games,
        work: Work,
        vanished: Vanished,
        *,
        now: Callable[[], datetime],
    ) -> None:
        self.channels = channels
        self._vanished = vanished
        self._store = store
        self._games = games
        self._work = work
        self._now = now
        self._renderer = Renderer()
        self._locks: WeakValueDictionary[GameId, asyncio.Lock] = WeakValueDictionary()
        # Games with older boards unsent: a new board of theirs must not overtake them.
        self._behind: set[GameId] = set()
        # The boards that this process has sent, while they can be edited.
        self._newest: dict[GameId, MessageId] = {}
        self._courtesies: set[asyncio.Task[None]] = set()
        self._watchers: list[Callable[[Game], None]] = []

    def watch(self, watcher: Callable[[Game], None]) -> None:
        """Let somebody know of every change of a game, before it is sent."""
        self._watchers.append(watcher)

    async def render(self, post: Post) -> bytes | None:
        """The picture of a post, if it has one."""
        return None if post.picture is None else await self._renderer.render(post.picture)

    async def publish(
        self, update: Update, posted: Mapping[str, MessageId] = MappingProxyType({})
    ) -> bool:
        """Send what an update brings; whether it went out.

        What fails stays in the outbox and is tried again.

        Args:
            update: What came of it.
            posted: The boards that are known to stand in the channel already, by their pictures'
                names: a move made before a backup was restored, and played again from there.
        """
        for watcher in self._watchers:
            watcher(update.game)
        shown = await self._publish(update, posted)
        played(update.game.row.id, update.game.row.revision, shown=shown)
        return shown

    async def _publish(self, update: Update, posted: Mapping[str, MessageId]) -> bool:
        game = update.game.row.id
        async with self._lock(game):
            if game in self._behind:
                try:
                    return await self._catch_up(game, {row.id for row in update.outbox})
                except StoreError:
                    return False
            for row in update.outbox:
                there = posted.get(messages.picture_name(row.game, row.revision))
                if row.kind is OutboxKind.BOARD and there is not None:
                    await self._mark_sent(row, there)
                elif not await self._try(row, update, since=row.tried_at):
                    self._behind.add(game)
                    return False
        return True

    async def try_again(self, guild: GuildId) -> None:
        """Try a server's failed rows soon: its permissions have changed."""
        if self._behind:
            await self._store.outbox.release_guild(guild, self._now())

    async def prepare(self) -> None:
        """Learn which games have older boards unsent. To be done before the first publish."""
        self._behind |= await self._store.outbox.games_with_unsent()

    async def run(self, shards: Shards) -> None:
        """Send what earlier failures left, for ever.

        Whatever is leased for these shards was leased to a process that is no more: a shard has
        one process at a time.
        """
        released = False
        while True:
            try:
                with self._work.piece():
                    if not released:
                        await self._store.outbox.release(shards, self._now())
                        released = True
                    await self._sweep(shards)
            except Exception:
                _log.exception("the outbox could not be swept")
            await asyncio.sleep(SWEEP.total_seconds())

    def close(self) -> None:
        """Let go of what was taken."""
        self._renderer.close()

    def _lock(self, game: GameId) -> asyncio.Lock:
        return self._locks.setdefault(game, asyncio.Lock())

    async def _sweep(self, shards: Shards) -> None:
        at_once = asyncio.Semaphore(_AT_ONCE)  # one slow channel must not hold up the others

        async def send(game: GameId) -> None:
            async with at_once, self._lock(game):
                await self._catch_up(game)

        due = await self._store.outbox.due_games(shards, self._now())
        await asyncio.gather(*map(send, due))

    async def _catch_up(self, game: GameId, ours: Collection[int] = ()) -> bool:
        """Send the newest board of a game, which tells of those that were not sent before it.

        Args:
            game: Which one.
            ours: The rows that are leased to us already.
        """
        rows = await self._store.outbox.unsent(game)
        boards = [row for row in rows if row.kind is OutboxKind.BOARD]
        told = await self._store.outbox.newest_told(game) if boards else None
        # A newer one that another process has sent must stay the newest in the channel.
        newest = [row for row in boards[-1:] if told is None or row.revision > told]
        if needless := [row for row in boards if row not in newest]:
            await self._store.outbox.drop(needless, at=self._now())
        for row in [*(row for row in rows if row.kind is OutboxKind.THREAD), *newest]:
            since = row.tried_at if row.id in ours else await self._claim(row)
            if since is None or not await self._try_again(row, since=since):
                return False
        self._behind.discard(game)
        return True

    async def _claim(self, row: OutboxRow) -> datetime | None:
        """Lease a row; since when it is ours. None: it is leased to another, or not due yet."""
        now = self._now()
        claimed = await self._store.outbox.claim(row, now=now, until=now + LEASE)
        return now if claimed else None

    async def _try_again(self, row: OutboxRow, *, since: datetime) -> bool:
        if row.kind is OutboxKind.BOARD:
            try:
                sent = await self._find(row)
            except TROUBLE as error:
                await self._put_off(row, error)
                return False
            if sent is not None:
                await self._store.outbox.mark_sent(row, sent, at=self._now())
                return True
            await self._store.outbox.begin(row, at=self._now())
        told = await self._store.outbox.last_told(row.game, row.revision)
        after = BEFORE_START if told is None else told
        update = await self._games.untold(row.game, row.revision, after)
        return await self._try(row, update, since=since)

    async def _find(self, row: OutboxRow) -> MessageId | None:
        """The board that an earlier try has sent, if it did; None where nothing may be read.

        Raises:
            One of `TROUBLE`: if Discord does not say.
        """
        older = await self._store.outbox.board_before(row)
        try:
            return await self.channels.find(row, None if older is None else older[1])
        except (discord.Forbidden, discord.NotFound) as error:
            _log.info("cannot read back", game=row.game, error=str(error))
            return None

    async def _try(self, row: OutboxRow, update: Update, *, since: datetime) -> bool:
        """Send one row, which was leased at a moment; whether it went out."""
        held = since + LEASE

        async def renew() -> bool:
            nonlocal held
            was, held = held, self._now() + LEASE
            return await self._store.outbox.renew(row, held=was, until=held)

        try:
            with in_time(since, self._now, renew):
                message = await self._send(row, update)
        except Exception as error:
            waits = await self._put_off(row, error)
            if isinstance(error, discord.NotFound | discord.Forbidden):
                await self._vanished.look(row.game)
            return not waits
        await self._mark_sent(row, message)
        self._be_courteous(row, update.game, message)
        return True

    async def _put_off(self, row: OutboxRow, error: Exception) -> bool:
        """Say why a row was not sent, and let it wait, longer with each try.

        Returns:
            Whether it waits: another process may have sent it.
        """
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
            return await self._store.outbox.postpone(row, until=self._now() + delay)
        return True

    async def _mark_sent(self, row: OutboxRow, message: MessageId) -> None:
        """Remember that a row has been sent; if that fails, it will be found in the channel."""
        try:
            await self._store.outbox.mark_sent(row, message, at=self._now())
        except StoreError:
            self._behind.add(row.game)

    async def _send(self, row: OutboxRow, update: Update) -> MessageId:
        if row.kind is OutboxKind.THREAD:
            return await self.channels.open_thread(row, update.game.row)
        post = messages.board(everybody(), update)
        if row.silent:
            post = replace(post, ping=None)  # the player to move is named, and hears nothing
        png = await self.render(post)
        older = await self._to_replace(row, update.game)
        if older is not None:
            with suppress(discord.NotFound):  # somebody deleted it just now
                return await self.channels.replace(row.channel, older, post, png)
        return await self.channels.send(row, post, png, at=update.told[-1].event.at)

    async def _to_replace(self, row: OutboxRow, game: Game) -> MessageId | None:
        """The last board, where it is still the newest message and the moderators chose so."""
        older = self._newest.get(game.row.id)
        if (
            older is None
            or game.position.phase is not Phase.PLACEMENT
            or not game.is_running
            # Whoever is asked, or waited for, has to hear of it, and edits ring nowhere.
            or game.asked is not None
            or game.left_by is not None
            or not self.channels.is_newest(row.channel, older)
        ):
            return None
        rules = await self._store.guilds.rules(game.row.guild)
        return older if rules.placement_boards is PlacementBoards.EDIT else None

    def _be_courteous(self, row: OutboxRow, game: Game, message: MessageId) -> None:
        """Tidy up beside the turn: tried once, and nothing depends on it."""
        if row.kind is OutboxKind.BOARD:
            if game.is_running and game.position.phase is Phase.PLACEMENT:
                self._newest[row.game] = message
            else:
                self._newest.pop(row.game, None)
            task = self._work.start(self._tidy_up(row, game, message))
            self._courtesies.add(task)
            task.add_done_callback(self._courtesies.discard)

    async def _tidy_up(self, row: OutboxRow, game: Game, message: MessageId) -> None:
        try:
            older = await self._store.outbox.board_before(row)
            if older is not None and older[1] != message:
                await self.channels.take_buttons_off(*older)
            if not game.is_running and game.row.own_thread:
                await self.channels.put_away(game.row.channel)
        except TROUBLE as error:
            _log.info("a courtesy was refused", game=row.game, error=str(error))
        except Exception:
            _log.exception("a courtesy failed", game=row.game)
