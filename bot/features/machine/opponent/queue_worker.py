"""A worker: answers questions from bots of its own build, through their queue."""

import asyncio
from contextlib import suppress
from signal import Signals
from typing import Any, Final

import psycopg
from saq import Worker
from saq.types import Context, PartialTimersDict
from sqlalchemy.engine import URL

from bot.base.http_port import serving_host
from bot.features.machine.opponent import job_queue
from bot.features.machine.opponent.questions import QuestionKind
from bot.features.machine.opponent.queue_page import queue_page
from bot.features.machine.opponent.remote import HEARTBEAT_S
from bot.features.machine.opponent.watched_thinker import WatchedThinker
from bot.features.machine.opponent.worker_health import WorkerOverview
from bot.play.opponent import MachineBackend

_UPDATE_EVERY_S: Final = HEARTBEAT_S / 3
_TIMERS: Final[PartialTimersDict] = {"schedule": 1, "worker_info": 10, "sweep": 2, "abort": 1}
"""Intervals in seconds of SAQ's own tasks."""
_POLL_EVERY_S: Final = (0.1, 1.0, 1.0)
"""Seconds between polls for urgent jobs, patient jobs, and jobs for idle hours.

PostgreSQL could announce new jobs, but SAQ 0.26 misses a job that it takes before it starts to
listen.
"""
_KINDS: Final = ("moves and hints", "reviews and puzzles", "closer reviews")


class _Worker(Worker[Context]):
    SIGNALS: list[Signals] = []  # noqa: RUF012 - overrides SAQ's; the process handles signals itself


class _PatientQueue(job_queue.JobQueue):
    """A queue of less urgent jobs. It leaves sweeping to the queue of urgent jobs."""

    async def sweep(self, lock: int = 60, abort: float = 5.0) -> list[str]:
        return []


class _JobHandler:
    def __init__(self, queue: job_queue.JobQueue, thinker: MachineBackend) -> None:
        self._queue = queue
        self._thinker = thinker

    async def answer(self, context: Context, *, question: job_queue.Question, asker: str) -> Any:
        """Answer a question, or return None if the bot that asked it is gone."""
        job = context["job"]
        if not await self._is_waiting(asker):
            return None
        work = job_queue.answer(self._thinker, QuestionKind(job.function), question)
        thinking = asyncio.ensure_future(work)
        try:
            while not (await asyncio.wait((thinking,), timeout=_UPDATE_EVERY_S))[0]:
                with suppress(psycopg.OperationalError):  # another worker may take the job
                    await job.update()
                    if not await self._is_waiting(asker):
                        return None
            return thinking.result()
        finally:
            thinking.cancel()

    async def _is_waiting(self, asker: str) -> bool:
        return asker in (await self._queue.info())["workers"]


async def answer_questions(
    url: URL,
    thinker: MachineBackend,
    *,
    searches: int,
    build: str,
    page: int = 0,
    port: tuple[str, int] = ("127.0.0.1", 0),
) -> None:
    """Answer questions until canceled.

    After that, unfinished ones go to other workers.

    `searches` urgent questions are answered at the same time, and one of each other kind. Only bots
    of the same `build` get answers. `page` is the local port for SAQ's web page about the queue, or
    0 for none. `port` is the address for health and metrics.

    Raises:
        StartError: if it can't start.
    """
    await job_queue.make_tables(url, for_worker=True)
    async with job_queue.worker_connections(url) as pool:
        queues = (
            job_queue.JobQueue(pool, build, job_queue.URGENT),
            _PatientQueue(pool, build, job_queue.PATIENT),
            _PatientQueue(pool, build, job_queue.IDLE),
        )
        watched = WatchedThinker(thinker)
        work = _JobHandler(queues[0], watched)
        workers = [
            _Worker(
                queue,
                [(kind.value, work.answer) for kind in QuestionKind],
                concurrency=places,
                timers=_TIMERS,
                poll_interval=every_s,
                metadata={"answers": kinds, "at once": places},
            )
            for queue, places, every_s, kinds in zip(
                queues, (searches, 1, 1), _POLL_EVERY_S, _KINDS, strict=True
            )
        ]
        for queue in queues:
            await queue.connect()
        overview = WorkerOverview(queues[0], watched)
        async with queue_page(queues[0], page), serving_host(overview, *port):
            await asyncio.gather(*(worker.start() for worker in workers))
