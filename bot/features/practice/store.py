"""Positions that people have misplayed and want to see again; each sees their own."""

from collections.abc import Iterable
from datetime import datetime

from sqlalchemy import bindparam, func, insert, select, update

from bot.base.ids import GameId, UserId
from bot.database.database import AnyRow, Database, lock, whole
from bot.database.schema import Instant
from bot.features.practice.model import NEW, PracticeRow
from bot.features.practice.schema import practice

_OWN = practice.c.player_id == bindparam("player")
_THIS = (
    _OWN,
    practice.c.game_id == bindparam("game"),
    practice.c.ply == bindparam("number"),
)
_DUE = (_OWN, practice.c.due_at <= bindparam("now"))

_one = select(practice).where(*_THIS)
_of_game = select(practice.c.ply).where(_OWN, practice.c.game_id == bindparam("game"))
_due = (
    select(practice)
    .where(*_DUE)
    .order_by(practice.c.due_at, practice.c.game_id, practice.c.ply)
    .limit(20)
)
_count = select(func.count()).select_from(practice).where(*_DUE)
_insert = insert(practice)
_answer = (
    update(practice)
    .where(*_THIS, practice.c.due_at == bindparam("seen", type_=Instant))
    .values(step=bindparam("new_step"), due_at=bindparam("new_due_at", type_=Instant))
)
_stop = update(practice).where(*_THIS).values(due_at=None)


class PracticeTable:
    """The table of what people practise."""

    def __init__(self, database: Database) -> None:
        self._database = database

    @whole
    async def add(
        self, player: UserId, game: GameId, plies: Iterable[int], *, due_at: datetime
    ) -> None:
        """Let some positions of a game come back to a player, except those that do or did."""
        async with self._database.transaction() as connection:
            await lock(connection, player)
            of_game = {"player": player, "game": game}
            known = {row.ply for row in (await connection.execute(_of_game, of_game)).all()}
            rows = [
                {"player_id": player, "game_id": game, "ply": ply, "step": NEW, "due_at": due_at}
                for ply in plies
                if ply not in known
            ]
            if rows:
                await connection.execute(_insert, rows)

    async def get(self, player: UserId, game: GameId, ply: int) -> PracticeRow | None:
        row = await self._database.first(_one, _key(player, game, ply))
        return None if row is None else _row(row)

    async def due(self, player: UserId, *, now: datetime) -> list[PracticeRow]:
        """Return the due positions that have waited longest, the first ones first."""
        return [_row(row) for row in await self._database.all(_due, {"player": player, "now": now})]

    async def count(self, player: UserId, *, now: datetime) -> int:
        row = await self._database.first(_count, {"player": player, "now": now})
        return 0 if row is None else int(row[0])

    async def answered(self, seen: PracticeRow, after: PracticeRow) -> bool:
        """Write down what came of an answer; False where it has been answered meanwhile."""
        values = {"seen": seen.due_at, "new_step": after.step, "new_due_at": after.due_at}
        key = _key(seen.player, seen.game, seen.ply)
        return await self._database.change(_answer, {**key, **values}) == 1

    async def stop(self, player: UserId, game: GameId, ply: int) -> None:
        await self._database.change(_stop, _key(player, game, ply))


def _key(player: UserId, game: GameId, ply: int) -> dict[str, object]:
    return {"player": player, "game": game, "number": ply}


def _row(row: AnyRow) -> PracticeRow:
    return PracticeRow(
        player=UserId(row.player_id),
        game=GameId(row.game_id),
        ply=row.ply,
        step=row.step,
        due_at=row.due_at,
    )
