"""Choices of people for themselves."""

from collections.abc import Awaitable, Callable, Iterator
from datetime import time
from typing import Any

from sqlalchemy import Boolean, bindparam, insert, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.base.ids import UserId
from bot.database.database import AnyRow, Database, whole
from bot.play.model.preferences import (
    AUTOMATIC,
    MENTIONS,
    Preferences,
    QuietHours,
    RemindAhead,
    RemindBy,
)
from bot.play.store.schema.people import players
from dvonn import Coordinates

_HOUR_MINUTES = 60

_of_player = select(players).where(players.c.player_id == bindparam("player"))
_locked = _of_player.with_for_update()  # SQLite has one writer at a time anyway
_insert = insert(players)
_update = update(players).where(players.c.player_id == bindparam("player"))
_AS_THEY_ARE = ("language", "theme")
"""Columns of a choice's name, empty at its default."""
_ALWAYS = {switch.key: switch.default for switch in (MENTIONS, AUTOMATIC)}
"""Columns that are filled at their default, too."""
Then = Callable[[AsyncConnection, Preferences, Preferences], Awaitable[None]]
"""Work done in the transaction of a change, with what was chosen before it and after it."""


class PlayerTable:
    """The table of what people have chosen."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def get(self, player: UserId) -> Preferences:
        """Return a player's choices, with the defaults for the rest."""
        return preferences_of(await self._database.first(_of_player, {"player": player}))

    @whole
    async def change(
        self, player: UserId, how: Callable[[Preferences], Preferences], then: Then | None = None
    ) -> Preferences:
        """Choose anew, from what was chosen before.

        Raises:
            Conflict: if the player has made their first choice at this moment elsewhere.
        """
        async with self._database.transaction() as connection:
            row = (await connection.execute(_locked, {"player": player})).first()
            before = preferences_of(row)
            chosen = how(before)
            values = _values(chosen)
            if row is None:
                await connection.execute(_insert, {"player_id": player, **values})
            else:
                await connection.execute(_update.values(values), {"player": player})
            if then is not None:
                await then(connection, before, chosen)
        return chosen


def preferences_of(row: AnyRow | None) -> Preferences:
    """Read a row of choices, with the defaults for the rest; None: nothing was chosen."""
    if row is None:
        return Preferences()
    switched = {
        name: on
        for name in _switches()
        if (on := getattr(row, name)) is not None and on != _ALWAYS.get(name)
    }
    chosen: dict[str, Any] = {"switched": switched}
    if row.zone is not None:
        chosen["zone"] = row.zone
    if row.quiet_from is not None:
        chosen["quiet"] = QuietHours(_time(row.quiet_from), _time(row.quiet_until))
    if row.remind_by is not None:
        chosen["remind_by"] = RemindBy(row.remind_by)
    if row.remind_at is not None:
        chosen["remind_at"] = frozenset(map(RemindAhead, row.remind_at.split()))
    if row.coordinates is not None:
        chosen["coordinates"] = Coordinates(row.coordinates)
    kept = {name: getattr(row, name) for name in _AS_THEY_ARE}
    chosen |= {name: value for name, value in kept.items() if value is not None}
    return Preferences(**chosen)


def _switches() -> Iterator[str]:
    """Yield the columns of switches, of their name and empty at their default."""
    return (column.name for column in players.c if isinstance(column.type, Boolean))


def _values(chosen: Preferences) -> dict[str, Any]:
    """Return the columns; defaults are left empty, should they change."""
    default = Preferences()
    return {
        **{name: chosen.switched.get(name, _ALWAYS.get(name)) for name in _switches()},
        "zone": None if chosen.zone == default.zone else chosen.zone,
        "quiet_from": None if chosen.quiet is None else _minutes(chosen.quiet.begins),
        "quiet_until": None if chosen.quiet is None else _minutes(chosen.quiet.ends),
        "remind_by": None if chosen.remind_by is default.remind_by else chosen.remind_by,
        "remind_at": (
            None
            if chosen.remind_at == default.remind_at
            else " ".join(ahead for ahead in RemindAhead if ahead in chosen.remind_at)
        ),
        "coordinates": None if chosen.coordinates is None else chosen.coordinates.value,
        **{
            name: None if (value := getattr(chosen, name)) == getattr(default, name) else value
            for name in _AS_THEY_ARE
        },
    }


def _minutes(of_day: time) -> int:
    return of_day.hour * _HOUR_MINUTES + of_day.minute


def _time(minutes: int) -> time:
    return time(*divmod(minutes, _HOUR_MINUTES))
