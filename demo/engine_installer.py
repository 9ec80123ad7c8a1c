"""Installation of the compiled engine for `./run`, which happens during the first game."""

import asyncio
import sys
from collections.abc import Callable, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Final

INSTALL: Final = (sys.executable, str(Path(__file__).resolve().parents[1] / "run"), "engine")
INSTALLING: Final = (
    "The machine's stronger levels, and reviews of games, are being installed, once. "
    "It takes a minute or so. Your game goes on meanwhile."
)
FAILED: Final = (
    "The machine's stronger levels cannot be installed here. The terminal says why. "
    "It plays levels 1 to 11 without."
)


class EngineInstaller:
    """Installs the compiled engine when someone first plays the machine.

    Args:
        install: The command that installs it. Its exit status is 0 if the engine then exists.

    Attributes:
        is_installed: True if a process that starts now can load the engine.
        restart_needed: Event that is set once the engine is installed, until the bot restarts.
    """

    def __init__(self, install: Sequence[str] = INSTALL) -> None:
        self.is_installed = find_spec("numba") is not None
        self.restart_needed = asyncio.Event()
        self._install = install
        self._installing: asyncio.Task[None] | None = None

    def begin(self, show: Callable[[str], None]) -> None:
        """Start the installation in the background, unless the engine exists or is being installed.

        Args:
            show: Shows a note to everyone. An empty text removes the last note.
        """
        if not self.is_installed and (self._installing is None or self._installing.done()):
            self._installing = asyncio.create_task(
                self._run_installation(show), name="install the engine"
            )

    async def close(self) -> None:
        if self._installing is not None:
            self._installing.cancel()
            await asyncio.wait([self._installing])

    async def _run_installation(self, show: Callable[[str], None]) -> None:
        show(INSTALLING)
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
            show(FAILED)
            return
        show("")
        self.is_installed = True
        self.restart_needed.set()
