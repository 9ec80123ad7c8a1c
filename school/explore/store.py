"""Storage of users' studies."""

from dataclasses import asdict, replace

import sqlalchemy as sa

from bot.base.ids import GameId, UserId
from bot.database.database import AnyRow, Conflict, Queries, insert_row, lock, shielded
from school.explore.model import MOST_STUDIES, StudyRow
from school.explore.schema import studies

_MOST_COMPARED = 5
"""Maximum number of studies with the same start position to compare."""
_COLUMNS = {"player": "player_id", "game": "game_id"}
_CHANGING = ("revision", "record", "place", "moves", "turned", "kept", "changed_at")

_MINE = studies.c.player_id == sa.bindparam("player")
_one = sa.select(studies).where(_MINE, studies.c.id == sa.bindparam("number"))
_of_game = sa.select(studies).where(_MINE, studies.c.game_id == sa.bindparam("game"))
_from = (
    sa.select(studies)
    .where(_MINE, studies.c.start == sa.bindparam("first"))
    .order_by(studies.c.changed_at.desc(), studies.c.id.desc())
    .limit(_MOST_COMPARED)
)
_kept = (
    sa.select(studies)
    .where(_MINE, studies.c.kept.is_(True))
    .order_by(studies.c.changed_at.desc(), studies.c.id.desc())
    .limit(sa.bindparam("limit"))
)
_change = (
    sa.update(studies)
    .where(
        _MINE, studies.c.id == sa.bindparam("number"), studies.c.revision == sa.bindparam("seen")
    )
    .values({name: sa.bindparam(f"new_{name}", type_=studies.c[name].type) for name in _CHANGING})
)
_too_many = sa.delete(studies).where(
    _MINE,
    studies.c.id.in_(
        sa.select(studies.c.id)
        .where(_MINE)
        .order_by(studies.c.kept.desc(), studies.c.changed_at.desc(), studies.c.id.desc())
        .limit(MOST_STUDIES)
        .offset(MOST_STUDIES)
    ),
)


class StudyTable(Queries):
    """The table of studies. No query returns another user's studies."""

    async def get(self, number: int, player: UserId) -> StudyRow | None:
        row = await self._database.first(_one, {"number": number, "player": player})
        return None if row is None else _row(row)

    async def of_game(self, game: GameId, player: UserId) -> StudyRow | None:
        row = await self._database.first(_of_game, {"game": game, "player": player})
        return None if row is None else _row(row)

    async def starting_from(self, start: str, player: UserId) -> list[StudyRow]:
        """Return studies with a given start position, newest first, except studies of games."""
        rows = await self._database.all(_from, {"first": start, "player": player})
        return [_row(row) for row in rows]

    async def saved(self, player: UserId, *, limit: int) -> list[StudyRow]:
        """Return the studies with moves or comments by the user, newest first."""
        rows = await self._database.all(_kept, {"player": player, "limit": limit})
        return [_row(row) for row in rows]

    @shielded
    async def begin(self, new: StudyRow) -> StudyRow:
        """Store a new study.

        If the user then has too many, delete old ones, unused ones first.

        Raises:
            Conflict: if another study of the game was stored for the user in the meantime.
        """
        values = {_COLUMNS.get(name, name): value for name, value in asdict(new).items()}
        del values["id"]
        async with self._database.transaction() as connection:
            await lock(connection, new.player)
            number = await insert_row(connection, sa.insert(studies), values)
            await connection.execute(_too_many, {"player": new.player})
        return replace(new, id=number)

    async def change(self, new: StudyRow, *, revision: int) -> None:
        """Store a study's new state.

        Raises:
            Conflict: if the study has changed since it was read.
        """
        values = {f"new_{name}": getattr(new, name) for name in _CHANGING}
        values |= {"number": new.id, "player": new.player, "seen": revision}
        if await self._database.change(_change, values) == 0:
            raise Conflict(f"study {new.id} is no longer at revision {revision}")


def _row(row: AnyRow) -> StudyRow:
    return StudyRow(
        id=row.id,
        player=UserId(row.player_id),
        game=None if row.game_id is None else GameId(row.game_id),
        start=row.start,
        revision=row.revision,
        record=row.record,
        place=row.place,
        moves=row.moves,
        turned=row.turned,
        kept=row.kept,
        changed_at=row.changed_at,
    )
