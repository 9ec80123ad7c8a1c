"""Programs that play games of a match, by either of two protocols."""

import re
import shlex
import time
from abc import ABC, abstractmethod
from collections.abc import AsyncIterator, Iterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager, contextmanager, suppress
from typing import Final

from dvonn._rules.frozen import Value
from dvonn._rules.position import Phase, Position
from dvonn.engine.client import AsyncUciEngine
from dvonn.engine.codecup_text import PASS, QUIT, START, state_text
from dvonn.engine.process import EngineFailedError, EngineProcess

_PROTOCOL: Final = re.compile(r"(?:uci(?:\[([^\]]*)\])?|(codecup)):")
_NAME: Final = re.compile(r"([\w.+-]+)=")
_MOVETIME: Final = re.compile(r"\bmovetime (\d+)")
_GO: Final = "movetime 300"
_PARTING_S: Final = 2.0
_ANSWER_S: Final = 120.0
"""Seconds for an engine to introduce itself, possibly after compiling."""


class Command(Value, kw_only=True):
    """The command that starts a program, and the program's name.

    Attributes:
        name: Name in the results.
        text: Its command line, without a shell. `{seed}` is replaced by a different number in each
            game.
        go: Limits to send after `go`, or None for a CodeCup program.
    """

    name: str
    text: str
    go: str | None = _GO

    @classmethod
    def parse(cls, text: str) -> "Command":
        """Parse `COMMAND`, `NAME=COMMAND`, or one with `codecup:` or `uci[LIMITS]:` before COMMAND.

        Raises:
            ValueError: if it has no command, or one that can't be split into words.
        """
        named = _NAME.match(text)
        rest = text[named.end() :] if named else text
        protocol = _PROTOCOL.match(rest)
        words = rest[protocol.end() :] if protocol else rest
        split = shlex.split(words)
        if not split:
            raise ValueError(f"no command in {text!r}")
        name = named[1] if named else split[0].rpartition("/")[2]
        if protocol and protocol[2]:
            return cls(name=name, text=words, go=None)
        return cls(name=name, text=words, go=(protocol[1] if protocol else None) or _GO)

    def arguments(self, *, seed: int, start: Position) -> list[str]:
        """Return the words of the command line.

        A CodeCup program gets a start position of the movement phase as `--state=TEXT`.

        Raises:
            ValueError: if the program can't play from that start position.
        """
        words = shlex.split(self.text.replace("{seed}", str(seed)))
        if self.go is not None or not start.stacks:
            return words
        if start.phase is Phase.PLACEMENT:
            raise ValueError(f"{self.name} speaks CodeCup's protocol: no start in the placement")
        return [*words, f"--state={state_text(start)}"]

    def running(
        self, *, seed: int, start: Position, margin_s: float
    ) -> AbstractAsyncContextManager["MatchPlayer"]:
        """Start the program for one game.

        Args:
            seed: Number in place of `{seed}`.
            start: The start position of the game.
            margin_s: Number of seconds that it may take beyond its time for a move.
        """
        words = self.arguments(seed=seed, start=start)
        if self.go is None:
            return CodecupProgram.running(words)
        return UciProgram.running(words, self.go, margin_s)


class MatchPlayer(ABC):
    """A program that plays one game.

    Attributes:
        used_s: Total time spent waiting for the program, in seconds.
        longest_s: Longest wait for the program, in seconds.
    """

    def __init__(self) -> None:
        self.used_s = self.longest_s = 0.0

    async def begin(self, *, is_first: bool) -> None:  # noqa: B027 - optional
        """Tell the program that the game begins."""

    @abstractmethod
    async def choose(self, position: Position, limit_s: float, left_s: float | None) -> str:
        """Ask for a move, and return the program's line unchanged.

        Args:
            position: The position before the move.
            limit_s: Maximum number of seconds to wait.
            left_s: Seconds left on the program's clock, or None for no limit.

        Raises:
            EngineFailedError: if there is no line in time.
        """

    async def receive(self, line: str) -> None:  # noqa: B027 - optional
        """Send the program the opponent's line."""

    async def pass_(self, limit_s: float) -> str:  # noqa: ARG002 - not every protocol has passes
        """Ask for a pass, and return the program's line."""
        return PASS

    @contextmanager
    def timed(self) -> Iterator[None]:
        """Add the time spent in the block to the program's times."""
        start = time.perf_counter()
        try:
            yield
        finally:
            waited = time.perf_counter() - start
            self.used_s += waited
            self.longest_s = max(self.longest_s, waited)


class CodecupProgram(MatchPlayer):
    """A process that speaks CodeCup's protocol."""

    def __init__(self, process: EngineProcess) -> None:
        super().__init__()
        self._process = process

    @classmethod
    @asynccontextmanager
    async def running(cls, arguments: list[str]) -> AsyncIterator["CodecupProgram"]:
        """Start the program. At the end, send it `Quit`, and kill it if it does not exit."""
        process = await EngineProcess.start(arguments)
        try:
            yield cls(process)
            with suppress(EngineFailedError):
                await process.end(QUIT, _PARTING_S)
        finally:
            await process.kill()

    async def begin(self, *, is_first: bool) -> None:
        if is_first:
            self._process.send(START)

    async def choose(self, position: Position, limit_s: float, left_s: float | None) -> str:  # noqa: ARG002 - it follows the game
        return await self._read(limit_s)

    async def receive(self, line: str) -> None:
        self._process.send(line)

    async def pass_(self, limit_s: float) -> str:
        return await self._read(limit_s)

    async def _read(self, limit_s: float) -> str:
        with self.timed():
            async with self._process.deadline(limit_s, "move"):
                return await self._process.read()


class UciProgram(MatchPlayer):
    """An engine that speaks the protocol of `dvonn.engine.uci`.

    It receives each position from the start.
    """

    def __init__(self, engine: AsyncUciEngine, go: str, margin_s: float) -> None:
        super().__init__()
        self._engine = engine
        self._go = go
        movetime = _MOVETIME.search(go)
        self._limit_s = float("inf") if movetime is None else int(movetime[1]) / 1000 + margin_s

    @classmethod
    @asynccontextmanager
    async def running(
        cls, arguments: list[str], go: str, margin_s: float
    ) -> AsyncIterator["UciProgram"]:
        """Start the program. `go` has the limits for games without a clock."""
        async with await AsyncUciEngine.start(arguments, patience_s=_ANSWER_S) as engine:
            await engine.ready(_ANSWER_S)
            yield cls(engine, go, margin_s)

    async def choose(self, position: Position, limit_s: float, left_s: float | None) -> str:
        left_ms = None if left_s is None else round(left_s * 1000)
        go = self._go if left_ms is None else f"wtime {left_ms} btime {left_ms}"
        limit_s = min(limit_s, self._limit_s) if left_ms is None else limit_s
        with self.timed():
            answer = await self._engine.go(position, go, patience_s=limit_s)
        return str(answer.move or "none")
