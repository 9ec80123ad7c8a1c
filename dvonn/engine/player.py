"""The machine player, and its strength at each level.

Weak levels make human mistakes: they look only a move or two ahead, misjudge positions, and like to
capture tall stacks. Higher levels rarely throw away a won game, because the lead is larger than
their errors.
"""

import os
import random
from dataclasses import dataclass
from typing import Final

from dvonn import Move, Phase, Position
from dvonn._rules.errors import DvonnError
from dvonn.engine.placement import choose_placement
from dvonn.engine.searcher import Searcher
from dvonn.machine import LEVELS


@dataclass(frozen=True, slots=True, kw_only=True)
class Strength:
    """The limits of a player.

    Only the strongest player is limited by time, so the others play the same on any machine.

    Attributes:
        nodes: Maximum number of positions searched for a move, or None if only time limits it.
        depth: Maximum number of moves to look ahead, or None for no limit.
        error: Maximum error in evaluating a position, in points. 100 points mean odds of e to 1.
        tall_bonus: Points that it adds to a move for each piece beyond the first that it captures.
        samples: Number of full boards to sample for a placement.
        proof: Number of additional positions to search near the end to prove the winner.
        seconds: Maximum time for a move, or None if only the nodes limit it.
        threads: Number of search threads, if the host has as many cores.
        megabytes: Size of its hash table.
    """

    nodes: int | None
    depth: int | None = None
    error: int = 0
    tall_bonus: int = 0
    samples: int
    proof: int = 0
    seconds: float | None = None
    threads: int = 1
    megabytes: int = 16


FULL_SAMPLES: Final = 8000
"""Number of full boards to sample. With more, placements hardly get better."""

STRENGTHS: Final = (
    Strength(nodes=200, depth=1, error=8_000, tall_bonus=500, samples=4),
    Strength(nodes=200, depth=1, error=2_000, tall_bonus=150, samples=4),
    Strength(nodes=200, depth=1, error=1_000, tall_bonus=85, samples=4),
    Strength(nodes=200, depth=1, error=560, tall_bonus=45, samples=6),
    Strength(nodes=200, depth=1, error=330, tall_bonus=27, samples=10),
    Strength(nodes=400, depth=1, error=190, tall_bonus=15, samples=16),
    Strength(nodes=400, depth=1, error=90, tall_bonus=7, samples=24),
    Strength(nodes=800, depth=2, error=175, samples=42),
    Strength(nodes=2_000, depth=3, error=100, samples=150),
    Strength(nodes=2_000, depth=3, error=37, samples=400),
    Strength(nodes=1_500, samples=1_000),
    Strength(nodes=4_700, samples=2_000),
    Strength(nodes=14_000, samples=4_000),
    Strength(nodes=47_000, samples=6_000),
    Strength(nodes=158_000, samples=FULL_SAMPLES),
    Strength(nodes=390_000, samples=FULL_SAMPLES, proof=8_000_000),
    Strength(nodes=None, samples=FULL_SAMPLES, proof=8_000_000, seconds=3, threads=2, megabytes=64),
)
"""Limits of each level, starting with 1. docs/engine.md has their scores against the next lower
level.
"""

UNLIMITED: Final = Strength(nodes=None, samples=FULL_SAMPLES)


def strength_of(level: int) -> Strength:
    """Return the strength of a level, which must be in `LEVELS`.

    Raises:
        DvonnError: if there is no such level.
    """
    if level not in LEVELS:
        raise DvonnError(f"there is no level {level}")
    return STRENGTHS[level - 1]


class EnginePlayer:
    """The machine player, which plays one game at a time.

    Args:
        level: One of `LEVELS`, or None for the best play within the given time.
        nodes: Maximum number of positions searched for a move, or None for the level's limit.
        seed: Seed of random choices. The same seed plays the same game, except under time limits.
        threads: Number of search threads under time limits, or None for the level's number.

    Raises:
        DvonnError: if there is no such level.
    """

    def __init__(
        self,
        *,
        level: int | None = None,
        nodes: int | None = None,
        seed: int = 0,
        threads: int | None = None,
    ) -> None:
        strength = UNLIMITED if level is None else strength_of(level)
        self._strength = strength
        self._nodes = strength.nodes if nodes is None else nodes
        self._rng = random.Random(seed)  # noqa: S311 - no secrets
        self._searcher = Searcher(
            megabytes=strength.megabytes,
            threads=threads or _threads(strength.threads, self._nodes),
            error=strength.error,
            error_seed=self._rng.getrandbits(62),
            tall_bonus=strength.tall_bonus,
            as_measured=strength.nodes is not None,
        )

    def choose(self, position: Position, seconds: float | None = None) -> Move:
        """Return the move to play, within `seconds` or the level's own limit.

        Raises:
            DvonnError: if the game is over, or neither `seconds` nor the player limits the search.
        """
        if position.phase is Phase.OVER:
            raise DvonnError(f"the game is over: {position!r}")
        strength = self._strength
        if position.phase is Phase.PLACEMENT:
            return choose_placement(position, self._rng, samples=strength.samples)
        if seconds is None and self._nodes is None:
            seconds = strength.seconds
        if seconds is None and self._nodes is None:
            raise DvonnError("set a limit of seconds or nodes")
        result = self._searcher.search(
            position,
            nodes=self._nodes,
            seconds=seconds,
            depth=strength.depth,
            proof=strength.proof,
        )
        return result.move

    def stop(self) -> None:
        """End the running search soon. May be called from any thread."""
        self._searcher.stop()


def _threads(limit: int, nodes: int | None) -> int:
    """Return the number of search threads to use.

    It is 1 with a node limit, which several threads can't share, and otherwise at most the number
    of cores.
    """
    return 1 if nodes is not None else min(limit, os.cpu_count() or 1)


def player_at(level: int, seed: int) -> EnginePlayer:
    """Return a player of a level, which must be in `LEVELS`.

    Raises:
        DvonnError: if there is no such level.
    """
    return EnginePlayer(level=level, seed=seed)
