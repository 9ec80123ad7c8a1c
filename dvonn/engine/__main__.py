"""The machine player at the command line.

    python -m dvonn.engine play --movetime 0.3     plays one game, by the CodeCup protocol
    python -m dvonn.engine baseline                so does the plain player of baseline.py
    python -m dvonn.engine bench                   counts nodes, and how many a second

Without numba `play` and `bench` say so and end with status 2.
"""

import argparse
import importlib
import io
import os
import sys
import time
from collections.abc import Sequence

from dvonn.engine.baseline import DEFAULT_DEPTH, Baseline
from dvonn.engine.codecup import position_from_state
from dvonn.engine.protocol import GameTime, MoveTime, Player, Table, Timing
from dvonn.position import Position

LEVELS = range(1, 11)
DEFAULT_MOVETIME_S = 1.0
MOST_THREADS = 64
MISSING_NUMBA = (
    "The engine needs numba, which is not installed here: python -m pip install numba numpy"
)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command, and return the exit status."""
    parser = _parser()
    options = parser.parse_args(arguments)
    if options.command == "play" and options.threads > 1 and options.level is not None:
        parser.error("argument --threads: not allowed with argument --level")
    try:
        return _run(options)
    except ModuleNotFoundError as error:
        if error.name is None or error.name.partition(".")[0] not in {"numba", "llvmlite", "numpy"}:
            raise
        sys.stderr.write(MISSING_NUMBA + "\n")
        return 2
    except BrokenPipeError:
        # Whoever we played with is gone. Python would complain again when it flushes at the exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except KeyboardInterrupt:
        return 130


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m dvonn.engine", description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("bench", help="count nodes on fixed positions")

    play = commands.add_parser("play", help="the engine, by the CodeCup protocol")
    limit = play.add_mutually_exclusive_group()
    limit.add_argument(
        "--movetime",
        type=_positive,
        metavar="S",
        help=f"seconds for each move; {DEFAULT_MOVETIME_S} if no other limit is given",
    )
    limit.add_argument("--gametime", type=_positive, metavar="S", help="seconds for a whole game")
    play.add_argument("--level", type=int, choices=LEVELS, help="play at a level")
    play.add_argument(
        "--threads",
        type=_count,
        default=1,
        metavar="N",
        help="search on so many cores at once; not with --level, which counts positions",
    )
    baseline = commands.add_parser("baseline", help="the plain player, by the CodeCup protocol")
    baseline.add_argument("--depth", type=int, default=DEFAULT_DEPTH, help="plies to look ahead")
    for command in (play, baseline):
        command.add_argument("--seed", type=int, default=0, help="of the chance between equals")
        command.add_argument(
            "--state",
            type=_state,
            metavar="TEXT",
            help="start from a position of the movement phase, 50 characters",
        )
    return parser


def _positive(text: str) -> float:
    seconds = float(text)
    if not 0 < seconds < float("inf"):
        raise argparse.ArgumentTypeError(f"{text} is not more than no time")
    return seconds


def _count(text: str) -> int:
    number = int(text)
    if not 1 <= number <= MOST_THREADS:
        raise argparse.ArgumentTypeError(f"{text} is not 1 to {MOST_THREADS}")
    return number


def _state(text: str) -> Position:
    try:
        return position_from_state(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def _run(options: argparse.Namespace) -> int:
    if options.command == "bench":
        importlib.import_module("dvonn.engine.bench").bench()
        return 0
    timing: Timing = MoveTime(None)
    player: Player
    if options.command == "baseline":
        player = Baseline(depth=options.depth, seed=options.seed)
    else:
        player = _engine(options)
        timing = _timing(options)
    # Whatever comes in must be readable, if only to be refused.
    lines = io.TextIOWrapper(sys.stdin.buffer, encoding="utf-8", errors="replace")
    Table(
        player,
        timing,
        lines=lines,
        out=sys.stdout,
        errors=sys.stderr,
        position=options.state,
    ).play()
    return 0


def _timing(options: argparse.Namespace) -> Timing:
    if options.gametime is not None:
        timing = GameTime(options.gametime)
        # The clock of a tournament has been running since the process started.
        timing.spend(time.process_time())
        return timing
    if options.movetime is None and options.level is None:
        return MoveTime(DEFAULT_MOVETIME_S)
    return MoveTime(options.movetime)


def _engine(options: argparse.Namespace) -> Player:
    # Imported late: it loads numba.
    module = importlib.import_module("dvonn.engine.player")
    player: Player = module.EnginePlayer(
        level=options.level, seed=options.seed, threads=options.threads
    )
    return player


if __name__ == "__main__":
    sys.exit(main())
