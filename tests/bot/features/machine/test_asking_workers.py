"""Tests for the messages between bots and workers, with a queue in memory."""

import asyncio
import json
import time
from collections.abc import Awaitable, Callable
from typing import Any, cast

import pytest

pytest.importorskip("saq", reason="the extra `cluster` is not installed")

import psycopg
from saq import Job
from saq.job import Status

from bot.base.errors import StoreError
from bot.connection.tasks import end
from bot.features.machine.opponent import job_queue, queue_worker, remote
from bot.features.machine.opponent.job_queue import JobQueue
from bot.features.machine.opponent.questions import QuestionKind
from bot.features.machine.opponent.remote import NotAnsweredError, RemoteMachine
from dvonn import GameRecord
from tests.bot.features.machine.test_remote_machine import BOARDS, RECORD, REVIEW, Plain, choosing
from tests.bot.table import raises

Work = Callable[[Job], Awaitable[None]]


class Memory:
    """A queue without a database. It records what happens to each job."""

    name = "dvonn test"

    def __init__(self, work: Work) -> None:
        self.jobs: dict[str, Job] = {}
        self.aborted: list[str] = []
        self.waiting: list[str] = []
        self._work = work
        self._working = set[asyncio.Task[None]]()

    async def enqueue(self, job: Job) -> None:
        self.jobs[job.key] = job
        task = asyncio.ensure_future(self._work(job))
        self._working.add(task)
        task.add_done_callback(self._working.discard)

    async def job(self, key: str) -> Job | None:
        return self.jobs.get(key)

    async def finish(self, job: Job, _status: Status) -> None:
        del self.jobs[job.key]

    async def abort(self, job: Job, _why: str) -> None:
        self.aborted.append(self.jobs.pop(job.key).key)

    async def worker_info(self, who: str, *_about: Any, **_how: Any) -> None:
        self.waiting.append(who)

    async def info(self) -> dict[str, list[str]]:
        return {"workers": self.waiting}


@pytest.fixture(autouse=True)
def soon(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the machine poll often."""
    monkeypatch.setattr(remote, "_MIN_PAUSE_S", 0.001)
    monkeypatch.setattr(queue_worker, "_UPDATE_EVERY_S", 0.001)


def asking(work: Work) -> tuple[RemoteMachine, Memory]:
    queue = Memory(work)
    return RemoteMachine(cast("JobQueue", queue)), queue


async def test_every_request_is_answered_unchanged() -> None:
    there, here, priorities = Plain(), Plain(), list[int]()

    async def work(job: Job) -> None:
        assert job.kwargs is not None
        assert job.scheduled <= time.time() - job_queue.BACKDATED_S, "for workers with a late clock"
        question = json.loads(json.dumps(job.kwargs["question"]))
        answer = await job_queue.answer(there, QuestionKind(job.function), question)
        job.status, job.result = Status.COMPLETE, json.loads(json.dumps(answer))
        priorities.append(job.priority)

    machine, queue = asking(work)
    for position in (BOARDS[0], BOARDS[30], BOARDS[60]):
        terms = {"level": 4, "seed": 11}
        assert await machine.choose(position, **terms) == await here.choose(position, **terms)
        assert await machine.analyse(position) == await here.analyse(position)
        assert there.asked == here.asked
    for closer in (False, True):
        assert await machine.review(5, RECORD, placements=49, closer=closer) == REVIEW
        assert there.asked[-1] == (5, RECORD, 49, closer)
    assert await machine.puzzles(5, RECORD) == await here.puzzles(5, RECORD)
    assert queue.jobs == {}, "nothing is left of it"
    ways = (job_queue.URGENT, job_queue.PATIENT, job_queue.IDLE)
    workers = [next(way for way in ways if priority in way) for priority in priorities]
    urgent, patient, idle = ways
    assert workers == [urgent] * 6 + [patient, idle, patient]


async def test_a_job_that_every_worker_fails_is_abandoned() -> None:
    async def work(job: Job) -> None:
        job.status, job.attempts = Status.FAILED, job.retries

    machine, queue = asking(work)
    await raises(NotAnsweredError, machine.puzzles(5, GameRecord([])))
    assert (queue.jobs, queue.waiting) == ({}, [])


async def test_abandoned_jobs_are_taken_from_workers() -> None:
    begun = asyncio.Event()

    async def work(_job: Job) -> None:
        begun.set()

    machine, queue = asking(work)
    waiting = choosing(machine)
    await begun.wait()
    (key,) = queue.jobs
    await end((waiting,))
    assert queue.aborted == [key]


async def test_a_bot_presumed_dead_reports_and_asks_again() -> None:
    tries = 0

    async def work(job: Job) -> None:
        nonlocal tries
        tries += 1
        if tries == 1:
            del queue.jobs[job.key]  # because nobody is waiting for it
        elif tries == 2:
            job.status = Status.COMPLETE  # its worker has checked who is waiting, and found nobody
        else:
            job.status, job.result = Status.COMPLETE, "a1"

    machine, queue = asking(work)
    assert str(await choosing(machine)) == "a1"
    assert (tries, len(queue.waiting)) == (3, 2)


async def test_a_database_that_cannot_be_used_is_an_error_of_the_store() -> None:
    class Away(Memory):
        async def enqueue(self, job: Job) -> None:
            raise psycopg.OperationalError(job.key)

        async def job(self, key: str) -> Job | None:
            raise psycopg.OperationalError(key)

    async def work(_job: Job) -> None:
        raise NotImplementedError

    machine = RemoteMachine(cast("JobQueue", Away(work)))
    error = await raises(StoreError, machine.choose(BOARDS[0], level=1, seed=0))
    assert error.writing


class Begun(Job):
    """A job that its worker has started."""

    async def update(self, **_values: Any) -> None:
        """Send a sign of life."""


async def worker_answer(queue: Memory, thinker: Plain) -> object:
    """A worker's answer to a bot's question."""
    answering = queue_worker._JobHandler(cast("JobQueue", queue), thinker)
    question = job_queue.position_question(BOARDS[0], level=1, seed=7)
    job = Begun(QuestionKind.CHOOSE.value)
    return await answering.answer(cast(Any, {"job": job}), question=question, asker="bot")


async def test_no_worker_thinks_for_a_missing_bot() -> None:
    async def work(_job: Job) -> None:
        raise NotImplementedError

    queue, thinker = Memory(work), Plain()
    assert await worker_answer(queue, thinker) is None
    assert thinker.asked == []
    queue.waiting = ["bot"]
    assert await worker_answer(queue, thinker) == str(BOARDS[0].legal_moves()[7])
    thinker.go_on.clear()
    answering = asyncio.ensure_future(worker_answer(queue, thinker))
    while len(thinker.asked) < 2:  # noqa: ASYNC110 - a list tells of no event
        await asyncio.sleep(0.001)
    queue.waiting = []
    assert await answering is None
    assert (len(thinker.asked), thinker.given_up) == (2, 1)
