"""Recent pings between people, and whether one of a pair has blocked the other."""

from datetime import datetime

from sqlalchemy import Exists, bindparam, delete, exists, insert, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.base.ids import UserId
from bot.database.database import Queries, lock
from bot.database.schema import Instant
from bot.play.model.conduct import Pair, Ping, PingKind
from bot.play.store.schema import blocks, pings


def _block(player: str, blocked: str) -> Exists:
    return exists().where(
        blocks.c.player_id == bindparam(player), blocks.c.blocked_id == bindparam(blocked)
    )


_of_pair = (
    pings.c.by_id == bindparam("by"),
    pings.c.to_id == bindparam("to"),
    pings.c.kind == bindparam("what"),
)
_pair = select(
    _block("by", "to").label("blocks"),
    _block("to", "by").label("blocked"),
    select(pings.c.counted_until).where(*_of_pair).scalar_subquery().label("counted_until"),
)
_insert = insert(pings)
_count = update(pings).where(*_of_pair).values(counted_until=bindparam("until", type_=Instant))
_forget = delete(pings).where(*_of_pair)
_forget_old = delete(pings).where(pings.c.counted_until <= bindparam("now"))


class PingTable(Queries):
    """The table of who has pinged whom."""

    async def forget(self, *, now: datetime) -> None:
        await self._database.change(_forget_old, {"now": now})


async def check_in(connection: AsyncConnection, ping: Ping) -> None:
    """See within a transaction that one may ping another, and count it.

    Raises:
        Whatever the ping's check raises.
    """
    await lock(connection, min(ping.by, ping.to))
    there = _names(ping.by, ping.to, ping.kind)
    row = (await connection.execute(_pair, there)).one()
    until = ping.check(
        Pair(
            blocks=bool(row.blocks),
            blocked=bool(row.blocked),
            counted_until=row.counted_until,
        )
    )
    if until is not None:
        counted = await connection.execute(_count, {**there, "until": until})
        if counted.rowcount == 0:
            values = {"by_id": ping.by, "to_id": ping.to, "kind": ping.kind}
            await connection.execute(_insert, {**values, "counted_until": until})
    if ping.welcomes:
        await connection.execute(_forget, _names(ping.to, ping.by, ping.kind))


def _names(by: UserId, to: UserId, kind: PingKind) -> dict[str, object]:
    return {"by": by, "to": to, "what": kind}
