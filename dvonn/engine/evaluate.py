"""What a position of the movement phase is worth to the player to move, estimated.

A position is described by counts, each the player's less the opponent's (`Feature`); the estimate
is their sum, weighted by weights that depend on how many stacks are left. The weights are fitted on
games, see `dvonn.engine.tuning`, and lie in weights.json.
"""

from enum import IntEnum
from typing import Final

from dvonn.engine.jit import compiled, lowest, popcount, unsigned
from dvonn.engine.layout import ESTIMATE_MAX, FEATURE_COUNT, FEATURES, WEIGHTS
from dvonn.engine.moves import Memory, height_of, spread, surrounded
from dvonn.engine.tables import DESTINATIONS, FIRST_COLUMN, LAST_COLUMN, POINT_SLOTS, WITHIN


class Feature(IntEnum):
    """What is counted. Free stacks are those not surrounded, movable ones have a legal move."""

    ONES_FREE = 0
    ONES_BLOCKED = 1
    TWOS_FREE = 2
    TWOS_BLOCKED = 3
    THREES = 4
    FOURS = 5
    TALL = 6
    PIECES = 7
    ONES_ONTO_ENEMY = 8
    ONES_ONTO_OWN = 9
    ONES_ONTO_RED = 10
    TWOS_ONTO_ENEMY = 11
    TWOS_ONTO_OWN = 12
    TWOS_ONTO_RED = 13
    TALL_ONTO_ENEMY = 14
    TALL_ONTO_OWN = 15
    TALL_ONTO_RED = 16
    ONTO_ENEMY_RED = 17
    MOVABLE = 18
    HOLDS_RED = 19
    BESIDE_RED = 20
    TWO_FROM_RED = 21
    FAR_FROM_RED = 22
    PIECES_WITH_RED = 23
    ATTACKED = 24
    ATTACKED_PIECES = 25
    ATTACKED_WITH_RED = 26
    ATTACKED_ALONE = 27
    MOVABLE_WITH_RED = 28
    DEAD = 29
    DEAD_PIECES = 30
    HANGING = 31
    REACHED = 32
    SAFE_PIECES = 33
    TURN = 34
    BESIDE_LONE_RED = 35
    DEAD_BESIDE_RED = 36
    WITHIN_1 = 37
    WITHIN_2 = 38
    WITHIN_3 = 39
    WITHIN_4 = 40
    WITHIN_6 = 41
    WITHIN_8 = 42
    CROWDED = 43
    LEAST_WITHIN_2 = 44
    LEAST_WITHIN_4 = 45
    THREE_FROM_RED = 46


_NOT_FIRST: Final = ~FIRST_COLUMN
_NOT_LAST: Final = ~LAST_COLUMN

_ONES_FREE: Final = FEATURES + Feature.ONES_FREE.value
_ONES_BLOCKED: Final = FEATURES + Feature.ONES_BLOCKED.value
_TWOS_FREE: Final = FEATURES + Feature.TWOS_FREE.value
_TWOS_BLOCKED: Final = FEATURES + Feature.TWOS_BLOCKED.value
_THREES: Final = FEATURES + Feature.THREES.value
_FOURS: Final = FEATURES + Feature.FOURS.value
_TALL: Final = FEATURES + Feature.TALL.value
_PIECES: Final = FEATURES + Feature.PIECES.value
_ONES_ONTO_ENEMY: Final = FEATURES + Feature.ONES_ONTO_ENEMY.value
_ONES_ONTO_OWN: Final = FEATURES + Feature.ONES_ONTO_OWN.value
_ONES_ONTO_RED: Final = FEATURES + Feature.ONES_ONTO_RED.value
_TWOS_ONTO_ENEMY: Final = FEATURES + Feature.TWOS_ONTO_ENEMY.value
_TWOS_ONTO_OWN: Final = FEATURES + Feature.TWOS_ONTO_OWN.value
_TWOS_ONTO_RED: Final = FEATURES + Feature.TWOS_ONTO_RED.value
_TALL_ONTO_ENEMY: Final = FEATURES + Feature.TALL_ONTO_ENEMY.value
_TALL_ONTO_OWN: Final = FEATURES + Feature.TALL_ONTO_OWN.value
_TALL_ONTO_RED: Final = FEATURES + Feature.TALL_ONTO_RED.value
_ONTO_ENEMY_RED: Final = FEATURES + Feature.ONTO_ENEMY_RED.value
_MOVABLE: Final = FEATURES + Feature.MOVABLE.value
_HOLDS_RED: Final = FEATURES + Feature.HOLDS_RED.value
_BESIDE_RED: Final = FEATURES + Feature.BESIDE_RED.value
_TWO_FROM_RED: Final = FEATURES + Feature.TWO_FROM_RED.value
_FAR_FROM_RED: Final = FEATURES + Feature.FAR_FROM_RED.value
_PIECES_WITH_RED: Final = FEATURES + Feature.PIECES_WITH_RED.value
_ATTACKED: Final = FEATURES + Feature.ATTACKED.value
_ATTACKED_PIECES: Final = FEATURES + Feature.ATTACKED_PIECES.value
_ATTACKED_WITH_RED: Final = FEATURES + Feature.ATTACKED_WITH_RED.value
_ATTACKED_ALONE: Final = FEATURES + Feature.ATTACKED_ALONE.value
_MOVABLE_WITH_RED: Final = FEATURES + Feature.MOVABLE_WITH_RED.value
_DEAD: Final = FEATURES + Feature.DEAD.value
_DEAD_PIECES: Final = FEATURES + Feature.DEAD_PIECES.value
_HANGING: Final = FEATURES + Feature.HANGING.value
_REACHED: Final = FEATURES + Feature.REACHED.value
_SAFE_PIECES: Final = FEATURES + Feature.SAFE_PIECES.value
_TURN: Final = FEATURES + Feature.TURN.value
_BESIDE_LONE_RED: Final = FEATURES + Feature.BESIDE_LONE_RED.value
_DEAD_BESIDE_RED: Final = FEATURES + Feature.DEAD_BESIDE_RED.value

_WITHIN_1: Final = FEATURES + Feature.WITHIN_1.value
_WITHIN_2: Final = FEATURES + Feature.WITHIN_2.value
_WITHIN_3: Final = FEATURES + Feature.WITHIN_3.value
_WITHIN_4: Final = FEATURES + Feature.WITHIN_4.value
_WITHIN_6: Final = FEATURES + Feature.WITHIN_6.value
_WITHIN_8: Final = FEATURES + Feature.WITHIN_8.value
_CROWDED: Final = FEATURES + Feature.CROWDED.value
_LEAST_WITHIN_2: Final = FEATURES + Feature.LEAST_WITHIN_2.value
_LEAST_WITHIN_4: Final = FEATURES + Feature.LEAST_WITHIN_4.value
_THREE_FROM_RED: Final = FEATURES + Feature.THREE_FROM_RED.value

_THREE: Final = 3
_FOUR: Final = 4


@compiled
def _steps_onto(ones: int, targets: int) -> int:
    """How many moves by one space lead from a set of points onto another."""
    return (
        popcount(ones & (targets << 1))
        + popcount(ones & (targets >> 1))
        + popcount(ones & (targets << 12))
        + popcount(ones & (targets >> 12))
        + popcount(ones & (targets << 13))
        + popcount(ones & (targets >> 13))
    )


@compiled
def _beside(points: int) -> int:
    """The neighbours of a set of points; also off the board."""
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
    """Where two spaces in a straight line lead from a set of points; also off the board."""
    right = (points & _NOT_LAST) << 2
    left = (points & _NOT_FIRST) >> 2
    return right | left | (points << 24) | (points >> 24) | (points << 26) | (points >> 26)


@compiled
def _two_steps_onto(twos: int, targets: int) -> int:
    """How many moves by two spaces lead from a set of points onto another."""
    return (
        popcount(twos & ((targets & _NOT_LAST) << 2))
        + popcount(twos & ((targets & _NOT_FIRST) >> 2))
        + popcount(twos & (targets << 24))
        + popcount(twos & (targets >> 24))
        + popcount(twos & (targets << 26))
        + popcount(twos & (targets >> 26))
    )


@compiled
def _crowded(points: int) -> int:
    """The points of a set with four neighbours or more in it."""
    one = two = three = four = 0
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
        two |= one & shifted
        one |= shifted
    return points & four


@compiled
def _count_side(
    memory: Memory,
    own: int,
    other: int,
    red: int,
    ones: int,
    twos: int,
    occupied: int,
    free: int,
    near: int,
    second: int,
    sign: int,
) -> tuple[int, int, int]:
    """Add one side's counts to the features; returns its moves, what they reach, its pieces."""
    lone = red & ~(own | other)
    held = red & own
    enemy_red = red & other
    single = own & ones
    double = own & twos
    single_free = single & free
    double_free = double & free
    tall = own & ~ones & ~twos

    memory[_ONES_FREE] += sign * popcount(single_free)
    memory[_ONES_BLOCKED] += sign * popcount(single & ~free)
    memory[_TWOS_FREE] += sign * popcount(double_free)
    memory[_TWOS_BLOCKED] += sign * popcount(double & ~free)

    ones_all = _steps_onto(single_free, occupied)
    ones_enemy = _steps_onto(single_free, other)
    ones_red = _steps_onto(single_free, lone)
    memory[_ONES_ONTO_ENEMY] += sign * ones_enemy
    memory[_ONES_ONTO_OWN] += sign * (ones_all - ones_enemy - ones_red)
    memory[_ONES_ONTO_RED] += sign * ones_red

    twos_all = _two_steps_onto(double_free, occupied)
    twos_enemy = _two_steps_onto(double_free, other)
    twos_red = _two_steps_onto(double_free, lone)
    memory[_TWOS_ONTO_ENEMY] += sign * twos_enemy
    memory[_TWOS_ONTO_OWN] += sign * (twos_all - twos_enemy - twos_red)
    memory[_TWOS_ONTO_RED] += sign * twos_red
    reached = (_beside(single_free) | _two_steps(double_free)) & occupied
    movable = single_free & _beside(occupied)
    movable |= double_free & _two_steps(occupied)

    onto_enemy_red = 0
    if enemy_red:
        onto_enemy_red = _steps_onto(single_free, enemy_red) + _two_steps_onto(
            double_free, enemy_red
        )
    pieces = popcount(single) + 2 * popcount(double)
    moves = ones_all + twos_all
    dead = 0
    dead_pieces = 0
    held_pieces = popcount(held & ones) + 2 * popcount(held & twos)
    tall_enemy = 0
    tall_red = 0
    tall_all = 0
    rest = tall
    while rest:
        point = lowest(rest)
        bit = rest & -rest
        rest ^= bit
        height = height_of(memory, point)
        pieces += height
        if height == _THREE:
            memory[_THREES] += sign
        elif height == _FOUR:
            memory[_FOURS] += sign
        else:
            memory[_TALL] += sign
        if bit & held:
            held_pieces += height
        targets = DESTINATIONS[unsigned(height * POINT_SLOTS + point)] & occupied
        if targets == 0:
            dead |= bit
            dead_pieces += height
        elif bit & free:
            movable |= bit
            reached |= targets
            tall_all += popcount(targets)
            tall_enemy += popcount(targets & other)
            tall_red += popcount(targets & lone)
            onto_enemy_red += popcount(targets & enemy_red)
    stuck_twos = double & ~_two_steps(occupied)
    dead |= stuck_twos
    dead_pieces += 2 * popcount(stuck_twos)
    memory[_TALL_ONTO_ENEMY] += sign * tall_enemy
    memory[_TALL_ONTO_RED] += sign * tall_red
    memory[_TALL_ONTO_OWN] += sign * (tall_all - tall_enemy - tall_red)
    memory[_ONTO_ENEMY_RED] += sign * onto_enemy_red
    memory[_PIECES] += sign * pieces
    memory[_MOVABLE] += sign * popcount(movable)
    memory[_HOLDS_RED] += sign * popcount(held)
    memory[_PIECES_WITH_RED] += sign * held_pieces
    memory[_MOVABLE_WITH_RED] += sign * popcount(held & movable)
    memory[_DEAD] += sign * popcount(dead)
    memory[_DEAD_PIECES] += sign * dead_pieces
    memory[_DEAD_BESIDE_RED] += sign * popcount(dead & near)
    memory[_BESIDE_RED] += sign * popcount(own & near)
    memory[_TWO_FROM_RED] += sign * popcount(own & second)
    memory[_FAR_FROM_RED] += sign * popcount(own & ~(red | near | second))
    memory[_REACHED] += sign * popcount(reached)
    if lone:
        memory[_BESIDE_LONE_RED] += sign * popcount(own & spread(lone))
    return moves + tall_all, reached, pieces


@compiled
def _count_danger(
    memory: Memory,
    own: int,
    red: int,
    ones: int,
    twos: int,
    hit: int,
    defended: int,
    pieces: int,
    sign: int,
) -> None:
    """Add what the other side's moves threaten: `hit` is where they lead, `defended` where ours."""
    attacked = own & hit
    memory[_ATTACKED] += sign * popcount(attacked)
    memory[_ATTACKED_WITH_RED] += sign * popcount(attacked & red)
    memory[_ATTACKED_ALONE] += sign * popcount(attacked & ~defended)
    in_danger = popcount(attacked & ones) + 2 * popcount(attacked & twos)
    rest = attacked & ~ones & ~twos
    while rest:
        in_danger += height_of(memory, lowest(rest))
        rest &= rest - 1
    memory[_ATTACKED_PIECES] += sign * in_danger
    memory[_SAFE_PIECES] += sign * (pieces - in_danger)


@compiled
def describe(memory: Memory, own: int, other: int, red: int, ones: int, twos: int) -> int:
    """Write the features to memory; returns 2 if neither can move, 1 if only the other, else 0."""
    occupied = own | other | red
    free = ~surrounded(occupied)
    near = spread(red) & occupied & ~red
    second = spread(red | near) & occupied & ~(red | near)
    for number in range(FEATURES, FEATURES + FEATURE_COUNT):
        memory[number] = 0
    moves, reached, pieces = _count_side(
        memory, own, other, red, ones, twos, occupied, free, near, second, 1
    )
    others, hit, others_pieces = _count_side(
        memory, other, own, red, ones, twos, occupied, free, near, second, -1
    )
    if moves + others == 0:
        return 2
    _count_danger(memory, own, red, ones, twos, hit, reached, pieces, 1)
    _count_danger(memory, other, red, ones, twos, reached, hit, others_pieces, -1)
    # A stack with a single neighbour and no red piece inside hangs on it: no two of its neighbours.
    inside = occupied & ~red
    one, more = 0, 0
    for shifted in (
        occupied << 1,
        occupied >> 1,
        occupied << 12,
        occupied >> 12,
        occupied << 13,
        occupied >> 13,
    ):
        more |= one & shifted
        one |= shifted
    hanging = inside & ~more
    memory[_HANGING] = popcount(own & hanging) - popcount(other & hanging)
    third = spread(red | near | second) & occupied & ~(red | near | second)
    memory[_THREE_FROM_RED] = popcount(own & third) - popcount(other & third)
    own2 = own4 = other2 = other4 = 99
    rest = red
    while rest:
        point = lowest(rest)
        rest &= rest - 1
        a2 = popcount(own & WITHIN[unsigned(2 * POINT_SLOTS + point)])
        b2 = popcount(other & WITHIN[unsigned(2 * POINT_SLOTS + point)])
        a4 = popcount(own & WITHIN[unsigned(4 * POINT_SLOTS + point)])
        b4 = popcount(other & WITHIN[unsigned(4 * POINT_SLOTS + point)])
        own2 = min(own2, a2)
        other2 = min(other2, b2)
        own4 = min(own4, a4)
        other4 = min(other4, b4)
        memory[_WITHIN_2] += a2 - b2
        memory[_WITHIN_4] += a4 - b4
        w1 = WITHIN[unsigned(1 * POINT_SLOTS + point)]
        memory[_WITHIN_1] += popcount(own & w1) - popcount(other & w1)
        w1 = WITHIN[unsigned(3 * POINT_SLOTS + point)]
        memory[_WITHIN_3] += popcount(own & w1) - popcount(other & w1)
        w1 = WITHIN[unsigned(6 * POINT_SLOTS + point)]
        memory[_WITHIN_6] += popcount(own & w1) - popcount(other & w1)
        w1 = WITHIN[unsigned(8 * POINT_SLOTS + point)]
        memory[_WITHIN_8] += popcount(own & w1) - popcount(other & w1)
    memory[_LEAST_WITHIN_2] = own2 - other2
    memory[_LEAST_WITHIN_4] = own4 - other4
    memory[_CROWDED] = popcount(_crowded(own)) - popcount(_crowded(other))
    if moves == 0:
        memory[_TURN] = -1
        return 1
    memory[_TURN] = 1
    return 0


@compiled
def weigh(memory: Memory, stacks: int) -> int:
    """The estimate from the features in memory, for so many stacks on the board."""
    at = unsigned(WEIGHTS + stacks * FEATURE_COUNT)
    features = unsigned(FEATURES)
    value = 0
    for number in range(FEATURE_COUNT):
        value += memory[at + unsigned(number)] * memory[features + unsigned(number)]
    # Weights are fixed-point numbers.
    value >>= _FRACTION_BITS
    return max(-ESTIMATE_MAX, min(ESTIMATE_MAX, value))


_FRACTION_BITS: Final = 8
