"""Deletes rows whose retention time has passed, in small transactions.

Each transaction deletes so few rows that players don't notice, and none repeats finished work.
"""

from collections import Counter
from collections.abc import Iterator
from datetime import datetime
from typing import Any, Final

import sqlalchemy as sa

from bot.base.ids import DELETED_USER, NO_GUILD, GameId, GuildId, Shards, is_team
from bot.base.retention import DeletedKind
from bot.database.database import Queries, guild_in_shards, lock, shard_parameters, shielded
from bot.database.delivery_rows import deliveries
from bot.database.schema import metadata, retention_rule
from bot.people.store.privacy import CLEARING, PEOPLE
from bot.play.store import schema
from dvonn import Color

_BATCH_SIZE: Final = 500
"""Maximum number of rows deleted in one transaction."""
_GAME_BATCH_SIZE: Final = 50
"""Maximum number of games anonymized in one transaction. Each has about 80 events."""

_UNTIL: Final[sa.BindParameter[Any]] = sa.bindparam("until")
_GAME: Final[sa.BindParameter[Any]] = sa.bindparam("game")
_GUILD: Final[sa.BindParameter[Any]] = sa.bindparam("guild")

_CLOSED = sa.and_(
    schema.challenges.c.answered_at.is_not(None), schema.challenges.c.game_id.is_(None)
)
_SEATS = (
    schema.games.c.id,
    schema.games.c.white_id,
    schema.games.c.black_id,
    schema.games.c.machine_id,
)
_expired_games = (
    sa.select(*_SEATS)
    .where(schema.IS_NAMED, schema.games.c.ended_at <= _UNTIL)
    .order_by(schema.games.c.ended_at)
    .limit(_GAME_BATCH_SIZE)
)
_games_of_server = (
    sa.select(*_SEATS)
    .where(schema.IS_NAMED, schema.games.c.guild_id == _GUILD, schema.games.c.visiting.is_not(True))
    .limit(_GAME_BATCH_SIZE)
)


def _stand_in_for(column: sa.ColumnElement[int], *, else_: Any) -> sa.ColumnElement[int]:
    """Return the new value of a column with users. The machine and teams stay."""
    return sa.case(
        (column == sa.bindparam("white"), sa.bindparam("new_white", type_=sa.BigInteger)),
        (column == sa.bindparam("black"), sa.bindparam("new_black", type_=sa.BigInteger)),
        else_=else_,
    )


_anonymize_events = (
    sa.update(schema.events)
    .where(schema.events.c.game_id == _GAME)
    .values(
        actor_id=_stand_in_for(schema.events.c.actor_id, else_=DELETED_USER[None]), source_id=None
    )
)
_anonymize_challenge = (
    sa.update(schema.challenges)
    .where(schema.challenges.c.game_id == _GAME)
    .values(
        {
            side: _stand_in_for(side, else_=side)
            for side in (schema.challenges.c.challenger_id, schema.challenges.c.opponent_id)
        }
    )
)
_delete_rematches = sa.delete(schema.challenges).where(
    schema.challenges.c.rematch_of == _GAME, _CLOSED
)
_anonymize_game = (
    sa.update(schema.games)
    .where(schema.games.c.id == _GAME)
    .values(
        white_id=sa.bindparam("new_white"),
        black_id=sa.bindparam("new_black"),
        anonymous_at=sa.bindparam("moment"),
    )
)

# Ordered by id, which is also the order of time, so no index is needed.
_page = (
    sa.select(
        deliveries.c.id,
        deliveries.c.created_at,
        sa.and_(
            sa.or_(deliveries.c.sent_at.is_not(None), deliveries.c.dropped_at.is_not(None)),
            sa.or_(deliveries.c.game_id.is_(None), schema.games.c.ended_at <= _UNTIL),
        ).label("is_over"),
    )
    .select_from(deliveries.outerjoin(schema.games, schema.games.c.id == deliveries.c.game_id))
    .where(deliveries.c.id > sa.bindparam("after"))
    .order_by(deliveries.c.id)
    .limit(_BATCH_SIZE)
)
_drop_sent = sa.delete(deliveries).where(
    deliveries.c.id.in_(sa.bindparam("ids", expanding=True)),
    # A dropped delivery may have just been revived.
    sa.or_(deliveries.c.sent_at.is_not(None), deliveries.c.dropped_at.is_not(None)),
)

_settings = schema.guild_settings
_since = sa.select(_settings.c.left_at).where(_settings.c.guild_id == _GUILD)
_leave = sa.update(_settings).where(_settings.c.guild_id == _GUILD)
_drop_settings = sa.delete(_settings).where(_settings.c.guild_id == _GUILD)
_clear_departure = _leave.where(_settings.c.left_at.is_not(None)).values(left_at=None)


class RetentionTable(Queries):
    """Deletes rows that are too old, in every table."""

    # Deletion by age

    @shielded
    async def anonymize_games(self, *, ended_until: datetime, at: datetime) -> list[GameId]:
        """Anonymize a batch of games that ended at or before `ended_until`. Return their ids."""
        return await self._anonymize_games(_expired_games, {"until": ended_until}, at)

    @shielded
    async def drop(self, kind: DeletedKind, *, until: datetime) -> int:
        """Delete a batch of rows that expired at or before `until`. Return the number of rows."""
        count = 0
        async with self._database.transaction() as connection:
            await lock(connection, CLEARING)
            for table, is_old in expiring_tables(kind):
                rows = await connection.execute(delete_batch(table, is_old), {"until": until})
                count += rows.rowcount
        return count

    @shielded
    async def drop_sent(self, *, until: datetime, after: int) -> tuple[int, int | None]:
        """Check a page of deliveries after a given id, and delete those that were sent or dropped.

        Deliveries stay if their game is running or ended after `until`.

        Returns:
            The number of deleted rows, and the id to continue after, or None if no old rows are
            left.
        """
        async with self._database.transaction() as connection:
            await lock(connection, CLEARING)
            rows = (await connection.execute(_page, {"after": after, "until": until})).all()
            old = [row for row in rows if row.created_at <= until]
            over = [row.id for row in old if row.is_over]
            if over:
                await connection.execute(_drop_sent, {"ids": over})
        return len(over), old[-1].id if len(old) == _BATCH_SIZE else None

    @shielded
    async def anonymize(self, *, ended_until: datetime, at: datetime) -> Counter[DeletedKind]:
        """Anonymize a batch of features' rows that ended at or before `ended_until`.

        Return the number of rows per kind.
        """
        counts: Counter[DeletedKind] = Counter()
        async with self._database.transaction() as connection:
            await lock(connection, CLEARING)
            for table in metadata.sorted_tables:
                if (declared := retention_rule(table).anonymization) is not None:
                    rule = declared()
                    for row in (await connection.execute(rule.query, {"until": ended_until})).all():
                        for change in rule.changes:
                            await connection.execute(change, {"row": row.id, "moment": at})
                        for deletion in dependent_deletions(table):
                            await connection.execute(deletion, {"row": row.id})
                        counts[rule.kind] += 1
        return counts

    # Deletion by server

    async def next_server(self, after: GuildId, shards: Shards) -> GuildId | None:
        """Return the next server of these shards, by id, that has any rows."""
        parameters = {"after": max(after, NO_GUILD), **shard_parameters(shards)}
        rows = await self._database.all(next_server(), parameters)
        return min((GuildId(row.guild) for row in rows if row.guild is not None), default=None)

    async def record_presence(self, guild: GuildId) -> None:
        """Record that the bot is in a server."""
        await self._database.change(_clear_departure, {"guild": guild})

    @shielded
    async def record_absence(self, guild: GuildId, *, at: datetime) -> datetime:
        """Record that the bot is not in a server. Return when this was first recorded."""
        async with self._database.transaction() as connection:
            await lock(connection, guild)
            since: datetime | None = (
                await connection.execute(_since, {"guild": guild})
            ).scalar_one_or_none()
            if since is None:
                departure = _leave.values(left_at=at)
                if not (await connection.execute(departure, {"guild": guild})).rowcount:
                    row = {"guild_id": guild, "left_at": at}
                    await connection.execute(sa.insert(_settings), row)
        return since or at

    @shielded
    async def drop_server(self, guild: GuildId, *, at: datetime) -> tuple[list[GameId], bool]:
        """Delete a batch of a server's data.

        Its ended games stay, without their players.

        Returns:
            The games that were anonymized, and True if there may be more to do.
        """
        parameters = {"guild": guild}
        if games := await self._anonymize_games(_games_of_server, parameters, at):
            return games, True
        count = 0
        async with self._database.transaction() as connection:
            await lock(connection, CLEARING)
            for table, condition in server_tables():
                count += (
                    await connection.execute(delete_batch(table, condition), parameters)
                ).rowcount
            if not count:
                await connection.execute(_drop_settings, parameters)
        return [], count > 0

    @shielded
    async def _anonymize_games(
        self, query: Any, parameters: dict[str, Any], at: datetime
    ) -> list[GameId]:
        async with self._database.transaction() as connection:
            await lock(connection, CLEARING)
            rows = (await connection.execute(query, parameters)).all()
            for row in rows:
                seats = {"white": row.white_id, "black": row.black_id, "game": row.id}
                seats |= {
                    f"new_{seat}": player
                    if player == row.machine_id or is_team(player)
                    else stand_in
                    for seat, player, stand_in in (
                        ("white", row.white_id, DELETED_USER[Color.WHITE]),
                        ("black", row.black_id, DELETED_USER[Color.BLACK]),
                    )
                }
                for change in (_anonymize_events, _anonymize_challenge):
                    await connection.execute(change, seats)
                await connection.execute(_delete_rematches, {"game": row.id})
                for deletion in dependent_deletions(schema.games):
                    await connection.execute(deletion, {"row": row.id})
                await connection.execute(_anonymize_game, {**seats, "moment": at})
        return [GameId(row.id) for row in rows]


def expiring_tables(kind: DeletedKind) -> Iterator[tuple[sa.Table, sa.ColumnElement[bool]]]:
    """Yield a kind's tables that have a retention time, with the condition for old rows."""
    if kind is DeletedKind.CHALLENGES:
        yield schema.challenges, sa.and_(_CLOSED, schema.challenges.c.answered_at <= _UNTIL)
    for table in metadata.sorted_tables:
        expiry = retention_rule(table).expires
        if expiry is not None and expiry[0] is kind:
            yield table, table.c[expiry[1]] <= _UNTIL


def dependent_deletions(owner: sa.Table) -> Iterator[sa.Delete]:
    """Yield the statements that delete the rows of people that depend on a row of another table."""
    for table in metadata.sorted_tables:
        people = [column for column in table.c if column.name in PEOPLE]
        if people and not retention_rule(table).outlives_people:
            names_a_person = sa.or_(*(column.is_not(None) for column in people))
            for key in table.foreign_keys:
                if key.column.table is owner:
                    yield sa.delete(table).where(key.parent == sa.bindparam("row"), names_a_person)


def server_tables() -> Iterator[tuple[sa.Table, sa.ColumnElement[bool]]]:
    """Yield the tables of servers, dependent ones first, with the condition for a server's rows.

    Rows that belong to a game stay with it.
    """
    for table in reversed(metadata.sorted_tables):
        if "guild_id" in table.c:
            condition = table.c.guild_id == _GUILD
            if table is schema.challenges:
                yield table, sa.and_(condition, _CLOSED)
            elif retention_rule(table).of_server or (
                table not in {schema.games, schema.guild_settings} and "game_id" not in table.c
            ):
                yield table, condition
            continue
        for key in table.foreign_keys:
            owner = key.column.table
            if owner is not schema.games and "guild_id" in owner.c:
                owner_ids = sa.select(key.column).where(owner.c.guild_id == _GUILD)
                yield table, key.parent.in_(owner_ids)


def next_server() -> sa.CompoundSelect[Any]:
    """Return the query for the next server where the bot is or was, in all tables of servers."""
    own_tables = [
        (table, ()) for table in metadata.sorted_tables if retention_rule(table).shows_server
    ]
    return sa.union_all(
        *(
            sa.select(
                sa.select(table.c.guild_id)
                .where(
                    table.c.guild_id > sa.bindparam("after"),
                    guild_in_shards(table.c.guild_id),
                    *conditions,
                )
                .order_by(table.c.guild_id)
                .limit(1)
                .scalar_subquery()
                .label("guild")
            )
            for table, conditions in (
                (schema.games, (schema.IS_NAMED, schema.games.c.visiting.is_not(True))),
                *own_tables,
            )
        )
    )


def delete_batch(table: sa.Table, condition: sa.ColumnElement[bool]) -> sa.Delete:
    """Return the statement that deletes some of a table's rows."""
    key = table.primary_key.columns
    keys = sa.select(*key).where(condition).limit(_BATCH_SIZE)
    # Rows that are being changed are skipped until the next sweep, so neither side waits.
    return sa.delete(table).where(sa.tuple_(*key).in_(keys.with_for_update(skip_locked=True)))
