"""Compiled alpha-beta search: principal variation search with a hash table."""

import math
from typing import Final

from dvonn.engine.backend import Int64s, compiled, integers, popcount, prefetch, unsigned
from dvonn.engine.evaluate import describe, weigh
from dvonn.engine.memory import (
    AGE,
    AS_MEASURED,
    ERROR,
    ERROR_SEED,
    INFINITE,
    MAX_MOVES,
    MOVE_MASK,
    MOVES,
    NODE_LIMIT,
    NODES,
    POINT_BITS,
    POINT_MASK,
    ROOT_BEST,
    ROOT_VALUE,
    STACKS,
    STOP,
    STOPPED,
    TABLE_AT,
    TABLE_MASK,
    TALL_BONUS,
    THOROUGH,
    WIN,
)
from dvonn.engine.moves import (
    Memory,
    can_move,
    hash_after,
    height_of,
    joints,
    list_some,
    lost_by,
    make_hashed,
    margin,
    unmake,
)
from dvonn.engine.ordering import next_best, rank, reward
from dvonn.engine.tables import HASH_KEYS, HASH_SIDE

UPPER: Final = 1
LOWER: Final = 2
EXACT: Final = 3
"""Kinds of values in the table: an upper bound, a lower bound, or the exact value."""

# The second word of an entry has the value, move, depth, bound and age, from the low bits up. The
# first word is the hash XOR the second word. If two threads write an entry at the same time, the
# words don't match, and the entry is ignored.
_VALUE_MASK: Final = 0xFFFF
_VALUE_OFFSET: Final = 1 << 15
_MOVE_AT: Final = 16
_DEPTH_AT: Final = 28
_DEPTH_MASK: Final = 0xFF
_BOUND_AT: Final = 36
_BOUND_MASK: Final = 3
_AGE_AT: Final = 38
_AGE_MASK: Final = 0xFF

_MIXER: Final = 0x5851F42D4C957F2D
_MIXED_AT: Final = 32
_MIXED_MASK: Final = (1 << 30) - 1
"""Mask for the upper bits of the hash, which a multiplication mixes well."""

_OPEN: Final = WIN // 2
"""Bound of the windows in which shortcuts are allowed. Proofs never use them."""

_PROBE_FROM: Final = 3
"""Minimum depth at which a shallower search is tried first (ProbCut)."""
_PROBE_LESS: Final = 2
"""Number of plies by which the ProbCut search is shallower than the full one."""
_PROBE_MARGIN: Final = 55
"""Points above a narrow window at which a ProbCut result is trusted."""

_AHEAD: Final = 40
"""Points above a narrow window at which the last ply is not searched."""
_BEHIND: Final = 60
"""Points below a narrow window at which the last ply is not searched."""

_ONTO_OWN_UNTIL: Final = 18
"""Minimum number of stacks at which narrow windows skip moves onto stacks of the same color."""
_ONTO_RED_UNTIL: Final = 28
"""Minimum number of stacks at which narrow windows skip moves onto a single red piece."""
_FULL_UNTIL: Final = 38
"""Minimum number of stacks at which narrow windows skip all moves of the last ply."""
_FULL_BEHIND: Final = 40
"""Points below the window at which all moves are skipped.

The first move and moves that cut off stacks are still searched. In a test, about 1 in 1,000 of the
others would have raised the value.
"""

_REDUCE_FROM_DEPTH: Final = 3
_REDUCE_FROM_MOVE: Final = 3
_REDUCTION_BASE: Final = 0.5
_REDUCTION_SLOPE: Final = 0.4


def _reductions() -> Int64s:
    """Return a table with the depth reduction of a late move at [depth * MAX_MOVES + number]."""
    table = [0] * ((STACKS + 1) * MAX_MOVES)
    for depth in range(_REDUCE_FROM_DEPTH, STACKS + 1):
        for number in range(_REDUCE_FROM_MOVE, MAX_MOVES):
            less = _REDUCTION_BASE + _REDUCTION_SLOPE * math.log(depth) * math.log(number)
            table[depth * MAX_MOVES + number] = min(int(less), depth - 2)
    return integers(table)


_REDUCTIONS: Final = _reductions()


@compiled
def _entry(memory: Memory, hashed: int) -> int:
    """Return the offset of the two entries that a position may be stored in."""
    return memory[TABLE_AT] + (hashed & memory[TABLE_MASK]) * 4


@compiled
def look_up(memory: Memory, hashed: int) -> int:
    """Return the second word of a position's entry, or 0 if it has none."""
    at = unsigned(_entry(memory, hashed))
    data = memory[at + unsigned(1)]
    if memory[at] ^ data == hashed:
        return data
    data = memory[at + unsigned(3)]
    if memory[at + unsigned(2)] ^ data == hashed:
        return data
    return 0


@compiled
def move_of(entry: int) -> int:
    """Return the move in the second word of an entry, or 0 if there is none."""
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
    # The first entry keeps the deepest result of this search, and the second keeps the newest.
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
    pieces = margin(memory, own, other)
    if pieces > 0:
        return WIN + pieces
    if pieces < 0:
        return -WIN + pieces
    return 0


@compiled
def misjudgement(memory: Memory, hashed: int) -> int:
    """Return the level's error in estimating a position, which depends only on the seed."""
    error = memory[ERROR]
    mixed = (hashed ^ memory[ERROR_SEED]) * _MIXER
    return ((mixed >> _MIXED_AT) & _MIXED_MASK) % (2 * error + 1) - error


@compiled
def estimate(
    memory: Memory, own: int, other: int, red: int, ones: int, twos: int, hashed: int
) -> int:
    """Return a position's value to the player to move: estimated, or exact if the game is over."""
    state = describe(memory, own, other, red, ones, twos)
    if state == 2:  # noqa: PLR2004 - see describe
        return finished(memory, own, other)
    return judged(memory, popcount(own | other | red), hashed)


@compiled
def judged(memory: Memory, stacks: int, hashed: int) -> int:
    """Return the estimate from the features in memory, including the level's error."""
    value = weigh(memory, stacks)
    return value + misjudgement(memory, hashed) if memory[ERROR] else value


@compiled
def _temptation(memory: Memory, other: int, move: int) -> int:
    """Return the points that a level adds to the move just made if it captures a stack."""
    target = move >> POINT_BITS
    if not (other >> target) & 1:
        return 0
    pieces = height_of(memory, target) - height_of(memory, move & POINT_MASK)
    return memory[TALL_BONUS] * (pieces - 1)


@compiled
def _is_over(memory: Memory) -> bool:
    """Count one more position. Return True if the search must stop."""
    memory[NODES] += 1
    if memory[NODES] >= memory[NODE_LIMIT]:
        memory[STOP] = 1
    return memory[STOP] != 0


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
    """Search to a depth. Return the value to the player to move, or a bound outside the window."""
    if _is_over(memory):
        return STOPPED
    if depth <= 0:
        return estimate(memory, own, other, red, ones, twos, hashed)

    hash_move = 0
    entry = look_up(memory, hashed)
    if entry:
        hash_move = move_of(entry)
        value = (entry & _VALUE_MASK) - _VALUE_OFFSET
        bound = (entry >> _BOUND_AT) & _BOUND_MASK
        # A proven win or loss is valid at any depth.
        if ply > 0 and ((entry >> _DEPTH_AT) & _DEPTH_MASK >= depth or abs(value) >= WIN):
            if bound & LOWER and value >= beta:
                return value
            if bound & UPPER and value <= alpha:
                return value
            if bound == EXACT and (entry >> _DEPTH_AT) & _DEPTH_MASK >= depth:
                return value

    occupied = own | other | red
    stacks = popcount(occupied)
    hurried = ply > 0 and beta - alpha == 1 and abs(beta) < _OPEN and not memory[THOROUGH]
    hopeless = False
    if hurried and depth == 1 and describe(memory, own, other, red, ones, twos) == 0:
        if _is_over(memory):
            return STOPPED
        value = judged(memory, stacks, hashed)
        if value - _AHEAD >= beta:
            return value - _AHEAD
        if value + _BEHIND <= alpha:
            return value + _BEHIND
        hopeless = stacks >= _FULL_UNTIL and value + _FULL_BEHIND <= alpha
    elif hurried and depth >= _PROBE_FROM:
        enough = beta + _PROBE_MARGIN
        value = search(
            memory,
            own,
            other,
            red,
            ones,
            twos,
            hashed,
            side,
            depth - _PROBE_LESS,
            ply,
            enough - 1,
            enough,
        )
        if value == STOPPED:
            return STOPPED
        if value >= enough:
            return value if value >= WIN else value - _PROBE_MARGIN
        if hash_move == 0:
            hash_move = move_of(look_up(memory, hashed))

    at = MOVES + ply * MAX_MOVES
    cutting = red | joints(occupied)
    count = 0
    spared = 0
    if hurried and stacks >= _ONTO_OWN_UNTIL:
        spared = own | (red & ~other) if stacks >= _ONTO_RED_UNTIL else own
        # Moves that may cut stacks off are always listed, and examined more closely below.
        count = list_some(memory, own, ones, twos, occupied, ~cutting, spared, at)
    if count == 0:
        count = list_some(memory, own, ones, twos, occupied, 0, 0, at)
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

    if hopeless:
        spared = occupied
    ranked = rank(memory, own, other, side, ply, at, count, hash_move)
    best = -INFINITE
    best_move = 0
    lower = alpha
    coming = 0
    for number in range(count):
        this = ranked
        move = this & MOVE_MASK
        landed = coming
        if number == 0:
            landed = hash_after(memory, own, other, red, hashed, side, move)
            if depth > 1:
                prefetch(memory, _entry(memory, landed))
        elif number + 1 < count:
            ranked = next_best(memory, at, count, ranked)
            coming = hash_after(memory, own, other, red, hashed, side, ranked & MOVE_MASK)
            if depth > 1:
                # The entry will be looked up after this move. Without this, it would not be in the
                # processor's cache yet.
                prefetch(memory, _entry(memory, coming))
        lost = 0
        if (cutting >> (move & POINT_MASK)) & 1:
            lost = lost_by(own, other, red, move)
        if number > 0 and lost == 0 and (spared >> (move >> POINT_BITS)) & 1 and best > -WIN:
            continue
        after = make_hashed(memory, own, other, red, ones, twos, landed, side, move, lost)
        # Later moves are first searched with a null window and less depth.
        floor = -beta if number == 0 else -lower - 1
        less = 0
        if number >= _REDUCE_FROM_MOVE and not memory[THOROUGH]:
            less = _REDUCTIONS[unsigned(depth * MAX_MOVES + number)]
            if less > 0 and beta - alpha > 1 and memory[AS_MEASURED] == 0:
                less -= 1
        while True:
            if depth - less > 1:
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
                    floor,
                    -lower,
                )
            elif _is_over(memory):
                value = STOPPED
            else:
                # Calling `search` would have the same result but take a third longer.
                value = estimate(memory, after[0], after[1], after[2], after[3], after[4], after[5])
                if ply == 0 and abs(value) < WIN:
                    value -= _temptation(memory, other, move)
            if value == STOPPED or -value <= lower:
                break
            if less > 0:
                less = 0
            elif floor > -beta and -value < beta:
                floor = -beta
            else:
                break
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
                    reward(memory, side, ply, depth, at, count, this)
                    break
        if number == 0 and count > 1:
            # Done only now, because the first move is often the only one searched.
            ranked = next_best(memory, at, count, ranked)
            coming = hash_after(memory, own, other, red, hashed, side, ranked & MOVE_MASK)
    bound = EXACT
    if best <= alpha:
        bound = UPPER
    elif best >= beta:
        bound = LOWER
    _store(memory, hashed, best, best_move, depth, bound)
    return best
