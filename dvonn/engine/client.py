"""A client for engines that speak the protocol of `dvonn.engine.uci`.

    with UciEngine([sys.executable, "-m", "dvonn.engine", "uci"]) as engine:
        answer = engine.go(position, "nodes 20000")
        print(answer.move, answer.best.chance)

`AsyncUciEngine` is the same for programs with an event loop:

    async with await AsyncUciEngine.start(command) as engine:
        answer = await engine.go(position, "movetime 500", on_info=print)

Both terminate the engine's process and any processes that it started. Any misbehavior of an engine
raises `EngineFailedError`. Output that is not part of the protocol is ignored.
"""

import asyncio
import threading
from collections.abc import Callable, Coroutine, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Final, TypeVar

from dvonn._records.position_text import position_to_text
from dvonn._rules.frozen import Value
from dvonn._rules.move import Move
from dvonn._rules.notation import parse_move
from dvonn._rules.position import Position
from dvonn.engine.process import PARTING_S, EngineFailedError, EngineProcess
from dvonn.engine.uci import FRACTIONS, INFO_FIELDS, UciInfo, UciLimits

if TYPE_CHECKING:
    from typing import Self

__all__ = ["AsyncUciEngine", "EngineFailedError", "UciAnswer", "UciEngine", "read_info"]

PATIENCE_S: Final = 120.0
"""Default timeout for answers in seconds. It is long because the engine may compile first."""
_NONE: Final = "none"
_T = TypeVar("_T")
_OnInfo = Callable[[UciInfo], object]


class UciAnswer(Value, kw_only=True):
    """An engine's answer to the command `go`.

    Attributes:
        move: The move to play, or None if the game is over.
        lines: The last `info` with moves of each rank, best first.
    """

    move: Move | None
    lines: tuple[UciInfo, ...]

    @property
    def best(self) -> UciInfo:
        """The best line, or an empty one if the engine reported none."""
        return self.lines[0] if self.lines else UciInfo()


class AsyncUciEngine:
    """A running engine, for programs with an event loop.

    Create it with `start`.

    Attributes:
        process: The engine's process, for sending and reading other lines.
        name: The engine's name.
        options: The engine's options by name, each with its announced type.
        strict: True to refuse an `info` line with a value that is not a number.
    """

    def __init__(self, process: EngineProcess) -> None:
        self.process = process
        self.strict = False
        self.name = ""
        self.options: dict[str, str] = {}
        self._owes_move = False  # True if an abandoned `go` has not been answered yet

    @classmethod
    async def start(
        cls, command: Sequence[str], *, patience_s: float = PATIENCE_S
    ) -> "AsyncUciEngine":
        """Start an engine and return it once it has introduced itself.

        Raises:
            EngineFailedError: if it does not introduce itself.
        """
        engine = cls(await EngineProcess.start(command))
        try:
            await engine._introduce(patience_s)
        except BaseException:
            await engine.process.kill()
            raise
        return engine

    async def _introduce(self, patience_s: float) -> None:
        self.process.send("uci")
        async with self.process.deadline(patience_s, "uciok"):
            while (line := await self.process.read()) != "uciok":
                kind, _, rest = line.partition(" ")
                name, _, value = rest.partition(" ")
                if kind == "id" and name == "name":
                    self.name = value
                elif kind == "option":
                    option, _, description = value.partition(" type ")
                    self.options[option] = description

    async def set(self, name: str, value: object) -> None:
        """Set an option."""
        self.process.send(f"setoption name {name} value {value}")

    async def new_game(self) -> None:
        """Tell the engine that the next positions are unrelated to earlier ones."""
        self.process.send("ucinewgame")

    async def ready(self, patience_s: float = PATIENCE_S) -> list[str]:
        """Wait until the engine is ready, and return the lines that came before."""
        self.process.send("isready")
        lines = []
        async with self.process.deadline(patience_s, "readyok"):
            while (line := await self.process.read()) != "readyok":
                lines.append(line)
        return lines

    async def go(
        self,
        position: Position,
        limits: UciLimits | str = "",
        moves: Sequence[Move] = (),
        *,
        patience_s: float = PATIENCE_S,
        on_info: _OnInfo = lambda _: None,
    ) -> UciAnswer:
        """Return the engine's answer to a position after some moves.

        Args:
            position: Position before the moves.
            limits: Limits, or the words after `go`, such as "nodes 2000".
            moves: Moves played from that position.
            patience_s: Maximum number of seconds until the move, no matter how many reports precede
                it.
            on_info: Called with each report of a running search.

        Raises:
            EngineFailedError: if there is no valid answer in time.
        """
        async with self.process.deadline(patience_s, "bestmove"):
            if self._owes_move:
                await self._answer(lambda _: None)
            self.place(position, moves)
            self.process.send(f"go {limits}".strip())
            self._owes_move = True
            try:
                return await self._answer(on_info)
            except asyncio.CancelledError:  # by the deadline or by the caller
                self.stop()
                raise

    def place(self, position: Position, moves: Sequence[Move] = ()) -> None:
        """Send the engine a position."""
        played = f" moves {' '.join(map(str, moves))}" if moves else ""
        self.process.send(f"position line {position_to_text(position)}{played}")

    def stop(self) -> None:
        """End the running search soon, so that `go` returns its answer."""
        self.process.send("stop")

    async def answer(self, patience_s: float = PATIENCE_S) -> UciAnswer:
        """Wait for `bestmove` after `go` was sent separately."""
        async with self.process.deadline(patience_s, "bestmove"):
            return await self._answer(lambda _: None)

    async def _answer(self, report: _OnInfo) -> UciAnswer:
        lines: dict[int, UciInfo] = {}
        while True:
            line = await self.process.read()
            kind, _, rest = line.partition(" ")
            if kind == "bestmove":
                self._owes_move = False
                word = rest.partition(" ")[0]
                try:
                    move = None if word == _NONE else parse_move(word)
                except ValueError as error:
                    raise EngineFailedError(f"{line[:100]!r}: {error}") from error
                return UciAnswer(move=move, lines=tuple(lines[rank] for rank in sorted(lines)))
            if kind == "info":
                info = read_info(line, strict=self.strict)
                report(info)
                if info.moves:
                    lines[info.multipv or 1] = info

    async def quit(self, patience_s: float = PARTING_S) -> int:
        """Ask the engine to exit, and return its exit status.

        Raises:
            EngineFailedError: if it does not exit in time.
        """
        return await self.process.end("quit", patience_s)

    async def close(self) -> None:
        """End the engine: ask it to exit, then kill what is left of it."""
        try:
            with suppress(EngineFailedError):
                await self.quit()
        finally:
            await self.process.kill()

    async def __aenter__(self) -> "Self":
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()


class UciEngine:
    """A running engine. `close`, or the end of a `with` block, ends it.

    Args:
        command: Command line as a list of words.
        patience_s: Maximum number of seconds until it has introduced itself.

    Raises:
        EngineFailedError: if it does not introduce itself.
    """

    def __init__(self, command: Sequence[str], *, patience_s: float = PATIENCE_S) -> None:
        # The event loop gets its own thread, because a notebook's main thread already runs one.
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._thread.start()
        try:
            self._engine = self._wait(AsyncUciEngine.start(command, patience_s=patience_s))
        except BaseException:
            self._end_loop()
            raise

    @property
    def name(self) -> str:
        """The engine's name."""
        return self._engine.name

    @property
    def options(self) -> dict[str, str]:
        """The engine's options by name, each with its announced type."""
        return self._engine.options

    def set(self, name: str, value: object) -> None:
        """Set an option."""
        self._wait(self._engine.set(name, value))

    def new_game(self) -> None:
        """Tell the engine that the next positions are unrelated to earlier ones."""
        self._wait(self._engine.new_game())

    def ready(self, patience_s: float = PATIENCE_S) -> list[str]:
        """Wait until the engine is ready, and return the lines that came before."""
        return self._wait(self._engine.ready(patience_s))

    def go(
        self,
        position: Position,
        limits: UciLimits | str = "",
        moves: Sequence[Move] = (),
        *,
        patience_s: float = PATIENCE_S,
        on_info: _OnInfo = lambda _: None,
    ) -> UciAnswer:
        """Return the engine's answer to a position after some moves. See `AsyncUciEngine.go`.

        Raises:
            EngineFailedError: if there is no valid answer in time.
        """
        return self._wait(
            self._engine.go(position, limits, moves, patience_s=patience_s, on_info=on_info)
        )

    def stop(self) -> None:
        """End the running search. May be called from any thread, and by `on_info`."""
        self._loop.call_soon_threadsafe(self._engine.stop)

    def close(self) -> None:
        """End the engine: ask it to exit, then kill what is left of it."""
        if not self._loop.is_closed():
            self._wait(self._engine.close())
            self._end_loop()

    def __enter__(self) -> "Self":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _wait(self, work: Coroutine[Any, Any, _T]) -> _T:
        if self._loop.is_closed():
            work.close()
            raise EngineFailedError("it was closed")
        running = asyncio.run_coroutine_threadsafe(work, self._loop)
        try:
            return running.result()
        except BaseException:
            running.cancel()  # an exception such as KeyboardInterrupt during the search
            raise

    def _end_loop(self) -> None:
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()


def read_info(line: str, *, strict: bool = False) -> UciInfo:
    """Parse an `info` line.

    Words that are not part of the protocol are ignored.

    Args:
        line: The line.
        strict: True to refuse a value that is not a number, instead of ignoring it.

    Raises:
        EngineFailedError: if `strict`, and a value is not a number.
    """
    words = iter(line.split()[1:])
    fields: dict[str, int | float | None] = {}
    moves: tuple[str, ...] = ()
    for word in words:
        if word in {"pv", "string"}:
            moves = tuple(words) if word == "pv" else ()
            break
        name = f"score {next(words, '')}" if word == "score" else word
        if name in INFO_FIELDS:
            value = next(words, "")
            try:
                fields[INFO_FIELDS[name]] = (float if name in FRACTIONS else int)(value)
            except ValueError:
                if strict:
                    raise EngineFailedError(f"{name} {value!r} in {line[:100]!r}") from None
    return UciInfo(**fields, moves=moves)  # type: ignore[arg-type]  # whole numbers where they must be
