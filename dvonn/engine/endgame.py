"""Endgame solver: proves the winner and the margin, without estimates.

If the search depth equals the number of stacks, every line reaches the end of the game. The same
search, without depth reductions, then returns the exact margin. Faster searches before it determine
whether the player to move wins or loses, which narrows its window.
"""

from dataclasses import dataclass
from typing import Final

from dvonn.engine.memory import INFINITE, NODE_LIMIT, NODES, ROOT_BEST, STOPPED, THOROUGH, WIN
from dvonn.engine.moves import Memory
from dvonn.engine.search import search
from dvonn.engine.state import State

SOLVED: Final = 0x3C6EF372FE94F82B
"""Constant that is XORed with the hash of a solved position, so that solved positions and
depth-limited searches have separate entries in the hash table.
"""


@dataclass(frozen=True, slots=True)
class Solution:
    """A proven result of a position, for the player to move.

    Attributes:
        outcome: 1 for a win, 0 for a draw, -1 for a loss.
        margin: The player's pieces minus the opponent's after best play by both, or None if the
            search was cut short.
        move: The number of a move that reaches this outcome, and this margin if it is known.
    """

    outcome: int
    margin: int | None
    move: int


def solve(memory: Memory, state: State, *, for_margin: int | None = None) -> Solution | None:
    """Return the solution of a position, or None if the limits in memory ended the search first.

    The position must have a legal move, and its heights must be in the memory.

    Args:
        memory: The memory of the search, with its limits.
        state: The position.
        for_margin: Maximum nodes to spend on the margin once the outcome is known. By default all
            remaining nodes.
    """
    memory[THOROUGH] = 1
    try:
        solution = _outcome(memory, state)
        if solution is None or not solution.outcome:
            return solution
        if for_margin is not None:
            memory[NODE_LIMIT] = memory[NODES] + for_margin
        return _with_margin(memory, state, solution)
    finally:
        memory[THOROUGH] = 0


def _outcome(memory: Memory, state: State) -> Solution | None:
    """Return the solution without a margin, or None if the limits ended the search first."""
    value = _search_window(memory, state, 0, 1)
    if value <= 0:
        value = _search_window(memory, state, -1, 0)
    if value == STOPPED:
        return None
    outcome = (value > 0) - (value < 0)
    return Solution(outcome, None if outcome else 0, int(memory[ROOT_BEST]))


def _with_margin(memory: Memory, state: State, solution: Solution) -> Solution:
    """Return the solution of a won or lost position, with its margin if the limits allow it."""
    outcome = solution.outcome
    low, high = (WIN, INFINITE) if outcome > 0 else (-INFINITE, -WIN)
    value = _search_window(memory, state, low, high)
    if value == STOPPED:
        return solution
    return Solution(outcome, value - outcome * WIN, int(memory[ROOT_BEST]))


def _search_window(memory: Memory, state: State, low: int, high: int) -> int:
    """Search within a window, and return the player's value, or a bound if it is outside."""
    own, other, red, ones, twos, hashed = state.sets
    hashed ^= SOLVED
    depth = state.stacks
    value = search(memory, own, other, red, ones, twos, hashed, state.side, depth, 0, low, high)
    return int(value)
