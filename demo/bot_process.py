"""The real bot in a separate process, as a host would run it."""

import asyncio
import os
import sys
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

PATIENCE_S = 10.0
"""Maximum time for the bot to stop, in seconds."""

LOG_LINES_SHOWN = 15

# Ctrl-C doesn't reach the bot, so that only `terminate` stops it.
_APART: dict[str, Any] = {"process_group": 0} if os.name == "posix" else {}


class BotStopped(Exception):  # noqa: N818 - it names what happened
    """The bot's process exited unexpectedly, with the exit code `code`."""

    def __init__(self, code: int) -> None:
        super().__init__(f"the bot stopped with exit code {code}")
        self.code = code


@asynccontextmanager
async def bot_process(
    settings: Mapping[str, str], log: Path
) -> AsyncIterator[asyncio.subprocess.Process]:
    """Run the bot during the block, then stop it and wait until it has exited.

    Args:
        settings: Environment variables besides the current ones.
        log: File for the bot's output, which is appended.
    """
    with log.open("ab") as output:
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "bot"),
            stdin=asyncio.subprocess.DEVNULL,
            stdout=output,
            stderr=output,
            env={**os.environ, **settings},
            **_APART,
        )
        try:
            yield process
        finally:
            await _stop(process)


async def _stop(process: asyncio.subprocess.Process) -> None:
    if process.returncode is None:
        process.terminate()
    try:
        async with asyncio.timeout(PATIENCE_S):
            await process.wait()
    except TimeoutError:
        process.kill()
        await process.wait()


def last_words(log: Path) -> list[str]:
    """Return the end of a log, which may say why the bot stopped."""
    lines = log.read_text(encoding="utf-8", errors="replace").splitlines()
    return [*lines[-LOG_LINES_SHOWN:], f"All that the bot said is in {log}"]
