"""The machine player: one object that plays both phases."""

import random

from dvonn import Color, Move, Phase, Position
from dvonn.engine.placement import choose_placement
from dvonn.engine.searcher import Searcher
from dvonn.engine.strength import UNLIMITED, strength_of


class EnginePlayer:
    """Plays one game at a time, with a table kept from move to move.

    Args:
        level: how strong it plays, 1 to 10; None: as well as it can in the time it is given.
        nodes: how many positions it looks at for a move at most; None: what its level says.
        seed: of what is left to chance. The same seed plays the same, but for limits of time.
        threads: how many search at once, within limits of time.

    Raises:
        ValueError: if there is no such level.
    """

    def __init__(
        self,
        *,
        level: int | None = None,
        nodes: int | None = None,
        seed: int = 0,
        threads: int = 1,
    ) -> None:
        self._strength = UNLIMITED if level is None else strength_of(level)
        self._nodes = self._strength.nodes if nodes is None else nodes
        self._rng = random.Random(seed)  # noqa: S311 - no secrets
        self._searcher = Searcher(
            threads=threads, error=self._strength.error, error_seed=self._rng.getrandbits(62)
        )

    def choose(self, position: Position, seconds: float | None = None) -> Move:
        """Return the move to play; takes that many seconds at most.

        Raises:
            ValueError: if the game is over, or neither seconds nor nodes limit the search.
        """
        if position.phase is Phase.OVER:
            raise ValueError(f"the game is over: {position!r}")
        strength = self._strength
        if position.phase is Phase.PLACEMENT:
            return choose_placement(position, self._rng, samples=strength.samples)
        if seconds is None and self._nodes is None:
            raise ValueError("neither seconds nor nodes limit the search")
        found = self._searcher.search(
            position, nodes=self._nodes, seconds=seconds, depth=strength.depth
        )
        return found.move

    def judge(self, position: Position) -> int:
        """Return the value of a position to White, in points: 100 are odds of e to 1.

        Raises:
            ValueError: if the position is not of the movement phase, or no nodes limit the search.
        """
        if position.phase is not Phase.MOVEMENT:
            raise ValueError(f"only positions of the movement phase are judged: {position!r}")
        if self._nodes is None:
            raise ValueError("no nodes limit the search")
        found = self._searcher.search(position, nodes=self._nodes, depth=self._strength.depth)
        return found.value if position.turn is Color.WHITE else -found.value

    def stop(self) -> None:
        """End the running search soon; may be called from any thread."""
        self._searcher.stop()
