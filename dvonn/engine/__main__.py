"""The engine's command line.

    python -m dvonn.engine play --movetime 0.3     plays one game, by the CodeCup protocol
    python -m dvonn.engine baseline                the same, by the simple player of baseline.py
    python -m dvonn.engine uci                     serves the protocol of uci.py
    python -m dvonn.engine conform COMMAND         tests an engine against that protocol
    python -m dvonn.engine json                    serves the rules and the engine to web pages
    python -m dvonn.engine bench                   prints a node count, and nodes per second

Without numba, `uci`, `bench` and the higher levels of `play` print an error and exit with status 2.
"""

import argparse
import importlib
import io
import os
import sys
import time
from collections.abc import Sequence
from typing import TextIO

from dvonn._rules.position import Position
from dvonn.engine import jsonlines
from dvonn.engine.baseline import DEFAULT_DEPTH, Baseline, PlainThinker
from dvonn.engine.codecup_text import position_from_state
from dvonn.engine.protocol import GameTime, MoveTime, Player, Table, Timing
from dvonn.engine.uci import UciSession, UciThinker
from dvonn.machine import INTERPRETED, LEVELS

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
        # The reader has exited. Without this, Python would raise again when it flushes at exit.
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
        help="number of threads; not with --level, which counts nodes",
    )
    baseline = commands.add_parser("baseline", help="the simple player, by the CodeCup protocol")
    baseline.add_argument("--depth", type=int, default=DEFAULT_DEPTH, help="plies to look ahead")
    uci = commands.add_parser("uci", help="the engine, by the protocol like UCI")
    uci.add_argument("--baseline", action="store_true", help="the simple player instead")
    conform = commands.add_parser("conform", help="test an engine against that protocol")
    conform.add_argument(
        "--patience",
        type=_positive,
        metavar="S",
        help="seconds to wait for an answer; 8 if not given",
    )
    conform.add_argument("engine", nargs=argparse.REMAINDER, metavar="COMMAND")
    json = commands.add_parser("json", help="the rules and the engine, by JSON lines")
    json.add_argument("--port", type=int, help="serve HTTP on this port, for this machine only")
    json.add_argument(
        "--origin", action="append", default=[], help="origin of a page that may send requests"
    )
    for command in (play, baseline):
        command.add_argument("--seed", type=int, default=0, help="random seed for ties")
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
        raise argparse.ArgumentTypeError(f"{text} is not more than 0")
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
    return _COMMANDS[options.command](options)


def _bench(_: argparse.Namespace) -> int:
    _require_compiled()
    importlib.import_module("dvonn.engine.bench").bench()
    return 0


def _uci(options: argparse.Namespace) -> int:
    thinker: UciThinker = PlainThinker()
    if not options.baseline:
        _require_compiled()
        thinker = importlib.import_module("dvonn.engine.thinking").EngineThinker()
    UciSession(thinker, lines=_lines(), out=sys.stdout).run()
    return 0


def _conform(options: argparse.Namespace) -> int:
    # like other commands, accept a leading "--"
    engine = options.engine[options.engine[:1] == ["--"] :]
    # Imported late, because it loads asyncio.
    conformance = importlib.import_module("dvonn.engine.conformance")
    patience_s = options.patience or conformance.PATIENCE_S
    return 0 if conformance.conform(engine, sys.stdout, patience_s=patience_s) else 1


def _json(options: argparse.Namespace) -> int:
    if options.port is None:
        for answer in jsonlines.answers(_lines()):
            print(answer, flush=True)  # noqa: T201 - its purpose
        return 0
    with jsonlines.serve(options.port, options.origin) as server:
        sys.stderr.write(f"at http://127.0.0.1:{server.server_address[1]}/\n")
        server.serve_forever()
    return 0


def _table(options: argparse.Namespace) -> int:
    timing: Timing = MoveTime(None)
    player: Player
    if options.command == "baseline":
        player = Baseline(depth=options.depth, seed=options.seed)
    else:
        player = _engine(options)
        timing = _timing(options)
    Table(
        player,
        timing,
        lines=_lines(),
        out=sys.stdout,
        errors=sys.stderr,
        position=options.state,
    ).play()
    return 0


def _lines() -> TextIO:
    # Undecodable input must be refused like any other, not raise an error.
    return io.TextIOWrapper(sys.stdin.buffer, encoding="utf-8", errors="replace")


def _timing(options: argparse.Namespace) -> Timing:
    if options.gametime is not None:
        timing = GameTime(options.gametime)
        # In a tournament, the clock starts with the process.
        timing.spend(time.process_time())
        return timing
    if options.movetime is None and options.level is None:
        return MoveTime(DEFAULT_MOVETIME_S)
    return MoveTime(options.movetime)


def _engine(options: argparse.Namespace) -> Player:
    # Imported late, because it loads numba.
    if options.level not in INTERPRETED:
        _require_compiled()
    module = importlib.import_module("dvonn.engine.player")
    threads = options.threads if options.level is None else None
    player: Player = module.EnginePlayer(level=options.level, seed=options.seed, threads=threads)
    return player


def _require_compiled() -> None:
    importlib.import_module("dvonn.engine.backend").require_compiled()


_COMMANDS = {
    "play": _table,
    "baseline": _table,
    "uci": _uci,
    "conform": _conform,
    "json": _json,
    "bench": _bench,
}

if __name__ == "__main__":
    sys.exit(main())
