"""Proofs for puzzles: which first moves reach a margin against every defense.

Each question is answered by a complete search to the end of the game (`dvonn.engine.endgame`). All
questions share one hash table. Margins are always one player's, even if it isn't their turn.
"""

from typing import Final

from dvonn import Color, Move, Position
from dvonn.engine.endgame import SOLVED, solve
from dvonn.engine.memory import (
    HISTORY,
    KILLERS,
    NODE_LIMIT,
    NODES,
    ROOT_BEST,
    STOP,
    STOPPED,
    THOROUGH,
    WIN,
)
from dvonn.engine.search import search
from dvonn.engine.searcher import Searcher
from dvonn.engine.state import load, to_move
from dvonn_lessons.solver import lead

_SALT: Final = 0x1E3779B97F4A7C15
"""A factor that turns a number into a hash that no table entry has yet."""
_MASK: Final = (1 << 62) - 1


class TooHardError(Exception):
    """A proof exceeded the limit on positions."""


class Prover:
    """Proves margins of unfinished positions of the movement phase.

    Args:
        searcher: The searcher whose hash table is used.
        limit: Maximum number of positions for one question.

    Attributes:
        nodes: Number of positions searched so far.
    """

    def __init__(self, searcher: Searcher, limit: int) -> None:
        self._memory = searcher.memories[0]
        self._limit = limit
        self._fresh = 0
        self.nodes = 0

    def margin(self, position: Position, color: Color) -> int:
        """Return a player's margin in pieces after best play by both.

        Raises:
            TooHardError: if it takes too many nodes.
        """
        if position.turn is None:
            return lead(position, color)
        self._begin(self._limit)
        solution = solve(self._memory, load(position, self._memory))
        self.nodes += int(self._memory[NODES])
        if solution is None or solution.margin is None:
            raise TooHardError
        return solution.margin if position.turn is color else -solution.margin

    def reaches(self, position: Position, color: Color, goal: int) -> bool:
        """Return True if a player ends with at least a margin against any defense.

        Raises:
            TooHardError: if it takes too many nodes.
        """
        if position.turn is None:
            return lead(position, color) >= goal
        if position.turn is color:
            return self._ask(position, _value(goal) - 1, _value(goal)) >= _value(goal)
        return self._ask(position, -_value(goal), -_value(goal) + 1) <= -_value(goal)

    def is_easy(self, position: Position, color: Color, goal: int, nodes: int) -> bool:
        """Return True if `reaches` needs at most `nodes` positions without earlier results."""
        if position.turn is None:
            return True
        self._fresh += 1
        value = _value(goal) if position.turn is color else 1 - _value(goal)
        try:
            self._ask(position, value - 1, value, salt=self._fresh * _SALT & _MASK, limit=nodes)
        except TooHardError:
            return False
        return True

    def best(self, position: Position, margin: int) -> Move:
        """Return a move that reaches the best margin, which the caller must know.

        Raises:
            TooHardError: if it takes too many nodes.
        """
        moves = position.legal_moves()
        if len(moves) > 1:
            self._ask(position, _value(margin) - 1, _value(margin) + 1)
            return to_move(int(self._memory[ROOT_BEST]))
        return moves[0]

    def line(self, position: Position, color: Color, margin: int) -> tuple[Move, ...]:
        """Return best play by both sides to the end of the game, given a player's known margin.

        Raises:
            TooHardError: if it takes too many nodes.
        """
        moves = []
        while position.turn is not None:
            moves.append(self.best(position, margin if position.turn is color else -margin))
            position = position.play(moves[-1])
        return tuple(moves)

    def _begin(self, limit: int) -> None:
        memory = self._memory
        memory[NODES] = 0
        memory[NODE_LIMIT] = limit
        memory[STOP] = 0
        memory[KILLERS:HISTORY] = 0

    def _ask(
        self, position: Position, low: int, high: int, *, salt: int = 0, limit: int | None = None
    ) -> int:
        memory = self._memory
        self._begin(limit or self._limit)
        state = load(position, memory)
        own_bits, other, red, ones, twos, hashed = state.sets
        memory[THOROUGH] = 1
        value = search(
            memory, own_bits, other, red, ones, twos, hashed ^ SOLVED ^ salt,
            state.side, state.stacks, 0, low, high,
        )  # fmt: skip
        memory[THOROUGH] = 0
        self.nodes += int(memory[NODES])
        if value == STOPPED:
            raise TooHardError
        return int(value)


def _value(margin: int) -> int:
    """Convert a final margin to a search value."""
    return margin + WIN * ((margin > 0) - (margin < 0))
