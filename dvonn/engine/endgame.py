"""Solving: the proven winner and margin, without estimates.

When the number of moves to go equals the number of stacks, every line ends with the game. The same
search, without reduced depth for any move, then returns the margin itself. It first asks only
whether the player to move wins, then whether they lose, which is much faster than the margin, and
the answers narrow the last search.
"""

from dataclasses import dataclass
from typing import Final

from dvonn.engine.memory import INFINITE, ROOT_BEST, STOPPED, THOROUGH, WIN
from dvonn.engine.moves import Memory
from dvonn.engine.search import search
from dvonn.engine.state import State

SOLVED: Final = 0x3C6EF372FE94F82B
"""Solved positions have entries of their own in the table, under the hash changed by this: other
entries are of hurried searches.
"""


@dataclass(frozen=True, slots=True)
class Solution:
    """A proven result of a position, for the player to move.

    Attributes:
        outcome: 1 for a win, 0 for a draw, -1 for a loss.
        margin: Their pieces less the opponent's after best play by both, or None if the search was
            cut off before.
        move: The move with that outcome, and that margin if it is known, as a number.
    """

    outcome: int
    margin: int | None
    move: int


def solve(memory: Memory, state: State) -> Solution | None:
    """Return the solution of a position, or None if the limits in memory ended the search first.

    The position must have a move, and its heights must be loaded.
    """
    memory[THOROUGH] = 1
    try:
        return _solve(memory, state)
    finally:
        memory[THOROUGH] = 0


def _solve(memory: Memory, state: State) -> Solution | None:
    value = _ask(memory, state, 0, 1)
    if value <= 0:
        value = _ask(memory, state, -1, 0)
    if value == STOPPED:
        return None
    best = int(memory[ROOT_BEST])
    if value == 0:
        return Solution(0, 0, best)
    outcome, low, high = (1, WIN, INFINITE) if value > 0 else (-1, -INFINITE, -WIN)
    value = _ask(memory, state, low, high)
    if value == STOPPED:
        return Solution(outcome, None, best)
    return Solution(outcome, value - outcome * WIN, int(memory[ROOT_BEST]))


def _ask(memory: Memory, state: State, low: int, high: int) -> int:
    """Return the value, or a bound of it outside the window."""
    own, other, red, ones, twos, hashed = state.sets
    hashed ^= SOLVED
    depth = state.stacks
    value = search(memory, own, other, red, ones, twos, hashed, state.side, depth, 0, low, high)
    return int(value)
