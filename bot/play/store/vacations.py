"""Vacations of players: their clocks of games over days stand still."""

from collections.abc import Callable, Sequence
from datetime import datetime

from sqlalchemy import bindparam, delete, insert, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.base.ids import UserId
from bot.base.intervals import Interval
from bot.database.database import AnyRow, Database, lock, whole
from bot.play.store.schema.people import vacations
from bot.play.store.timers import wake

_of_player = (
    select(vacations)
    .where(
        vacations.c.player_id == bindparam("player"),
        vacations.c.ends_at > bindparam("since"),
    )
    .order_by(vacations.c.begins_at)
)
_insert = insert(vacations).values(
    player_id=bindparam("player"), begins_at=bindparam("begins"), ends_at=bindparam("ends")
)
_this_one = vacations.c.id == bindparam("vacation")
_shorten = update(vacations).where(_this_one).values(ends_at=bindparam("at"))
_remove = delete(vacations).where(_this_one)


class VacationTable:
    """The table of vacations."""

    def __init__(self, database: Database) -> None:
        self._database = database

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

        Args:
            player: Who goes.
            vacation: When.
            since: Vacations that end later than this are looked at, and returned.
            check: Raises what forbids it, by what the player has already. Nobody changes that
                meanwhile.
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
