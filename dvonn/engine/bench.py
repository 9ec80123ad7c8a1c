"""The engine's signature: a node count of fixed searches that is the same on every machine.

The number of nodes changes if the search behaves differently. A change in speed alone leaves it the
same.
"""

import random
import time
from typing import Final

from dvonn import Move, Phase, Position
from dvonn.engine.searcher import Searcher

GAMES: Final = 6
"""Number of random games that the positions come from."""
PLIES: Final = (0, 8, 16, 24)
"""Numbers of random moves after which a position of each game is searched."""
DEPTH: Final = 6


def positions() -> list[Position]:
    """Return the positions to search."""
    chosen = []
    for seed in range(GAMES):
        rng = random.Random(seed)  # noqa: S311 - no secrets
        position = Position.initial()
        while position.phase is Phase.PLACEMENT:
            position = position.play(_random_move(position, rng))
        for ply in range(max(PLIES) + 1):
            if ply in PLIES:
                chosen.append(position)
            position = position.play(_random_move(position, rng))
    return chosen


def _random_move(position: Position, rng: random.Random) -> Move:
    return rng.choice(position.legal_moves())


def signature() -> tuple[int, float]:
    """Return the number of nodes that the searches took, and the time in seconds."""
    searcher = Searcher()
    searcher.search(positions()[0], depth=1)  # compiles, or loads compiled code
    nodes, seconds = 0, 0.0
    for position in positions():
        searcher.clear()
        start = time.perf_counter()
        nodes += searcher.search(position, depth=DEPTH).nodes
        seconds += time.perf_counter() - start
    return nodes, seconds


def bench() -> None:
    """Print the node count and the speed."""
    nodes, seconds = signature()
    print(f"nodes {nodes} nps {nodes / seconds:.0f}")  # noqa: T201 - its purpose
