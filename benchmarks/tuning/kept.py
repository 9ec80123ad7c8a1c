"""Findings in games, one line of JSON for each, so that a run that was broken off goes on."""

import json
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any


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
    done = dict(games(path, name)) if path.exists() else {}
    # A last line that was broken off goes; so the file is whole again.
    path.write_text("".join(_line(seed, found, name) for seed, found in done.items()), "utf-8")
    with path.open("a", encoding="utf-8") as file:
        for seed in seeds:
            if seed in done:
                continue
            done[seed] = find(seed)
            file.write(_line(seed, done[seed], name))
            file.flush()
            if seed % 50 == 0:
                print(f"{len(done)} games, {sum(map(len, done.values()))} {name}", flush=True)


def games(path: Path, name: str) -> Iterator[tuple[int, list[Any]]]:
    """Yield the games of a file, by their seeds; a last line that was broken off does not count."""
    for line in path.read_text(encoding="utf-8").splitlines(keepends=True):
        if line.endswith("\n"):
            game = json.loads(line)
            yield game["seed"], game[name]


def _line(seed: int, found: list[Any], name: str) -> str:
    return json.dumps({"seed": seed, name: found}, separators=(",", ":")) + "\n"
