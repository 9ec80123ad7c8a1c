"""Which games one process looks after."""

from typing import Any

from sqlalchemy import BigInteger, bindparam

from bot.store.rows import Shards
from bot.store.schema import games

# Discord's own rule: (guild_id >> 22) % shard_count; written as a division it means the same in
# every database.
in_shards = (games.c.guild_id // 2**22 % bindparam("shard_count", type_=BigInteger)).in_(
    bindparam("shard_ids", expanding=True)
)
"""A condition on games: their guilds are in the shards of `shard_parameters`."""


def shard_parameters(shards: Shards) -> dict[str, Any]:
    """The parameters of `in_shards`."""
    return {"shard_count": shards.count, "shard_ids": shards.ids}
