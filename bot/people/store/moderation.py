"""Stores moderators' acts until they are posted in a server's log, and changes blocks."""

from datetime import datetime
from typing import Any

import sqlalchemy as sa

from bot.base.ids import ChannelId, GuildId, UserId
from bot.database.connection import AsyncConnection
from bot.database.database import Queries, insert_row, shielded
from bot.database.deliveries import insert_delivery
from bot.database.delivery_rows import DeliveryKind, NewDelivery
from bot.database.schema import Instant, RetentionRule, RowId, metadata
from bot.people.model import ModeratorAct
from bot.play.model.terms import ServerBlock
from bot.play.store.server_blocks import lift_block, set_block

MODERATOR_ACT = DeliveryKind("moderator_act")
"""Kind of delivery: a moderator's action, posted to the log channel. Its key is the action's id."""

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
    sqlite_autoincrement=True,  # deliveries refer to an act by its id, so ids are never reused
)
_insert = sa.insert(acts)
_get = sa.select(acts).where(acts.c.id == sa.bindparam("act"))
_forget = sa.delete(acts).where(acts.c.id == sa.bindparam("act"))


class ModerationTable(Queries):
    """The table of moderators' acts, and changes of blocks."""

    @shielded
    async def note(
        self, guild: GuildId, act: ModeratorAct, channel: ChannelId, *, at: datetime
    ) -> None:
        """Store an act, and queue its message in the log's channel."""
        async with self._database.transaction() as connection:
            await _note(connection, guild, act, channel, at)

    @shielded
    async def block(
        self,
        guild: GuildId,
        block: ServerBlock,
        delivery: NewDelivery,
        act: ModeratorAct,
        log: ChannelId | None,
        *,
        at: datetime,
    ) -> None:
        """Block a person, notify them, and log the block if the server has a log."""
        async with self._database.transaction() as connection:
            await set_block(connection, guild, block)
            await insert_delivery(connection, delivery, at=at)
            if log is not None:
                await _note(connection, guild, act, log, at)

    @shielded
    async def unblock(
        self, guild: GuildId, act: ModeratorAct, log: ChannelId | None, *, at: datetime
    ) -> bool:
        """Lift a person's block, and log that. Return False if the person wasn't blocked."""
        async with self._database.transaction() as connection:
            assert act.player is not None  # the caller names one # noqa: S101
            if not await lift_block(connection, guild, act.player):
                return False
            if log is not None:
                await _note(connection, guild, act, log, at)
        return True

    async def act(self, number: int) -> ModeratorAct | None:
        row = await self._database.first(_get, {"act": number})
        if row is None:
            return None
        return ModeratorAct(
            by=UserId(row.by_id),
            player=None if row.player_id is None else UserId(row.player_id),
            command=row.kind,
            options=tuple((name, value) for name, value in row.options),
        )

    async def forget(self, number: int) -> None:
        await self._database.change(_forget, {"act": number})


async def _note(
    connection: AsyncConnection, guild: GuildId, act: ModeratorAct, channel: ChannelId, at: datetime
) -> None:
    values: dict[str, Any] = {
        "guild_id": guild,
        "by_id": act.by,
        "player_id": act.player,
        "kind": act.command,
        "options": [list(option) for option in act.options],
        "at": at,
    }
    number = await insert_row(connection, _insert, values)
    row = NewDelivery(kind=MODERATOR_ACT, key=str(number), guild=guild, channel=channel)
    await insert_delivery(connection, row, at=at)
