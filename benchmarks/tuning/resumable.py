"""Resumable searches that write one line of results per game."""

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from dvonn.engine.seed_files import add_lines, read_lines


def find_all(
    seeds: Sequence[int], find: Callable[[int], list[Any]], path: Path, *, name: str
) -> None:
    """Find results in the games that are not in the file yet, and add a line for each game.

    Args:
        seeds: Seeds of the games.
        find: Returns the results of one seed, which must be valid in JSON.
        path: The file, created if it is missing.
        name: The kind of the results, which names them in the lines.
    """

    def make(missing: Sequence[int]) -> Iterator[dict[str, Any]]:
        return ({"seed": seed, name: find(seed)} for seed in missing)

    for number, line in enumerate(add_lines(seeds, make, path), start=1):
        if line["seed"] % 50 == 0:
            print(f"{number} games more, {len(line[name])} {name} in the last", flush=True)


def games(path: Path, name: str) -> Iterator[tuple[int, list[Any]]]:
    """Yield the results for the games of a file, by their seeds."""
    return ((line["seed"], line[name]) for line in read_lines(path))
