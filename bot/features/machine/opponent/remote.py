"""The machine on another host: the bot queues jobs, and workers answer them."""

import asyncio
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from typing import Any, Final, TypeVar
from uuid import uuid4

import psycopg
import structlog
from saq import Job
from saq.job import TERMINAL_STATUSES, Status
from sqlalchemy.engine import URL

from bot.base.errors import StoreError
from bot.features.machine.opponent import job_queue
from bot.features.machine.opponent.questions import QuestionKind
from bot.play.model.engine_thoughts import Thought
from dvonn import GameRecord, Move, Position, Review, parse_move
from dvonn_lessons.puzzles import Puzzle

_log = structlog.get_logger()

_Answer = TypeVar("_Answer")

ALIVE_S: Final = 30
"""Seconds after a sign of life during which a bot counts as waiting for answers."""
HEARTBEAT_S: Final = 6
"""Seconds without a sign of life from its worker until a job goes to another worker."""
_TRIES: Final = 3
_KEPT_S: Final = 60
_MIN_PAUSE_S: Final = 0.05
_MAX_PAUSE_S: Final = 2.0
_PAUSE_SHARE: Final = 0.05
"""Delay between two polls, as a fraction of the time waited so far."""
_WARN_AFTER_S: Final = 60.0
"""Seconds that an urgent question waits before the log warns the host."""
_MAX_QUESTIONS: Final = 16
_CONNECTIONS: Final = 4


def pause_s(waited_s: float) -> float:
    """Return the delay before the next poll for an answer."""
    return min(max(_MIN_PAUSE_S, waited_s * _PAUSE_SHARE), _MAX_PAUSE_S)


class NotAnsweredError(RuntimeError):
    """Every worker that tried to answer the question failed."""


class RemoteMachine:
    """Asks the workers (`dvonn-bot worker`) of the same database and build."""

    def __init__(self, queue: job_queue.JobQueue) -> None:
        self._queue = queue
        self._asker = f"bot {uuid4()}"

    @property
    def at_once(self) -> int:
        """Number of questions asked at once.

        It is high because the number of workers is unknown.
        """
        return _MAX_QUESTIONS

    async def choose(self, position: Position, *, level: int, seed: int) -> Move:
        """Choose a move.

        Canceling the call ends the search.

        Raises:
            NotAnsweredError: if the workers fail.
            StoreError: if the database can't be used.
        """
        question = job_queue.position_question(position, level=level, seed=seed)
        return await self._ask(QuestionKind.CHOOSE, question, parse_move)

    async def analyse(self, position: Position) -> tuple[Thought, ...]:
        question = job_queue.position_question(position)
        return await self._ask(QuestionKind.ANALYSE, question, job_queue.read_thoughts)

    async def review(
        self, game: int, record: GameRecord, *, placements: int, closer: bool = False
    ) -> Review:
        """Review a whole game. Raises the same errors as `choose`."""
        question = job_queue.game_question(record, game=game, placements=placements)
        kind = QuestionKind.CLOSER if closer else QuestionKind.REVIEW
        return await self._ask(kind, question, Review.from_json)

    async def puzzles(self, game: int, record: GameRecord) -> tuple[Puzzle, ...]:
        question = job_queue.game_question(record, game=game)
        return await self._ask(QuestionKind.PUZZLES, question, job_queue.read_puzzles)

    async def announce_waiting(self) -> None:
        """Announce to workers that this bot waits for answers for another `ALIVE_S` seconds."""
        with suppress(psycopg.OperationalError):  # the store has logged it
            await self._queue.worker_info(
                self._asker, self._queue.name, {"asks": True}, ttl=ALIVE_S
            )

    async def _ask(
        self, kind: QuestionKind, question: job_queue.Question, parse: Callable[[Any], _Answer]
    ) -> _Answer:
        while (answer := await self._ask_once(kind, question)) is None:
            # This process was suspended for so long that workers assumed it had died.
            await self.announce_waiting()
        return parse(answer)

    async def _ask_once(self, kind: QuestionKind, question: job_queue.Question) -> Any:
        job = Job(
            kind.value,
            kwargs={"question": question, "asker": self._asker},
            priority=kind.priority,
            timeout=0,
            heartbeat=HEARTBEAT_S,
            retries=_TRIES,
            ttl=_KEPT_S,
            scheduled=int(time.time()) - job_queue.BACKDATED_S,
        )
        try:
            await self._queue.enqueue(job)
            final_job = await self._wait(job)
        except psycopg.OperationalError as error:
            raise StoreError(str(error), writing=True) from error
        finally:
            await self._remove(job)
        if final_job is None or final_job.status is Status.COMPLETE:
            return None if final_job is None else final_job.result
        if final_job.attempts >= _TRIES:
            raise NotAnsweredError(f"no worker could answer: {kind}")
        return None

    async def _wait(self, job: Job) -> Job | None:
        """Wait until a job is done. Return None if it has disappeared."""
        began, is_reported = time.monotonic(), job.priority not in job_queue.URGENT
        while True:
            waited = time.monotonic() - began
            if waited > _WARN_AFTER_S and not is_reported:
                is_reported = True
                _log.warning(
                    "worker not responding",
                    cure="start `dvonn-bot worker` of the same code, with this database",
                    queue=self._queue.name,
                )
            await asyncio.sleep(pause_s(waited))
            with suppress(psycopg.OperationalError):  # the store has logged it
                current = await self._queue.job(job.key)
                if current is None or current.status in TERMINAL_STATUSES:
                    return current

    async def _remove(self, job: Job) -> None:
        """Remove a job. If a worker is running it, stop it."""
        job.ttl, job.retries = -1, 0  # so it leaves no row, and goes to no other worker
        with suppress(psycopg.OperationalError):  # otherwise, workers notice that nobody is waiting
            current = await self._queue.job(job.key)
            if current is None:
                return
            if current.status in TERMINAL_STATUSES:
                await self._queue.finish(job, current.status)
            else:
                await self._queue.abort(job, "the request was canceled")


@asynccontextmanager
async def remote_machine(url: URL, build: str) -> AsyncIterator[RemoteMachine]:
    """Ask workers of the same build and database during the block.

    Raises:
        DatabaseError: if the database can't be used for it.
    """
    await job_queue.make_tables(url)
    async with job_queue.connections(url, limit=_CONNECTIONS) as pool:
        machine = RemoteMachine(job_queue.JobQueue(pool, build))
        waiting = asyncio.create_task(_keep_waiting(machine), name="waits for workers")
        try:
            yield machine
        finally:
            waiting.cancel()


async def _keep_waiting(machine: RemoteMachine) -> None:
    while True:
        await machine.announce_waiting()
        await asyncio.sleep(ALIVE_S / 3)
