"""Options of a match, as `benchmarks.matches` and its table of engines have them."""

import argparse
import sys
from collections.abc import Callable, Mapping

from benchmarks.matches.match import Match
from benchmarks.matches.program import Command
from benchmarks.matches.settings import add_out
from benchmarks.matches.starts import STARTS
from benchmarks.matches.statistics import Sprt


def match_parser(
    prog: str, told: str | None, *, games: int, starts: str
) -> argparse.ArgumentParser:
    """Return a parser with the options of a match.

    Args:
        prog: the command.
        told: what `--help` says.
        games: the usual number of games.
        starts: the usual kind of starts.
    """
    parser = argparse.ArgumentParser(prog=prog, description=told)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("--games", type=int, default=games, help="at most; an even number")
    parser.add_argument("--starts", choices=STARTS, default=starts)
    parser.add_argument("--seed", type=int, default=1, help="of the first start")
    parser.add_argument("--jobs", type=int, default=1, help="games at once")
    parser.add_argument("--gametime", type=float, help="seconds a side for a whole game")
    parser.add_argument("--sprt", type=float, nargs=2, metavar=("LOW", "HIGH"))
    add_out(parser, prog.rpartition(".")[2])
    return parser


def command_of(text: str) -> Command:
    name, equals, words = text.partition("=")
    if not equals or not name.isidentifier():
        raise argparse.ArgumentTypeError(f"not NAME=COMMAND: {text!r}")
    return Command(name=name, text=words)


def match_of(
    options: argparse.Namespace,
    one: Command,
    other: Command,
    write: Callable[[Mapping[str, object]], None],
) -> Match:
    """Return the match of two engines under the options that `match_parser` has read."""
    return Match(
        one=one,
        other=other,
        starts=options.starts,
        games=options.games,
        seed=options.seed,
        gametime_s=options.gametime,
        sprt=Sprt(*options.sprt) if options.sprt else None,
        write=write,
        tell=sys.stderr.write,
    )
