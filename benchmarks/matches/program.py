"""A program that plays: a process that is sent lines and answers with lines.

It speaks the protocol of CodeCup, or, if its command begins with `uci:`, that of
`dvonn.engine.uci`, to which `dvonn.engine.client` speaks.
"""

import asyncio
import re
import shlex
import tempfile
import time
from abc import ABC, abstractmethod
from collections.abc import AsyncIterator, Iterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager, contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from typing import IO

from dvonn import Position
from dvonn.engine.client import EngineFailedError, UciEngine
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

    def running(self, *, seed: int, state: str | None) -> AbstractAsyncContextManager["Player"]:
        """Start it for one game; see `Program.running`."""
        words = self.arguments(seed=seed, state=state)
        protocol = _UCI.match(self.text)
        if protocol is None:
            return Program.running(words)
        return UciProgram.running(words, protocol[1] or _GO)


class Player(ABC):
    """A program that plays one game.

    Attributes:
        used_s: how long we have waited for it.
        longest_s: the longest wait.
    """

    def __init__(self) -> None:
        self.used_s = self.longest_s = 0.0

    async def begin(self, *, is_first: bool) -> None:  # noqa: B027 - some are told nothing
        """Tell it that the game begins."""

    @abstractmethod
    async def choose(self, position: Position, limit_s: float, left_s: float | None) -> str:
        """Return its move as it says it.

        Args:
            position: where it is to move.
            limit_s: how long it is waited for.
            left_s: what it has left for the whole game; None if nobody counts.

        Raises:
            SilentError: if there is none in time.
        """

    async def hear(self, line: str) -> None:  # noqa: B027 - some are told nothing
        """Tell it what the other side has said."""

    async def pass_(self, limit_s: float) -> str:  # noqa: ARG002 - not every protocol has passes
        """Return what it says where it has to pass."""
        return PASS

    def last_words(self) -> str:
        """Return the last line of what it wrote on its error stream."""
        return ""

    @contextmanager
    def timed(self) -> Iterator[None]:
        """Count how long it is waited for."""
        start = time.perf_counter()
        try:
            yield
        finally:
            waited = time.perf_counter() - start
            self.used_s += waited
            self.longest_s = max(self.longest_s, waited)


class Program(Player):
    """A process that speaks the protocol of CodeCup."""

    def __init__(
        self,
        process: asyncio.subprocess.Process,
        pipes: tuple[asyncio.StreamWriter, asyncio.StreamReader],
        log: IO[bytes],
    ) -> None:
        super().__init__()
        self._process = process
        self._to, self._from = pipes
        self._log = log

    @classmethod
    @asynccontextmanager
    async def running(cls, arguments: list[str]) -> AsyncIterator["Program"]:
        """Start it; in the end it is told to quit, and killed if it does not."""
        pipe = asyncio.subprocess.PIPE
        with tempfile.TemporaryFile() as log:
            process = await asyncio.create_subprocess_exec(
                *arguments, stdin=pipe, stdout=pipe, stderr=log
            )
            if process.stdin is None or process.stdout is None:
                raise SilentError("it has no pipes")
            program = cls(process, (process.stdin, process.stdout), log)
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

    async def begin(self, *, is_first: bool) -> None:
        if is_first:
            await self.send(START)

    async def choose(self, position: Position, limit_s: float, left_s: float | None) -> str:  # noqa: ARG002 - it follows the game
        return await self.read(limit_s)

    async def hear(self, line: str) -> None:
        await self.send(line)

    async def pass_(self, limit_s: float) -> str:
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
        try:
            with self.timed():
                line = await asyncio.wait_for(self._from.readline(), limit_s)
        except TimeoutError:
            raise SilentError(f"no answer within {limit_s} s") from None
        if not line.endswith(b"\n"):
            raise SilentError("it ended without an answer")
        return line.decode(errors="replace").strip()

    def last_words(self) -> str:
        self._log.seek(0)
        lines = self._log.read().decode(errors="replace").split("\n")
        return next((line for line in reversed(lines) if line.strip()), "")


class UciProgram(Player):
    """An engine that speaks the protocol of `dvonn.engine.uci`: each position is told anew."""

    def __init__(self, engine: UciEngine, go: str) -> None:
        super().__init__()
        self._engine = engine
        self._go = go

    @classmethod
    @asynccontextmanager
    async def running(cls, arguments: list[str], go: str) -> AsyncIterator["UciProgram"]:
        """Start it, with what stands behind `go` where nobody counts the time."""
        starting = UciEngine.start(arguments)
        engine = await asyncio.to_thread(starting.__enter__)
        try:
            yield cls(engine, go)
        finally:
            with suppress(EngineFailedError):  # it is killed
                await asyncio.to_thread(starting.__exit__, None, None, None)

    async def choose(self, position: Position, limit_s: float, left_s: float | None) -> str:
        left = None if left_s is None else round(left_s * 1000)
        go = self._go if left is None else f"wtime {left} btime {left}"
        asking = partial(self._engine.go, position, go, patience_s=limit_s)
        try:
            with self.timed():
                answer = await asyncio.to_thread(asking)
        except EngineFailedError as error:
            raise SilentError(str(error)) from None
        return str(answer.move or "none").replace("-", "").upper()
