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
) -> None:
    """Put what each move promises above its bits."""
    first = memory[KILLERS + 2 * ply]
    second = memory[KILLERS + 2 * ply + 1]
    history = HISTORY + (side << MOVE_BITS)
    for number in range(at, at + count):
        move = memory[unsigned(number)] & MOVE_MASK
        target = move >> POINT_BITS
        worth = memory[unsigned(history + move)]
        if move == known:
            worth += _FROM_TABLE
        elif (other >> target) & 1:
            worth += _ONTO_ENEMY + height_of(memory, target) * _PER_PIECE
        elif (own >> target) & 1 == 0:
            worth += _ONTO_RED
        if move in (first, second):
            worth += _KILLER
        memory[unsigned(number)] = (worth << MOVE_BITS) | move


@compiled
def bring_best(memory: Memory, at: int, end: int) -> int:
    """Bring the best of the moves left to the front; returns it."""
    first = unsigned(at)
    best = first
    for number in range(first + unsigned(1), unsigned(end)):
        if memory[number] > memory[best]:
            best = number
    ranked = memory[best]
    memory[best] = memory[first]
    memory[first] = ranked
    return ranked & MOVE_MASK


@compiled
def sort(memory: Memory, at: int, end: int) -> None:
    """Bring the moves left into order, the best first."""
    first = unsigned(at)
    one = unsigned(1)
    for number in range(first + one, unsigned(end)):
        ranked = memory[number]
        to = number
        while to > first and memory[to - one] < ranked:
            memory[to] = memory[to - one]
            to -= one
        memory[to] = ranked


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
