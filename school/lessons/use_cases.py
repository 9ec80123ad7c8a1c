"""Users' progress in the lessons."""

from datetime import datetime

from sqlalchemy import bindparam, insert, select

from bot.base.ids import UserId
from bot.database.database import Queries, lock, shielded
from bot.play.use_cases.use_cases import UseCases
from dvonn_lessons.primer import STEPS, PrimerStep
from school.lessons.schema import lessons

_OF_PLAYER = lessons.c.player_id == bindparam("player")
_of_player = select(lessons).where(_OF_PLAYER).order_by(lessons.c.solved_at, lessons.c.step)
_this = select(lessons.c.step).where(_OF_PLAYER, lessons.c.step == bindparam("name"))


class LessonTable(Queries):
    """The table of solved steps."""

    async def solved_by(self, player: UserId) -> dict[str, datetime]:
        rows = await self._database.all(_of_player, {"player": player})
        return {row.step: row.solved_at for row in rows}

    @shielded
    async def add(self, player: UserId, step: str, *, at: datetime) -> None:
        """Record that a user has solved a step. If it is already recorded, change nothing."""
        async with self._database.transaction() as connection:
            await lock(connection, player)
            result = await connection.execute(_this, {"player": player, "name": step})
            if result.first() is None:
                row = {"player_id": player, "step": step, "solved_at": at}
                await connection.execute(insert(lessons), row)


class Learning:
    """Use cases for lessons: the steps of the primer that users have solved."""

    def __init__(self, cases: UseCases) -> None:
        self._table = cases.store.queries(LessonTable)
        self._now = cases.now

    async def solved(self, player: UserId) -> frozenset[str]:
        return frozenset(await self._table.solved_by(player))

    async def record_solved(self, player: UserId, step: PrimerStep) -> None:
        await self._table.add(player, step.name, at=self._now())


def next_step(solved: frozenset[str]) -> PrimerStep | None:
    """Return the step after the last solved one, or None if all are solved.

    Steps that were skipped come at the end.
    """
    reached = max((n for n, step in enumerate(STEPS) if step.name in solved), default=-1)
    in_order = (*STEPS[reached + 1 :], *STEPS[: reached + 1])
    return next((step for step in in_order if step.name not in solved), None)
