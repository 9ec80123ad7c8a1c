"""Alpha-beta search, compiled: principal variation search over a table of known positions."""

import math
from typing import Final

import numpy as np

from dvonn.engine.evaluate import describe, weigh
from dvonn.engine.jit import compiled, popcount, prefetch, unsigned
from dvonn.engine.layout import (
    AGE,
    ERROR,
    ERROR_SEED,
    HEIGHTS,
    HISTORY,
    INFINITE,
    KILLERS,
    MAX_MOVES,
    MOVE_BITS,
    MOVE_MASK,
    MOVES,
    NODE_LIMIT,
    NODES,
    POINT_BITS,
    ROOT_BEST,
    ROOT_VALUE,
    STACKS,
    STOP,
    STOPPED,
    TABLE_AT,
    TABLE_MASK,
    THOROUGH,
    WIN,
)
from dvonn.engine.moves import Memory, can_move, list_moves, make, margin, unmake
from dvonn.engine.tables import HASH_KEYS, HASH_SIDE, Int64s

UPPER: Final = 1
LOWER: Final = 2
EXACT: Final = 3
"""What a value in the table is: the true one is at most, at least, or just that."""

# An entry's second word: value, move, depth, bound, age, from the low bits up. The first is the
# hash exclusive-or the second: where two threads write an entry at once, its halves do not belong
# together, and it counts for nothing.
_VALUE_MASK: Final = 0xFFFF
_VALUE_OFFSET: Final = 1 << 15
_MOVE_AT: Final = 16
_DEPTH_AT: Final = 28
_DEPTH_MASK: Final = 0xFF
_BOUND_AT: Final = 36
_BOUND_MASK: Final = 3
_AGE_AT: Final = 38
_AGE_MASK: Final = 0xFF

# The order of moves: the table's, then onto the enemy (taller first), killers, onto red, own last.
_FROM_TABLE: Final = 1 << 40
_ONTO_ENEMY: Final = 1 << 24
_PER_PIECE: Final = 1 << 18
_KILLER: Final = 1 << 23
_ONTO_RED: Final = 1 << 22
_HISTORY_MAX: Final = 1 << 21

_MIXER: Final = 0x5851F42D4C957F2D
_MIXED_AT: Final = 32
_MIXED_MASK: Final = (1 << 30) - 1
"""A multiplication mixes the hash; its upper bits are good."""

_PICKED: Final = 2
"""So many moves are picked one by one; who gets farther looks at most of them, and sorts them."""

_REDUCE_FROM_DEPTH: Final = 3
_REDUCE_FROM_MOVE: Final = 3
_REDUCTION_BASE: Final = 0.5
_REDUCTION_SLOPE: Final = 0.4


def _reductions() -> Int64s:
    """[depth * MAX_MOVES + number]: how much less deep a late move is looked at first."""
    table = np.zeros((STACKS + 1, MAX_MOVES), dtype=np.int64)
    for depth in range(_REDUCE_FROM_DEPTH, STACKS + 1):
        for number in range(_REDUCE_FROM_MOVE, MAX_MOVES):
            less = _REDUCTION_BASE + _REDUCTION_SLOPE * math.log(depth) * math.log(number)
            table[depth, number] = min(int(less), depth - 2)
    return table.ravel()


_REDUCTIONS: Final = _reductions()


@compiled
def _entry(memory: Memory, hashed: int) -> int:
    """Where the two entries that may hold a position begin."""
    return memory[TABLE_AT] + (hashed & memory[TABLE_MASK]) * 4


@compiled
def look_up(memory: Memory, hashed: int) -> int:
    """The second word of a position's entry, or 0."""
    at = _entry(memory, hashed)
    data = memory[at + 1]
    if memory[at] ^ data == hashed:
        return data
    data = memory[at + 3]
    if memory[at + 2] ^ data == hashed:
        return data
    return 0


@compiled
def move_of(entry: int) -> int:
    """The move in the second word of an entry; 0 if there is none."""
    return (entry >> _MOVE_AT) & MOVE_MASK


@compiled
def _store(memory: Memory, hashed: int, value: int, move: int, depth: int, bound: int) -> None:
    at = _entry(memory, hashed)
    age = memory[AGE]
    data = (
        (value + _VALUE_OFFSET)
        | (move << _MOVE_AT)
        | (depth << _DEPTH_AT)
        | (bound << _BOUND_AT)
        | (age << _AGE_AT)
    )
    # The first entry keeps what was searched deepest in this search, the second what came last.
    old = memory[at + 1]
    if memory[at] ^ old != hashed:
        if (old >> _AGE_AT) & _AGE_MASK == age and (old >> _DEPTH_AT) & _DEPTH_MASK > depth:
            at += 2
        else:
            memory[at + 2] = memory[at]
            memory[at + 3] = old
    memory[at] = hashed ^ data
    memory[at + 1] = data


@compiled
def finished(memory: Memory, own: int, other: int) -> int:
    """What a finished game is worth."""
    pieces = margin(memory, own, other)
    if pieces > 0:
        return WIN + pieces
    if pieces < 0:
        return -WIN + pieces
    return 0


@compiled
def _rank(
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
        move = memory[number]
        target = move >> POINT_BITS
        rank = memory[history + move]
        if move == known:
            rank += _FROM_TABLE
        elif (other >> target) & 1:
            rank += _ONTO_ENEMY + memory[HEIGHTS + target] * _PER_PIECE
        elif (own >> target) & 1 == 0:
            rank += _ONTO_RED
        if move in (first, second):
            rank += _KILLER
        memory[number] = (rank << MOVE_BITS) | move


@compiled
def _next(memory: Memory, at: int, end: int) -> int:
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
def _sort(memory: Memory, at: int, end: int) -> None:
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
def _reward(memory: Memory, side: int, ply: int, depth: int, move: int) -> None:
    """Remember a move that refuted what came before it."""
    if memory[KILLERS + 2 * ply] != move:
        memory[KILLERS + 2 * ply + 1] = memory[KILLERS + 2 * ply]
        memory[KILLERS + 2 * ply] = move
    at = HISTORY + (side << MOVE_BITS) + move
    memory[at] += depth * depth
    if memory[at] > _HISTORY_MAX:
        for number in range(HISTORY, HISTORY + 2 * (1 << MOVE_BITS)):
            memory[number] >>= 1


@compiled
def misjudgement(memory: Memory, hashed: int) -> int:
    """How far off the estimate of a position is, always the same for the same seed."""
    error = memory[ERROR]
    mixed = (hashed ^ memory[ERROR_SEED]) * _MIXER
    return ((mixed >> _MIXED_AT) & _MIXED_MASK) % (2 * error + 1) - error


@compiled
def search(
    memory: Memory,
    own: int,
    other: int,
    red: int,
    ones: int,
    twos: int,
    hashed: int,
    side: int,
    depth: int,
    ply: int,
    alpha: int,
    beta: int,
) -> int:
    """The value for the player to move, within `depth` moves; outside the window it is a bound."""
    memory[NODES] += 1
    if memory[NODES] >= memory[NODE_LIMIT]:
        memory[STOP] = 1
    if memory[STOP]:
        return STOPPED
    if depth <= 0:
        state = describe(memory, own, other, red, ones, twos)
        if state == 2:  # noqa: PLR2004 - see describe
            return finished(memory, own, other)
        value = weigh(memory, popcount(own | other | red))
        return value + misjudgement(memory, hashed) if memory[ERROR] else value

    occupied = own | other | red
    at = MOVES + ply * MAX_MOVES
    count = list_moves(memory, own, occupied, at)
    if count == 0:
        if not can_move(memory, other, occupied):
            return finished(memory, own, other)
        value = search(
            memory,
            other,
            own,
            red,
            ones,
            twos,
            hashed ^ HASH_KEYS[HASH_SIDE],
            1 - side,
            depth,
            ply + 1,
            -beta,
            -alpha,
        )
        return value if value == STOPPED else -value

    known = 0
    entry = look_up(memory, hashed)
    if entry:
        known = move_of(entry)
        value = (entry & _VALUE_MASK) - _VALUE_OFFSET
        bound = (entry >> _BOUND_AT) & _BOUND_MASK
        # A proven win or loss stays one at any depth.
        if ply > 0 and ((entry >> _DEPTH_AT) & _DEPTH_MASK >= depth or abs(value) >= WIN):
            if bound & LOWER and value >= beta:
                return value
            if bound & UPPER and value <= alpha:
                return value
            if bound == EXACT and (entry >> _DEPTH_AT) & _DEPTH_MASK >= depth:
                return value

    _rank(memory, own, other, side, ply, at, count, known)
    best = -INFINITE
    best_move = 0
    lower = alpha
    for number in range(count):
        if number < _PICKED:
            move = _next(memory, at + number, at + count)
        else:
            if number == _PICKED:
                _sort(memory, at + number, at + count)
            move = memory[at + number] & MOVE_MASK
        after = make(memory, own, other, red, ones, twos, hashed, side, move)
        if depth > 1:
            # It lists its moves before it looks itself up.
            prefetch(memory, _entry(memory, after[5]))
        value = 0
        # Later moves first get a look that only asks whether they are better, and a shorter one.
        full = number == 0
        if number > 0:
            less = 0
            if number >= _REDUCE_FROM_MOVE and not memory[THOROUGH]:
                less = _REDUCTIONS[depth * MAX_MOVES + number]
            value = search(
                memory,
                after[0],
                after[1],
                after[2],
                after[3],
                after[4],
                after[5],
                1 - side,
                depth - 1 - less,
                ply + 1,
                -lower - 1,
                -lower,
            )
            if value != STOPPED and less > 0 and -value > lower:
                value = search(
                    memory,
                    after[0],
                    after[1],
                    after[2],
                    after[3],
                    after[4],
                    after[5],
                    1 - side,
                    depth - 1,
                    ply + 1,
                    -lower - 1,
                    -lower,
                )
            full = value != STOPPED and -value > lower and -value < beta
        if full:
            value = search(
                memory,
                after[0],
                after[1],
                after[2],
                after[3],
                after[4],
                after[5],
                1 - side,
                depth - 1,
                ply + 1,
                -beta,
                -lower,
            )
        unmake(memory, move)
        if value == STOPPED:
            return STOPPED
        value = -value
        if value > best:
            best = value
            best_move = move
            if ply == 0:
                memory[ROOT_BEST] = move
                memory[ROOT_VALUE] = value
            if value > lower:
                lower = value
                if value >= beta:
                    _reward(memory, side, ply, depth, move)
                    break
    bound = EXACT
    if best <= alpha:
        bound = UPPER
    elif best >= beta:
        bound = LOWER
    _store(memory, hashed, best, best_move, depth, bound)
    return best
