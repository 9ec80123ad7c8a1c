"""Solving: who wins, and by how many pieces, with nothing estimated.

With as many moves to go as there are stacks, every line ends with the game. The same search, with
no move looked at less deeply, then returns the margin itself. It first asks only whether the player
to move wins, then whether they lose, which is much quicker than the margin, and the answers cut the
last search short.
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
        outcome: 1 they win, 0 a draw, -1 they lose.
        margin: their pieces less the other's after best play of both; None if the search was cut
            off before it was known.
        move: the move that brings the outcome, and the margin if it is known, as a number.
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
