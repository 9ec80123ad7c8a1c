"""A program at a CodeCup table: a process that is sent lines and answers with lines."""

import asyncio
import shlex
import tempfile
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from typing import IO

from dvonn.engine.codecup import QUIT

_PARTING_S = 2.0
"""Seconds in which a program must end after `Quit`."""


class SilentError(Exception):
    """A program sent no line: it ended, or took too long."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Command:
    """A name, and the command that starts a program.

    Attributes:
        name: what the results call it.
        text: its command line, without a shell; `{seed}` stands for a number of each game's own.
    """

    name: str
    text: str

    def arguments(self, *, seed: int, state: str | None) -> list[str]:
        """Return the words of the command line; a state is handed over as `--state=TEXT`."""
        words = shlex.split(self.text.replace("{seed}", str(seed)))
        return words if state is None else [*words, f"--state={state}"]


class Program:
    """One process, for one game.

    Attributes:
        used_s: how long we have waited for its lines.
        longest_s: the longest wait for one line.
    """

    def __init__(
        self,
        process: asyncio.subprocess.Process,
        pipes: tuple[asyncio.StreamWriter, asyncio.StreamReader],
        log: IO[bytes],
    ) -> None:
        self._process = process
        self._to, self._from = pipes
        self._log = log
        self.used_s = self.longest_s = 0.0

    @staticmethod
    @asynccontextmanager
    async def running(arguments: list[str]) -> AsyncIterator["Program"]:
        """Start it; in the end it is told to quit, and killed if it does not."""
        pipe = asyncio.subprocess.PIPE
        with tempfile.TemporaryFile() as log:
            process = await asyncio.create_subprocess_exec(
                *arguments, stdin=pipe, stdout=pipe, stderr=log
            )
            if process.stdin is None or process.stdout is None:
                raise SilentError("it has no pipes")
            program = Program(process, (process.stdin, process.stdout), log)
            try:
                yield program
                await program.send(QUIT)
                process.stdin.close()
                with suppress(TimeoutError):
                    await asyncio.wait_for(process.wait(), _PARTING_S)
            finally:
                if process.returncode is None:
                    process.kill()
                    await process.wait()

    async def send(self, line: str) -> None:
        """Send a line; nothing happens if the program has ended, which `read` will notice."""
        with suppress(ConnectionError):
            self._to.write(f"{line}\n".encode())
            await self._to.drain()

    async def read(self, limit_s: float) -> str:
        """Its next line, waited for on the wall's clock.

        Raises:
            SilentError: if there is none in time.
        """
        start = time.perf_counter()
        try:
            line = await asyncio.wait_for(self._from.readline(), limit_s)
        except TimeoutError:
            raise SilentError(f"no answer within {limit_s} s") from None
        finally:
            waited = time.perf_counter() - start
            self.used_s += waited
            self.longest_s = max(self.longest_s, waited)
        if not line.endswith(b"\n"):
            raise SilentError("it ended without an answer")
        return line.decode(errors="replace").strip()

    def last_words(self) -> str:
        """Return the last line of what it wrote on its error stream."""
        self._log.seek(0)
        lines = self._log.read().decode(errors="replace").split("\n")
        return next((line for line in reversed(lines) if line.strip()), "")
