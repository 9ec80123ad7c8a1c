"""Timers for the next checks of running games, and vacations and other pauses of clocks."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

import sqlalchemy as sa
from sqlalchemy import bindparam, delete, insert, or_, select, update

from bot.base.ids import ChannelId, GameId, GuildId, Revision, Shards, TournamentId, UserId
from bot.base.zones import Interval
from bot.connection.store import outages
from bot.database.connection import AsyncConnection
from bot.database.database import AnyRow, Queries, guild_in_shards, lock, shard_parameters, shielded
from bot.database.deliveries import STUCK_FROM, insert_delivery
from bot.database.delivery_rows import (
    BOARD,
    THREAD,
    Delivery,
    DeliveryKind,
    NewDelivery,
    deliveries,
)
from bot.database.schema import Instant
from bot.play.model.pauses import NewVacation, Pause, PauseReason, Pauses
from bot.play.store.schema import IS_RUNNING, clock_stops, games, timers, vacations

_MAX_GAMES = 100
"""Maximum number of games per check."""

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
_due = (
    select(timers.c.game_id, timers.c.due_at)
    .where(timers.c.due_at <= bindparam("now"), guild_in_shards(timers.c.guild_id))
    .order_by(timers.c.due_at)
    .limit(_MAX_GAMES)
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
_wake_all = (
    update(timers)
    .where(guild_in_shards(timers.c.guild_id), timers.c.due_at > bindparam("now"))
    .values(due_at=bindparam("now"))
)
_wake_guild = (
    update(timers)
    .where(timers.c.guild_id == bindparam("guild"), timers.c.due_at > bindparam("now"))
    .values(due_at=bindparam("now"))
)
_wake_tournament = (
    update(timers)
    .where(
        timers.c.game_id.in_(
            select(games.c.id).where(IS_RUNNING, games.c.tournament_id == bindparam("tournament"))
        ),
        timers.c.due_at > bindparam("now"),
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
        """Return these shards' games with due timers, and the due times."""
        parameters = {"now": now, **shard_parameters(shards)}
        rows = await self._database.all(_due, parameters)
        return {GameId(row.game_id): row.due_at for row in rows}

    async def due_before(
        self, player: UserId, shards: Shards, until: datetime
    ) -> dict[GameId, datetime]:
        """Return a player's running games whose timers are due by a given time, in that order."""
        parameters = {"player": player, "until": until, **shard_parameters(shards)}
        rows = await self._database.all(_soon, parameters)
        in_order = sorted(rows, key=lambda row: (row.due_at, row.game_id))
        return {GameId(row.game_id): row.due_at for row in in_order}

    async def put_off(self, game: GameId, due_time: datetime, until: datetime) -> bool:
        """Postpone a game's check. Return False if its timer was changed after `due_time`."""
        parameters = {"game": game, "seen": due_time, "at": until}
        return await self._database.change(_put_off, parameters) == 1

    @shielded
    async def postpone_with_delivery(
        self, new: NewDelivery, *, due_time: datetime, next_check: datetime, at: datetime
    ) -> Delivery | None:
        """Queue a delivery and postpone the game's timer in one transaction.

        Return None if the timer was changed after `due_time`.

        Raises:
            Conflict: if the delivery is already queued.
        """
        parameters = {"game": new.game, "seen": due_time, "at": next_check}
        async with self._database.transaction() as connection:
            if (await connection.execute(_put_off, parameters)).rowcount != 1:
                return None
            return await insert_delivery(connection, new, at=at)

    async def remove(self, game: GameId) -> None:
        await self._database.change(_remove, {"game": game})

    async def wake_all(self, shards: Shards, now: datetime) -> None:
        """Make the timers of all games of some shards due now."""
        await self._database.change(_wake_all, {"now": now, **shard_parameters(shards)})

    async def wake_game(self, game: GameId, now: datetime) -> None:
        """Make a running game's timer due now."""
        await self._database.change(_set, {"game": game, "at": now})

    async def wake(self, player: UserId, now: datetime) -> None:
        """Make the timers of a player's running games due now."""
        await self._database.change(_wake, {"player": player, "now": now})


async def set_timer(
    connection: AsyncConnection, game: GameId, guild: GuildId, at: datetime | None
) -> None:
    """Set a game's timer in the transaction that changes the game. Remove it if `at` is None."""
    if at is None:
        await connection.execute(_remove, {"game": game})
        return
    parameters = {"game": game, "at": at}
    if (await connection.execute(_set, parameters)).rowcount == 0:
        await connection.execute(_insert, parameters | {"guild": guild})


async def wake_guild(connection: AsyncConnection, guild: GuildId, now: datetime) -> None:
    """Make the timers of all games of a server due when the transaction is committed."""
    await connection.execute(_wake_guild, {"guild": guild, "now": now})


async def wake_tournament(
    connection: AsyncConnection, tournament: TournamentId, now: datetime
) -> None:
    """Make the timers of all games of a tournament due when the transaction is committed."""
    await connection.execute(_wake_tournament, {"tournament": tournament, "now": now})


async def wake(connection: AsyncConnection, player: UserId, now: datetime) -> None:
    """Make the timers of a player's running games due when the transaction is committed."""
    await connection.execute(_wake, {"player": player, "now": now})


_of_player = (
    sa.select(vacations)
    .where(
        vacations.c.player_id == sa.bindparam("player"),
        vacations.c.ends_at > sa.bindparam("since"),
    )
    .order_by(vacations.c.begins_at)
)
_insert_vacation = sa.insert(vacations).values(
    player_id=sa.bindparam("player"), begins_at=sa.bindparam("begins"), ends_at=sa.bindparam("ends")
)
_this_vacation = vacations.c.id == sa.bindparam("vacation")
_shorten = sa.update(vacations).where(_this_vacation).values(ends_at=sa.bindparam("at"))
_remove_vacation = sa.delete(vacations).where(_this_vacation)


class VacationTable(Queries):
    """The table of vacations."""

    async def of_player(self, player: UserId, since: datetime) -> list[Interval]:
        """Return a player's current and future vacations, as of a given time, in order."""
        return _intervals(await self._database.all(_of_player, {"player": player, "since": since}))

    @shielded
    async def add(self, new: NewVacation, *, at: datetime) -> list[Interval]:
        """Add a vacation, and reset the timers of the player's games.

        Return all of the player's vacations that end after `new.since`.

        Raises:
            The same errors as `new.check`.
        """
        async with self._database.transaction() as connection:
            return await take_vacation(connection, new, at)

    @shielded
    async def end(self, player: UserId, at: datetime) -> Interval | None:
        """End the player's current vacation, or cancel the next one.

        Return it as it was planned.

        The timers of their games are reset. Return None if there is no vacation.
        """
        async with self._database.transaction() as connection:
            rows = await _lock_vacations(connection, player, at)
            if not rows:
                return None
            first = rows[0]
            if first.begins_at < at:
                await connection.execute(_shorten, {"vacation": first.id, "at": at})
            else:
                await connection.execute(_remove_vacation, {"vacation": first.id})
            await wake(connection, player, at)
        return _intervals([first])[0]


async def take_vacation(
    connection: AsyncConnection, new: NewVacation, at: datetime
) -> list[Interval]:
    """Add a vacation in a transaction, like `VacationTable.add`.

    No other transaction can change the player's vacations until this one ends.
    """
    vacations = _intervals(await _lock_vacations(connection, new.player, new.since))
    new.check(vacations)
    values = {"player": new.player, "begins": new.interval.begins, "ends": new.interval.ends}
    await connection.execute(_insert_vacation, values)
    await wake(connection, new.player, at)
    return sorted([*vacations, new.interval], key=lambda interval: interval.begins)


async def _lock_vacations(
    connection: AsyncConnection, player: UserId, since: datetime
) -> Sequence[AnyRow]:
    """Return a player's vacations and lock them until the end of the transaction."""
    await lock(connection, player)
    result = await connection.execute(_of_player, {"player": player, "since": since})
    return result.all()


def _intervals(rows: Sequence[AnyRow]) -> list[Interval]:
    return [Interval(begins=row.begins_at, ends=row.ends_at) for row in rows]


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardOfTurn:
    """The first board of a turn, in the channel of the player to move."""

    game: GameId
    revision: Revision
    """Revision that created the board. Later revisions of the same turn show it as well."""
    channel: ChannelId


_NOBODY = UserId(0)
_NO_BOARD = BoardOfTurn(game=GameId(0), revision=Revision(0), channel=ChannelId(0))
_ALL_SHARDS = 0
"""Shard count of a stop, which applies to a server in every shard."""
_SINCE = sa.bindparam("since", type_=Instant)
_pauses = sa.union_all(
    sa.select(
        sa.cast(sa.null(), sa.BigInteger).label("player_id"),
        outages.c.shard_id,
        outages.c.shard_count,
        outages.c.began_at.label("begins_at"),
        outages.c.ended_at.label("ends_at"),
        sa.cast(sa.null(), sa.Integer).label("tries"),
    ).where(outages.c.ended_at > _SINCE),
    sa.select(
        vacations.c.player_id,
        sa.cast(sa.null(), sa.Integer),
        sa.cast(sa.null(), sa.Integer),
        vacations.c.begins_at,
        vacations.c.ends_at,
        sa.cast(sa.null(), sa.Integer),
    ).where(
        vacations.c.player_id.in_((sa.bindparam("one"), sa.bindparam("other"))),
        vacations.c.ends_at > _SINCE,
    ),
    sa.select(
        sa.cast(sa.null(), sa.BigInteger),
        sa.literal(0),
        sa.literal(_ALL_SHARDS),
        clock_stops.c.begins_at,
        clock_stops.c.ends_at,
        sa.cast(sa.null(), sa.Integer),
    ).where(
        clock_stops.c.guild_id == sa.bindparam("guild"),
        sa.or_(
            clock_stops.c.tournament_id.is_(None),
            clock_stops.c.tournament_id == sa.bindparam("tournament"),
        ),
        clock_stops.c.ends_at > _SINCE,
    ),
    sa.select(
        sa.cast(sa.null(), sa.BigInteger),
        sa.cast(sa.null(), sa.Integer),
        sa.cast(sa.null(), sa.Integer),
        deliveries.c.created_at,
        deliveries.c.sent_at,
        deliveries.c.tries,
    ).where(
        deliveries.c.game_id == sa.bindparam("game"),
        deliveries.c.kind == BOARD,
        deliveries.c.revision >= sa.bindparam("revision"),
        deliveries.c.channel_id == sa.bindparam("channel"),
    ),
)


_MIN_DELAY = timedelta(minutes=1)
"""A delivery that takes longer than this counts as late."""
_unsent_since = sa.select(
    deliveries.c.game_id,
    deliveries.c.key,
    deliveries.c.kind,
    deliveries.c.created_at,
    sa.func.coalesce(deliveries.c.sent_at, deliveries.c.dropped_at).label("until"),
).where(
    sa.or_(
        sa.and_(
            deliveries.c.game_id.in_(sa.bindparam("games", expanding=True)),
            deliveries.c.kind.in_((BOARD, THREAD)),
        ),
        sa.and_(
            deliveries.c.key.in_(sa.bindparam("keys", expanding=True)),
            deliveries.c.kind == sa.bindparam("kind"),
        ),
    )
)


class PauseTable(Queries):
    """Reads the pauses in the tables of outages, vacations and unsent boards."""

    async def delays(
        self,
        games: Collection[GameId],
        kind: DeliveryKind,
        keys: Collection[str],
        *,
        now: datetime,
    ) -> list[tuple[GameId | str, Interval]]:
        """Return how long games waited for boards or threads, and how long other deliveries took.

        The other deliveries have this `kind`, and are identified by their keys. Deliveries that
        were sent immediately are left out.
        """
        parameters = {"games": list(games), "kind": kind, "keys": list(keys)}
        pauses = []
        for row in await self._database.all(_unsent_since, parameters):
            pause = Interval(begins=row.created_at, ends=row.until or now)
            if pause.ends - pause.begins >= _MIN_DELAY:
                pauses.append((row.key if row.kind == kind else GameId(row.game_id), pause))
        return pauses

    async def since(
        self,
        moment: datetime,
        guild: GuildId,
        players: tuple[UserId, UserId] | None,
        *,
        tournament: TournamentId | None = None,
        board: BoardOfTurn = _NO_BOARD,
        now: datetime,
    ) -> Pauses:
        """Return the pauses that end after a given time, including future ones.

        Outages count if they affected any shard that the server was in, vacations if a player of
        the game has them, and stops if they are the server's or the tournament's. An unsent board
        pauses the clock until now.
        """
        white, black = players or (_NOBODY, _NOBODY)
        parameters = {"since": moment, "one": white, "other": black}
        parameters |= {
            "guild": guild,
            "tournament": tournament,
            "game": board.game,
            "revision": board.revision,
            "channel": board.channel,
        }
        pauses: list[Pause] = []
        send_times: list[datetime | None] = []
        attempts = 0
        for row in await self._database.all(_pauses, parameters):
            if row.player_id is not None:
                reason, player = PauseReason.VACATION, UserId(row.player_id)
            elif row.shard_count is None:
                send_times.append(row.ends_at)
                attempts = max(attempts, row.tries)
                continue
            elif row.shard_count == _ALL_SHARDS:
                reason, player = PauseReason.STOPPED, None
            elif (guild >> 22) % row.shard_count != row.shard_id:
                continue
            else:
                reason, player = PauseReason.OUTAGE, None
            begins, ends = row.begins_at, row.ends_at
            pauses.append(Pause(begins=begins, ends=ends, reason=reason, player=player))
        if not send_times:  # its delivery has expired, or it is the machine's turn
            return Pauses(pauses)
        first = min((time for time in send_times if time is not None), default=None)
        is_waiting = first is None
        pauses.append(
            Pause(begins=moment, ends=first or now, reason=PauseReason.UNSENT, is_open=is_waiting)
        )
        return Pauses(pauses, is_first_send=is_waiting and attempts < STUCK_FROM)
