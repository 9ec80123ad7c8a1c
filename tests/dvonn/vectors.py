"""The human-readable test vectors in tests/data: their format and their only parser.

A file is a list of vectors. Each has a line "== its name" and then sections: a line "word:" and the
lines below it. Lines that start with "#" are comments.
"""

import re
from pathlib import Path

DATA = Path(__file__).resolve().parents[1] / "data"

Vector = dict[str, str]
"""Maps the names of the sections to their texts."""

_SECTION = re.compile(r"([a-z]+):")


def read_vectors(path: Path) -> dict[str, Vector]:
    """Return the vectors of a file by name."""
    vectors: dict[str, Vector] = {}
    vector: Vector = {}
    section = ""
    for line in path.read_text(encoding="utf-8").splitlines():
        if line.startswith("#"):
            continue
        if line.startswith("== "):
            name = line.removeprefix("== ")
            assert name not in vectors, f"two vectors are called {name}"
            vector = vectors[name] = {}
        elif match := _SECTION.fullmatch(line):
            section = match[1]
            assert section not in vector, f"{name} has two sections called {section}"
            vector[section] = ""
        elif line.strip():
            vector[section] += line + "\n"
    return vectors
