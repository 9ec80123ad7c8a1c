"""Tests for the player as a process, started as in a tournament."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]


def run(
    *words: str, lines: bytes = b"", code: str | None = None
) -> subprocess.CompletedProcess[str]:
    """Run the command with these lines as its input."""
    start = ["-m", "dvonn.engine"] if code is None else ["-c", code]
    return subprocess.run(
        [sys.executable, *start, *words],
        input=lines.decode("latin-1"),
        encoding="latin-1",
        capture_output=True,
        cwd=ROOT,
        check=False,
    )


def test_the_baseline_answers() -> None:
    done = run("baseline", "--seed", "1", lines=b"Start\nQuit\n")
    assert done.returncode == 0
    assert len(done.stdout.splitlines()) == 1
    assert done.stderr == ""


def test_without_numba_the_engine_names_the_missing_package() -> None:
    hidden = "import sys; sys.modules['numba'] = None; sys.argv[1:] = ['{}']; "
    run_main = "import runpy; runpy.run_module('dvonn.engine', run_name='__main__')"
    for command in ("play", "bench"):
        done = run(code=hidden.format(command) + run_main)
        assert done.returncode == 2
        assert done.stderr.startswith("The engine needs numba")
    assert run(code=hidden.format("baseline") + run_main).returncode == 0
