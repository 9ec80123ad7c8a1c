"""Tests of what is cleaned up after a process that was killed."""

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


def test_they_are_not_done_before(tmp_path: Path) -> None:
    file = tmp_path / "file"
    one = WhenGone('read line && touch "$1"', str(file))
    assert one._shell.stdin is not None
    one._shell.stdin.write(b"a line\n")
    one.now()
    assert not file.exists(), "a command has read what was written before the end"


def test_they_are_done_at_the_end_when_it_asks_for_it(tmp_path: Path) -> None:
    WhenGone('rm "$1"/*', str(tmp_path)).now()
    file = tmp_path / "file"
    file.touch()
    one = WhenGone('rm "$1"', str(file))
    assert file.exists()
    one.now()
    assert not file.exists()
