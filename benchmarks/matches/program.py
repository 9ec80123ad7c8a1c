"""A program that plays: a process that is sent lines and answers with lines.

It speaks the protocol of CodeCup, or, if its command begins with `uci:`, that of
`dvonn.engine.uci`.
"""

import asyncio
import re
import shlex
import tempfile
import time
from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager, suppress
from dataclasses import dataclass
from typing import IO

from dvonn import Position, position_to_text
from dvonn.engine.codecup_text import PASS, QUIT, START

_UCI = re.compile(r"uci(?:\[([^\]]*)\])?:")
_GO = "movetime 300"
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
            `uci:` before it names its protocol, and `uci[nodes 2000]:` what stands behind `go`.
    """

    name: str
    text: str

    def arguments(self, *, seed: int, state: str | None) -> list[str]:
        """Return the words of the command line; a state is handed over as `--state=TEXT`."""
        protocol = _UCI.match(self.text)
        text = self.text[protocol.end() :] if protocol else self.text
        words = shlex.split(text.replace("{seed}", str(seed)))
        return words if state is None or protocol else [*words, f"--state={state}"]

    def running(self, *, seed: int, state: str | None) -> AbstractAsyncContextManager["Program"]:
        """Start it for one game; see `Program.running`."""
        words = self.arguments(seed=seed, state=state)
        protocol = _UCI.match(self.text)
        if protocol is None:
            return Program.running(words)
        return UciProgram.running(words, protocol[1] or _GO)


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

    quit_word = QUIT

    @classmethod
    @asynccontextmanager
    async def running(cls, arguments: list[str], *more: str) -> AsyncIterator["Program"]:
        """Start it; in the end it is told to quit, and killed if it does not."""
        pipe = asyncio.subprocess.PIPE
        with tempfile.TemporaryFile() as log:
            process = await asyncio.create_subprocess_exec(
                *arguments, stdin=pipe, stdout=pipe, stderr=log
            )
            if process.stdin is None or process.stdout is None:
                raise SilentError("it has no pipes")
            program = cls(process, (process.stdin, process.stdout), log, *more)
            try:
                yield program
                await program.send(program.quit_word)
                process.stdin.close()
                with suppress(TimeoutError):
                    await asyncio.wait_for(process.wait(), _PARTING_S)
            finally:
                if process.returncode is None:
                    process.kill()
                    await process.wait()

    async def begin(self, *, is_first: bool) -> None:
        """Tell it that the game begins."""
        if is_first:
            await self.send(START)

    async def choose(self, position: Position, limit_s: float, left_s: float | None) -> str:  # noqa: ARG002 - it follows the game
        """Return its move as it says it.

        Args:
            position: where it is to move.
            limit_s: how long it is waited for.
            left_s: what it has left for the whole game; None if nobody counts.

        Raises:
            SilentError: if there is none in time.
        """
        return await self.read(limit_s)

    async def hear(self, line: str) -> None:
        """Tell it what the other side has said."""
        await self.send(line)

    async def pass_(self, limit_s: float) -> str:
        """Return what it says where it has to pass."""
        return await self.read(limit_s)

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


class UciProgram(Program):
    """One that speaks the protocol of `dvonn.engine.uci`, which tells it each position anew."""

    quit_word = "quit"

    def __init__(
        self,
        process: asyncio.subprocess.Process,
        pipes: tuple[asyncio.StreamWriter, asyncio.StreamReader],
        log: IO[bytes],
        go: str,
    ) -> None:
        super().__init__(process, pipes, log)
        self._go = go

    async def choose(self, position: Position, limit_s: float, left_s: float | None) -> str:
        await self.send(f"position line {position_to_text(position)}")
        left = None if left_s is None else round(left_s * 1000)
        await self.send(f"go {self._go}" if left is None else f"go wtime {left} btime {left}")
        until = time.perf_counter() + limit_s
        while True:
            line = await self.read(max(until - time.perf_counter(), 0.001))
            kind, _, move = line.partition(" ")
            if kind == "bestmove":
                return move.replace("-", "").upper()

    async def hear(self, line: str) -> None: ...

    async def pass_(self, limit_s: float) -> str:  # noqa: ARG002 - the protocol has no passes
        return PASS

    async def begin(self, *, is_first: bool) -> None: ...
