"""A search's memory for tests that look below the searcher."""

import numpy as np

from dvonn.engine.layout import TABLE
from dvonn.engine.moves import Memory


def new_memory() -> Memory:
    """Room for everything but a table."""
    return np.zeros(TABLE, dtype=np.int64)
