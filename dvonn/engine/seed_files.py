"""Files with one JSON line per seed. A resumed run adds the missing lines."""

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pathlib import Path

Line = dict[str, Any]


def read_lines(path: "Path") -> Iterator[Line]:
    """Yield the lines of a file. Skip an incomplete last line."""
    with path.open(encoding="utf-8") as file:
        for line in file:
            if line.endswith("\n"):
                yield json.loads(line)


def add_lines(
    seeds: Sequence[int], make: Callable[[Sequence[int]], Iterable[Line]], path: "Path"
) -> Iterator[Line]:
    """Add a line for each seed missing from the file.

    Yield each line once it is written.

    Args:
        seeds: Seeds of all lines that the file should have.
        make: Returns the lines for the given seeds. Each line has its `seed`.
        path: The file, which is created if it is missing. An incomplete last line is removed.
    """
    lines = list(read_lines(path)) if path.exists() else []
    old_seeds = {line["seed"] for line in lines}
    path.write_text("".join(map(_text, lines)), "utf-8", newline="\n")
    with path.open("a", encoding="utf-8", newline="\n") as file:
        for line in make([seed for seed in seeds if seed not in old_seeds]):
            file.write(_text(line))
            file.flush()
            yield line


def _text(line: Line) -> str:
    return json.dumps(line, separators=(",", ":")) + "\n"
