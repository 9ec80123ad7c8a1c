"""People's progress with the lessons."""

from collections.abc import Callable
from datetime import datetime

from bot.base.ids import UserId
from bot.features.lessons.store import LessonTable
from bot.play.store.tables import Store
from dvonn.primer import STEPS, PrimerStep


class Learning:
    """The steps of the primer that people have solved. The time comes in as an argument."""

    def __init__(self, store: Store, *, now: Callable[[], datetime]) -> None:
        self._store = store
        self._now = now

    async def solved(self, player: UserId) -> frozenset[str]:
        """Return the names of the steps that a person has solved."""
        return frozenset(await self._store.of(LessonTable).of(player))

    async def has_solved(self, player: UserId, step: PrimerStep) -> None:
        """Remember that a person has solved a step."""
        await self._store.of(LessonTable).add(player, step.name, at=self._now())


def next_step(solved: frozenset[str]) -> PrimerStep | None:
    """Return the step behind the last one that a person has solved; None after all of them.

    What they have left out on the way does not hold them back, but comes at the end.
    """
    reached = max((n for n, step in enumerate(STEPS) if step.name in solved), default=-1)
    in_order = (*STEPS[reached + 1 :], *STEPS[: reached + 1])
    return next((step for step in in_order if step.name not in solved), None)
