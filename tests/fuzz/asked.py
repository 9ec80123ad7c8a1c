"""Command-line options that all fuzz scripts share."""

import argparse
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Asked:
    """The command line of a fuzz script."""

    count: int
    """Number of attempts."""
    seed: int
    postgresql: bool = False
    """True if the bot uses PostgreSQL in place of SQLite."""


def parse_arguments(description: str | None, *, count: int, starts_a_bot: bool = False) -> Asked:
    """Parse the command line.

    Args:
        description: The script's docstring, whose first line `--help` shows.
        count: The default number of attempts.
        starts_a_bot: True if the script starts a bot, and so offers `--postgresql`.
    """
    parser = argparse.ArgumentParser(description=(description or "").splitlines()[0])
    parser.add_argument("--count", type=int, default=count)
    parser.add_argument("--seed", type=int, default=1)
    if starts_a_bot:
        parser.add_argument("--postgresql", action="store_true", help="not on SQLite")
    return Asked(**vars(parser.parse_args()))
