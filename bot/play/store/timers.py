"""Times of the next looks at running games: a reminder may be due, or a time be up."""

from datetime import datetime

from sqlalchemy import bindparam, delete, insert, or_, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.base.ids import GameId, GuildId, Shards, UserId
from bot.database.database import Queries, guild_in_shards, shard_parameters, whole
from bot.database.deliveries import put
from bot.database.delivery_rows import Delivery, NewDelivery
from bot.play.store.schema import IS_RUNNING, games, timers

_MOST = 100
"""Number of games that are looked at in one go."""

_this_game = timers.c.game_id == bindparam("game")
_set = update(timers).where(_this_game).values(due_at=bindparam("at"))
_insert = insert(timers).values(
    game_id=bindparam("game"), guild_id=bindparam("guild"), due_at=bindparam("at")
)
_remove = delete(timers).where(_this_game)
_put_off = (
    update(timers)
    .where(_this_game, timers.c.due_at == bindparam("seen"))
    .values(due_at=bindparam("at"))
)
_no_sooner = _set.where(timers.c.due_at < bindparam("at"))
_due = (
    select(timers.c.game_id, timers.c.due_at)
    .where(timers.c.due_at <= bindparam("now"), guild_in_shards(timers.c.guild_id))
    .order_by(timers.c.due_at)
    .limit(_MOST)
)
_wake = (
    update(timers)
    .where(
        timers.c.game_id.in_(
            select(games.c.id).where(
                IS_RUNNING,
                or_(
                    games.c.white_id == bindparam("player"), games.c.black_id == bindparam("player")
                ),
            )
        )
    )
    .values(due_at=bindparam("now"))
)
_soon = (
    select(timers.c.game_id, timers.c.due_at)
    .join_from(games, timers, timers.c.game_id == games.c.id)
    .where(
        IS_RUNNING,
        guild_in_shards(games.c.guild_id),
        or_(games.c.white_id == bindparam("player"), games.c.black_id == bindparam("player")),
        timers.c.due_at <= bindparam("until"),
    )
)


class TimerTable(Queries):
    """The table of timers."""

    async def due(self, shards: Shards, now: datetime) -> dict[GameId, datetime]:
        """Return the games of these shards that are to be looked at now, and since when."""
        parameters = {"now": now, **shard_parameters(shards)}
        rows = await self._database.all(_due, parameters)
        return {GameId(row.game_id): row.due_at for row in rows}

    async def soon(self, player: UserId, shards: Shards, until: datetime) -> dict[GameId, datetime]:
        """Return a player's running games to be looked at until a moment, with times, in order."""
        parameters = {"player": player, "until": until, **shard_parameters(shards)}
        rows = await self._database.all(_soon, parameters)
        in_order = sorted(rows, key=lambda row: (row.due_at, row.game_id))
        return {GameId(row.game_id): row.due_at for row in in_order}

    async def put_off(self, game: GameId, seen: datetime, until: datetime) -> bool:
        """Look at a game later; False where its timer has been set anew since it was seen."""
        parameters = {"game": game, "seen": seen, "at": until}
        return await self._database.change(_put_off, parameters) == 1

    @whole
    async def put_off_and_tell(
        self, new: NewDelivery, *, seen: datetime, look_at: datetime, at: datetime
    ) -> Delivery | None:
        """Write something down of a game that is due, and look at the game later: both or nothing.

        Returns:
            What is to be sent; None where the timer has been set anew since it was seen.

        Raises:
            Conflict: if that has been written down before.
        """
        parameters = {"game": new.game, "seen": seen, "at": look_at}
        async with self._database.transaction() as connection:
            if (await connection.execute(_put_off, parameters)).rowcount != 1:
                return None
            return await put(connection, new, at=at)

    async def no_sooner(self, game: GameId, at: datetime) -> None:
        """Look at a game not before a moment."""
        await self._database.change(_no_sooner, {"game": game, "at": at})

    async def remove(self, game: GameId) -> None:
        await self._database.change(_remove, {"game": game})

    async def wake(self, player: UserId, now: datetime) -> None:
        """Look at all running games of a player at once."""
        await self._database.change(_wake, {"player": player, "now": now})


async def set_timer(
    connection: AsyncConnection, game: GameId, guild: GuildId, at: datetime | None
) -> None:
    """Set a game's timer within the transaction that changes the game; None: it needs none."""
    if at is None:
        await connection.execute(_remove, {"game": game})
        return
    parameters = {"game": game, "at": at}
    if (await connection.execute(_set, parameters)).rowcount == 0:
        await connection.execute(_insert, parameters | {"guild": guild})


async def wake(connection: AsyncConnection, player: UserId, now: datetime) -> None:
    """Look at all running games of a player at once, after a transaction."""
    await connection.execute(_wake, {"player": player, "now": now})
