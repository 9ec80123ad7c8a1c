"""Moderators' blocks of people in their servers."""

from collections.abc import Iterable
from datetime import datetime

from sqlalchemy import bindparam, delete, insert, select

from bot.base.ids import GuildId, UserId
from bot.database.connection import AsyncConnection
from bot.database.database import AnyRow, Queries
from bot.play.model.terms import ServerBlock
from bot.play.store.schema import server_blocks

_HERE = server_blocks.c.guild_id == bindparam("guild")
_VALID = server_blocks.c.until_at > bindparam("now")
_all = select(server_blocks).where(_HERE, _VALID).order_by(server_blocks.c.player_id)
_OF_PLAYER = server_blocks.c.player_id == bindparam("player")
_of_player = _all.where(_OF_PLAYER)
_remove = delete(server_blocks).where(_HERE, _OF_PLAYER)
_insert = insert(server_blocks)
_delete_expired = delete(server_blocks).where(server_blocks.c.until_at <= bindparam("now"))


class ServerBlockTable(Queries):
    """The table of moderators' blocks. Expired blocks are ignored."""

    async def all(self, guild: GuildId, *, now: datetime) -> list[ServerBlock]:
        return as_blocks(await self._database.all(_all, {"guild": guild, "now": now}))

    async def find(self, guild: GuildId, player: UserId, *, now: datetime) -> list[ServerBlock]:
        """Return a list with a player's block in a server, or an empty list."""
        parameters = {"guild": guild, "player": player, "now": now}
        return as_blocks(await self._database.all(_of_player, parameters))

    async def delete_expired(self, *, now: datetime) -> None:
        """Delete blocks that have ended."""
        await self._database.change(_delete_expired, {"now": now})


async def set_block(connection: AsyncConnection, guild: GuildId, block: ServerBlock) -> None:
    """Store a block in a transaction, replacing an earlier one of the same person."""
    await lift_block(connection, guild, block.player)
    values = {"guild_id": guild, "player_id": block.player, "reason": block.reason}
    await connection.execute(_insert, {**values, "until_at": block.until})


async def lift_block(connection: AsyncConnection, guild: GuildId, player: UserId) -> bool:
    """Delete a block in a transaction. Return False if there is none."""
    result = await connection.execute(_remove, {"guild": guild, "player": player})
    return result.rowcount != 0


def as_blocks(rows: Iterable[AnyRow]) -> list[ServerBlock]:
    """Return the distinct blocks in rows."""
    blocks = {
        UserId(row.player_id): ServerBlock(
            player=UserId(row.player_id), until=row.until_at, reason=row.reason
        )
        for row in rows
    }
    return list(blocks.values())
