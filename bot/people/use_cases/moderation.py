"""Use cases for moderators: block people, list a server's running games, and log their actions."""

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Final

from bot.base.ids import ChannelId, GuildId, UserId
from bot.database.delivery_rows import DeliveryKind, DeliveryRoute, NewDelivery
from bot.people.model import LOG_CHANNEL, BadBlock, BlockProblem, ModeratorAction, NotBlockedHere
from bot.people.store.moderation import ModerationTable
from bot.play.model.game import Game
from bot.play.model.terms import ServerBlock
from bot.play.store.store import Store
from bot.play.use_cases.game_cache import GameCache

SERVER_BLOCK: Final = DeliveryKind("server_block")
"""Kind of delivery for the notice that a moderator has blocked a person in a server."""
GAMES_PER_PAGE: Final = 10


class Moderation:
    """Use cases for moderators. The caller checks that the user is one."""

    def __init__(self, store: Store, game_cache: GameCache, *, now: Callable[[], datetime]) -> None:
        self._store, self._game_cache, self._now = store, game_cache, now
        self._table = store.queries(ModerationTable)

    async def block(
        self,
        guild: GuildId,
        channel: ChannelId,
        player: UserId,
        days: int,
        reason: str,
        action: ModeratorAction,
    ) -> ServerBlock:
        """Block a person in a server for some days, and notify them by direct message.

        Raises:
            BadBlock: if the person is the moderator.
        """
        if player == action.by:
            raise BadBlock(BlockProblem.YOURSELF)
        now = self._now()
        until = now + timedelta(days=days)
        block = ServerBlock(player=player, until=until, reason=" ".join(reason.split()))
        delivery = NewDelivery(
            kind=SERVER_BLOCK,
            key=f"{guild}-{player}-{int(now.timestamp() * 1000)}",
            guild=guild,
            channel=channel,
            player=player,
            route=DeliveryRoute.DM,
        )
        log = await self.log_channel(guild)
        await self._table.block(guild, block, delivery, action, log, at=now)
        return block

    async def unblock(self, guild: GuildId, player: UserId, action: ModeratorAction) -> None:
        """Lift a person's block.

        Raises:
            NotBlockedHere: if there is none.
        """
        log = await self.log_channel(guild)
        if not await self._table.unblock(guild, action, log, at=self._now()):
            raise NotBlockedHere(player)

    async def blocked(self, guild: GuildId) -> list[ServerBlock]:
        """Return the people blocked in a server."""
        return await self._store.server_blocks.all(guild, now=self._now())

    async def block_of(self, guild: GuildId, player: UserId) -> ServerBlock | None:
        """Return a person's block in a server, or None."""
        return next(
            iter(await self._store.server_blocks.find(guild, player, now=self._now())), None
        )

    async def running(self, guild: GuildId, page: int) -> tuple[list[Game], int]:
        """Return a page of a server's running games, newest first, and their total number."""
        rows = sorted(await self._store.games.running_in_guild(guild), key=lambda row: -row.id)
        page_rows = rows[page * GAMES_PER_PAGE :][:GAMES_PER_PAGE]
        return [await self._game_cache.existing(row.id) for row in page_rows], len(rows)

    async def log_channel(self, guild: GuildId) -> ChannelId | None:
        """Return the channel of a server's log, or None if it is off."""
        channel_id = (await self._store.guilds.rules(guild)).choice(LOG_CHANNEL)
        return None if channel_id is None else ChannelId(channel_id)

    async def log(self, guild: GuildId, action: ModeratorAction) -> None:
        """Log an action, if the server has a log."""
        if (log := await self.log_channel(guild)) is not None:
            await self._table.log(guild, action, log, at=self._now())
