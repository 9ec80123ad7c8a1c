"""Reminders: each written once for a level of a turn, and sent once."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Any

from sqlalchemy import bindparam, func, insert, or_, select, update

from bot.model.ids import GameId, Shards, UserId
from bot.store import leases
from bot.store.database import AnyRow, Database, whole
from bot.store.schema import IS_RUNNING, games, reminders, timers
from bot.store.shards import in_shards, shard_parameters
from bot.store.timers import put_off

_MILLISECOND = timedelta(milliseconds=1)

_insert = insert(reminders)
_of_turn = select(func.min(reminders.c.left_ms)).where(
    reminders.c.game_id == bindparam("game"), reminders.c.turn_at == bindparam("turn")
)
_due = select(reminders).where(leases.due(reminders))
_soon = (
    select(timers.c.game_id, timers.c.due_at)
    .join_from(games, timers, timers.c.game_id == games.c.id)
    .where(
        IS_RUNNING,
        in_shards,
        or_(games.c.white_id == bindparam("player"), games.c.black_id == bindparam("player")),
        timers.c.due_at <= bindparam("until"),
    )
)
_release = leases.release(reminders)
_claim = leases.claim(reminders).values(batch=bindparam("new_batch"))
_begin = leases.begin(reminders)
_postpone = leases.postpone(reminders)
_drop = leases.drop(reminders)
_mark_sent = (
    update(reminders).where(reminders.c.id == bindparam("row")).values(sent_at=bindparam("at"))
)
_begin_anew = leases.postpone(reminders).values(way=bindparam("new_way"), batch=None, tries=0)


class Way(StrEnum):
    """How a reminder is sent."""

    CHANNEL = "channel"
    DM = "dm"
    INSTEAD = "instead"
    """In the channel, because the direct message did not arrive."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NewReminder:
    """What somebody is to be reminded of."""

    game: GameId
    player: UserId
    turn_at: datetime
    """When his turn began: that tells it from his other turns in this game."""
    left: timedelta
    """The level: so long before his time is up."""
    way: Way


@dataclass(frozen=True, slots=True, kw_only=True)
class ReminderRow:
    """One reminder to send."""

    id: int
    game: GameId
    player: UserId
    turn_at: datetime
    way: Way
    batch: int | None
    """The number of the message that tells of it, once it has been tried to send one."""
    tries: int
    tried_at: datetime
    """When sending it was last begun."""


class Reminders:
    """The table of reminders."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def last_level(self, game: GameId, turn_at: datetime) -> timedelta | None:
        """The lowest level of which a turn has been reminded; None before the first."""
        row = await self._database.first(_of_turn, {"game": game, "turn": turn_at})
        return None if row is None or row[0] is None else row[0] * _MILLISECOND

    @whole
    async def write(
        self, new: NewReminder, *, seen: datetime, look_at: datetime, now: datetime
    ) -> ReminderRow | None:
        """Write a reminder down and look at its game later: both or nothing.

        Args:
            new: The reminder.
            seen: When the game was to be looked at, as it was seen.
            look_at: When it is to be looked at again.
            now: When it is due: at once.

        Returns:
            What is to be sent; None where the timer has been set anew since it was seen.

        Raises:
            Conflict: if the turn has been reminded of this level.
        """
        values = {
            "game_id": new.game,
            "player_id": new.player,
            "turn_at": new.turn_at,
            "left_ms": new.left // _MILLISECOND,
            "way": new.way,
            "due_at": now,
            "tries": 0,
            "tried_at": now,
        }
        async with self._database.transaction() as connection:
            if not await put_off(connection, new.game, seen, look_at):
                return None
            result = await connection.execute(_insert, values)
            (number,) = result.inserted_primary_key or (0,)
        return ReminderRow(
            id=number,
            game=new.game,
            player=new.player,
            turn_at=new.turn_at,
            way=new.way,
            batch=None,
            tries=0,
            tried_at=now,
        )

    async def soon(self, player: UserId, shards: Shards, until: datetime) -> dict[GameId, datetime]:
        """A player's running games that are to be looked at until a moment, and when."""
        parameters = {"player": player, "until": until, **shard_parameters(shards)}
        rows = await self._database.all(_soon, parameters)
        return {GameId(row.game_id): row.due_at for row in rows}

    async def due(self, shards: Shards, now: datetime) -> list[ReminderRow]:
        """What is unsent of these shards and leased to nobody; what was tried least comes first."""
        rows = await self._database.all(_due, {"now": now, **shard_parameters(shards)})
        return [
            _row(row) for row in sorted(rows, key=lambda row: (row.tries, row.tried_at, row.id))
        ]

    async def release(self, shards: Shards, now: datetime) -> None:
        """End all leases on what is unsent of these shards, as when their process has died."""
        await self._database.change(_release, {"now": now, **shard_parameters(shards)})

    @whole
    async def claim(
        self, rows: Iterable[ReminderRow], *, batch: int, now: datetime, until: datetime
    ) -> list[ReminderRow]:
        """Lease rows that one message tells of; those that another process did not take before."""
        claimed = []
        async with self._database.transaction() as connection:
            for row in rows:
                parameters = {"row": row.id, "new_batch": batch, "now": now, "until": until}
                if (await connection.execute(_claim, parameters)).rowcount == 1:
                    claimed.append(row)
        return claimed

    async def begin(self, rows: Sequence[ReminderRow], *, at: datetime) -> None:
        """Begin to send rows again, of which it is known that no earlier try has sent them."""
        await self._change(_begin, rows, at=at)

    async def postpone(self, rows: Sequence[ReminderRow], *, until: datetime) -> None:
        """Try rows again later."""
        await self._change(_postpone, rows, until=until)

    async def begin_anew(self, rows: Sequence[ReminderRow], way: Way, *, until: datetime) -> None:
        """Tell of rows by another message, later and perhaps in another way."""
        await self._change(_begin_anew, rows, until=until, new_way=way)

    async def mark_sent(self, rows: Sequence[ReminderRow], *, at: datetime) -> None:
        """Remember that rows have been sent."""
        await self._change(_mark_sent, rows, at=at)

    async def drop(self, rows: Sequence[ReminderRow], *, at: datetime) -> None:
        """Give up rows that are needless by now."""
        await self._change(_drop, rows, at=at)

    async def _change(self, statement: Any, rows: Sequence[ReminderRow], **more: Any) -> None:
        if rows:
            await self._database.change(statement, [{"row": row.id, **more} for row in rows])


def _row(row: AnyRow) -> ReminderRow:
    return ReminderRow(
        id=row.id,
        game=GameId(row.game_id),
        player=UserId(row.player_id),
        turn_at=row.turn_at,
        way=Way(row.way),
        batch=row.batch,
        tries=row.tries,
        tried_at=row.tried_at,
    )
