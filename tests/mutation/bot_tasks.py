"""A plug-in for `tests.mutation.sample`: bots of end-to-end tests are tasks of the test's loop.

So a changed function is exchanged in them, too, and no process is started. A bot that is killed
stops as it does when it is told to. Tests that need more, such as the engine's processes, fail with
nothing changed, so they are left out.
"""

import asyncio
import os
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path
from typing import Any, NoReturn

import structlog

from bot import __main__ as program
from bot.base.config import load_settings
from bot.base.rhythm import EVERYDAY
from bot.client import client
from bot.connection.discord_clock import DiscordClock, HostClocks, host_time, steady
from bot.connection.liveness import Liveness
from bot.connection.session import use_api
from bot.connection.session_budget import SessionBudget
from tests import commands_once
from tests.e2e import warm
from tests.e2e.launch import MANY_LIVES, QUICK, VARIABLE, moved_clocks


class BotTask:
    """A bot that runs as a task, with the methods of `warm.WarmProcess` that tests need."""

    pid = os.getpid()

    def __init__(self, task: "asyncio.Task[None]") -> None:
        self._task = task

    @property
    def returncode(self) -> int | None:
        """0 if it has ended, or None while it runs."""
        return 0 if self._task.done() else None

    async def wait(self) -> int:
        """Wait until it ends. Return its exit status."""
        await self._task
        return 0

    def send_signal(self, _number: int) -> None:
        """Ask it to stop."""
        self._task.cancel()

    def kill(self) -> None:
        """Let it stop, because a task can't be ended at once."""
        self._task.cancel()


def begin(
    _module: str,
    *arguments: str,
    environment: Mapping[str, str],
    log: Path,
    before: tuple[str, ...] = (),
    **_: object,
) -> BotTask:
    """Start a bot, as `warm.fork` does.

    Raises:
        NotImplementedError: if it can't be a task.
    """
    if arguments or before or environment["MACHINE"] != "off":
        raise NotImplementedError
    with _variables(environment):
        settings = load_settings()
    use_api(settings.discord_api_url)
    clocks = HostClocks(wall_clock=host_time, steady=steady, awake=time.monotonic)
    if moves := environment.get(VARIABLE):
        clocks = moved_clocks(Path(moves))
    limits = {"a_shard": 1_000_000, "apart": timedelta(0)} if MANY_LIVES in environment else {}
    parts = DiscordClock(clocks), Liveness(time.monotonic), SessionBudget(**limits)  # type: ignore[arg-type]
    rhythm = QUICK if moves else EVERYDAY

    async def run() -> None:
        with _logged(log):
            await program.run(settings, *parts, rhythm)

    return BotTask(asyncio.get_running_loop().create_task(run()))


@contextmanager
def _variables(environment: Mapping[str, str]) -> Iterator[None]:
    kept = dict(os.environ)
    os.environ.clear()
    os.environ.update(environment)
    yield
    os.environ.clear()
    os.environ.update(kept)


@contextmanager
def _logged(file: Path) -> Iterator[None]:
    """Write the log into a file during the block."""

    def write(_: object, level: str, event: dict[str, Any]) -> NoReturn:
        with file.open("a", encoding="utf-8") as log:
            log.write(f"[{level}] {event}\n")
        raise structlog.DropEvent

    processors = structlog.get_config()["processors"]
    kept = processors.copy()
    processors[:] = [write]
    yield
    processors[:] = kept


commands_once.put_in_place()
warm.fork = begin  # type: ignore[assignment]
client.freeze_objects = lambda: None  # type: ignore[attr-defined]
