"""Move ordering for the search."""

from typing import Final

from dvonn.engine.backend import compiled, unsigned
from dvonn.engine.memory import AS_MEASURED, HISTORY, KILLERS, MOVE_BITS, MOVE_MASK, POINT_BITS
from dvonn.engine.moves import Memory, height_of

_FROM_TABLE: Final = 1 << 40
_HISTORY_MAX: Final = 1 << 21

# Weights of a move onto an enemy stack, of each of that stack's pieces, of a killer move, and of a
# move onto red. If AS_MEASURED is 1, they separate moves into groups, and the history only decides
# within a group.
_GROUPS_AS_MEASURED: Final = (1 << 24, 1 << 18, 1 << 23, 1 << 22)
_GROUPS: Final = (1 << 19, 1 << 15, 1 << 19, 1 << 17)

_CREDIT: Final = 1 << 11
_MOST_CREDIT: Final = 400
"""Maximum squared depth that is credited for a refutation."""


@compiled
def rank(
    memory: Memory,
    own: int,
    other: int,
    side: int,
    ply: int,
    at: int,
    count: int,
    hash_move: int,
) -> int:
    """Put each move's priority into the bits above its number. Return the largest result."""
    first = memory[KILLERS + 2 * ply]
    second = memory[KILLERS + 2 * ply + 1]
    history = HISTORY + (side << MOVE_BITS)
    onto_enemy, per_piece, killer, onto_red = _GROUPS
    if memory[AS_MEASURED]:
        onto_enemy, per_piece, killer, onto_red = _GROUPS_AS_MEASURED
    best = 0
    for number in range(at, at + count):
        move = memory[unsigned(number)] & MOVE_MASK
        target = move >> POINT_BITS
        # Without branches, because a processor could not predict them.
        enemy = (other >> target) & 1
        red = 1 - enemy - ((own >> target) & 1)
        worth = memory[unsigned(history + move)] + _HISTORY_MAX + red * onto_red
        worth += enemy * (onto_enemy + height_of(memory, target) * per_piece)
        if move == hash_move:
            worth += _FROM_TABLE
        if move in (first, second):
            worth += killer
        ranked = (worth << MOVE_BITS) | move
        memory[unsigned(number)] = ranked
        best = max(best, ranked)
    return best


@compiled
def next_best(memory: Memory, at: int, count: int, last: int) -> int:
    """Return the next best ranked move after `last`, or 0 if there is none."""
    best = 0
    start = unsigned(at)
    for number in range(count):
        ranked = memory[start + unsigned(number)]
        best = max(best, ranked if ranked < last else 0)
    return best


@compiled
def reward(
    memory: Memory, side: int, ply: int, depth: int, at: int, count: int, ranked: int
) -> None:
    """Credit a move that refuted the previous one. `ranked` is the move from `rank`."""
    move = ranked & MOVE_MASK
    if memory[KILLERS + 2 * ply] != move:
        memory[KILLERS + 2 * ply + 1] = memory[KILLERS + 2 * ply]
        memory[KILLERS + 2 * ply] = move
    history = HISTORY + (side << MOVE_BITS)
    if memory[AS_MEASURED] == 0:
        credit = min(depth * depth, _MOST_CREDIT) * _CREDIT
        for number in range(at, at + count):
            # Moves that were tried before it and failed lose half as much.
            if memory[number] >= ranked:
                cell = history + (memory[number] & MOVE_MASK)
                gain = credit if memory[number] == ranked else -credit >> 1
                memory[cell] += gain - memory[cell] * abs(gain) // _HISTORY_MAX
        return
    memory[history + move] += depth * depth
    if memory[history + move] > _HISTORY_MAX:
        for number in range(HISTORY, HISTORY + 2 * (1 << MOVE_BITS)):
            memory[number] >>= 1
