"""Tests for the separate process for pairings, and for its death."""

import asyncio
import multiprocessing
import os
import time
from collections.abc import AsyncIterator
from concurrent.futures.process import BrokenProcessPool
from functools import partial
from multiprocessing.process import BaseProcess
from pathlib import Path

import pytest

from bot.base.separate_process import run_in_process


def linger(door: Path) -> None:
    """Signal that the process is running, then sleep for an hour."""
    door.write_bytes(b"!")
    time.sleep(3600)


@pytest.fixture
async def lingering(tmp_path: Path) -> AsyncIterator[tuple["asyncio.Task[None]", BaseProcess]]:
    """Run a call in a process, and return that process."""
    others = multiprocessing.active_children()
    door = tmp_path / "door"
    os.mkfifo(door)
    asked = asyncio.create_task(run_in_process(partial(linger, door)))
    await asyncio.to_thread(door.read_bytes)
    (process,) = (child for child in multiprocessing.active_children() if child not in others)
    yield asked, process
    process.kill()


async def test_a_process_ends_when_nothing_waits_for_it(
    lingering: tuple["asyncio.Task[None]", BaseProcess],
) -> None:
    asked, process = lingering
    asked.cancel()
    with pytest.raises(asyncio.CancelledError):
        await asked
    # The pool waits for it as well. Either may notice first, and tells the other a moment later.
    while process.is_alive():  # noqa: ASYNC110 - nobody tells us
        await asyncio.sleep(0.01)


async def test_a_dead_process_raises_in_its_waiter(
    lingering: tuple["asyncio.Task[None]", BaseProcess],
) -> None:
    asked, process = lingering
    process.kill()
    with pytest.raises(BrokenProcessPool):
        await asked


async def test_results_and_errors_are_returned() -> None:
    assert await run_in_process(partial(divmod, 7, 2)) == (3, 1)
    with pytest.raises(ZeroDivisionError):
        await run_in_process(partial(divmod, 7, 0))
