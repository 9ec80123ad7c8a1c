"""Solving: the proven winner and margin, without estimates.

When the number of moves to go equals the number of stacks, every line ends with the game. The same
search, without reduced depth for any move, then returns the margin itself. It first asks only
whether the player to move wins, then whether they lose, which is much faster than the margin, and
the answers narrow the last search.
"""

from dataclasses import dataclass
from typing import Final

from dvonn.engine.memory import INFINITE, NODE_LIMIT, NODES, ROOT_BEST, STOPPED, THOROUGH, WIN
from dvonn.engine.moves import Memory
from dvonn.engine.search import search
from dvonn.engine.state import State

SOLVED: Final = 0x3C6EF372FE94F82B
"""Solved positions have separate entries in the table, under their hash XORed with this. The other
entries are of depth-limited searches.
"""


@dataclass(frozen=True, slots=True)
class Solution:
    """A proven result of a position, for the player to move.

    Attributes:
        outcome: 1 for a win, 0 for a draw, -1 for a loss.
        margin: Their pieces minus the opponent's after best play by both, or None if the search was
            cut off before.
        move: The move with that outcome, and that margin if it is known, as a number.
    """

    outcome: int
    margin: int | None
    move: int


def solve(memory: Memory, state: State, *, for_margin: int | None = None) -> Solution | None:
    """Return the solution of a position, or None if the limits in memory ended the search first.

    The position must have a move, and its heights must be loaded.

    Args:
        memory: The memory of the search, with its limits.
        state: The position.
        for_margin: Number of nodes for the margin after the outcome is known, instead of what the
            limits leave.
    """
    memory[THOROUGH] = 1
    try:
        found = _outcome(memory, state)
        if found is None or not found.outcome:
            return found
        if for_margin is not None:
            memory[NODE_LIMIT] = memory[NODES] + for_margin
        return _with_margin(memory, state, found)
    finally:
        memory[THOROUGH] = 0


def _outcome(memory: Memory, state: State) -> Solution | None:
    """Return who wins, or None if the limits ended the search."""
    value = _ask(memory, state, 0, 1)
    if value <= 0:
        value = _ask(memory, state, -1, 0)
    if value == STOPPED:
        return None
    outcome = (value > 0) - (value < 0)
    return Solution(outcome, None if outcome else 0, int(memory[ROOT_BEST]))


def _with_margin(memory: Memory, state: State, found: Solution) -> Solution:
    """Return the solution of a won or lost position with its margin, if the limits allow it."""
    outcome = found.outcome
    low, high = (WIN, INFINITE) if outcome > 0 else (-INFINITE, -WIN)
    value = _ask(memory, state, low, high)
    if value == STOPPED:
        return found
    return Solution(outcome, value - outcome * WIN, int(memory[ROOT_BEST]))


def _ask(memory: Memory, state: State, low: int, high: int) -> int:
    """Return the value, or a bound of it outside the window."""
    own, other, red, ones, twos, hashed = state.sets
    hashed ^= SOLVED
    depth = state.stacks
    value = search(memory, own, other, red, ones, twos, hashed, state.side, depth, 0, low, high)
    return int(value)
