"""The engine against an earlier commit of it, at equal processor time.

    python -m benchmarks.matches.frozen [--against a83c10c] [--games 1000] [--seconds 0.1]

Half of the games begin on random full boards, half are whole games with each side's own placement.
Each board is played with both colours; in whole games the seeds of the players are exchanged with
them. Each side is a process of its own that has loaded all it needs before the first game, and
thinks while the other waits. A move takes so many seconds on the wall; what that came to in
processor time is told for both, and is alike as long as no more games run at once than there are
cores.

The file gets one JSON object a line: the settings, then each game, last the result.
"""

import argparse
import atexit
import io
import json
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import ExitStack, contextmanager
from dataclasses import asdict, dataclass
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from statistics import fmean
from typing import IO, ClassVar

from benchmarks.matches.referee import state_of
from benchmarks.matches.settings import ROOT, add_out, results
from benchmarks.matches.starts import STARTS
from benchmarks.matches.statistics import estimate
from benchmarks.result import result_line
from dvonn import Color, parse_move

KINDS = ("random", "own")
"""Names of `STARTS`."""

SIDE = """
import json, sys, time
from dvonn import Position, parse_move
try:
    from dvonn.engine.codecup_text import position_from_state
except ImportError:  # the name that it had
    from dvonn.engine.codecup import position_from_state
from dvonn.engine.player import EnginePlayer

position = Position.initial()
while position.turn is not None:
    position = position.play(EnginePlayer(level=6).choose(position))
print("ready", flush=True)
for line in sys.stdin:
    asked = json.loads(line)
    if "seed" in asked:
        player, state = EnginePlayer(seed=asked["seed"]), asked["state"]
        position = Position.initial() if state is None else position_from_state(state)
        continue
    for move in asked["moves"]:
        position = position.play(parse_move(move))
    began = time.process_time()
    move = player.choose(position, asked["seconds"])
    took = time.process_time() - began
    position = position.play(move)
    print(json.dumps([str(move), took]), flush=True)
"""
"""A side, by what both versions know: it is told moves, and answers with its own and its time."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FrozenGame:
    """One game of this version against the earlier one.

    Attributes:
        color: this version's.
        margin: its pieces less those of the other.
        moves: all plies of the game.
        ours_s: the processor time of this version, and that of the earlier one.
    """

    kind: str
    number: int
    color: Color
    margin: int
    moves: tuple[str, ...]
    ours_s: float
    theirs_s: float

    @property
    def points(self) -> float:
        """1 if this version won, 0.5 for a draw, 0 if the other did."""
        return 0.5 + 0.5 * ((self.margin > 0) - (self.margin < 0))


class Side:
    """A process that plays one version."""

    def __init__(self, process: "subprocess.Popen[str]", to: IO[str], answers: IO[str]) -> None:
        self._process, self._to, self._answers = process, to, answers
        self._answers.readline()

    @staticmethod
    @contextmanager
    def running(folder: Path) -> Iterator["Side"]:
        """The version whose package lies in a folder; it ends with the context."""
        pipe = subprocess.PIPE
        with subprocess.Popen(
            [sys.executable, "-c", SIDE], cwd=folder, stdin=pipe, stdout=pipe, text=True
        ) as process:
            if process.stdin is None or process.stdout is None:
                raise RuntimeError("it has no pipes")
            yield Side(process, process.stdin, process.stdout)
            process.stdin.close()

    def tell(self, **asked: object) -> None:
        """Begin a game, or tell of moves."""
        self._to.write(json.dumps(asked) + "\n")
        self._to.flush()

    def move(self, moves: Sequence[str], seconds: float) -> tuple[str, float]:
        """Return its answer to some more moves, and the processor time that it took."""
        self.tell(moves=moves, seconds=seconds)
        move, took = json.loads(self._answers.readline())
        return str(move), float(took)


def play(kind: str, number: int, seconds: float, ours: Side, theirs: Side) -> FrozenGame:
    """Play a game; odd ones with Black for this version, on the board of the one before."""
    color = Color.BLACK if number % 2 else Color.WHITE
    board = number // 2
    position = STARTS[kind](board)
    sides = {color: ours, color.opponent: theirs}
    used = dict.fromkeys(sides, 0.0)
    news: dict[Color, list[str]] = {one: [] for one in sides}
    for one, side in sides.items():
        side.tell(seed=2 * board + (one is Color.BLACK), state=state_of(position))
    moves: list[str] = []
    while (turn := position.turn) is not None:
        legal = position.legal_moves()
        if len(legal) == 1:
            move = str(legal[0])
            news[turn].append(move)
        else:
            move, took = sides[turn].move(news[turn], seconds)
            used[turn] += took
            news[turn] = []
        position = position.play(parse_move(move))
        news[turn.opponent].append(move)
        moves.append(move)
    return FrozenGame(
        kind=kind,
        number=number,
        color=color,
        margin=position.score(color) - position.score(color.opponent),
        moves=tuple(moves),
        ours_s=round(used[color], 3),
        theirs_s=round(used[color.opponent], 3),
    )


class Pairs:
    """The parts of a worker of the match: one process of each version."""

    sides: ClassVar[tuple[Side, Side]]
    kept: ClassVar[ExitStack] = ExitStack()

    @classmethod
    def begin(cls, ours: Path, theirs: Path) -> None:
        """Start both; they end with the worker."""
        atexit.register(cls.kept.close)
        one, other = (cls.kept.enter_context(Side.running(folder)) for folder in (ours, theirs))
        cls.sides = one, other

    @classmethod
    def play(cls, work: tuple[str, int], seconds: float) -> list[FrozenGame]:
        """Return both games on a board."""
        kind, board = work
        return [play(kind, 2 * board + number, seconds, *cls.sides) for number in range(2)]


@contextmanager
def frozen(commit: str, folder: Path | None) -> Iterator[Path]:
    """A folder with the package of an earlier commit: the one given, or one made by git."""
    if folder is not None:
        yield folder.resolve()
        return
    with tempfile.TemporaryDirectory() as made:
        packed = subprocess.run(
            ("git", "archive", commit, "dvonn"),  # noqa: S607 - wherever it lies
            cwd=ROOT,
            capture_output=True,
            check=True,
        ).stdout
        with tarfile.open(fileobj=io.BytesIO(packed)) as tar:
            tar.extractall(made, filter="data")
        yield Path(made)


def figures(played: Sequence[FrozenGame]) -> dict[str, float]:
    """This version's score of all games and of each kind, and both sides' time for a game."""
    found: dict[str, float] = {"games": len(played)}
    for name in ("all", *KINDS):
        games = [game for game in played if name in {"all", game.kind}]
        if not games:
            continue
        score = estimate(
            [
                (one.points + other.points) / 2
                for one, other in zip(games[::2], games[1::2], strict=True)
            ]
        )
        found |= {
            f"{name}_ratio": score.score,
            f"{name}_error_ratio": score.error,
            f"{name}_ours_s": fmean(game.ours_s for game in games),
            f"{name}_theirs_s": fmean(game.theirs_s for game in games),
        }
    return found


def main(arguments: Sequence[str] | None = None) -> None:
    """Play, and print the RESULT line."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.matches.frozen")
    parser.add_argument("--against", default="a83c10c", help="the commit of the earlier version")
    parser.add_argument("--frozen", type=Path, help="a folder that holds its package already")
    parser.add_argument("--games", type=int, default=1000, help="a multiple of four")
    parser.add_argument("--seconds", type=float, default=0.1, help="for a move, on the wall")
    parser.add_argument("--seed", type=int, default=0, help="of the first board of each kind")
    parser.add_argument("--jobs", type=int, default=1, help="games at once")
    add_out(parser, "frozen")
    options = parser.parse_args(arguments)

    boards = range(options.seed, options.seed + options.games // 4)
    played: list[FrozenGame] = []
    with (
        results(options) as write,
        frozen(options.against, options.frozen) as theirs,
        ProcessPoolExecutor(
            options.jobs,
            mp_context=get_context("spawn"),
            initializer=Pairs.begin,
            initargs=(ROOT, theirs),
        ) as pool,
    ):
        work = [(kind, board) for board in boards for kind in KINDS]
        for pair in pool.map(partial(Pairs.play, seconds=options.seconds), work):
            played += pair
            for game in pair:
                write(asdict(game))
        write({"result": figures(played)})
    print(result_line("frozen", figures(played)))


if __name__ == "__main__":
    main()
