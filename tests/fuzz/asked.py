"""Command-line options that all fuzz scripts share."""

import argparse
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Asked:
    """The number of attempts, and the seed."""

    count: int
    seed: int


def asked(description: str | None, *, count: int) -> Asked:
    """Parse the command line.

    Args:
        description: The script's docstring, whose first line `--help` shows.
        count: How much is tried where nothing is said.
    """
    parser = argparse.ArgumentParser(description=(description or "").splitlines()[0])
    parser.add_argument("--count", type=int, default=count)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    return Asked(options.count, options.seed)
