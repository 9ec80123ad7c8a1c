"""Stores moderators' actions until they are posted in a server's log, and changes blocks."""

from datetime import datetime
from typing import Any

import sqlalchemy as sa

from bot.base.ids import ChannelId, GuildId, UserId
from bot.database.connection import AsyncConnection
from bot.database.database import Queries, insert_row, shielded
from bot.database.deliveries import insert_delivery
from bot.database.delivery_rows import DeliveryKind, NewDelivery
from bot.database.schema import Instant, RetentionRule, RowId, metadata
from bot.people.model import ModeratorAction
from bot.play.model.terms import ServerBlock
from bot.play.store.server_blocks import lift_block, set_block

MODERATOR_ACTION = DeliveryKind("moderator_act")
"""Kind of delivery for moderators' actions in the log channel. Its key is the action's id."""

# What moderators and organizers did. A moderator's row is deleted once its message is sent.
acts = sa.Table(
    "acts",
    metadata,
    sa.Column("id", RowId, primary_key=True),
    sa.Column("guild_id", sa.BigInteger, nullable=False),
    sa.Column("tournament_id", sa.BigInteger),  # an organizer's
    sa.Column("by_id", sa.BigInteger, nullable=False),
    sa.Column("player_id", sa.BigInteger),  # the person affected, if any
    sa.Column("kind", sa.String(32), nullable=False),  # a moderator's subcommand of /setup
    sa.Column("options", sa.JSON, nullable=False),  # names and values
    sa.Column("at", Instant, nullable=False),
    sa.Index("ix_acts_guild", "guild_id"),
    sa.Index("ix_acts_by", "by_id"),
    sa.Index("ix_acts_player", "player_id"),
    sa.Index("ix_acts_tournament", "tournament_id", "id"),
    info=RetentionRule(shows_server=True).info,
    sqlite_autoincrement=True,  # deliveries refer to an action by its id, so ids are never reused
)
_insert = sa.insert(acts)
_get = sa.select(acts).where(acts.c.id == sa.bindparam("act"))
_delete = sa.delete(acts).where(acts.c.id == sa.bindparam("act"))


class ModerationTable(Queries):
    """The table of moderators' actions, and changes to blocks."""

    @shielded
    async def log(
        self, guild: GuildId, action: ModeratorAction, channel: ChannelId, *, at: datetime
    ) -> None:
        """Store an action, and queue its message in the log's channel."""
        async with self._database.transaction() as connection:
            await _store_action(connection, guild, action, channel, at)

    @shielded
    async def block(
        self,
        guild: GuildId,
        block: ServerBlock,
        delivery: NewDelivery,
        action: ModeratorAction,
        log: ChannelId | None,
        *,
        at: datetime,
    ) -> None:
        """Block a person, notify them, and log the block if the server has a log."""
        async with self._database.transaction() as connection:
            await set_block(connection, guild, block)
            await insert_delivery(connection, delivery, at=at)
            if log is not None:
                await _store_action(connection, guild, action, log, at)

    @shielded
    async def unblock(
        self, guild: GuildId, action: ModeratorAction, log: ChannelId | None, *, at: datetime
    ) -> bool:
        """Lift a person's block, and log that. Return False if the person wasn't blocked."""
        async with self._database.transaction() as connection:
            assert action.player is not None  # the caller names one # noqa: S101
            if not await lift_block(connection, guild, action.player):
                return False
            if log is not None:
                await _store_action(connection, guild, action, log, at)
        return True

    async def action(self, number: int) -> ModeratorAction | None:
        row = await self._database.first(_get, {"act": number})
        if row is None:
            return None
        return ModeratorAction(
            by=UserId(row.by_id),
            player=None if row.player_id is None else UserId(row.player_id),
            command=row.kind,
            options=tuple((name, value) for name, value in row.options),
        )

    async def delete(self, number: int) -> None:
        await self._database.change(_delete, {"act": number})


async def _store_action(
    connection: AsyncConnection,
    guild: GuildId,
    action: ModeratorAction,
    channel: ChannelId,
    at: datetime,
) -> None:
    values: dict[str, Any] = {
        "guild_id": guild,
        "by_id": action.by,
        "player_id": action.player,
        "kind": action.command,
        "options": [list(option) for option in action.options],
        "at": at,
    }
    number = await insert_row(connection, _insert, values)
    row = NewDelivery(kind=MODERATOR_ACTION, key=str(number), guild=guild, channel=channel)
    await insert_delivery(connection, row, at=at)
