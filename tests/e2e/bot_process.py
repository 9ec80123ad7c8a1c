"""The real bot as a separate process: started, stopped, killed."""

import asyncio
import os
import signal
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path

from bot.config import read_shards
from sandbox import Sandbox
from tests.e2e.launch import MANY_LIVES, VARIABLE


class BotClock:
    """The clock of a bot that `tests.e2e.launch` has started."""

    def __init__(self, file: Path) -> None:
        self.file = file
        self._passed = self._put_forward = 0.0
        self._write()

    @property
    def now(self) -> datetime:
        """What the bot takes for the present."""
        return datetime.now(UTC) + timedelta(seconds=self._passed + self._put_forward)

    def advance(self, **by: float) -> None:
        """Let time pass."""
        self._passed += timedelta(**by).total_seconds()
        self._write()

    def put_forward(self, **by: float) -> None:
        """Set the clock; no time passes."""
        self._put_forward += timedelta(**by).total_seconds()
        self._write()

    def _write(self) -> None:
        new = self.file.with_suffix(".new")
        new.write_text(f"{self._passed} {self._put_forward}")
        new.replace(self.file)  # at once: the bot never reads half of it


class BotProcess:
    """One bot, which keeps its database through as many lives as a test wants."""

    def __init__(self, world: Sandbox, folder: Path, **settings: str) -> None:
        self.world = world
        self.folder = folder
        self.log_file = folder / "bot.log"
        self.settings = {
            "DISCORD_TOKEN": world.token,
            "DISCORD_API_URL": world.api_url,
            "MACHINE": "off",  # its process takes seconds to start; its own tests switch it on
            "DATABASE_URL": f"sqlite:///{folder / 'dvonn.sqlite3'}",
            **settings,
        }
        self.module = "bot"
        self.alone = True  # no other process holds a connection to the sandbox
        self._process: asyncio.subprocess.Process | None = None

    @property
    def log(self) -> str:
        """What all its lives have written."""
        return self.log_file.read_text() if self.log_file.exists() else ""

    @property
    def pid(self) -> int:
        """The number of its process."""
        assert self._process is not None
        return self._process.pid

    async def wrote(self, words: str) -> None:
        """Wait until the log has these words."""
        while words not in self.log:  # noqa: ASYNC110 - a file tells of no event
            await asyncio.sleep(0.02)

    async def start(self, *, patience_s: float = 20.0) -> None:
        """Start it, and wait until it has identified and Discord knows its commands."""
        others = [one for one in self.world.sessions if one.connected]
        await self.launch()
        try:
            for shard in self._shards:
                await self.world.wait_session(shard, besides=others, timeout=patience_s)
            await self.world.wait_ready()
        except TimeoutError as error:
            raise TimeoutError(f"{error}\n{self.log}") from error

    async def launch(self) -> None:
        """Start the process, whatever will come of it."""
        kept = {key: os.environ[key] for key in ("PATH", "SYSTEMROOT") if key in os.environ}
        with self.log_file.open("a") as log:
            self._process = await asyncio.create_subprocess_exec(
                sys.executable,
                "-m",
                self.module,
                stdout=log,
                stderr=log,
                env={**kept, "PYTHONPATH": str(Path.cwd()), **self.settings},
                cwd=self.folder,
            )

    async def ended(self) -> int:
        """Wait until it has ended by itself; its exit status."""
        assert self._process is not None
        return await self._process.wait()

    def take_clock(self) -> "BotClock":
        """Let the test move the bot's clock, from the next start on."""
        clock = BotClock(self.folder / "clock")
        self.module = "tests.e2e.launch"
        self.settings[VARIABLE] = str(clock.file)
        return clock

    def live_often(self) -> None:
        """Let it be killed more often, from the next start on, than a bot may begin sessions."""
        self.take_clock()
        self.settings[MANY_LIVES] = "1"

    async def end(self) -> None:
        """Kill it, if it is there."""
        if self._process is not None and self._process.returncode is None:
            await self.kill()

    async def kill(self) -> None:
        """End it at once, as a power cut does."""
        assert self._process is not None
        self._process.kill()
        await self._gone()

    async def stop(self) -> int:
        """Ask it to stop, as a service manager does; its exit status."""
        assert self._process is not None
        if self._process.returncode is None:
            self._process.send_signal(signal.SIGTERM)
        return await self._gone()

    def freeze(self) -> None:
        """Let it do nothing any more, as a machine does that is paused; nobody hears of that."""
        assert self._process is not None
        self._process.send_signal(signal.SIGSTOP)

    def thaw(self) -> None:
        """Let a frozen one go on as if nothing had been."""
        assert self._process is not None
        self._process.send_signal(signal.SIGCONT)

    @property
    def _shards(self) -> tuple[int, ...]:
        own = read_shards(self.settings.get("SHARDS", "all"))
        return (0,) if own is None else own.ids

    async def restart(self) -> None:
        """Kill it and start it again."""
        await self.kill()
        await self.start()

    async def _gone(self) -> int:
        assert self._process is not None
        status = await self._process.wait()
        if self.alone:
            await self.world.disconnect()  # the sandbox may not have seen yet that it is gone
        return status
