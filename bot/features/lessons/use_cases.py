"""People's progress with the lessons."""

from bot.base.ids import UserId
from bot.features.lessons.store import LessonTable
from bot.play.use_cases.registry import UseCases
from dvonn.primer import STEPS, PrimerStep


class Learning:
    """The steps of the primer that people have solved."""

    def __init__(self, cases: UseCases) -> None:
        self._store = cases.store
        self._now = cases.now

    async def solved(self, player: UserId) -> frozenset[str]:
        return frozenset(await self._store.of(LessonTable).of(player))

    async def has_solved(self, player: UserId, step: PrimerStep) -> None:
        await self._store.of(LessonTable).add(player, step.name, at=self._now())


def next_step(solved: frozenset[str]) -> PrimerStep | None:
    """Return the step behind the last one that a person has solved; None after all of them.

    What they have left out on the way does not hold them back, but comes at the end.
    """
    reached = max((n for n, step in enumerate(STEPS) if step.name in solved), default=-1)
    in_order = (*STEPS[reached + 1 :], *STEPS[: reached + 1])
    return next((step for step in in_order if step.name not in solved), None)
