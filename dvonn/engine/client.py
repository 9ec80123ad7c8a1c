"""An engine that speaks the protocol of `dvonn.engine.uci`, as a process to be asked.

with UciEngine.start(["python", "-m", "dvonn.engine", "uci"]) as engine:
    found = engine.go(position, "nodes 20000")
    print(found.move, found.best.chance)
"""

import queue
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import IO, TYPE_CHECKING, Final

from dvonn.engine.uci import FRACTIONS, INFO_FIELDS, UciInfo
from dvonn.frozen import Value
from dvonn.move import Move
from dvonn.notation import parse_move
from dvonn.position import Position
from dvonn.position_text import position_to_text

if TYPE_CHECKING:
    from subprocess import Popen

PATIENCE_S: Final = 120.0
"""Seconds to wait for an answer without a limit of its own, which includes time to compile."""
_PARTING_S: Final = 20.0
_NONE: Final = "none"


class EngineFailedError(Exception):
    """An engine ended, did not answer in time, or broke the protocol."""


class UciAnswer(Value, kw_only=True):
    """An answer to `go`.

    Attributes:
        move: The move to play, or None if the game is over.
        lines: the last `info` of each rank that had moves, the best first.
    """

    move: Move | None
    lines: tuple[UciInfo, ...]

    @property
    def best(self) -> UciInfo:
        """The best line, or an empty one if the engine reported none."""
        return self.lines[0] if self.lines else UciInfo()


class UciEngine:
    """A running engine.

    Attributes:
        name: The engine's name.
        options: the names of its options, each with its type as it was told.
    """

    def __init__(self, process: "Popen[str]", to: IO[str], lines: IO[str]) -> None:
        self._process = process
        self._to = to
        self._heard: queue.Queue[str | None] = queue.Queue()
        self.name = ""
        self.options: dict[str, str] = {}
        self._listening = threading.Thread(target=self._listen, args=(lines,), daemon=True)
        self._listening.start()

    @staticmethod
    @contextmanager
    def start(command: Sequence[str], *, patience_s: float = PATIENCE_S) -> Iterator["UciEngine"]:
        """Start an engine and yield it once it has introduced itself.

        At the end, send it `quit`, and kill it if it is still running.

        Raises:
            EngineFailedError: if it does not introduce itself, or does not end in time.
        """
        from subprocess import PIPE, Popen  # noqa: PLC0415 - as long to load as half of this

        with Popen(  # noqa: S603 - the command is whose program it is
            command, stdin=PIPE, stdout=PIPE, text=True, encoding="utf-8", errors="replace"
        ) as process:
            try:
                if process.stdin is None or process.stdout is None:
                    raise EngineFailedError("it has no pipes")
                engine = UciEngine(process, process.stdin, process.stdout)
                engine.introduce(patience_s)
                yield engine
                engine.quit()
            finally:
                process.kill()
                if process.stdin is not None:
                    with suppress(OSError):  # unsent text is discarded
                        process.stdin.close()

    def introduce(self, patience_s: float = PATIENCE_S) -> None:
        """Ask who it is."""
        self.send("uci")
        while (line := self.read(patience_s)) != "uciok":
            kind, _, rest = line.partition(" ")
            name, _, value = rest.partition(" ")
            if kind == "id" and name == "name":
                self.name = value
            elif kind == "option":
                option, _, told = value.partition(" type ")
                self.options[option] = told

    def set(self, name: str, value: object) -> None:
        """Set an option."""
        self.send(f"setoption name {name} value {value}")

    def ready(self, patience_s: float = PATIENCE_S) -> list[str]:
        """Wait until the engine is ready, and return the lines that came before."""
        self.send("isready")
        return list(self._lines_until("readyok", patience_s))

    def go(
        self,
        position: Position,
        limits: str,
        moves: Sequence[Move] = (),
        *,
        patience_s: float = PATIENCE_S,
    ) -> UciAnswer:
        """Return the engine's answer to a position after some moves.

        Args:
            position: Position before the moves.
            limits: Words after `go`, such as "nodes 2000".
            moves: Moves played from that position.
            patience_s: Maximum number of seconds to wait.

        Raises:
            EngineFailedError: if there is no valid answer.
        """
        self.place(position, moves)
        self.send(f"go {limits}")
        return self.answer(patience_s)

    def place(self, position: Position, moves: Sequence[Move] = ()) -> None:
        """Send it a position."""
        played = f" moves {' '.join(map(str, moves))}" if moves else ""
        self.send(f"position line {position_to_text(position)}{played}")

    def answer(self, patience_s: float = PATIENCE_S) -> UciAnswer:
        """Wait for `bestmove`."""
        lines: dict[int, UciInfo] = {}
        while True:
            line = self.read(patience_s)
            kind, _, rest = line.partition(" ")
            if kind == "bestmove":
                try:
                    move = None if rest == _NONE else parse_move(rest)
                except ValueError as error:
                    raise EngineFailedError(f"{line!r}: {error}") from error
                return UciAnswer(move=move, lines=tuple(lines[rank] for rank in sorted(lines)))
            if kind == "info" and (told := read_info(line)).moves:
                lines[told.multipv or 1] = told

    def send(self, line: str) -> None:
        """Send a line. If the engine has ended, do nothing: `read` notices that."""
        with suppress(OSError):
            self._to.write(f"{line}\n")
            self._to.flush()

    def read(self, patience_s: float = PATIENCE_S) -> str:
        """Return its next line.

        Raises:
            EngineFailedError: if there is none in time.
        """
        try:
            line = self._heard.get(timeout=patience_s)
        except queue.Empty:
            raise EngineFailedError(f"it said nothing for {patience_s} s") from None
        if line is None:
            self._heard.put(None)
            raise EngineFailedError("it has ended")
        return line

    def quit(self, patience_s: float = _PARTING_S) -> int:
        """Ask the engine to end, and return its exit status.

        Raises:
            EngineFailedError: if it does not end in time.
        """
        from subprocess import TimeoutExpired  # noqa: PLC0415 - it is loaded by now

        self.send("quit")
        try:
            return self._process.wait(patience_s)
        except TimeoutExpired:
            raise EngineFailedError(f"it has not ended {patience_s} s after quit") from None

    def _lines_until(self, last: str, patience_s: float) -> Iterator[str]:
        while (line := self.read(patience_s)) != last:
            yield line

    def _listen(self, lines: IO[str]) -> None:
        for line in lines:
            self._heard.put(line.strip())
        self._heard.put(None)


def read_info(line: str) -> UciInfo:
    """Return the data of an `info` line.

    Raises:
        EngineFailedError: if the line breaks the protocol.
    """
    words = iter(line.split()[1:])
    told: dict[str, int | float | None] = dict.fromkeys(INFO_FIELDS.values())
    try:
        for word in words:
            if word in {"pv", "string"}:
                return UciInfo(**told, moves=tuple(words) if word == "pv" else ())  # type: ignore[arg-type]  # whole ones
            name = f"score {next(words)}" if word == "score" else word
            told[INFO_FIELDS[name]] = (float if name in FRACTIONS else int)(next(words))
    except (KeyError, StopIteration, ValueError) as error:
        raise EngineFailedError(f"not an info line: {line!r}") from error
    return UciInfo(**told)  # type: ignore[arg-type]  # whole numbers where they must be
