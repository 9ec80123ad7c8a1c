"""A protocol between an engine and its client, modeled on UCI for chess: lines of plain text.

`python -m dvonn.engine uci` is such an engine. `python -m dvonn.engine conform COMMAND` tests one.

The client (`>`) and the engine (`<`) send lines of words, separated by blanks. The engine flushes
its output after each line. A line that it does not understand is answered by `info string` and
changes nothing. There is no move for a pass, because forced passes are automatic. `quit`, or the
end of its input, ends the engine with status 0.

    > uci                                     who are you?
    < id name dvonn 0.2.0                     the name; `id author` may follow
    < option name MultiPV type spin default 1 min 1 max 97
    < uciok
    > setoption name MultiPV value 3          types are spin (with min and max) and check
    > isready                                 answered after all earlier lines are handled
    < readyok
    > ucinewgame                              the next positions are unrelated to the earlier ones
    > position startpos moves d2 c3 f5        the empty board and the moves played on it
    > position line 2WwB5/2rBW6/4RBW4/10/4wwrB4 B move moves g5-c1
    > go nodes 20000                          search, and answer with a move
    < info depth 4 nodes 3012 time 9 multipv 1 score cp 82 chance 0.693 margin 5.1 pv g5-c1 d2-c2
    < bestmove g5-c1

`position line` takes a position's line (`dvonn.position_to_text`), which ends with `W place`, `B
place`, `W move`, `B move` or `over`. `moves` may follow. Moves are `d2` and `d2-d4`.

`go` takes limits. The first one that is reached ends the search. Without any limit the search takes
a second:

    nodes N         at most N positions
    depth N         at most N moves ahead
    movetime MS     at most MS milliseconds
    wtime MS btime MS    time left to White and Black for the whole game
    infinite        until `stop`; no `bestmove` comes earlier

Too large a number is treated as the largest that the engine can represent.

`stop` ends a search, and `bestmove` follows at once. While no search is running, `stop` does
nothing. While a search is running, `setoption`, `ucinewgame`, `position` and `go` are refused. Each
`go` is answered by one `bestmove`, which is `bestmove none` if the game is over.

Clients ignore what they do not understand. An `info` line reports any of the following, from the
point of view of the player to move:

    depth, nodes, time      moves looked ahead, positions searched, milliseconds
    multipv K               the rank of this line, if the option MultiPV asked for several; the
                            first is that of `bestmove`
    score cp N              points, on a scale of the engine's own
    score proven N          proven lead in pieces at the end, or a lower bound; negative if behind
    chance P                the chance to win, 0 to 1; a draw is half of it
    margin N                expected lead in pieces at the end
    pv MOVE ...             the best line of play; last in the line

An engine may also count lines of play, as `dvonn.perft` does, to find mistakes in its rules. Then
there is no `bestmove`:

    > go perft 2
    < perft a1 48
    < perft b1 48                             and so on, in any order
    < perft total 2352                        the last line; after `stop`, the total so far

The options of this package's engine are Hash (megabytes), Level, MultiPV, Seed and Threads. Level 0
is full strength. Other levels are weaker players with limits of their own, which also obey the time
limits.
"""

import threading
from collections.abc import Callable, Iterable, Mapping
from typing import Final, Protocol, TextIO

from dvonn import POINTS, __version__
from dvonn._records.position_text import position_from_text
from dvonn._rules.frozen import Value
from dvonn._rules.move import Move
from dvonn._rules.notation import format_move
from dvonn._rules.pieces import Color
from dvonn._rules.position import Phase, Position
from dvonn.engine.protocol import GameTime
from dvonn.perft import perft

MOST_SEED: Final = (1 << 31) - 1
DEFAULT_SECONDS: Final = 1.0
MOST_NODES: Final = 1 << 60
MOST_DEPTH: Final = 1000
MOST_MS: Final = 86_400_000
"""Maximum time limit: one day."""
_A_SECOND: Final = 1000
_LEAST_SECONDS: Final = 0.001
_PERFT_AT_ONCE: Final = 2
"""Number of plies that are counted without checking for `stop`."""
_INFINITE: Final = "infinite"
_DIGITS: Final = 30
"""Maximum number of digits. A longer number exceeds every bound."""
_SHOWN: Final = 60
_LIMITS: Final = {
    "btime": (0, MOST_MS),
    "depth": (1, MOST_DEPTH),
    "movetime": (1, MOST_MS),
    "nodes": (1, MOST_NODES),
    "perft": (1, MOST_DEPTH),
    "wtime": (0, MOST_MS),
}
"""Limits with a numeric value, each with its minimum and maximum."""

INFO_FIELDS: Final = {
    "depth": "depth",
    "nodes": "nodes",
    "time": "time_ms",
    "multipv": "multipv",
    "score cp": "score",
    "score proven": "proven",
    "chance": "chance",
    "margin": "margin",
}
"""The numeric fields of `UciInfo`, by their names in a line."""
FRACTIONS: Final = {"chance": ".3f", "margin": ".1f"}
"""Fields that are not whole numbers, with their formats."""


class UciLimits(Value, kw_only=True):
    """The limits of a search. A limit of None is not set.

    Attributes:
        nodes: Maximum number of positions.
        depth: Maximum number of moves ahead.
        seconds: Maximum time.
        infinite: True if the answer must not come before `stop`.
        perft: Number of plies of the lines to count instead of searching.
    """

    nodes: int | None = None
    depth: int | None = None
    seconds: float | None = None
    infinite: bool = False
    perft: int | None = None

    def __str__(self) -> str:
        """Return the words after `go`."""
        milliseconds = None if self.seconds is None else max(round(_A_SECOND * self.seconds), 1)
        values = {"nodes": self.nodes, "depth": self.depth, "movetime": milliseconds}
        numbers = (f"{name} {value}" for name, value in values.items() if value is not None)
        return " ".join([*numbers, *([_INFINITE] if self.infinite else [])])


class UciInfo(Value, kw_only=True):
    """An `info` line. Missing parts are None or empty."""

    depth: int | None = None
    nodes: int | None = None
    time_ms: int | None = None
    multipv: int | None = None
    score: int | None = None
    proven: int | None = None
    chance: float | None = None
    margin: float | None = None
    moves: tuple[str, ...] = ()

    def __str__(self) -> str:
        info = ((name, getattr(self, field)) for name, field in INFO_FIELDS.items())
        parts = [
            f"{name} {value:{FRACTIONS.get(name, '')}}" for name, value in info if value is not None
        ]
        return " ".join(["info", *parts, *(("pv", *self.moves) if self.moves else ())])


class UciOption(Value, kw_only=True):
    """A numeric option, from `least` to `most`."""

    default: int
    least: int
    most: int

    def __str__(self) -> str:
        return f"type spin default {self.default} min {self.least} max {self.most}"


class UciThinker(Protocol):
    """Interface of the engines that a session can use."""

    name: str
    options: Mapping[str, UciOption]

    def set(self, name: str, value: int) -> None:
        """Set an option to a value within its bounds."""

    def new_game(self) -> None:
        """Forget the previous game."""

    def think(
        self, position: Position, limits: UciLimits, report: Callable[[UciInfo], None]
    ) -> Move:
        """Return the move to play in a position that is not over.

        If it takes longer than the time limit, `stop` is called.
        """

    def stop(self) -> None:
        """End the running search. Called repeatedly from another thread until the search ends."""


class UciSession:
    """A session with one client.

    Args:
        thinker: Player that searches.
        lines: Lines from the client.
        out: Stream for the answers.
    """

    _AGAIN_S: Final = 0.01

    def __init__(self, thinker: UciThinker, *, lines: Iterable[str], out: TextIO) -> None:
        self._thinker = thinker
        self._lines = lines
        self._out = out
        self._writing = threading.Lock()
        self._position = Position.initial()
        self._threads: list[
            threading.Thread
        ] = []  # the search, and the thread that stops it in time
        self._searching = False
        self._stop_requested = threading.Event()

    def run(self) -> None:
        """Answer commands until `quit` or the end of the input."""
        commands: dict[str, Callable[[list[str]], object]] = {
            "uci": self._introduce,
            "isready": lambda _: self._send("readyok"),
            "setoption": self._set,
            "ucinewgame": lambda _: self._thinker.new_game(),
            "position": self._place,
            "go": self._go,
            "stop": lambda _: self._stop(),
        }
        try:
            for line in self._lines:
                name, *words = line.split() or [""]
                if name == "quit":
                    break
                if name and name not in commands:
                    self._complain(f"unknown command {_shown(name)}")
                elif self._searching and name in {"setoption", "ucinewgame", "position", "go"}:
                    self._complain(f"a search is running: {name} came too early")
                elif name:
                    try:
                        commands[name](words)
                    except ValueError as error:
                        self._complain(" ".join(str(error).split()))
        finally:  # also after Ctrl-C
            self._stop()

    def _introduce(self, _: list[str]) -> None:
        self._send(f"id name {self._thinker.name} {__version__}", "id author the dvonn project")
        self._send(
            *(f"option name {name} {option}" for name, option in self._thinker.options.items())
        )
        self._send("uciok")

    def _set(self, words: list[str]) -> None:
        options = dict(zip(words[::2], words[1::2], strict=False))
        name = options.get("name", "")
        option = self._thinker.options.get(name)
        if option is None:
            raise ValueError(f"unknown option {_shown(name)}")
        value = _whole_number(f"setoption name {name} value", options.get("value", ""))
        if not option.least <= value <= option.most:
            raise ValueError(f"{name} is {option.least} to {option.most}")
        self._thinker.set(name, value)

    def _place(self, words: list[str]) -> None:
        kind, *rest = words or [""]
        until = rest.index("moves") if "moves" in rest else len(rest)
        if kind == "line":
            start = position_from_text(" ".join(rest[:until]))
        elif kind == "startpos" and not until:
            start = Position.initial()
        else:
            raise ValueError("position startpos or position line ... is understood")
        self._position = start.after(*rest[until + 1 :])

    def _go(self, words: list[str]) -> None:
        limits = read_limits(words, self._position)
        for thread in self._threads:
            thread.join()
        self._stop_requested.clear()
        self._searching = True
        work = self._answer if limits.perft is None else self._count
        search = threading.Thread(target=work, args=(self._position, limits), daemon=True)
        self._threads = [search]
        if limits.seconds is not None:
            self._threads.append(
                threading.Thread(target=self._end, args=(search, limits.seconds), daemon=True)
            )
        for thread in self._threads:
            thread.start()

    def _answer(self, position: Position, limits: UciLimits) -> None:
        move = None
        try:
            if position.phase is not Phase.OVER:
                move = self._thinker.think(position, limits, lambda info: self._send(str(info)))
        except Exception as error:  # The client must get an answer.
            self._complain(f"{type(error).__name__}: {error}")
        if limits.infinite:
            self._stop_requested.wait()
        self._searching = False  # before the client gets the answer and sends its next command
        self._send(f"bestmove {'none' if move is None else format_move(move)}")

    def _count(self, position: Position, limits: UciLimits) -> None:
        """Answer the command `go perft`."""
        total = 0
        for move in position.legal_moves():
            leaves = self._lines_of_play(position.play(move), (limits.perft or 1) - 1)
            if self._stop_requested.is_set():
                break
            total += leaves
            self._send(f"perft {format_move(move)} {leaves}")
        self._searching = False
        self._send(f"perft total {total}")

    def _lines_of_play(self, position: Position, plies: int) -> int:
        """Count lines of play like `perft`, until stopped."""
        if self._stop_requested.is_set():
            return 0
        if plies <= _PERFT_AT_ONCE:
            return perft(position, plies)
        moves = position.legal_moves()
        return sum(self._lines_of_play(position.play(move), plies - 1) for move in moves)

    def _stop(self) -> None:
        self._stop_requested.set()
        if self._threads:
            self._end(self._threads[0], 0.0)

    def _end(self, search: threading.Thread, seconds: float) -> None:
        """Stop a search after some seconds if it is still running."""
        search.join(seconds)
        while search.is_alive():
            self._thinker.stop()
            search.join(self._AGAIN_S)

    def _send(self, *lines: str) -> None:
        with self._writing:
            self._out.write("".join(f"{line}\n" for line in lines))
            self._out.flush()

    def _complain(self, reason: str) -> None:
        self._send(f"info string {reason}")


def read_limits(words: list[str], position: Position) -> UciLimits:
    """Return the limits given by the words after `go`.

    Raises:
        ValueError: if a word is not a limit.
    """
    numbers: dict[str, int] = {}
    waiting = iter(words)
    for name in waiting:
        if name == _INFINITE:
            numbers[name] = 1
            continue
        if name not in _LIMITS:
            raise ValueError(f"unknown limit {_shown(name)}")
        lowest, highest = _LIMITS[name]
        number = _whole_number(f"go {name}", next(waiting, ""))
        if number < lowest:
            raise ValueError(f"{name} {number} is too small")
        numbers[name] = min(number, highest)
    seconds = None
    if "movetime" in numbers:
        seconds = numbers["movetime"] / _A_SECOND
    elif (ms := numbers.get("btime" if position.turn is Color.BLACK else "wtime")) is not None:
        seconds = _share(ms / _A_SECOND, position)
    elif not numbers:
        seconds = DEFAULT_SECONDS
    return UciLimits(
        nodes=numbers.get("nodes"),
        depth=numbers.get("depth"),
        seconds=seconds,
        infinite=_INFINITE in numbers,
        perft=numbers.get("perft"),
    )


def _whole_number(label: str, word: str) -> int:
    """Parse a whole number."""
    digits = word.removeprefix("-")
    if not (digits.isascii() and digits.isdigit()):
        raise ValueError(f"{label} needs a whole number, not {_shown(word)!r}")
    number = int(digits[:_DIGITS])
    return number if digits == word else -number


def _shown(word: str) -> str:
    return word if len(word) <= _SHOWN else f"{word[:_SHOWN]}..."


def _share(seconds: float, position: Position) -> float:
    """Return the share of the remaining time that a move may take, computed by `GameTime`."""
    if position.phase is Phase.PLACEMENT:
        return max(seconds * GameTime.PLACEMENT_SHARE, _LEAST_SECONDS)
    played = (len(POINTS) - len(position.stacks)) // 4
    moves = max(GameTime.DECISIVE_MOVES - played, GameTime.FEWEST_MOVES)
    return max(seconds / moves, _LEAST_SECONDS)
