"""Pauses of a game's clocks: the bot's outages and its players' vacations.

Each move asks for both, so they are one statement: a small one costs mostly its way there and back.
"""

from datetime import datetime

from sqlalchemy import BigInteger, Integer, bindparam, cast, null, select, union_all

from bot.base.ids import GuildId, UserId
from bot.base.intervals import Interval
from bot.connection.store.schema import outages
from bot.database.columns import Instant
from bot.database.database import Database
from bot.play.model.clock import Pauses
from bot.play.store.schema.people import vacations

_NOBODY = UserId(0)
_LATER = bindparam("since", type_=Instant)
_which = union_all(
    select(
        cast(null(), BigInteger).label("player_id"),
        outages.c.shard_id,
        outages.c.shard_count,
        outages.c.began_at.label("begins_at"),
        outages.c.ended_at.label("ends_at"),
    ).where(outages.c.ended_at > _LATER),
    select(
        vacations.c.player_id,
        cast(null(), Integer),
        cast(null(), Integer),
        vacations.c.begins_at,
        vacations.c.ends_at,
    ).where(
        vacations.c.player_id.in_((bindparam("one"), bindparam("other"))),
        vacations.c.ends_at > _LATER,
    ),
)


class PauseTable:
    """The tables of outages and of vacations, read together."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def since(
        self, moment: datetime, guild: GuildId, players: tuple[UserId, UserId] | None
    ) -> Pauses:
        """Return the pauses that end later than a moment; those to come as well.

        Args:
            moment: When.
            guild: Where: outages count of whichever shard it was in.
            players: Whose vacations count, if anybody's do.
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
