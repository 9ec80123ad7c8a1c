"""Evaluation: an estimate of a movement-phase position's value to the player to move.

A position is described by counts (`Count`). Each is the player's count minus the opponent's. The
estimate is the weighted sum of the counts. The weights depend on the number of stacks left. The
weights were fitted to games (see docs/engine.md) and are stored in weights.json.
"""

from enum import IntEnum
from typing import Final

from dvonn.engine.backend import compiled, lowest, popcount, unsigned
from dvonn.engine.memory import (
    ESTIMATE_MAX,
    FEATURE_COUNT,
    FEATURES,
    LEAST,
    OTHERS,
    OURS,
    STEP_SOURCES,
    STEP_TARGETS,
    STEPS,
    WEIGHTS,
)
from dvonn.engine.moves import Memory, height_of, spread, surrounded
from dvonn.engine.tables import (
    AROUND,
    AROUND_STEPS,
    DESTINATIONS,
    FIRST_COLUMN,
    LAST_COLUMN,
    POINT_SLOTS,
)


class Count(IntEnum):
    """Features of the evaluation, as counts of stacks, moves or pieces.

    Free stacks are not surrounded. Movable stacks have a legal move.

    The first counts are numbers of stacks in a set. The `WITHIN` counts are numbers of stacks
    within some steps of each red piece, in the order of `AROUND_STEPS`.
    """

    ONES_FREE = 0
    ONES_BLOCKED = 1
    TWOS_FREE = 2
    TWOS_BLOCKED = 3
    MOVABLE = 4
    HOLDS_RED = 5
    BESIDE_RED = 6
    TWO_FROM_RED = 7
    THREE_FROM_RED = 8
    FAR_FROM_RED = 9
    ATTACKED = 10
    ATTACKED_WITH_RED = 11
    ATTACKED_ALONE = 12
    MOVABLE_WITH_RED = 13
    DEAD = 14
    DEAD_BESIDE_RED = 15
    HANGING = 16
    REACHED = 17
    BESIDE_LONE_RED = 18
    CROWDED = 19
    WITHIN_1 = 20
    WITHIN_2 = 21
    WITHIN_3 = 22
    WITHIN_4 = 23
    WITHIN_6 = 24
    WITHIN_8 = 25
    LEAST_WITHIN_2 = 26
    LEAST_WITHIN_4 = 27
    ONES_ONTO_ENEMY = 28
    ONES_ONTO_OWN = 29
    ONES_ONTO_RED = 30
    TWOS_ONTO_ENEMY = 31
    TWOS_ONTO_OWN = 32
    TWOS_ONTO_RED = 33
    TALL_ONTO_ENEMY = 34
    TALL_ONTO_OWN = 35
    TALL_ONTO_RED = 36
    ONTO_ENEMY_RED = 37
    THREES = 38
    FOURS = 39
    TALL = 40
    PIECES = 41
    PIECES_WITH_RED = 42
    ATTACKED_PIECES = 43
    SAFE_PIECES = 44
    DEAD_PIECES = 45
    TURN = 46


_NOT_FIRST: Final = ~FIRST_COLUMN
_NOT_LAST: Final = ~LAST_COLUMN

_SETS: Final = 20

_THREE: Final = 3
_FOUR: Final = 4
_LANES: Final = 8
"""Number of counts that are computed at once, by vector instructions."""


@compiled
def _neighbors(points: int) -> int:
    """Return the neighbors of a set of points, including bits off the board."""
    return (
        (points << 1)
        | (points >> 1)
        | (points << 12)
        | (points >> 12)
        | (points << 13)
        | (points >> 13)
    )


@compiled
def _two_steps(points: int) -> int:
    """Return the points two spaces from a set on a straight line, including bits off the board."""
    to_right = (points & _NOT_LAST) << 2
    to_left = (points & _NOT_FIRST) >> 2
    return to_right | to_left | (points << 24) | (points >> 24) | (points << 26) | (points >> 26)


@compiled
def _crowded(points: int) -> int:
    """Return the points of a set that have at least four neighbors in it."""
    number = two = three = four = 0
    for shifted in (
        points << 1,
        points >> 1,
        points << 12,
        points >> 12,
        points << 13,
        points >> 13,
    ):
        four |= three & shifted
        three |= two & shifted
        two |= number & shifted
        number |= shifted
    return points & four


@compiled
def _hanging(occupied: int, red: int) -> int:
    """Return the stacks with no red piece and at most one neighbor, which link no other stacks."""
    number = twice = 0
    for shifted in (
        occupied << 1,
        occupied >> 1,
        occupied << 12,
        occupied >> 12,
        occupied << 13,
        occupied >> 13,
    ):
        twice |= number & shifted
        number |= shifted
    return occupied & ~red & ~twice


@compiled
def _compare(memory: Memory, feature: int, first: int, second: int) -> None:
    """Store two sets whose sizes `_count_sets` will compare."""
    memory[unsigned(OURS + feature)] = first
    memory[unsigned(OTHERS + feature)] = second


@compiled
def _count_sets(memory: Memory) -> None:
    """For each stored pair of sets, write the size of the first minus the size of the second."""
    for number in range(_SETS):
        feature = unsigned(number)
        count = popcount(memory[unsigned(OURS) + feature])
        memory[unsigned(FEATURES) + feature] = count - popcount(memory[unsigned(OTHERS) + feature])


@compiled
def _step(memory: Memory, lane: int, sources: int, targets: int) -> None:
    """Store sets of sources and targets. `_count_steps` will count the moves between them."""
    memory[unsigned(STEP_SOURCES + lane)] = sources
    memory[unsigned(STEP_TARGETS + lane)] = targets


@compiled
def _count_steps(memory: Memory) -> None:
    """Write each lane's number of moves from sources to targets: of one space, then of two."""
    for number in range(_LANES):
        lane = unsigned(number)
        sources = memory[unsigned(STEP_SOURCES) + lane]
        targets = memory[unsigned(STEP_TARGETS) + lane]
        memory[unsigned(STEPS) + lane] = (
            popcount(sources & (targets << 1))
            + popcount(sources & (targets >> 1))
            + popcount(sources & (targets << 12))
            + popcount(sources & (targets >> 12))
            + popcount(sources & (targets << 13))
            + popcount(sources & (targets >> 13))
        )
    for number in range(_LANES, 2 * _LANES):
        lane = unsigned(number)
        sources = memory[unsigned(STEP_SOURCES) + lane]
        targets = memory[unsigned(STEP_TARGETS) + lane]
        memory[unsigned(STEPS) + lane] = (
            popcount(sources & ((targets & _NOT_LAST) << 2))
            + popcount(sources & ((targets & _NOT_FIRST) >> 2))
            + popcount(sources & (targets << 24))
            + popcount(sources & (targets >> 24))
            + popcount(sources & (targets << 26))
            + popcount(sources & (targets >> 26))
        )


@compiled
def _steps(memory: Memory, lane: int) -> int:
    """Return the number of the player's moves in a lane, minus the opponent's."""
    return memory[unsigned(STEPS + lane)] - memory[unsigned(STEPS + lane + _SIDE)]


_SIDE: Final = 4
"""Offset from the player's lanes to the opponent's."""


@compiled
def _count_near(memory: Memory, own: int, other: int, red: int) -> None:
    """Write the counts of stacks within each of the `AROUND_STEPS` of the red pieces."""
    for number in range(_LANES):
        lane = unsigned(number)
        memory[unsigned(FEATURES + Count.WITHIN_1) + lane] = 0
        memory[unsigned(LEAST) + lane] = _MANY
        memory[unsigned(LEAST + _LANES) + lane] = _MANY
    rest = red
    while rest:
        row = unsigned(lowest(rest) * _LANES)
        rest &= rest - 1
        for number in range(_LANES):
            lane = unsigned(number)
            area = AROUND[row + lane]
            own_count, other_count = popcount(own & area), popcount(other & area)
            memory[unsigned(FEATURES + Count.WITHIN_1) + lane] += own_count - other_count
            least = memory[unsigned(LEAST) + lane]
            memory[unsigned(LEAST) + lane] = min(least, own_count)
            least = memory[unsigned(LEAST + _LANES) + lane]
            memory[unsigned(LEAST + _LANES) + lane] = min(least, other_count)
    for feature, lane in ((Count.LEAST_WITHIN_2, _AT_2), (Count.LEAST_WITHIN_4, _AT_4)):
        memory[unsigned(FEATURES + feature)] = (
            memory[unsigned(LEAST + lane)] - memory[unsigned(LEAST + _LANES + lane)]
        )


_MANY: Final = 99
_AT_2: Final = AROUND_STEPS.index(2)
_AT_4: Final = AROUND_STEPS.index(4)


@compiled
def _write(memory: Memory, feature: int, count: int) -> None:
    memory[unsigned(FEATURES + feature)] = count


@compiled
def describe(memory: Memory, own: int, other: int, red: int, ones: int, twos: int) -> int:
    """Write the features to memory.

    Return 2 if neither side can move, 1 if only the opponent can, otherwise 0.
    """
    occupied = own | other | red
    free = ~surrounded(occupied)
    lone = red & ~(own | other)
    own_ones, own_twos = own & ones & free, own & twos & free
    other_ones, other_twos = other & ones & free, other & twos & free
    # Four lanes per side, one for each kind of target: stacks of the other side, its own stacks,
    # single red pieces, and stacks of the other side that contain red.
    for lane, own_movers, other_movers in (
        (0, own_ones, other_ones),
        (_LANES, own_twos, other_twos),
    ):
        _step(memory, lane, own_movers, other)
        _step(memory, lane + 1, own_movers, own)
        _step(memory, lane + 2, own_movers, lone)
        _step(memory, lane + 3, own_movers, red & other)
        _step(memory, lane + _SIDE, other_movers, own)
        _step(memory, lane + _SIDE + 1, other_movers, other)
        _step(memory, lane + _SIDE + 2, other_movers, lone)
        _step(memory, lane + _SIDE + 3, other_movers, red & own)

    beside, two_away = _neighbors(occupied), _two_steps(occupied)
    reached = (_neighbors(own_ones) | _two_steps(own_twos)) & occupied
    hit = (_neighbors(other_ones) | _two_steps(other_twos)) & occupied
    movable = ((own_ones | other_ones) & beside) | ((own_twos | other_twos) & two_away)
    dead = (own | other) & twos & ~two_away
    dead_pieces = 2 * (popcount(own & dead) - popcount(other & dead))
    pieces = held_pieces = threes = fours = taller = 0
    tall_enemy = tall_own = tall_red = onto_enemy_red = 0
    tall = (own | other) & ~ones & ~twos
    rest = tall
    while rest:
        point = lowest(rest)
        bit = rest & -rest
        rest ^= bit
        height = height_of(memory, point)
        is_own = own & bit != 0
        sign = 1 if is_own else -1
        pieces += sign * height
        if height == _THREE:
            threes += sign
        elif height == _FOUR:
            fours += sign
        else:
            taller += sign
        if bit & red:
            held_pieces += sign * height
        targets = DESTINATIONS[unsigned(height * POINT_SLOTS + point)] & occupied
        if targets == 0:
            dead |= bit
            dead_pieces += sign * height
        elif bit & free:
            movable |= bit
            if is_own:
                reached |= targets
            else:
                hit |= targets
            on_own, on_other = popcount(targets & own), popcount(targets & other)
            tall_enemy += on_other if is_own else -on_own
            tall_own += on_own if is_own else -on_other
            tall_red += sign * popcount(targets & lone)
            onto_enemy_red += sign * popcount(targets & red & (other if is_own else own))
    if movable == 0:
        return 2

    near = spread(red) & occupied & ~red
    second = spread(red | near) & occupied & ~(red | near)
    third = spread(red | near | second) & occupied & ~(red | near | second)
    far = ~(red | near | second)
    attacked, attacks = own & hit, other & reached
    hanging = _hanging(occupied, red)
    _compare(memory, Count.ONES_FREE, own_ones, other_ones)
    _compare(memory, Count.ONES_BLOCKED, own & ones & ~free, other & ones & ~free)
    _compare(memory, Count.TWOS_FREE, own_twos, other_twos)
    _compare(memory, Count.TWOS_BLOCKED, own & twos & ~free, other & twos & ~free)
    _compare(memory, Count.MOVABLE, own & movable, other & movable)
    _compare(memory, Count.HOLDS_RED, own & red, other & red)
    _compare(memory, Count.BESIDE_RED, own & near, other & near)
    _compare(memory, Count.TWO_FROM_RED, own & second, other & second)
    _compare(memory, Count.THREE_FROM_RED, own & third, other & third)
    _compare(memory, Count.FAR_FROM_RED, own & far, other & far)
    _compare(memory, Count.ATTACKED, attacked, attacks)
    _compare(memory, Count.ATTACKED_WITH_RED, attacked & red, attacks & red)
    _compare(memory, Count.ATTACKED_ALONE, attacked & ~reached, attacks & ~hit)
    _compare(memory, Count.MOVABLE_WITH_RED, own & red & movable, other & red & movable)
    _compare(memory, Count.DEAD, own & dead, other & dead)
    _compare(memory, Count.DEAD_BESIDE_RED, own & dead & near, other & dead & near)
    _compare(memory, Count.HANGING, own & hanging, other & hanging)
    _compare(memory, Count.REACHED, reached, hit)
    near_lone = spread(lone)
    _compare(memory, Count.BESIDE_LONE_RED, own & near_lone, other & near_lone)
    _compare(memory, Count.CROWDED, _crowded(own), _crowded(other))
    _count_sets(memory)
    _count_near(memory, own, other, red)
    _count_steps(memory)

    danger = popcount(attacked & ones) - popcount(attacks & ones)
    danger += 2 * (popcount(attacked & twos) - popcount(attacks & twos))
    rest = (attacked | attacks) & tall
    while rest:
        height = height_of(memory, lowest(rest))
        danger += height if own & rest & -rest else -height
        rest &= rest - 1
    pieces += popcount(own & ones) - popcount(other & ones)
    pieces += 2 * (popcount(own & twos) - popcount(other & twos))
    held_pieces += 2 * (popcount(own & red & twos) - popcount(other & red & twos))
    _write(memory, Count.ONES_ONTO_ENEMY, _steps(memory, 0))
    _write(memory, Count.ONES_ONTO_OWN, _steps(memory, 1))
    _write(memory, Count.ONES_ONTO_RED, _steps(memory, 2))
    _write(memory, Count.TWOS_ONTO_ENEMY, _steps(memory, _LANES))
    _write(memory, Count.TWOS_ONTO_OWN, _steps(memory, _LANES + 1))
    _write(memory, Count.TWOS_ONTO_RED, _steps(memory, _LANES + 2))
    onto_enemy_red += _steps(memory, 3) + _steps(memory, _LANES + 3)
    _write(memory, Count.TALL_ONTO_ENEMY, tall_enemy)
    _write(memory, Count.TALL_ONTO_OWN, tall_own)
    _write(memory, Count.TALL_ONTO_RED, tall_red)
    _write(memory, Count.ONTO_ENEMY_RED, onto_enemy_red)
    _write(memory, Count.THREES, threes)
    _write(memory, Count.FOURS, fours)
    _write(memory, Count.TALL, taller)
    _write(memory, Count.PIECES, pieces)
    _write(memory, Count.PIECES_WITH_RED, held_pieces)
    _write(memory, Count.ATTACKED_PIECES, danger)
    _write(memory, Count.SAFE_PIECES, pieces - danger)
    _write(memory, Count.DEAD_PIECES, dead_pieces)
    if own & movable:
        _write(memory, Count.TURN, 1)
        return 0
    _write(memory, Count.TURN, -1)
    return 1


@compiled
def weigh(memory: Memory, stacks: int) -> int:
    """Return the estimate from the features in memory, with the weights for a number of stacks."""
    at = unsigned(WEIGHTS + stacks * FEATURE_COUNT)
    features = unsigned(FEATURES)
    value = 0
    for number in range(FEATURE_COUNT):
        value += memory[at + unsigned(number)] * memory[features + unsigned(number)]
    value >>= _FRACTION_BITS
    return max(-ESTIMATE_MAX, min(ESTIMATE_MAX, value))


_FRACTION_BITS: Final = 8  # weights are fixed-point numbers
