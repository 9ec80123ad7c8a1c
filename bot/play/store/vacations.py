"""Vacations of players: their clocks of games over days stand still."""

from collections.abc import Callable, Sequence
from datetime import datetime

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.base.ids import GuildId, UserId
from bot.base.intervals import Interval
from bot.connection.store import outages
from bot.database.database import AnyRow, Queries, lock, whole
from bot.database.schema import Instant
from bot.play.model.clock import Pauses
from bot.play.store.schema import vacations
from bot.play.store.timers import wake

_of_player = (
    sa.select(vacations)
    .where(
        vacations.c.player_id == sa.bindparam("player"),
        vacations.c.ends_at > sa.bindparam("since"),
    )
    .order_by(vacations.c.begins_at)
)
_insert = sa.insert(vacations).values(
    player_id=sa.bindparam("player"), begins_at=sa.bindparam("begins"), ends_at=sa.bindparam("ends")
)
_this_one = vacations.c.id == sa.bindparam("vacation")
_shorten = sa.update(vacations).where(_this_one).values(ends_at=sa.bindparam("at"))
_remove = sa.delete(vacations).where(_this_one)


class VacationTable(Queries):
    """The table of vacations."""

    async def of(self, player: UserId, since: datetime) -> list[Interval]:
        """Return a player's vacations that end after a moment, in order; future ones as well."""
        return _intervals(await self._database.all(_of_player, {"player": player, "since": since}))

    @whole
    async def add(
        self,
        player: UserId,
        vacation: Interval,
        *,
        since: datetime,
        check: Callable[[Sequence[Interval]], None],
    ) -> list[Interval]:
        """Write a vacation down; all that the player then has.

        Those that end after `since` are looked at, and returned. `check` raises what forbids it, by
        what the player has already; nobody changes that meanwhile.
        """
        async with self._database.transaction() as connection:
            taken = _intervals(await _locked(connection, player, since))
            check(taken)
            values = {"player": player, "begins": vacation.begins, "ends": vacation.ends}
            await connection.execute(_insert, values)
        return sorted([*taken, vacation], key=lambda one: one.begins)

    @whole
    async def end(self, player: UserId, at: datetime) -> Interval | None:
        """End the vacation that a player is on, or cancel the next one that is planned.

        Their games are looked at anew.

        Returns:
            The vacation as it was planned; None where there is none.
        """
        async with self._database.transaction() as connection:
            rows = await _locked(connection, player, at)
            if not rows:
                return None
            first = rows[0]
            if first.begins_at < at:
                await connection.execute(_shorten, {"vacation": first.id, "at": at})
            else:
                await connection.execute(_remove, {"vacation": first.id})
            await wake(connection, player, at)
        return _intervals([first])[0]


async def _locked(connection: AsyncConnection, player: UserId, since: datetime) -> Sequence[AnyRow]:
    """Return a player's vacations, which nobody else changes until the transaction's end."""
    await lock(connection, player)
    result = await connection.execute(_of_player, {"player": player, "since": since})
    return result.all()


def _intervals(rows: Sequence[AnyRow]) -> list[Interval]:
    return [Interval(begins=row.begins_at, ends=row.ends_at) for row in rows]


_NOBODY = UserId(0)
_LATER = sa.bindparam("since", type_=Instant)
_which = sa.union_all(
    sa.select(
        sa.cast(sa.null(), sa.BigInteger).label("player_id"),
        outages.c.shard_id,
        outages.c.shard_count,
        outages.c.began_at.label("begins_at"),
        outages.c.ended_at.label("ends_at"),
    ).where(outages.c.ended_at > _LATER),
    sa.select(
        vacations.c.player_id,
        sa.cast(sa.null(), sa.Integer),
        sa.cast(sa.null(), sa.Integer),
        vacations.c.begins_at,
        vacations.c.ends_at,
    ).where(
        vacations.c.player_id.in_((sa.bindparam("one"), sa.bindparam("other"))),
        vacations.c.ends_at > _LATER,
    ),
)


class PauseTable(Queries):
    """The tables of outages and of vacations, read together."""

    async def since(
        self, moment: datetime, guild: GuildId, players: tuple[UserId, UserId] | None
    ) -> Pauses:
        """Return the pauses that end later than a moment; those to come as well.

        Outages count of whichever shard the server was in; vacations those of the players, if any.
        """
        one, other = players or (_NOBODY, _NOBODY)
        about = {"since": moment, "one": one, "other": other}
        away: list[Interval] = []
        resting: dict[UserId, list[Interval]] = {}
        for row in await self._database.all(_which, about):
            pause = Interval(begins=row.begins_at, ends=row.ends_at)
            if row.player_id is not None:
                resting.setdefault(UserId(row.player_id), []).append(pause)
            elif (guild >> 22) % row.shard_count == row.shard_id:
                away.append(pause)
        return Pauses(away, resting)
