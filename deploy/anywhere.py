"""Test the installed `dvonn` with the test data, using only Python and this checkout.

    python deploy/anywhere.py

CI runs it in environments without pytest: PyPy, Alpine's musl, and Pyodide in a browser's engine.
"""

import platform
import runpy
import sys
from pathlib import Path

import dvonn
from dvonn import GameRecord, Position, balanced_start, fairness, from_diagram, parse_moves
from dvonn.formats import FORMATS, read_records
from dvonn.perft import perft
from dvonn.puzzles import load

ROOT = Path(__file__).resolve().parents[1]


def main() -> None:
    """Run all checks, and print a summary."""
    read_vectors = runpy.run_path(str(ROOT / "tests" / "dvonn" / "vectors.py"))["read_vectors"]
    games = read_vectors(ROOT / "tests" / "data" / "games.txt")
    for name, vector in games.items():
        position = Position.initial().after(*parse_moves(vector["moves"]))
        check(name, position == from_diagram(vector["board"]))
    line_count = 0
    for name, vector in read_vectors(ROOT / "tests" / "data" / "perft.txt").items():
        position = from_diagram(vector["board"])
        for line in vector["lines"].splitlines():
            depth, count = map(int, line.split())
            check(f"{name}, depth {depth}", perft(position, depth) == count)
            line_count += count
    record = GameRecord.from_text((ROOT / "docs" / "game.txt").read_text(encoding="utf-8"))
    for name, text_format in FORMATS.items():
        (copy,) = read_records(text_format.write([record]))
        check(name, copy.moves == record.moves)
    check("start", fairness(Position.initial().after(*balanced_start(2001))).is_balanced)
    place = f"{platform.python_implementation()} {platform.python_version()}, {sys.platform}"
    sys.stdout.write(
        f"dvonn {dvonn.__version__} on {place}: {len(games)} games, {line_count} lines of play, "
        f"{len(FORMATS)} formats, {len(load())} puzzles\n"
    )


def check(name: str, holds: bool) -> None:
    """Exit with a message if a check fails.

    Raises:
        SystemExit: if the check failed.
    """
    if not holds:
        raise SystemExit(f"{name}: check failed")


if __name__ == "__main__":
    main()
