"""Tests for what a search leaves in memory."""

import threading
from pathlib import Path

import pytest

from dvonn.engine.searcher import Searcher
from tests.games import drawn

TABLE_MIB = 16
SAYS = Path("/proc/self/statm")


def resident_mib() -> float:
    """Return the memory of this process in MiB. statm counts in pages, usually of 4 KiB."""
    return int(SAYS.read_text().split()[1]) * 4096 / 2**20


@pytest.mark.skipif(not SAYS.exists(), reason="this system does not tell what a process holds")
def test_threads_that_searched_keep_no_table() -> None:
    """Each review and each move of a worker runs in a new thread, some at the same time."""

    def search(barrier: threading.Barrier) -> None:
        searcher = Searcher(TABLE_MIB)
        barrier.wait()
        searcher.memory[-(TABLE_MIB << 17) :] = 0  # the whole table is used, as by a long search
        searcher.search(drawn(1), nodes=100)

    Searcher(1).search(drawn(1), nodes=100)
    before = resident_mib()
    for several in (1, 2, 3, 4):
        barrier = threading.Barrier(several)
        threads = [threading.Thread(target=search, args=(barrier,)) for _ in range(several)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert resident_mib() - before < TABLE_MIB
