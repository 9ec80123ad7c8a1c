"""Workers of the machine during the kills of `tests.soak.kills`. They are killed, too."""

import asyncio
from pathlib import Path
from random import Random
from typing import Final

from tests.e2e.bot_process import machine_environment
from tests.e2e.warm import fork

_LIFE_S: Final = 10.0, 60.0
"""Shortest and longest life of a worker."""


class Workers:
    """A number of workers, each replaced as soon as it is killed.

    Args:
        address: Address of the bot's PostgreSQL.
        folder: Folder of their logs.
        count: Number of workers at a time.
        rng: Random source for their lifetimes.

    Attributes:
        kills: Number of workers that were killed so far.
    """

    def __init__(self, address: str, folder: Path, count: int, rng: Random) -> None:
        self.kills = 0
        self._address = address
        self._folder = folder
        self._count = count
        self._rng = rng
        self._lives: list[asyncio.Task[None]] = []

    def begin(self) -> None:
        """Let all of them live."""
        for number in range(self._count):
            folder = self._folder / f"worker-{number}"
            folder.mkdir()
            self._lives.append(asyncio.create_task(self._live(folder)))

    async def end(self) -> None:
        """Kill all of them. No successors follow."""
        for life in self._lives:
            life.cancel()
        await asyncio.gather(*self._lives, return_exceptions=True)

    async def _live(self, folder: Path) -> None:
        environment = machine_environment() | {"DATABASE_URL": self._address, "MACHINE": "auto"}
        while True:
            log = folder / "worker.log"
            worker = fork("bot", "worker", folder=folder, environment=environment, log=log)
            try:
                await asyncio.sleep(self._rng.uniform(*_LIFE_S))
            finally:
                worker.kill()
                await worker.wait()
            self.kills += 1
