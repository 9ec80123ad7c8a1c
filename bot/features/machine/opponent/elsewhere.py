"""The machine on another host: it is asked through the database, and answers there.

A question is a row (`bot.features.machine.store`). Whoever asks looks now and then for answers, and
says that it lives; a process that is no more is not answered.
"""

import asyncio
import time
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from datetime import timedelta
from random import Random
from typing import Any, Final, TypeVar

import structlog

from bot.base.errors import StoreError
from bot.features.machine.model import JobKind
from bot.features.machine.opponent import questions
from bot.features.machine.store import MachineJobTable
from bot.play.model.thoughts import Thought
from bot.play.store.tables import Store
from dvonn import Move, Position, Review
from dvonn.puzzles import Puzzle

_log = structlog.get_logger()

_Answer = TypeVar("_Answer")

WANTED: Final = timedelta(seconds=30)
"""How long a question outlives whoever asks it."""
_SAY_SO_EVERY_S: Final = WANTED.total_seconds() / 3
_LOOK_EVERY_S: Final = 0.1
_NOBODY_AFTER_S: Final = 60.0
"""So long an urgent question waits before the host is told."""
_AT_ONCE: Final = 16
_NUMBERS: Final = 2**62


class NotAnsweredError(RuntimeError):
    """Every worker that began a question has failed over it."""


class _ForgottenError(Exception):
    """A question was taken away, for it was not said for too long that it is wanted."""


class MachineElsewhere:
    """Asks the workers, `dvonn-bot worker`, that use the same database.

    Args:
        store: the database.
        rng: chance, for a number of this process, and of each question.
        version: of this bot; only workers of the same one answer.
    """

    def __init__(self, store: Store, *, rng: Random, version: str) -> None:
        self._jobs = store.of(MachineJobTable)
        self._rng = rng
        self._asker = rng.randrange(_NUMBERS)
        self._version = version
        self._open: dict[int, asyncio.Future[Any]] = {}
        self._looking: asyncio.Task[None] | None = None

    @property
    def at_once(self) -> int:
        """So many questions that all its workers have some; nobody knows how many those are."""
        return _AT_ONCE

    async def choose(self, position: Position, *, level: int, seed: int) -> Move:
        """The machine's move; a cancelled call ends the search as well.

        Raises:
            NotAnsweredError: if the workers fail over it.
            StoreError: if the database cannot be used.
        """
        question = questions.about(position, level=level, seed=seed)
        return await self._ask(JobKind.CHOOSE, question, questions.read_move)

    async def judge(self, boards: Iterable[Position], *, level: int, seed: int) -> list[int]:
        """What full boards are worth to White, in points; raises as `choose`."""
        question = questions.about_boards(boards, level=level, seed=seed)
        return await self._ask(JobKind.JUDGE, question, questions.read_worths)

    async def analyse(self, position: Position) -> tuple[Thought, ...]:
        """The best ways to go on from a position that is not over; raises as `choose`."""
        question = questions.about(position)
        return await self._ask(JobKind.ANALYSE, question, questions.read_thoughts)

    async def review(self, game: int, moves: Sequence[Move], *, placements: int) -> Review:
        """What is said of a whole game; raises as `choose`."""
        question = questions.about_game(moves, game=game, placements=placements)
        return await self._ask(JobKind.REVIEW, question, questions.read_review)

    async def puzzles(self, game: int, moves: Sequence[Move]) -> tuple[Puzzle, ...]:
        """The puzzles of a game that is over; raises as `choose`."""
        question = questions.about_game(moves, game=game)
        return await self._ask(JobKind.PUZZLES, question, questions.read_puzzles)

    def close(self) -> None:
        """Wait for nothing more. What is asked still is forgotten after a while."""
        if self._looking is not None:
            self._looking.cancel()

    async def _ask(
        self, kind: JobKind, question: questions.Question, read: Callable[[Any], _Answer]
    ) -> _Answer:
        while True:
            # This process may have stood still, or been without its database, for so long that it
            # counted as gone.
            with suppress(_ForgottenError):
                found = await self._ask_once(kind, question)
                break
        if found is None:
            raise NotAnsweredError(f"no worker could answer: {kind}")
        return read(found)

    async def _ask_once(self, kind: JobKind, question: questions.Question) -> Any:
        """Ask, and wait: the answer, or None where nobody could.

        Raises:
            _ForgottenError: if the question was taken away.
            StoreError: if the database cannot be used.
        """
        number, answered = self._rng.randrange(_NUMBERS), asyncio.get_running_loop().create_future()
        try:
            now = await self._jobs.now()
            await self._jobs.ask(
                number,
                kind,
                question,
                asker=self._asker,
                version=self._version,
                now=now,
                until=now + WANTED,
            )
            self._open[number] = answered
            if self._looking is None or self._looking.done():
                self._looking = asyncio.create_task(self._look(), name="answers of the machine")
            waits_for = None if kind.is_patient else _NOBODY_AFTER_S
            done, _ = await asyncio.wait((answered,), timeout=waits_for)
            if not done:
                _log.warning(
                    "the machine does not answer",
                    cure="start `dvonn-bot worker` of the same code, with this database",
                    version=self._version,
                )
            return await answered
        finally:
            self._open.pop(number, None)
            with suppress(StoreError):  # then it is forgotten after a while
                await self._jobs.remove(self._asker, (number,))

    async def _look(self) -> None:
        """Hand answers out, as long as any are waited for."""
        said_so = time.monotonic()
        while self._open:
            await asyncio.sleep(_LOOK_EVERY_S)
            try:
                if time.monotonic() - said_so > _SAY_SO_EVERY_S:
                    await self._say_so()
                    said_so = time.monotonic()
                found = await self._jobs.answered(self._asker)
            except StoreError:  # the store has told the host of it
                continue
            except Exception:
                _log.exception("the machine's answers could not be looked for")
                continue
            for number, answer in found.items():
                waiting = self._open.get(number)
                if waiting is not None and not waiting.done():
                    waiting.set_result(answer)

    async def _say_so(self) -> None:
        """Say that this process lives, and see that nobody has thought otherwise."""
        asked = list(self._open)
        await self._jobs.want(self._asker, until=await self._jobs.now() + WANTED)
        known = await self._jobs.known(self._asker)
        for number in asked:
            waiting = self._open.get(number)
            if number not in known and waiting is not None and not waiting.done():
                waiting.set_exception(_ForgottenError())
