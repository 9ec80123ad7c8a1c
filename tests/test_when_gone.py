"""Tests for what is cleaned up after a process that was killed."""

import os
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

import pytest

from tests.when_gone import WhenGone

pytestmark = pytest.mark.skipif(os.name == "nt", reason="there is no shell")

KILLED = """
import os, signal, sys
from tests.when_gone import WhenGone

one = WhenGone('echo "$2" > "$1.new"; mv "$1.new" "$1"', *sys.argv[1:])
if os.fork() == 0:
    one.forget()
    signal.pause()
print(flush=True)
{kill}
"""
"""A process that is killed, with a child that survives it, unless the whole group is killed."""


@pytest.mark.parametrize("kill", ["os.kill(os.getpid(), 9)", "os.killpg(0, 9)"])
def test_after_a_killed_process_its_commands_are_done(tmp_path: Path, kill: str) -> None:
    file = tmp_path / "two words"
    command = [sys.executable, "-c", KILLED.format(kill=kill), str(file), "its words"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, start_new_session=True) as process:
        assert process.stdout is not None
        process.stdout.readline()
        while not file.exists():
            time.sleep(0.01)
        with suppress(ProcessLookupError):  # the child is gone as well
            os.killpg(process.pid, 9)
    assert file.read_text() == "its words\n"


def test_canceled_commands_do_not_run(tmp_path: Path) -> None:
    file = tmp_path / "file"
    WhenGone('touch "$1"', str(file)).cancel()
    assert not file.exists()


def test_it_is_not_a_descendant_of_its_process() -> None:
    """Somebody who kills a process with all its descendants does not kill it."""
    one = WhenGone("true", "a mark of this test")
    assert one._shell.returncode == 0  # its parent has ended
    one.cancel()
