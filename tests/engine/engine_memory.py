"""A search's memory, for tests below the searcher."""

import numpy as np

from dvonn.engine.memory import NODE_LIMIT, SIZE
from dvonn.engine.moves import Memory
from dvonn.engine.searcher import Searcher


def new_memory() -> Memory:
    """Room for everything but a table."""
    return np.zeros(SIZE, dtype=np.int64)


def new_searcher() -> Searcher:
    """One with a small table, whose memory may look at 200,000 positions."""
    searcher = Searcher(megabytes=1)
    searcher.memory[NODE_LIMIT] = 200_000
    return searcher
