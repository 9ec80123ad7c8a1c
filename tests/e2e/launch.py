"""The bot with a clock that the test moves: the same parts, joined in the same way.

A file holds three numbers in seconds: how far the time is ahead of reality, how much of that the
machine was asleep, and how far only the wall clock was set forward. Moving the clock wakes all
tasks that sleep by it. Work that no event announces is checked more often than in reality, because
nobody moves the clock for it.

If told so, a bot may begin any number of sessions a day, for tests that kill it often. While a
certain file exists, each of the machine's processes dies when it starts, as if the system were out
of memory.
"""

import asyncio
import os
import signal
import sys
import time
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from importlib import import_module
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, Final

from bot.base.rhythm import Rhythm

if TYPE_CHECKING:
    from bot.connection.discord_clock import HostClocks

_LOOK_S: Final = 0.02
VARIABLE = "TEST_CLOCK"
MANY_LIVES = "TEST_MANY_LIVES"
NO_MEMORY = "TEST_NO_MEMORY"


def moved_clocks(file: Path) -> "HostClocks":
    """Return the clocks of a machine as a file moves them."""
    from bot.connection.discord_clock import HostClocks  # noqa: PLC0415 - see below

    def moved() -> tuple[float, float, float]:
        passed, slept, put_forward = map(float, file.read_text().split())
        return passed, slept, put_forward

    def wall_clock() -> datetime:
        passed, _, put_forward = moved()
        return datetime.now(UTC) + timedelta(seconds=passed + put_forward)

    def steady() -> float:
        return time.monotonic() + moved()[0]

    def awake() -> float:
        passed, slept, _ = moved()
        return time.monotonic() + passed - slept

    return HostClocks(wall_clock, steady, awake, Sleepers(file).sleep)


# Ten checks of each kind per second take a twelfth of a core in an idle bot.
QUICK = Rhythm(
    clocks=timedelta(seconds=0.25),
    deliveries=timedelta(seconds=0.25),
    absences=timedelta(seconds=1),
    dailies=timedelta(seconds=1),
    reception=timedelta(seconds=1),
    second_bots=timedelta(seconds=0.2),
)


MACHINE: Final = "bot.features.machine.opponent.machine"
"""A module that tests may remove from a bot."""
WORKER: Final = "bot.features.machine.opponent.worker"
"""Another one."""


def begin_worker(*arguments: Any) -> None:
    """Run one of the machine's processes, or kill it if the test simulates a lack of memory."""
    if Path(os.environ[NO_MEMORY]).exists():
        os.kill(os.getpid(), signal.SIGKILL)
    import_module(WORKER).begin(*arguments)


class Sleepers:
    """Makes a process's tasks sleep, in real time or until the clock is moved."""

    def __init__(self, file: Path) -> None:
        self._file = file
        self._moved = asyncio.Event()
        self._watch: asyncio.Task[None] | None = None

    async def sleep(self, seconds: float) -> None:
        """Wait for some seconds, or until the file changes."""
        self._watch = self._watch or asyncio.create_task(self._look())
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self._moved.wait()

    async def _look(self) -> None:
        last = self._file.stat().st_ino
        while True:
            await asyncio.sleep(_LOOK_S)
            if (now := self._file.stat().st_ino) != last:
                last, moved, self._moved = now, self._moved, asyncio.Event()
                moved.set()


if __name__ == "__main__":  # the machine's processes import this module, and need none of these
    from bot.__main__ import run
    from bot.base.config import load_settings
    from bot.base.logs import set_up_logging
    from bot.connection.discord_clock import DiscordClock
    from bot.connection.liveness import Liveness
    from bot.connection.session import use_api
    from bot.connection.session_budget import SessionBudget

    if NO_MEMORY in os.environ:
        doomed = {**vars(import_module(WORKER)), "begin": begin_worker}
        vars(import_module(MACHINE))["worker"] = SimpleNamespace(**doomed)
    settings = load_settings()
    use_api(settings.discord_api_url)
    set_up_logging(settings.log_level, settings.log_format, settings.secrets)
    unbounded = SessionBudget(apart=timedelta(0), a_shard=1_000_000)
    allowance = unbounded if MANY_LIVES in os.environ else SessionBudget()
    clocks = moved_clocks(Path(os.environ[VARIABLE]))
    asyncio.run(run(settings, DiscordClock(clocks), Liveness(time.monotonic), allowance, QUICK))
    sys.exit(0)
