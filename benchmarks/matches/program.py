"""A player in a process of its own, which receives lines and answers with lines.

It speaks the protocol of CodeCup, or, if its command begins with `uci:`, the protocol of
`dvonn.engine.uci`, for which `dvonn.engine.client` is used.
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
from typing import IO

from dvonn import Position
from dvonn.engine.client import AsyncUciEngine, EngineFailedError
from dvonn.engine.codecup_text import PASS, QUIT, START

_UCI = re.compile(r"uci(?:\[([^\]]*)\])?:")
_GO = "movetime 300"
_PARTING_S = 2.0
"""Maximum time for a program to end after `Quit`, in seconds."""


class SilentError(Exception):
    """A program sent no line: it ended, or took too long."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Command:
    """A name, and the command that starts a program.

    Attributes:
        name: Name in the results.
        text: Its command line, without a shell. `{seed}` stands for a different number in each
            game. `uci:` before it names its protocol, and `uci[nodes 2000]:` also gives the words
            after `go`.
    """

    name: str
    text: str

    def arguments(self, *, seed: int, state: str | None) -> list[str]:
        """Return the words of the command line. A state is passed as `--state=TEXT`."""
        protocol = _UCI.match(self.text)
        text = self.text[protocol.end() :] if protocol else self.text
        words = shlex.split(text.replace("{seed}", str(seed)))
        return words if state is None or protocol else [*words, f"--state={state}"]

    def running(self, *, seed: int, state: str | None) -> AbstractAsyncContextManager["Player"]:
        """Start the program for one game. See `Program.running`."""
        words = self.arguments(seed=seed, state=state)
        protocol = _UCI.match(self.text)
        if protocol is None:
            return Program.running(words)
        return UciProgram.running(words, protocol[1] or _GO)


class Player(ABC):
    """A program that plays one game.

    Attributes:
        used_s: Total time that we have waited for it.
        longest_s: The longest wait.
    """

    def __init__(self) -> None:
        self.used_s = self.longest_s = 0.0

    async def begin(self, *, is_first: bool) -> None:  # noqa: B027 - some are told nothing
        """Inform it that the game begins."""

    @abstractmethod
    async def choose(self, position: Position, limit_s: float, left_s: float | None) -> str:
        """Return its move as it says it.

        Args:
            position: The position in which it is to move.
            limit_s: Maximum time to wait for it.
            left_s: Its time left for the whole game, or None without a limit.

        Raises:
            SilentError: if there is none in time.
        """

    async def hear(self, line: str) -> None:  # noqa: B027 - some are told nothing
        """Send it a line of the other side."""

    async def pass_(self, limit_s: float) -> str:  # noqa: ARG002 - not every protocol has passes
        """Return its line for a pass."""
        return PASS

    def last_words(self) -> str:
        """Return the last line of its error stream."""
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
        """Start the program. At the end, send it `Quit`, and kill it if it does not end."""
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
        """Send a line. If the program has ended, do nothing: `read` notices that."""
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
    """An engine that speaks the protocol of `dvonn.engine.uci`. It gets each position anew."""

    def __init__(self, engine: AsyncUciEngine, go: str) -> None:
        super().__init__()
        self._engine = engine
        self._go = go

    @classmethod
    @asynccontextmanager
    async def running(cls, arguments: list[str], go: str) -> AsyncIterator["UciProgram"]:
        """Start the program, with the words after `go` for games without a time limit."""
        async with await AsyncUciEngine.start(arguments) as engine:
            yield cls(engine, go)

    async def choose(self, position: Position, limit_s: float, left_s: float | None) -> str:
        left = None if left_s is None else round(left_s * 1000)
        go = self._go if left is None else f"wtime {left} btime {left}"
        try:
            with self.timed():
                answer = await self._engine.go(position, go, patience_s=limit_s)
        except EngineFailedError as error:
            raise SilentError(str(error)) from None
        return str(answer.move or "none").replace("-", "").upper()
