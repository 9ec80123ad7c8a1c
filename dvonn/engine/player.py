"""The machine player: one object that plays both phases."""

import random

from dvonn import Move, Phase, Position
from dvonn.engine.placement import choose_placement
from dvonn.engine.searcher import Searcher


class EnginePlayer:
    """Plays one game at a time, with a table kept from move to move.

    Args:
        seed: of the choices that are left to chance.
        nodes: how many positions to look at for a move at most; None: time alone limits it.
        megabytes: how large the table is.
    """

    def __init__(self, *, seed: int = 0, nodes: int | None = None, megabytes: int = 16) -> None:
        self._rng = random.Random(seed)  # noqa: S311 - no secrets
        self._nodes = nodes
        self._searcher = Searcher(megabytes)

    def choose(self, position: Position, seconds: float | None = None) -> Move:
        """The move to play; takes that many seconds at most.

        Raises:
            ValueError: if the game is over, or neither seconds nor nodes limit the search.
        """
        if position.phase is Phase.OVER:
            raise ValueError(f"the game is over: {position!r}")
        if position.phase is Phase.PLACEMENT:
            return choose_placement(position, self._rng)
        if seconds is None and self._nodes is None:
            raise ValueError("neither seconds nor nodes limit the search")
        return self._searcher.search(position, nodes=self._nodes, seconds=seconds).move

    def stop(self) -> None:
        """End the running search soon; may be called from any thread."""
        self._searcher.stop()
