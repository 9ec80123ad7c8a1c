"""The match of `python -m dvonn.engine match`, with what it was measured with, and a RESULT line.

python -m benchmarks.matches --one NAME=COMMAND --other NAME=COMMAND [--games 200] [--out FILE]
"""

import argparse
from collections.abc import Sequence

from benchmarks.matches.settings import settings
from benchmarks.result import result_line
from dvonn.engine.matches import match


def main(arguments: Sequence[str] | None = None) -> dict[str, float]:
    """Play a match, print the RESULT line, and return its figures."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.matches", description=match.__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    match.add_options(parser)
    options = parser.parse_args(arguments)
    played = match.play(options, settings(options))
    figures = played.figures()
    print(
        f"{played.one.name} against {played.other.name}, {played.starts} starts: {played.verdict}"
    )
    print(result_line("match", figures))
    return figures


if __name__ == "__main__":
    main()
