"""Findings in games, a line for each, so that a run that was broken off goes on."""

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from dvonn.engine.kept import add_lines, read_lines


def find_all(
    seeds: Sequence[int], find: Callable[[int], list[Any]], path: Path, *, name: str
) -> None:
    """Find what is in those games that are not in the file yet, and add it, a line for each.

    Args:
        seeds: of the games; a game has one seed.
        find: finds what is in one of them, as JSON can hold it.
        path: the file, made if there is none.
        name: what is found; the lines hold it by that name.
    """

    def make(missing: Sequence[int]) -> Iterator[dict[str, Any]]:
        return ({"seed": seed, name: find(seed)} for seed in missing)

    for number, line in enumerate(add_lines(seeds, make, path), start=1):
        if line["seed"] % 50 == 0:
            print(f"{number} games more, {len(line[name])} {name} in the last", flush=True)


def games(path: Path, name: str) -> Iterator[tuple[int, list[Any]]]:
    """Yield what was found in the games of a file, by their seeds."""
    return ((line["seed"], line[name]) for line in read_lines(path))
