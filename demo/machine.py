"""The machine player of `./run`: large, and so installed when somebody first wants to play it."""

import asyncio
import sys
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path

from sandbox import Refused

INSTALL = (sys.executable, str(Path(__file__).resolve().parents[1] / "run"), "engine")


class MachinePlayer:
    """Whether it is there, and how it comes.

    Args:
        install: the command that installs it; its exit status is 0 if it is there then.

    Attributes:
        is_there: whether it can be loaded, by a process that starts now.
        came: set as soon as it has been installed.
    """

    def __init__(self, install: Sequence[str] = INSTALL) -> None:
        self.is_there = find_spec("numba") is not None
        self.came = asyncio.Event()
        self._install = install
        self._coming: asyncio.Task[None] | None = None

    @property
    def is_coming(self) -> bool:
        """Whether it is being installed."""
        return self._coming is not None and not self._coming.done()

    async def bring(self) -> None:
        """Install it, unless it is there; all who ask meanwhile wait for the same.

        Raises:
            Refused: it cannot be installed.
        """
        if self.is_there:
            return
        if self._coming is None or self._coming.done():
            self._coming = asyncio.create_task(self._come(), name="the machine player comes")
        await asyncio.shield(self._coming)

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
        self.is_there = True
        self.came.set()
