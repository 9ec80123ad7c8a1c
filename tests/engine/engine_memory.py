"""A search's memory, for tests below the searcher."""

import numpy as np

from dvonn.engine.memory import NODE_LIMIT, SIZE
from dvonn.engine.moves import Memory
from dvonn.engine.searcher import Searcher


def new_memory() -> Memory:
    """Memory with room for everything except a table."""
    return np.zeros(SIZE, dtype=np.int64)


def new_searcher() -> Searcher:
    """Memory with a small table, for a search of up to 200,000 positions."""
    searcher = Searcher(megabytes=1)
    searcher.memory[NODE_LIMIT] = 200_000
    return searcher
