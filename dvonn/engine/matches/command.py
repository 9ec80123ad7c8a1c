r"""Play a match between two engines, or a tournament of several, and print the table.

    python -m dvonn match new=./mine "old=python -m dvonn.engine uci --baseline" --games 100
    python -m dvonn match "uci[nodes 2000]:./one" "uci[depth 3]:./two" "codecup:./three"

An engine is COMMAND or NAME=COMMAND, without a shell. `{seed}` is replaced by a different number in
each game. By default, it is asked in the protocol of `dvonn.engine.uci`, with `go movetime 300`.
`uci[LIMITS]:` before COMMAND sets other limits, and `codecup:` selects CodeCup's protocol.

Each start is played with both colors. A side loses if it sends an illegal move, exceeds its time,
or exits. Elo is the rating difference from all other engines together. ± is half the width of the
95% interval, computed from pairs of games.
"""

import argparse
import asyncio
import json
import sys
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Final

from dvonn.engine.matches.match import MARGIN_S, Limits, Match, MatchGame
from dvonn.engine.matches.program import Command
from dvonn.engine.matches.referee import PATIENCE_S
from dvonn.engine.matches.starts import STARTS, starts_of
from dvonn.engine.matches.statistics import Sprt
from dvonn.engine.process import EngineFailedError

_COLUMNS: Final = "games   won drawn  lost forfeits         score           Elo  s a game  longest"


def main(arguments: Sequence[str] | None = None) -> int:
    """Play a match, print its table, and return the exit status."""
    parser = _parser()
    options = parser.parse_args(arguments)
    names = [command.name for command in options.engines]
    if len(names) < 2:  # noqa: PLR2004 - a game has two players
        parser.error("a match needs two engines")
    if len(set(names)) < len(names):
        parser.error(f"two engines have the same name: name them as NAME=COMMAND: {names}")
    if options.sprt and len(names) > 2:  # noqa: PLR2004 - a game has two players
        parser.error("argument --sprt: for two engines only")
    try:
        match = Match(
            options.engines,
            starts=starts_of(options.starts),
            games=options.games,
            seed=options.seed,
            limits=Limits(
                gametime_s=options.gametime,
                margin_s=options.margin,
                patience_s=options.patience,
            ),
            sprt=Sprt(*options.sprt) if options.sprt else None,
            on_game=partial(_write_game, options),
        )
        asyncio.run(match.play(options.jobs))
    except (EngineFailedError, OSError, ValueError) as error:
        sys.stderr.write(f"dvonn match: {error}\n")
        return 2
    except KeyboardInterrupt:
        sys.stderr.write("ended early\n")
    sys.stdout.write(table(match))
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m dvonn match", description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("engines", nargs="+", type=_command, metavar="ENGINE")
    parser.add_argument(
        "--games", type=_count, default=100, help="maximum number of games of each pair (100)"
    )
    names = ", ".join(STARTS)
    parser.add_argument("--starts", default="empty", help=f"{names}, or a file (empty)")
    parser.add_argument("--seed", type=int, default=1, help="number of the first start (1)")
    parser.add_argument(
        "--jobs", type=_count, default=1, help="number of games at the same time (1)"
    )
    parser.add_argument("--gametime", type=_seconds, help="seconds per side for a whole game")
    parser.add_argument(
        "--margin",
        type=_seconds,
        default=MARGIN_S,
        help="seconds tolerated beyond movetime (1)",
    )
    parser.add_argument(
        "--patience",
        type=_seconds,
        default=PATIENCE_S,
        help="maximum seconds for a move without a limit (120)",
    )
    parser.add_argument(
        "--sprt",
        type=float,
        nargs=2,
        metavar=("LOW", "HIGH"),
        help="stop when one of two expected scores is accepted",
    )
    parser.add_argument("--records", type=Path, help="file to which each game is appended")
    parser.add_argument("--out", type=Path, help="file to which each result is appended, in JSON")
    return parser


def _command(text: str) -> Command:
    try:
        return Command.parse(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def _count(text: str) -> int:
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError(f"{text} is less than 1")
    return number


def _seconds(text: str) -> float:
    seconds = float(text)
    if not 0 < seconds < float("inf"):
        raise argparse.ArgumentTypeError(f"{text} is not more than 0")
    return seconds


def _write_game(options: argparse.Namespace, match: Match, game: MatchGame) -> None:
    """Write a game to the files and the error stream."""
    task, result = game.task, game.result
    if options.records is not None:
        headers = {
            "Event": "match",
            "Round": str(task.number + 1),
            "White": task.white.name,
            "Black": task.black.name,
        }
        with options.records.open("a", encoding="utf-8") as file:
            file.write(f"{result.record(headers).to_text()}\n")
    if options.out is not None:
        line = {
            "game": task.number,
            "start": task.start,
            "white": task.white.name,
            "black": task.black.name,
            "white_points": result.white_points,
            "white_margin": result.white_margin,
            "forfeit": result.forfeit,
            "moves": " ".join(map(str, result.moves)),
            "used_s": result.used_s,
            "longest_s": result.longest_s,
        }
        with options.out.open("a", encoding="utf-8") as file:
            file.write(f"{json.dumps(line)}\n")
    outcome = result.forfeit or f"{result.white_margin:+d}"
    sys.stderr.write(f"{len(match.played)}: {task.white.name} - {task.black.name}: {outcome}\n")
    if match.played and len(match.commands) == 2:  # noqa: PLR2004 - a game has two players
        first, score = match.commands[0], match.score(match.commands[0])
        sys.stderr.write(f"  {first.name} {100 * score.score:.1f} ± {100 * score.error:.1f}%\n")


def table(match: Match) -> str:
    """Return a match's table, best program first."""
    rows = sorted(match.commands, key=lambda row: match.score(row).score, reverse=True)
    width = max(len(command.name) for command in rows)
    lines = [f"{'':{width}}  {_COLUMNS}"]
    for command in rows:
        figures = match.figures(command)
        lines.append(
            f"{command.name:{width}}  {figures['games']:5} {figures['won']:5} {figures['drawn']:5}"
            f" {figures['lost']:5} {figures['forfeits']:8}"
            f" {100 * figures['score']:6.1f} ±{100 * figures['error']:5.1f}%"
            f" {figures['elo']:+6.0f} ± {figures['elo_error']:4.0f}"
            f"  {figures['mean_s']:8.2f} {figures['longest_s']:8.2f}"
        )
    if match.verdict:
        lines.append(f"The test decides for the {match.verdict} score.")
    return "".join(f"{line}\n" for line in lines)


if __name__ == "__main__":
    sys.exit(main())
