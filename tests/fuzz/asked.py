"""Command-line options that all fuzz scripts share."""

import argparse
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Asked:
    """How much is tried, and by which chance."""

    count: int
    seed: int


def asked(description: str | None, *, count: int) -> Asked:
    """What the command line asks for.

    Args:
        description: The script's docstring, whose first line `--help` shows.
        count: How much is tried where nothing is said.
    """
    parser = argparse.ArgumentParser(description=(description or "").splitlines()[0])
    parser.add_argument("--count", type=int, default=count)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    return Asked(options.count, options.seed)
