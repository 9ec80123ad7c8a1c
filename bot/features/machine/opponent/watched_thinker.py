"""Counts and times the questions to the machine, for the host's metrics."""

import asyncio
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from typing import Final

from bot.base.metrics import MACHINE_ANSWER_SECONDS, MACHINE_OLDEST_SECONDS, MACHINE_QUESTIONS
from bot.features.machine.opponent.questions import QuestionKind
from bot.play.model.engine_thoughts import Thought
from bot.play.opponent import MachineBackend
from dvonn import GameRecord, Move, Position, Review
from dvonn_lessons.puzzles import Puzzle

_MAX_WAIT: Final = timedelta(minutes=1)
"""Maximum wait for a player's question before the machine counts as silent."""


class WatchedThinker:
    """A machine whose questions are counted and timed."""

    def __init__(
        self, thinker: MachineBackend, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._thinker = thinker
        self._clock = clock
        # start times of the questions that players are waiting for
        self._since: dict[object, float] = {}
        self._failed: str | None = None
        for kind in QuestionKind:
            MACHINE_QUESTIONS.labels(kind)
        MACHINE_OLDEST_SECONDS.set_function(self._oldest_s)

    @property
    def at_once(self) -> int:
        return self._thinker.at_once

    @property
    def oldest(self) -> timedelta:
        """Waiting time of a player's oldest open question, or zero if there is none."""
        return timedelta(seconds=self._oldest_s())

    def _oldest_s(self) -> float:
        now = self._clock()
        return now - min(self._since.values(), default=now)

    @property
    def fault(self) -> str | None:
        """The reason why players get no answers, or None if they do."""
        if self.oldest > _MAX_WAIT:
            return f"a question has been waiting for {self.oldest.total_seconds():.0f} s"
        return self._failed

    async def choose(self, position: Position, *, level: int, seed: int) -> Move:
        with self._count_question(QuestionKind.CHOOSE):
            return await self._thinker.choose(position, level=level, seed=seed)

    async def analyse(self, position: Position) -> tuple[Thought, ...]:
        with self._count_question(QuestionKind.ANALYSE):
            return await self._thinker.analyse(position)

    async def review(
        self, game: int, record: GameRecord, *, placements: int, closer: bool = False
    ) -> Review:
        with self._count_question(QuestionKind.CLOSER if closer else QuestionKind.REVIEW):
            return await self._thinker.review(game, record, placements=placements, closer=closer)

    async def puzzles(self, game: int, record: GameRecord) -> tuple[Puzzle, ...]:
        with self._count_question(QuestionKind.PUZZLES):
            return await self._thinker.puzzles(game, record)

    @contextmanager
    def _count_question(self, kind: QuestionKind) -> Iterator[None]:
        question, began = object(), self._clock()
        if kind.has_waiting_user:
            self._since[question] = began
        MACHINE_QUESTIONS.labels(kind).inc()
        try:
            yield
        except asyncio.CancelledError:
            raise
        except Exception as error:
            if kind.has_waiting_user:
                self._failed = f"it failed: {type(error).__name__}"
            raise
        else:
            self._failed = None
            MACHINE_ANSWER_SECONDS.labels(kind).observe(self._clock() - began)
        finally:
            self._since.pop(question, None)
            MACHINE_QUESTIONS.labels(kind).dec()
