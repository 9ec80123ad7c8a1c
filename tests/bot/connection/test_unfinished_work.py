"""Tests for stopping tasks, and for work that a stop waits for."""

import asyncio
import gc
from collections.abc import Awaitable
from contextlib import suppress
from typing import Any
from weakref import ref

import pytest
from structlog.testing import capture_logs

from bot.connection.tasks import InFlightWork, Tasks, end
from bot.database.database import shielded


async def for_ever() -> None:
    await asyncio.Event().wait()


async def under_way(work: Awaitable[None]) -> "asyncio.Future[None]":
    """A task that is waiting for something."""
    task = asyncio.ensure_future(work)
    for _ in range(3):
        await asyncio.sleep(0)
    return task


async def test_a_task_that_forgets_a_cancellation_is_ended_too() -> None:
    forgotten = []

    async def forgetful() -> None:
        with suppress(asyncio.CancelledError):
            await for_ever()
        forgotten.append(True)
        await for_ever()

    tasks = [await under_way(for_ever()), await under_way(forgetful())]
    await end(tasks)
    assert forgotten
    assert all(task.cancelled() for task in tasks)


async def test_a_task_is_cancelled_even_at_the_moment_of_its_result() -> None:
    """Like discord.py on Python 3.11, this loses the cancellation."""
    answer = asyncio.get_running_loop().create_future()

    async def asks() -> None:
        await asyncio.wait_for(answer, timeout=600)
        await for_ever()

    task = await under_way(asks())
    answer.set_result(None)
    await asyncio.sleep(0)  # the waiter knows it, but the task doesn't yet
    await end([task])
    assert task.cancelled()


async def test_ending_a_failed_task_raises_nothing() -> None:
    async def fails() -> None:
        raise RuntimeError

    await end([])
    task = await under_way(fails())
    await end([task])
    with pytest.raises(RuntimeError):
        task.result()


async def test_writes_are_complete_even_if_their_caller_is_cancelled() -> None:
    gate, written = asyncio.Event(), []

    @shielded
    async def write() -> None:
        await gate.wait()
        written.append(True)

    task = await under_way(write())
    for _ in range(3):
        task.cancel()
        await asyncio.sleep(0)
        assert not task.done()
    gate.set()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert written


async def test_background_tasks_are_kept_while_they_wait() -> None:
    """A loop has only weak references to tasks. A task that nothing else refers to could vanish."""
    work, waited_for, done = InFlightWork(), list[ref["asyncio.Future[None]"]](), list[bool]()

    async def waits() -> None:
        answer = asyncio.get_running_loop().create_future()
        waited_for.append(ref(answer))
        await answer
        done.append(True)

    work.start(waits())
    await asyncio.sleep(0)
    gc.collect()

    answer = waited_for[0]()
    assert answer is not None
    answer.set_result(None)
    await work.settled()
    assert done == [True]


async def test_all_work_is_awaited() -> None:
    work, ends, over = InFlightWork(), (asyncio.Event(), asyncio.Event()), list[int]()

    async def piece(number: int) -> None:
        with work.track():
            await ends[number].wait()
        over.append(number)

    async def stopped() -> None:
        await work.settled()
        over.append(-1)

    tasks = [await under_way(piece(number)) for number in (0, 1)]
    tasks.append(await under_way(stopped()))
    for end_of_it in ends:
        assert -1 not in over
        assert not work._idle.is_set()
        end_of_it.set()
        await under_way(asyncio.sleep(0))
    await asyncio.gather(*tasks)
    assert over == [0, 1, -1]


async def test_failed_background_tasks_are_logged() -> None:
    work = InFlightWork()

    async def fails() -> None:
        raise RuntimeError("no")

    with capture_logs() as logged:
        work.start(fails())
        await work.settled()

    (line,) = logged
    assert (line["log_level"], line["event"]) == ("error", "background task failed")
    assert line["task"].endswith("fails")
    assert str(line["exc_info"]) == "no"


async def test_a_task_takes_the_place_of_the_running_one_with_its_name() -> None:
    tasks = Tasks()
    beside = tasks.start("boards 1", for_ever())
    before = tasks.start("boards 0", for_ever())
    tasks.keep_running("boards 0", for_ever())
    await asyncio.wait((before,))
    assert before.cancelled()
    (now,) = (task for task in asyncio.all_tasks() if task.get_name() == "boards 0")
    assert not beside.done()
    await tasks.end()
    assert beside.cancelled()
    assert now.cancelled()


async def test_only_a_task_that_fails_is_logged() -> None:
    raised = list[dict[str, Any]]()
    asyncio.get_running_loop().set_exception_handler(lambda _, context: raised.append(context))
    tasks = Tasks()

    async def fail() -> None:
        raise ValueError("a bug")

    with capture_logs() as logged:
        stopped = tasks.start("stopped", for_ever())
        tasks.stop("stopped")
        ended = tasks.start("ended", asyncio.sleep(0)), tasks.start("failed", fail())
        await asyncio.wait([stopped, *ended])
        await asyncio.sleep(0)
    assert [(line["event"], line["task"]) for line in logged] == [
        ("background task failed", "failed")
    ]
    assert raised == []
