"""Ends games whose channel, thread or server is gone.

A deleted channel never comes back, so its game ends immediately, without a result. But if a rated
game is so old that neither player can leave it without a result, it continues in direct messages,
so nobody can undo a loss by deleting the channel. A server that has removed the bot may add it
again, for example to repair its permissions, so its games wait for an hour. Players of a thread are
notified in its parent channel, others by direct message if Discord allows it.
"""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from datetime import datetime, timedelta
from typing import Final

import structlog

from bot.base import ids
from bot.connection.channel_requests import Channels, send_post
from bot.connection.posts import Post
from bot.connection.request_errors import DISCORD_ERRORS
from bot.connection.tasks import InFlightWork
from bot.database.database import Conflict
from bot.database.deliveries import DeliveryTable
from bot.database.delivery_rows import (
    BOARD,
    THREAD,
    Delivery,
    DeliveryKind,
    DeliveryRoute,
    NewDelivery,
)
from bot.play.model.game import GameRow
from bot.play.model.refusals import GameNotRunning
from bot.play.readers import Readers
from bot.play.use_cases.use_cases import UseCases
from bot.play.words.boards import board
from bot.play.words.views import BoardPart

_log = structlog.get_logger()

CHANNEL_DELETED: Final = DeliveryKind("homeless")
"""Kind of delivery for a player's board of a game that continues in direct messages.

Its data is {"first": True if the message also explains why}.
"""
GRACE = timedelta(hours=1)
"""Time within which a server that removed the bot can add it again."""


class DeletedChannels:
    """Checks whether the channels of games still exist, and ends games whose channel is gone."""

    def __init__(
        self,
        channels: Channels,
        deliveries: DeliveryTable,
        cases: UseCases,
        readers: Readers,
        work: InFlightWork,
        *,
        board_parts: Sequence[BoardPart],
        now: Callable[[], datetime],
    ) -> None:
        self._channels = channels
        self._deliveries = deliveries
        self._rows = cases.store.games
        self._games = cases.games
        self._game_cache = cases.game_cache
        self._leaving = cases.leaving
        self._readers = readers
        self._work = work
        self._board_parts = board_parts
        self._now = now
        # Servers that have removed the bot, and when the bot learned of it.
        self._absent: dict[ids.GuildId, datetime] = {}
        self._one_at_a_time = asyncio.Lock()

    def on_guild_left(self, guild: ids.GuildId) -> None:
        if guild not in self._absent:
            _log.info("bot removed from guild, games kept for an hour", guild=guild)
            self._absent[guild] = self._now()

    def on_guild_back(self, guild: ids.GuildId) -> bool:
        """Record that the bot is in a server. Return True if it had been removed."""
        return self._absent.pop(guild, None) is not None

    async def is_waiting(self, game: ids.GameId) -> bool:
        """Return True if a game can't continue because the bot was removed from its server."""
        if not self._absent:
            return False
        row = await self._rows.get(game)
        return row is not None and not row.visiting and row.guild in self._absent

    def is_away(self, guild: ids.GuildId) -> bool:
        return guild in self._absent

    async def channel_deleted(self, guild: ids.GuildId, channel: ids.ChannelId) -> None:
        """Check the games in a channel that Discord reports as deleted, and in its threads."""
        for row in await self._rows.running_in_guild(guild):
            if channel == row.channel or (
                row.own_thread and await self._deliveries.opened_in(row.id) == channel
            ):
                await self.check(row.id)

    async def check_channel(self, channel: ids.ChannelId) -> None:
        """Check whether a channel that can't be read still exists."""
        row = await self._rows.running_in(channel)
        if row is not None:
            await self.check(row.id)

    async def check(self, game: ids.GameId) -> None:
        """Check whether a game's channel still exists. If not, end the game and notify players."""
        try:
            async with self._one_at_a_time:
                await self._check_game(game)
        except DISCORD_ERRORS as error:
            _log.info("channel lookup failed", game=game, error=str(error))
        except Exception:
            _log.exception("ending orphaned game failed", game=game)

    async def run(self, pause: Callable[[], Awaitable[object]]) -> None:
        """End the games of servers that don't add the bot again. Runs forever."""
        while True:
            for guild, since in list(self._absent.items()):
                # The caller of `on_guild_back` also reads the messages typed in the meantime. An
                # earlier check must not prevent that.
                is_out = not self._channels.sees(guild)
                if is_out and self._now() - since >= GRACE:
                    with self._work.track():
                        await self._end_games(guild)
            await pause()

    async def _end_games(self, guild: ids.GuildId) -> None:
        try:
            if await self._channels.is_out(guild):
                for row in await self._rows.running_in_guild(guild):
                    if not row.visiting:
                        await self._end(row)
            self._absent.pop(guild, None)
        except DISCORD_ERRORS as error:
            _log.info("guild lookup failed", guild=guild, error=str(error))
        except Exception:
            _log.exception("ending orphaned games failed", guild=guild)

    async def _check_game(self, game: ids.GameId) -> None:
        row = await self._rows.get(game)
        if row is None or row.visiting:
            return  # as a guest, the bot can't find out whether a channel exists
        if not row.is_running:
            await self._show_last_board(row)
        elif await self._lost_channel(row):
            await (self._continue_in_dms(row) if await self._must_continue(row) else self._end(row))
        elif not self._channels.sees(row.guild):
            self.on_guild_left(row.guild)

    async def _lost_channel(self, row: GameRow) -> bool:
        unsent = await self._deliveries.unsent(row.id)
        opening = next((delivery for delivery in unsent if delivery.kind == THREAD), None)
        # Check the message before the thread, because without the message no thread can be opened.
        is_gone = opening is None or await self._channels.is_deleted(
            opening.channel, opening.message or ids.MessageId(0)
        )
        return is_gone and await self._channels.is_gone(row.channel)

    async def _must_continue(self, row: GameRow) -> bool:
        """Return True if a game is rated and neither player can still leave it without a result."""
        people = (row.white, row.black)
        if not row.rated or row.machine is not None or not self._channels.sees(row.guild):
            return False
        try:
            game = await self._game_cache.running(row.id)
        except GameNotRunning:
            return False  # it has ended since its row was read
        return not any(map(game.may_leave, people))

    async def _continue_in_dms(self, row: GameRow) -> None:
        """Continue a game in direct messages. Each player gets its board once, with the reason."""
        is_first = not await self._deliveries.data(CHANNEL_DELETED, row.id)
        for player in (row.white, row.black):
            new = NewDelivery(
                kind=CHANNEL_DELETED,
                key=f"{row.id}-{row.revision}-{player}",
                guild=row.guild,
                channel=row.channel,
                game=row.id,
                revision=row.revision,
                player=player,
                route=DeliveryRoute.DM,
                data={"first": is_first},
            )
            with suppress(Conflict):
                await self._deliveries.add(new, at=self._now())
        unsent = await self._deliveries.unsent(row.id)
        boards = [delivery for delivery in unsent if delivery.kind == BOARD]
        await self._deliveries.mark_sent(boards, None, at=self._now())

    async def _end(self, row: GameRow) -> None:
        _log.info("game ended: channel deleted", game=row.id, channel=row.channel)
        await self._leaving.close(row.id, by=self._channels.own_id)
        await self._show_last_board(row)

    async def _show_last_board(self, row: GameRow) -> None:
        """Send an ended game's last board to where its players will see it.

        If that fails, the board stays unsent, and this is retried.
        """
        unsent = await self._deliveries.unsent(row.id)
        boards = [delivery for delivery in unsent if delivery.kind == BOARD]
        if not boards:
            return
        newest, now = boards[-1], self._now()
        if self._channels.sees(row.guild) and not await self._channels.is_gone(newest.channel):
            return  # it is already in the right place
        outdated = [delivery for delivery in unsent if delivery is not newest]
        if outdated:
            await self._deliveries.drop(outdated, at=now)
        parent = await self._deliveries.opened_in(row.id)
        if parent is None or parent == newest.channel or await self._channels.is_gone(parent):
            await self._notify_directly(row, newest)
            await self._deliveries.drop([newest], at=now)
        else:
            await self._deliveries.readdress(newest, parent, now=now)

    async def _notify_directly(self, row: GameRow, newest: Delivery) -> None:
        game, revision = newest.event_key
        last_revision = await self._deliveries.newest_announced(game, revision)
        after = ids.BEFORE_START if last_revision is None else last_revision
        update = await self._games.unannounced(game, revision, after)
        people = (user for user in (row.white, row.black) if not ids.is_team(user))
        for player in {*people} - {self._channels.own_id}:
            reader = await self._readers.for_direct_message(player)
            post = board(reader, update, parts=self._board_parts)
            await self._send_direct(player, post, f"{game}-{revision}-{player % 10_000}")

    async def _send_direct(self, player: ids.UserId, post: Post, nonce: str) -> None:
        try:
            await send_post(await self._channels.direct(player), post, nonce)
        except DISCORD_ERRORS as error:
            _log.info("direct message refused", error=str(error))
