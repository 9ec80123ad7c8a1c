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

import asyncio
from collections.abc import Sequence

from benchmarks.matches.match import Match
from benchmarks.matches.options import command_of, match_of, match_parser
from benchmarks.matches.settings import results
from benchmarks.result import result_line


def main(arguments: Sequence[str] | None = None) -> Match:
    """Play a match, print the RESULT line, and return the match."""
    prog = "python -m benchmarks.matches"
    parser = match_parser(prog, __doc__, games=100, starts="own")
    parser.add_argument("--one", type=command_of, required=True, metavar="NAME=COMMAND")
    parser.add_argument("--other", type=command_of, required=True, metavar="NAME=COMMAND")
    options = parser.parse_args(arguments)

    with results(options) as write:
        match = match_of(options, options.one, options.other, write)
        asyncio.run(match.play(options.jobs))
        figures = match.figures()
        write({"result": figures, "verdict": match.verdict})
    verdict = f": {match.verdict}" if match.verdict else ""
    print(f"{match.one.name} against {match.other.name}, {match.starts} starts{verdict}")
    print(result_line("match", figures))
    return match


if __name__ == "__main__":
    main()
