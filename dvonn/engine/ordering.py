"""The order in which moves are looked at: what refuted others before comes first."""

from typing import Final

from dvonn.engine.jit import compiled, unsigned
from dvonn.engine.memory import HISTORY, KILLERS, MOVE_BITS, MOVE_MASK, POINT_BITS
from dvonn.engine.moves import Memory, height_of

# The order of moves: the table's, then onto the enemy (taller first), killers, onto red, own last.
_FROM_TABLE: Final = 1 << 40
_ONTO_ENEMY: Final = 1 << 24
_PER_PIECE: Final = 1 << 18
_KILLER: Final = 1 << 23
_ONTO_RED: Final = 1 << 22
_HISTORY_MAX: Final = 1 << 21


@compiled
def rank(
    memory: Memory,
    own: int,
    other: int,
    side: int,
    ply: int,
    at: int,
    count: int,
    known: int,
) -> int:
    """Put what each move promises above its bits; returns the best of these numbers."""
    first = memory[KILLERS + 2 * ply]
    second = memory[KILLERS + 2 * ply + 1]
    history = HISTORY + (side << MOVE_BITS)
    best = 0
    for number in range(at, at + count):
        move = memory[unsigned(number)] & MOVE_MASK
        target = move >> POINT_BITS
        # Without branches, which a processor could not foresee.
        enemy = (other >> target) & 1
        red = 1 - enemy - ((own >> target) & 1)
        worth = memory[unsigned(history + move)] + red * _ONTO_RED
        worth += enemy * (_ONTO_ENEMY + height_of(memory, target) * _PER_PIECE)
        if move == known:
            worth += _FROM_TABLE
        if move in (first, second):
            worth += _KILLER
        ranked = (worth << MOVE_BITS) | move
        memory[unsigned(number)] = ranked
        best = max(best, ranked)
    return best


@compiled
def next_best(memory: Memory, at: int, count: int, last: int) -> int:
    """Return the best of the ranked moves below the last one; 0 if there is none."""
    best = 0
    start = unsigned(at)
    for number in range(count):
        ranked = memory[start + unsigned(number)]
        best = max(best, ranked if ranked < last else 0)
    return best


@compiled
def reward(memory: Memory, side: int, ply: int, depth: int, move: int) -> None:
    """Remember a move that refuted what came before it."""
    if memory[KILLERS + 2 * ply] != move:
        memory[KILLERS + 2 * ply + 1] = memory[KILLERS + 2 * ply]
        memory[KILLERS + 2 * ply] = move
    at = HISTORY + (side << MOVE_BITS) + move
    memory[at] += depth * depth
    if memory[at] > _HISTORY_MAX:
        for number in range(HISTORY, HISTORY + 2 * (1 << MOVE_BITS)):
            memory[number] >>= 1
