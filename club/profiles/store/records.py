"""Results of users' games by color and kind of start, counted when each game ends.

Games count only if they have a result, are not decided by votes, and don't start from a chosen
position. A user's games are counted per server, and as guild 0 for all servers.
"""

from datetime import datetime
from functools import cache
from importlib import import_module
from typing import Any, Final

import sqlalchemy as sa

from bot.base.ids import DELETED_USER, GuildId, UserId
from bot.database.connection import AsyncConnection
from bot.database.database import Queries
from bot.play.game_changes import BoardAddition, GameChange, GameHook, TransactionStep
from bot.play.model.game import GameRow
from bot.play.model.terms import EndReason, Outcome, Start
from bot.play.store.schema import games
from club.profiles.model import ALL_SERVERS, Results, Score
from club.profiles.schema import records
from dvonn import Color

_SEATS: Final = ((games.c.white_id, Color.WHITE), (games.c.black_id, Color.BLACK))
_LARGEST_DELETED_ID: Final = max(DELETED_USER.values())
"""Highest id that replaces deleted users. Users have higher ids, and teams have negative ones."""
_KEY: Final = [column.name for column in records.primary_key.columns]
_COUNTS: Final = ("won", "drawn", "lost")

_of_player = sa.select(records).where(
    records.c.guild_id == sa.bindparam("pool"), records.c.player_id == sa.bindparam("player")
)
_known = (
    sa.select(records.c.player_id)
    .where(
        records.c.guild_id == sa.bindparam("guild"),
        records.c.player_id.in_(sa.bindparam("players", expanding=True)),
    )
    .distinct()
)


def _insert(dialect: str) -> Any:
    """Return an INSERT that supports an ON CONFLICT clause."""
    # Imported only when needed, because each dialect takes a while, and a host needs only one.
    return import_module(f"sqlalchemy.dialects.{dialect}").insert(records)


@cache
def _adding(dialect: str) -> Any:
    """Return the statement that inserts a row, or adds its counts to an existing one."""
    insert = _insert(dialect)
    new_values = {name: records.c[name] + insert.excluded[name] for name in _COUNTS}
    new_values["last_at"] = insert.excluded.last_at
    return insert.on_conflict_do_update(index_elements=_KEY, set_=new_values)


class RecordTable(Queries):
    """Queries about people's results."""

    async def results_of(self, player: UserId, pool: GuildId) -> list[Results]:
        """Return a player's results in a server, or in all of them with `ALL_SERVERS`."""
        rows = await self._database.all(_of_player, {"pool": pool, "player": player})
        return [
            Results(
                machine=row.machine,
                colour=Color(row.colour),
                start=Start(row.start).today,
                score=Score(row.won, row.drawn, row.lost),
            )
            for row in rows
        ]

    async def known_players(self, players: list[UserId], guild: GuildId) -> set[UserId]:
        """Return the players who have finished a game in a server."""
        rows = await self._database.all(_known, {"guild": guild, "players": players})
        return {UserId(row.player_id) for row in rows}


class RecordHook(GameHook):
    """Counts the results of games."""

    async def on_end(self, change: GameChange) -> TransactionStep | None:
        outcome = change.after.outcome
        assert outcome is not None  # it has ended  # noqa: S101

        async def put(connection: AsyncConnection, row: GameRow) -> BoardAddition | None:
            await count(connection, row, outcome, change.at)
            return None

        return put


async def count(connection: AsyncConnection, row: GameRow, outcome: Outcome, at: datetime) -> None:
    """Count an ended game for its players, in the transaction that ends it."""
    is_own = row.continues is None and row.vote is None and row.start is not Start.POSITION
    if not outcome.has_result or not is_own:
        return
    rows = [
        {
            "guild_id": pool,
            "player_id": player,
            "machine": row.machine is not None,
            "colour": colour.value,
            "start": row.start.value,
            "won": int(outcome.winner is colour),
            "drawn": int(outcome.is_draw),
            "lost": int(outcome.winner is colour.opponent),
            "last_at": at,
        }
        for player, colour in ((row.white, Color.WHITE), (row.black, Color.BLACK))
        for pool in {ALL_SERVERS, row.guild}
        if player > _LARGEST_DELETED_ID and player != row.machine
    ]
    if rows:
        # Locks are always taken in this order, so that two ending games can't deadlock.
        rows.sort(key=lambda row: (row["guild_id"], row["player_id"]))
        await connection.execute(_adding(connection.dialect.name), rows)


async def recount(connection: AsyncConnection, *, repair: bool) -> int:
    """Recount all games in a transaction.

    Return the number of missing or wrong rows.

    It reads every game. If retention has anonymized some games, their counts can no longer be
    verified, so counts are only increased.
    """
    some_anonymous = sa.select(games.c.id).where(games.c.anonymous_at.is_not(None)).limit(1)
    is_whole = (await connection.execute(some_anonymous)).first() is None
    counts = _counted()
    same_key = sa.and_(*(records.c[name] == counts.c[name] for name in _KEY))
    differs = [
        records.c[name] != counts.c[name] if is_whole else records.c[name] < counts.c[name]
        for name in _COUNTS
    ]
    wrong = (
        sa.select(sa.func.count())
        .select_from(counts.outerjoin(records, same_key))
        .where(sa.or_(records.c.guild_id.is_(None), *differs))
    )
    wrong_rows = int((await connection.execute(wrong)).scalar_one())
    if is_whole:
        left_over = sa.select(sa.func.count()).where(~sa.exists(sa.select(counts).where(same_key)))
        wrong_rows += int((await connection.execute(left_over.select_from(records))).scalar_one())
    if repair and wrong_rows:
        if is_whole:
            await connection.execute(sa.delete(records))
        insert = _insert(connection.dialect.name)
        new_values = {
            name: sa.case(
                (records.c[name] < insert.excluded[name], insert.excluded[name]),
                else_=records.c[name],
            )
            for name in (*_COUNTS, "last_at")
        }
        # Without a condition SQLite would parse the next clause as part of a join.
        rows = insert.from_select([*_KEY, *_COUNTS, "last_at"], sa.select(counts).where(sa.true()))
        await connection.execute(rows.on_conflict_do_update(index_elements=_KEY, set_=new_values))
    return wrong_rows


def _counted() -> sa.Subquery:
    """Return a subquery of the games' results, with the table's columns."""
    seats = [
        _results(seat, colour, pool)
        for pool in (games.c.guild_id, sa.literal(ALL_SERVERS, sa.BigInteger))
        for seat, colour in _SEATS
    ]
    seat_results = sa.union_all(*seats).subquery()
    key = [seat_results.c[name] for name in _KEY]
    sums = [sa.cast(sa.func.sum(seat_results.c[name]), sa.Integer).label(name) for name in _COUNTS]
    return (
        sa.select(*key, *sums, sa.func.max(seat_results.c.ended_at).label("last_at"))
        .group_by(*key)
        .subquery()
    )


def _results(
    seat: sa.ColumnElement[int], colour: Color, pool: sa.ColumnElement[int]
) -> sa.Select[Any]:
    """Select each game's result for the player in a seat."""
    has_won = games.c.winner == sa.literal(colour.value, sa.String(1))
    counts = sa.and_(
        games.c.outcome != sa.literal(EndReason.ABORT.value, sa.String(11)),
        games.c.continues_id.is_(None),
        games.c.vote_s.is_(None),
        games.c.start != sa.literal(Start.POSITION.value, sa.String(9)),
        seat > _LARGEST_DELETED_ID,
        seat != sa.func.coalesce(games.c.machine_id, sa.literal(0, sa.BigInteger)),
        *(() if pool is not games.c.guild_id else (games.c.guild_id != ALL_SERVERS,)),
    )
    return sa.select(
        pool.label("guild_id"),
        seat.label("player_id"),
        games.c.machine_id.is_not(None).label("machine"),
        sa.literal(colour.value, sa.String(1)).label("colour"),
        games.c.start,
        sa.case((has_won, 1), else_=0).label("won"),
        sa.case((games.c.winner.is_(None), 1), else_=0).label("drawn"),
        sa.case((~has_won, 1), else_=0).label("lost"),
        games.c.ended_at,
    ).where(counts)
