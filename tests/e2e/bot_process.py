"""The real bot as a separate process: started, stopped, killed."""

import asyncio
import os
import signal
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path
from tempfile import TemporaryDirectory

from bot.base.config import read_shards
from sandbox import Sandbox
from sandbox.clock import SystemClock
from sandbox.signals import SOON_S
from tests.e2e import loop_steps
from tests.e2e.launch import MANY_LIVES, VARIABLE
from tests.e2e.warm import WarmProcess, fork
from tests.powerless import powerless

DATABASE = "dvonn.sqlite3"
"""A bot's database file, in its folder."""


async def run_bot(folder: Path, *arguments: str, **settings: str) -> tuple[int, str, str]:
    """Run `bot` until it ends. Return its exit status, standard output and standard error.

    Args:
        folder: Working directory.
        arguments: Command-line arguments.
        settings: Its only environment variables.
    """
    return await _run((), folder, arguments, settings)


async def run_cold(folder: Path, *arguments: str, **settings: str) -> tuple[int, str, str]:
    """Run `bot` like `run`, but as hosts start it: in a new process instead of a fork."""
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "bot", *arguments),
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
        cwd=folder,
        env=_environment(settings),
    )
    out, err = await process.communicate()
    assert process.returncode is not None
    return process.returncode, out.decode(), err.decode()


async def run_powerless(folder: Path, *arguments: str, **settings: str) -> tuple[int, str, str]:
    """Run `bot` like `run`, but so that file permissions apply even to root."""
    return await _run(powerless(), folder, arguments, settings)


async def _run(
    before: tuple[str, ...], folder: Path, arguments: tuple[str, ...], settings: dict[str, str]
) -> tuple[int, str, str]:
    if not hasattr(os, "fork"):
        return await run_cold(folder, *arguments, **settings)
    with TemporaryDirectory() as written:
        out, err = Path(written) / "out", Path(written) / "err"
        process = fork(
            "bot",
            *arguments,
            folder=folder,
            environment=_environment(settings),
            log=out,
            errors=err,
            before=before,
        )
        status = await process.wait()
        return status, out.read_text(), err.read_text()


def _environment(settings: dict[str, str]) -> dict[str, str]:
    return machine_environment() | settings


def machine_environment() -> dict[str, str]:
    """Return the variables that a bot needs on this machine, without any settings."""
    kept = ("PATH", "SYSTEMROOT", "TMPDIR")
    machine = {name: os.environ[name] for name in kept if name in os.environ}
    return machine | {"PYTHONPATH": str(Path.cwd())}


class WorldClock(SystemClock):
    """Discord's clock, which tests can move forward."""

    def __init__(self) -> None:
        self.ahead_s = 0.0

    def time(self) -> float:
        """Seconds since the Unix epoch."""
        return super().time() + self.ahead_s


class BotClock:
    """The clock of a bot that `tests.e2e.launch` has started, and of Discord."""

    def __init__(self, file: Path, world: WorldClock | None) -> None:
        self.file = file
        self._world = world
        self._passed = self._slept = self._put_forward = 0.0
        self._write()

    @property
    def now(self) -> datetime:
        """Return the current time of Discord's clock, which the bot uses, too."""
        ahead_s = self._passed if self._world is None else self._world.ahead_s
        return datetime.now(UTC) + timedelta(seconds=ahead_s)

    def advance(self, **by: float) -> None:
        """Let time pass."""
        # The bot's clock comes last: Discord must never answer with an earlier time than the
        # request's.
        self.elapse(**by)
        if self._world is not None:
            self._world.ahead_s += timedelta(**by).total_seconds()

    def elapse(self, **by: float) -> None:
        """Let time pass on the bot's machine only. The caller moves Discord's clock."""
        self._passed += timedelta(**by).total_seconds()
        self._write()

    def sleep(self, **by: float) -> None:
        """Let time pass while the bot's machine is asleep."""
        self._slept += timedelta(**by).total_seconds()
        self.advance(**by)

    def put_forward(self, **by: float) -> None:
        """Set the machine's wall clock. No time passes."""
        self._put_forward += timedelta(**by).total_seconds()
        self._write()

    def _write(self) -> None:
        new = self.file.with_suffix(".new")
        new.write_text(f"{self._passed} {self._slept} {self._put_forward}")
        new.replace(self.file)  # atomically, so that the bot never reads half of the file


class BotProcess:
    """A bot that keeps its database across several runs."""

    def __init__(self, world: Sandbox, folder: Path, **settings: str) -> None:
        self.world = world
        self.folder = folder
        self.log_file = folder / "bot.log"
        self.settings = {
            "DISCORD_TOKEN": world.token,
            "DISCORD_API_URL": world.api_url,
            # the worker process takes seconds to start; tests of the machine switch it on
            "MACHINE": "off",
            "DATABASE_URL": f"sqlite:///{folder / DATABASE}",
            **settings,
        }
        self.module = "bot"
        self.cold = not hasattr(os, "fork")
        """True if it is started as hosts start it, not forked from a process that has imported
        everything."""
        self.alone = True  # no other process holds a connection to the sandbox
        self._clock: BotClock | None = None
        self._clock_is_taken = False
        self._process: asyncio.subprocess.Process | WarmProcess | None = None

    @property
    def log(self) -> str:
        """Return the log of all runs of the bot."""
        return self.log_file.read_text() if self.log_file.exists() else ""

    @property
    def pid(self) -> int:
        """The process id."""
        assert self._process is not None
        return self._process.pid

    async def wrote(self, words: str, *, times: int = 1) -> None:
        """Wait until the log contains a text, perhaps several times."""
        while self.log.count(words) < times:  # noqa: ASYNC110 - a file tells of no event
            await asyncio.sleep(0.02)

    async def start(self, *, patience_s: float = SOON_S) -> None:
        """Start the bot. Wait until it has identified and registered its commands."""
        others = [session for session in self.world.sessions if session.connected]
        await self.launch()
        try:
            for shard in self._shards:
                await self.world.wait_session(shard, besides=others, timeout=patience_s)
            await self.world.wait_ready(timeout=patience_s)
        except TimeoutError as error:
            raise TimeoutError(f"{error}\n{self.log}") from error

    async def launch(self) -> None:
        """Start the process without waiting for it.

        Without a test clock, the bot may start a session at once from its second life on.
        Otherwise all tests would wait out Discord's pause between two sessions, which has tests of
        its own.
        """
        if self._process is not None and not self._clock_is_taken:
            self.settings[MANY_LIVES] = "1"
            self.live_quickly()
        environment = _environment(self.settings)
        if not self.cold:
            self._process = fork(
                self.module, folder=self.folder, environment=environment, log=self.log_file
            )
            return
        with self.log_file.open("a") as log:
            self._process = await asyncio.create_subprocess_exec(
                *(sys.executable, "-m", self.module),
                stdout=log,
                stderr=log,
                env=environment,
                cwd=self.folder,
            )

    async def ended(self) -> int:
        """Wait until the process ends on its own. Return its exit status."""
        assert self._process is not None
        return await self._process.wait()

    def live_quickly(self) -> "BotClock":
        """Make the bot check for due work many times a second, from the next start on.

        Returns:
            A clock that is set to the current time.
        """
        if self._clock is None:
            world = self.world.clock
            discord = world if isinstance(world, WorldClock) else None
            self._clock = BotClock(self.folder / "clock", discord)
            self.module = "tests.e2e.launch"
            self.settings[VARIABLE] = str(self._clock.file)
        return self._clock

    def take_clock(self) -> "BotClock":
        """Make the bot use the test's clock, from the next start on."""
        self._clock_is_taken = True
        return self.live_quickly()

    def live_often(self) -> "BotClock":
        """Allow more sessions than a bot may start, from the next start on.

        Returns:
            Its clock, as from :meth:`take_clock`.
        """
        self.settings[MANY_LIVES] = "1"
        return self.take_clock()

    def watch_loop(self, *, in_calls: bool = False) -> None:
        """Measure the steps of the bot's event loop, from the next start on.

        With `in_calls`, count the calls of functions instead of seconds.
        """
        if in_calls:
            self.settings[loop_steps.IN_CALLS] = "1"
        self.settings[loop_steps.VARIABLE] = str(self.folder / "loop_steps")
        self.settings[loop_steps.MODULE], self.module = self.module, loop_steps.__name__

    @property
    def too_long_steps(self) -> list[str]:
        """Return the bot's steps that were too long, as measured by `watch_loop`."""
        steps = loop_steps.steps_of(Path(self.settings[loop_steps.VARIABLE]))
        in_calls = loop_steps.IN_CALLS in self.settings
        most = loop_steps.MOST_CALLS if in_calls else loop_steps.LONGEST_S
        unit = "calls" if in_calls else "s"
        return [f"{took:.3f} {unit} {what}" for took, what in steps if took > most]

    async def end(self) -> None:
        """Kill the bot if it is running."""
        if self._process is not None and self._process.returncode is None:
            await self.kill()

    async def kill(self) -> None:
        """Kill the bot at once, like a power cut."""
        assert self._process is not None
        self._process.kill()
        await self._wait_for_exit()

    async def stop(self) -> int:
        """Ask the bot to stop, as a service manager does. Return its exit status."""
        assert self._process is not None
        if self._process.returncode is None:
            self._process.send_signal(signal.SIGTERM)
        return await self._wait_for_exit()

    def freeze(self) -> None:
        """Freeze the bot without notice, like a paused virtual machine."""
        assert self._process is not None
        self._process.send_signal(signal.SIGSTOP)

    def thaw(self) -> None:
        """Let a frozen process continue."""
        assert self._process is not None
        self._process.send_signal(signal.SIGCONT)

    @property
    def _shards(self) -> tuple[int, ...]:
        own = read_shards(self.settings.get("SHARDS", "all"))
        return (0,) if own is None else own.ids

    async def restart(self) -> None:
        """Kill the bot and start it again."""
        await self.kill()
        await self.start()

    async def _wait_for_exit(self) -> int:
        assert self._process is not None
        status = await self._process.wait()
        if self.alone:
            # the sandbox may not have noticed yet that the process is gone
            await self.world.disconnect()
        return status
