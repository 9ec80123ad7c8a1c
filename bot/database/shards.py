"""The servers whose rows one process looks after."""

from typing import Any

from sqlalchemy import BigInteger, Column, ColumnElement, bindparam

from bot.base.ids import Shards


def guild_in_shards(guild: Column[int]) -> ColumnElement[bool]:
    """Return a condition on a table: its guild is in the shards of `shard_parameters`."""
    # Discord's own rule: (guild_id >> 22) % shard_count; written as a division it means the same
    # in every database.
    shard = guild // 2**22 % bindparam("shard_count", type_=BigInteger)
    return shard.in_(bindparam("shard_ids", expanding=True))


def shard_parameters(shards: Shards) -> dict[str, Any]:
    """Return the parameters of that condition."""
    return {"shard_count": shards.count, "shard_ids": shards.ids}
