"""The real bot as a separate process: started, stopped, killed."""

import asyncio
import os
import signal
import sys
from pathlib import Path

from sandbox import Sandbox


class BotProcess:
    """One bot, which keeps its database through as many lives as a test wants."""

    def __init__(self, world: Sandbox, folder: Path, **settings: str) -> None:
        self.world = world
        self.folder = folder
        self.log_file = folder / "bot.log"
        self.settings = {
            "DISCORD_TOKEN": world.token,
            "DISCORD_API_URL": world.api_url,
            "DATABASE_URL": f"sqlite:///{folder / 'dvonn.sqlite3'}",
            **settings,
        }
        self._process: asyncio.subprocess.Process | None = None

    @property
    def log(self) -> str:
        """What all its lives have written."""
        return self.log_file.read_text() if self.log_file.exists() else ""

    async def wrote(self, words: str) -> None:
        """Wait until the log has these words."""
        while words not in self.log:  # noqa: ASYNC110 - a file tells of no event
            await asyncio.sleep(0.02)

    async def start(self) -> None:
        """Start it, and wait until it has identified and Discord knows its commands."""
        kept = {key: os.environ[key] for key in ("PATH", "SYSTEMROOT") if key in os.environ}
        with self.log_file.open("a") as log:
            self._process = await asyncio.create_subprocess_exec(
                sys.executable,
                "-m",
                "bot",
                stdout=log,
                stderr=log,
                env={**kept, "PYTHONPATH": str(Path.cwd()), **self.settings},
                cwd=self.folder,
            )
        try:
            await self.world.wait_ready()
        except TimeoutError as error:
            raise TimeoutError(f"{error}\n{self.log}") from error

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

    async def restart(self) -> None:
        """Kill it and start it again."""
        await self.kill()
        await self.start()

    async def _gone(self) -> int:
        assert self._process is not None
        status = await self._process.wait()
        await self.world.disconnect()  # the sandbox may not have seen yet that it is gone
        return status
