"""Exports and deletes all data about a person, in every table.

Columns with users are recognized by name, and tables declare the rest (`bot.database.schema`), so
no table can be forgotten.
"""

from collections.abc import AsyncIterator, Iterable, Mapping
from contextlib import asynccontextmanager
from datetime import datetime
from hashlib import sha256
from typing import Any, Final

from sqlalchemy import BindParameter, Table, bindparam, delete, insert, or_, select, update

from bot.base.ids import DELETED_USER, GameId, UserId
from bot.database.connection import AsyncConnection
from bot.database.database import Queries, lock, lock_out_of_games, shielded
from bot.database.schema import belongs_to_others, metadata, retention_rule
from bot.play.model.terms import ChallengeRow, ChallengeState
from bot.play.store.challenges import as_challenge
from bot.play.store.schema import IS_OPEN, IS_RUNNING, challenges, deletions, events, games
from dvonn import Color

PEOPLE: Final = frozenset(
    {
        "player_id",
        "white_id",
        "black_id",
        "actor_id",
        "challenger_id",
        "opponent_id",
        "by_id",
        "to_id",
        "blocked_id",
        "helper_id",
    }
)
"""Names of columns that hold a user's id."""

CLEARING: Final = 3
"""Lock number that makes deletions from many tables run one at a time.

Otherwise they could lock the same rows in different orders, and deadlock.
No Discord id is that small.
"""

_PLAYER: Final[BindParameter[Any]] = bindparam("player")
_SEATS: Final = (
    (games.c.white_id, DELETED_USER[Color.WHITE]),
    (games.c.black_id, DELETED_USER[Color.BLACK]),
)
_HAS_SEAT = or_(*(seat == _PLAYER for seat, _ in _SEATS))
_running = select(games.c.id).where(IS_RUNNING, _HAS_SEAT)  # if sorted, all games would be read
_is_deleted = select(deletions.c.at).where(deletions.c.person == bindparam("who"))
DELETED_SINCE: Final = select(deletions.c.person).where(
    deletions.c.person.in_(bindparam("people", expanding=True)),
    deletions.c.at > bindparam("since"),
)
"""Query for the fingerprints of people who deleted their data after a given time."""
_update_deletion = update(deletions).where(deletions.c.person == bindparam("who"))
_delete_challenges = delete(challenges).where(
    or_(challenges.c.challenger_id == _PLAYER, challenges.c.opponent_id == _PLAYER)
)
_anonymize_events = (
    update(events)
    .where(events.c.actor_id == _PLAYER)
    .values(actor_id=DELETED_USER[None], source_id=None)
)


class PrivacyTable(Queries):
    """Exports and deletes all data about people, in every table."""

    async def export(self, player: UserId) -> dict[str, list[dict[str, Any]]]:
        data = {}
        for table, columns in personal():
            condition = or_(*(column == _PLAYER for column in columns))
            statement = select(table).where(condition).order_by(*table.primary_key.columns)
            rows = await self._database.all(statement, {"player": player})
            data[table.name] = [row._asdict() for row in rows]
        return data

    async def running(self, player: UserId) -> list[GameId]:
        rows = await self._database.all(_running, {"player": player})
        return sorted(GameId(row.id) for row in rows)

    @shielded
    async def close(self, player: UserId, *, at: datetime) -> list[ChallengeRow]:
        """Withdraw a person's challenges to others, and decline others' challenges to them."""
        closed: list[ChallengeRow] = []
        async with self._database.transaction() as connection:
            for column, state in (
                (challenges.c.challenger_id, ChallengeState.CANCELLED),
                (challenges.c.opponent_id, ChallengeState.DECLINED),
            ):
                statement = (
                    update(challenges)
                    .where(IS_OPEN, column == _PLAYER)
                    .values(state=state, answered_at=at)
                    .returning(challenges)
                )
                rows = (await connection.execute(statement, {"player": player})).all()
                closed += map(as_challenge, rows)
        return closed

    @shielded
    async def erase(self, player: UserId, *, at: datetime) -> bool:
        """Delete all data about a person.

        Their games stay, without their id. The request itself is recorded, so that restoring a
        backup doesn't bring the data back. Return False while they are in a running game, because
        stand_in would move for them.
        """
        async with self._database.transaction() as connection:
            await lock(connection, CLEARING)
            await lock_out_of_games(connection, player)
            await lock(connection, player)
            if (await connection.execute(_running, {"player": player})).first() is not None:
                return False
            await delete_person(connection, player)
            await record_deletions(connection, {fingerprint(player): at})
        return True


def personal() -> Iterable[tuple[Table, list[Any]]]:
    """Return the tables with personal data, each with the columns that name a row's owner."""
    for table in metadata.sorted_tables:
        columns = [
            column for column in table.c if column.name in PEOPLE and not belongs_to_others(column)
        ]
        if columns:
            yield table, columns


def fingerprint(player: UserId) -> str:
    """Return the fingerprint that stands for a person who wants no data stored.

    It lets the bot recognize the person later without storing their id.
    """
    return sha256(f"dvonn-bot {player}".encode()).hexdigest()


async def delete_person(connection: AsyncConnection, player: UserId) -> None:
    """Delete all data about a person in a transaction. Their games stay, without their id."""
    parameters = {"player": player}
    for seat, stand_in in _SEATS:
        game_ids = select(games.c.id).where(seat == _PLAYER)
        event_change = update(events).where(
            events.c.game_id.in_(game_ids), events.c.actor_id == _PLAYER
        )
        await connection.execute(event_change.values(actor_id=stand_in, source_id=None), parameters)
        for side in (challenges.c.challenger_id, challenges.c.opponent_id):
            challenge_change = update(challenges).where(
                challenges.c.game_id.in_(game_ids), side == _PLAYER
            )
            await connection.execute(challenge_change.values({side: stand_in}), parameters)
        game_change = update(games).where(seat == _PLAYER).values({seat: stand_in})
        await connection.execute(game_change, parameters)
    await connection.execute(_anonymize_events, parameters)
    await connection.execute(_delete_challenges, parameters)
    for table in metadata.sorted_tables:
        for statement in retention_rule(table).before_deletion():
            await connection.execute(statement, parameters)
    # Moves lock tables in the same order, which prevents a deadlock.
    for table, columns in reversed(list(personal())):
        if not (retention_rule(table).outlives_people or retention_rule(table).expires_soon):
            condition = or_(*(column == _PLAYER for column in columns))
            await connection.execute(delete(table).where(condition), parameters)


async def record_deletions(connection: AsyncConnection, deleted: Mapping[str, datetime]) -> None:
    """Record deletions of personal data in a transaction. The latest time per person counts."""
    for person, at in deleted.items():
        deleted_at = (await connection.execute(_is_deleted, {"who": person})).scalar()
        if deleted_at is None:
            await connection.execute(insert(deletions), {"person": person, "at": at})
        elif deleted_at < at:
            await connection.execute(_update_deletion.values(at=at), {"who": person})


@asynccontextmanager
async def repeat_deletions(connection: AsyncConnection, made_at: datetime) -> AsyncIterator[None]:
    """After a backup is restored, delete again everyone who was deleted after it was made.

    Args:
        connection: The transaction that replaces the current data with the backup.
        made_at: When the backup was made.
    """
    times = {row.person: row.at for row in await connection.execute(select(deletions))}
    yield
    later_times = {person: at for person, at in times.items() if at >= made_at}
    if later_times:
        for player in await _everybody(connection):
            if fingerprint(player) in later_times:
                await delete_person(connection, player)
    await record_deletions(connection, times)


async def _everybody(connection: AsyncConnection) -> set[UserId]:
    """Return all users in any table."""
    users: set[UserId] = set()
    for _, columns in personal():
        for column in columns:
            rows = await connection.execute(select(column).distinct())
            users |= {UserId(number) for (number,) in rows if number is not None}
    return users
