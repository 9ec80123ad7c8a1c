r"""Play a match of two programs, and print the RESULT line.

    python -m benchmarks.matches \
        --one "engine=python -m dvonn.engine play --movetime 0.3 --seed {seed}" \
        --other "baseline=python -m dvonn.engine baseline --seed {seed}" \
        --games 200 --starts own

A command with `uci:` before it speaks the protocol of `dvonn.engine.uci`; `uci[nodes 2000]:` says
what stands behind `go`. With `--sprt 0.5 0.55` the match ends as soon as the sequential test
decides between these two scores. With `--gametime 5` each side has so many seconds for all its
moves, on the wall, and loses if it uses more. The file of results has one JSON object a line: first
the settings, then each game, last the result.
"""

import argparse
import asyncio
import sys
from collections.abc import Sequence

from benchmarks.matches.match import Match
from benchmarks.matches.program import Command
from benchmarks.matches.settings import add_out, results
from benchmarks.matches.starts import STARTS
from benchmarks.matches.statistics import Sprt
from benchmarks.result import result_line


def command_of(text: str) -> Command:
    """Return the program of an option."""
    name, equals, words = text.partition("=")
    if not equals or not name.isidentifier():
        raise argparse.ArgumentTypeError(f"not NAME=COMMAND: {text!r}")
    return Command(name=name, text=words)


def main(arguments: Sequence[str] | None = None) -> Match:
    """Play a match, print the RESULT line, and return the match."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.matches", description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("--one", type=command_of, required=True, metavar="NAME=COMMAND")
    parser.add_argument("--other", type=command_of, required=True, metavar="NAME=COMMAND")
    parser.add_argument("--games", type=int, default=100, help="at most; an even number")
    parser.add_argument("--starts", choices=STARTS, default="own")
    parser.add_argument("--seed", type=int, default=1, help="of the first start")
    parser.add_argument("--jobs", type=int, default=1, help="games at once")
    parser.add_argument("--gametime", type=float, help="seconds a side for a whole game")
    parser.add_argument("--sprt", type=float, nargs=2, metavar=("LOW", "HIGH"))
    add_out(parser, "matches")
    options = parser.parse_args(arguments)

    with results(options) as write:
        match = Match(
            one=options.one,
            other=options.other,
            starts=options.starts,
            games=options.games,
            seed=options.seed,
            gametime_s=options.gametime,
            sprt=Sprt(*options.sprt) if options.sprt else None,
            write=write,
            tell=sys.stderr.write,
        )
        asyncio.run(match.play(options.jobs))
        figures = match.figures()
        write({"result": figures, "verdict": match.verdict})
    verdict = f": {match.verdict}" if match.verdict else ""
    print(f"{match.one.name} against {match.other.name}, {match.starts} starts{verdict}")
    print(result_line("match", figures))
    return match


if __name__ == "__main__":
    main()
