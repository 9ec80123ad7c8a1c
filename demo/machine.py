"""The machine player of `./run`. It is large, and so installed when it is first needed."""

import asyncio
import sys
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path

from sandbox import Refused

INSTALL = (sys.executable, str(Path(__file__).resolve().parents[1] / "run"), "engine")


class MachinePlayer:
    """The machine player, installed or not.

    Args:
        install: The command that installs it. Its exit status is 0 if it then exists.

    Attributes:
        is_installed: True if a process that starts now can load it.
        came: Set from its installation until the bot that runs without it has ended.
    """

    def __init__(self, install: Sequence[str] = INSTALL) -> None:
        self.is_installed = find_spec("numba") is not None
        self.came = asyncio.Event()
        self._install = install
        self._coming: asyncio.Task[None] | None = None
        self._joined = asyncio.Event()

    @property
    def is_coming(self) -> bool:
        """True while it is being installed, or the bot restarts with it."""
        return self._coming is not None and not self._coming.done()

    async def bring(self) -> None:
        """Install it, and wait for a bot that has it. Concurrent callers wait for the same.

        Raises:
            Refused: if it cannot be installed.
        """
        if self._coming is None or self._coming.done():
            self._coming = asyncio.create_task(self._come(), name="the machine player comes")
        await asyncio.shield(self._coming)

    def bot_is_online(self) -> None:
        """Hear that a bot has started, and is online."""
        if self.is_installed and not self.came.is_set():
            self._joined.set()

    async def close(self) -> None:
        if self._coming is not None:
            self._coming.cancel()
            await asyncio.wait([self._coming])

    async def _come(self) -> None:
        process = await asyncio.create_subprocess_exec(
            *self._install, stdin=asyncio.subprocess.DEVNULL
        )
        try:
            code = await process.wait()
        finally:
            if process.returncode is None:
                process.terminate()
                await process.wait()
        if code:
            raise Refused("The machine player cannot be installed. The terminal says why.")
        self.is_installed = True
        self.came.set()
        await self._joined.wait()
