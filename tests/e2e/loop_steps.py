"""The bot with a record of each long step of its event loop, in processor time.

A step is what a loop does without a pause. It is measured in its thread's processor time, so that
neither other threads nor a busy machine affect it. Tests that run on any machine count calls.
"""

import asyncio
import gc
import os
import runpy
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from types import FrameType
from typing import Final

from bot.base.garbage_collection import collect_often

VARIABLE: Final = "TEST_LOOP_STEPS"
"""The file to which the steps are written."""
MODULE: Final = "TEST_LOOP_STEPS_OF"
"""The module to run."""
IN_CALLS: Final = "TEST_LOOP_STEPS_IN_CALLS"
"""If set, steps are measured in calls of functions, which are the same on any machine."""
LONGEST_S: Final = 0.05
"""Maximum length of a step, as in ARCHITECTURE.md."""
MOST_CALLS: Final = 300_000
"""Maximum number of function calls in a step, for tests that run on any machine."""
_WORTH_WRITING: Final = 0.4
"""Share of the maximum from which a step is written down."""


@contextmanager
def calls() -> Iterator[Callable[[], float]]:
    """Count the calls of functions in this thread. Yields what returns their number so far."""
    number = 0

    def count(_: FrameType, what: str, __: object) -> None:
        nonlocal number
        number += what.endswith("call")

    sys.setprofile(count)
    try:
        yield lambda: number
    finally:
        sys.setprofile(None)


class _Collections:
    """The garbage collections of this process, in their thread's processor time."""

    def __init__(self) -> None:
        self.took = 0.0
        self.generations = ""
        self._began = 0.0
        gc.callbacks.append(self._hear)

    def close(self) -> None:
        gc.callbacks.remove(self._hear)

    def _hear(self, phase: str, about: dict[str, int]) -> None:
        if phase == "start":
            self._began = time.thread_time()
        else:
            self.took += time.thread_time() - self._began
            self.generations += str(about["generation"])


@contextmanager
def watched(
    file: Path, *, spent: Callable[[], float] = time.thread_time, most: float = LONGEST_S
) -> Iterator[None]:
    """Record each long step of all event loops of this process during the block.

    Args:
        file: The file to which they are written.
        spent: Returns the amount spent so far, by default processor time.
        most: Maximum amount of a step.
    """
    run, collections = asyncio.Handle._run, _Collections()
    file.touch()  # to distinguish it from a bot that isn't measured

    def measured(handle: asyncio.Handle) -> None:
        began = spent()
        collections.took, collections.generations = 0.0, ""
        try:
            run(handle)
        finally:
            took = spent() - began
            if took > _WORTH_WRITING * most:
                what = getattr(
                    getattr(handle, "_callback", None), "__self__", handle
                )  # usually a task
                gone = f"{collections.took:.3f} s of it collecting {collections.generations or '-'}"
                with file.open("a") as steps:
                    steps.write(f"{took:.3f} {gone}: {what!r:.300}".replace("\n", " ") + "\n")

    asyncio.Handle._run = measured  # type: ignore[assignment,method-assign]  # as said
    try:
        yield
    finally:
        asyncio.Handle._run = run  # type: ignore[method-assign]  # as it was
        collections.close()


@contextmanager
def collected_as_in_the_bot() -> Iterator[None]:
    """Collect garbage as the bot does, which excludes everything that was imported."""
    before = gc.get_threshold()
    collect_often()
    gc.freeze()
    try:
        yield
    finally:
        gc.unfreeze()
        gc.set_threshold(*before)


def steps_of(file: Path) -> list[tuple[float, str]]:
    """Return the long steps: what each took, by default in seconds, and what it did.

    Raises:
        FileNotFoundError: if the bot has not been watched.
    """
    lines = (line.partition(" ") for line in file.read_text().splitlines())
    return [(float(took), what) for took, _, what in lines]


if __name__ == "__main__":
    file = Path(os.environ[VARIABLE])
    with ExitStack() as stack:
        if IN_CALLS in os.environ:
            stack.enter_context(watched(file, spent=stack.enter_context(calls()), most=MOST_CALLS))
        else:
            stack.enter_context(watched(file))
        runpy.run_module(os.environ[MODULE], run_name="__main__", alter_sys=True)
