"""Some changes of the source, taken by chance: what no run of all changes has the time for.

Each is tried with the tests of its module, in processes of their own if they are such. So it holds
for doors and deliveries too, which only the bot's own process runs.
"""

import os
import random
import subprocess
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final

from tests.mutation.in_source import Change, changes

_PATIENCE_S: Final = 120
"""The seconds that one test may take: a loop without end is noticed, too."""
_FAILED: Final = 1
"""The exit status of pytest where a test has failed."""
_PASSED: Final = (0, 5)
"""Its exit statuses where none has: 5 where there was none to run."""


def tried(
    room: Path, held: Mapping[str, Sequence[str]], number: int, seed: int
) -> Iterator[tuple[str, Change, bool]]:
    """Try so many changes in a copy of the project; yield each, and whether a test noticed it.

    Args:
        room: the copy.
        held: the modules to change, each with the tests that hold it.
        number: how many changes to try in all.
        seed: which ones.

    Raises:
        subprocess.CalledProcessError: if the tests fail with nothing changed, or cannot run.
    """
    known = {name: (room / name).read_text(encoding="utf-8") for name in held}
    every = [(name, one) for name in known for one in changes(known[name], compiled=False)]
    taken = random.Random(seed).sample(every, min(number, len(every)))
    tests = dict.fromkeys(test for name in sorted({one[0] for one in taken}) for test in held[name])
    if _run(room, list(tests)):
        raise subprocess.CalledProcessError(_FAILED, list(tests))
    for moment, (name, change) in enumerate(taken, start=1):
        _write(room / name, change.source, moment)
        try:
            status = _run(room, held[name])
        finally:
            _write(room / name, known[name], -moment)
        yield name, change, status not in _PASSED


def _write(file: Path, source: str, moment: int) -> None:
    """Write a module with a time of its own, by which Python knows that its bytecode is old."""
    before = file.stat().st_mtime_ns
    file.write_text(source, encoding="utf-8")
    os.utime(file, ns=(before, before + moment * 1_000_000_000))


def _run(room: Path, tests: Iterable[str]) -> int:
    command = [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider"]
    command += ["-k", "not postgresql", f"--timeout={_PATIENCE_S}", *tests]
    log = room / "sample.log"
    with log.open("ab") as file:
        return subprocess.run(command, cwd=room, stdout=file, stderr=file, check=False).returncode
