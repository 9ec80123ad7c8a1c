"""Difficulty of moves, measured by a simple player that looks a few moves ahead."""

from typing import Final

from dvonn import Color, Move, Position
from dvonn.engine.evaluate import Count
from dvonn.engine.memory import (
    FEATURE_COUNT,
    INFINITE,
    NODE_LIMIT,
    NODES,
    STACKS,
    STOP,
    THOROUGH,
    WEIGHTS,
    WIN,
)
from dvonn.engine.search import search
from dvonn.engine.searcher import Searcher
from dvonn.engine.state import load
from dvonn.engine.weights import FIXED_POINT
from dvonn_lessons.solver import lead

_PIECE: Final = 100
"""Value of a piece in the evaluation, in points."""
_NODES: Final = 3_000_000
"""Maximum number of positions for one depth. A move that takes more is not found."""


class ShallowPlayer:
    """A player that searches all moves to a fixed depth and maximizes its own pieces."""

    def __init__(self) -> None:
        self._searcher = Searcher(megabytes=1)
        self._memory = self._searcher.memory
        rows = self._memory[WEIGHTS : WEIGHTS + (STACKS + 1) * FEATURE_COUNT]
        rows[:] = 0
        rows[Count.PIECES :: FEATURE_COUNT] = _PIECE * FIXED_POINT

    def depth_needed(self, position: Position, move: Move, deepest: int) -> int:
        """Return the smallest depth at which a move becomes and stays better than all others.

        Returns:
            The depth, from 1 to `deepest`, or `deepest` + 1 if that is not enough.
        """
        needed = 1
        for depth in range(1, deepest + 1):
            if not self._prefers(position, move, depth):
                needed = depth + 1
        return needed

    def _prefers(self, position: Position, move: Move, depth: int) -> bool:
        self._searcher.clear()
        self._memory[NODES], self._memory[NODE_LIMIT], self._memory[STOP] = 0, _NODES, 0
        value = self._value(position, move, depth)
        return (
            all(
                self._value(position, other, depth) < value
                for other in position.legal_moves()
                if other is not move
            )
            and not self._memory[STOP]
        )

    def _value(self, position: Position, move: Move, depth: int) -> int:
        """Return the value of a move to its player."""
        after = position.play(move)
        if after.turn is None:
            pieces = lead(after, position.turn or Color.WHITE)
            return pieces + WIN * ((pieces > 0) - (pieces < 0))
        memory = self._memory
        state = load(after, memory)
        memory[THOROUGH] = 1
        value = int(search(memory, *state.sets, state.side, depth - 1, 0, -INFINITE, INFINITE))
        memory[THOROUGH] = 0
        return value if after.turn is position.turn else -value
