"""The compiled rules: legal moves, and the position after a move."""

from dvonn.engine.backend import Int64s, compiled, lowest, unsigned
from dvonn.engine.memory import HEIGHTS, POINT_BITS, POINT_MASK
from dvonn.engine.tables import (
    DESTINATIONS,
    FIRST_COLUMN,
    HASH_KEYS,
    HASH_KINDS,
    HASH_LONE_RED,
    HASH_RED,
    HASH_SIDE,
    LAST_COLUMN,
    NEIGHBORS,
    POINT_SLOTS,
)

Memory = Int64s
"""The memory of a search. See `dvonn.engine.memory`."""

Sets = tuple[int, int, int, int, int, int]
"""Sets of stacks (the mover's, the opponent's, with red, of one piece, of two pieces), and the
hash.
"""


@compiled
def spread(mask: int) -> int:
    """Return a set's points and their neighbors, including bits off the board."""
    right = mask | (mask << 1)
    return right | (mask >> 1) | (right << 12) | (right >> 13)


@compiled
def surrounded(occupied: int) -> int:
    """Return the occupied points whose six neighbors are all occupied."""
    pairs = occupied & (occupied << 1)
    return pairs & (pairs >> 1) & (pairs << 12) & (pairs >> 13)


@compiled
def height_of(memory: Memory, point: int) -> int:
    return memory[unsigned(HEIGHTS + point)]


@compiled
def list_moves(memory: Memory, movers: int, occupied: int, at: int) -> int:
    """Write the moves of unsurrounded `movers` to memory[at:], and return their number."""
    return _list_each(memory, movers & ~surrounded(occupied), occupied, 0, 0, at) - at


@compiled
def list_some(
    memory: Memory,
    movers: int,
    ones: int,
    twos: int,
    occupied: int,
    plain: int,
    spared: int,
    at: int,
) -> int:
    """List moves by height and direction, but none from `plain` sources onto `spared` targets."""
    sources = movers & ~surrounded(occupied)
    to, rest = occupied & ~spared, occupied & spared
    singles, doubles = sources & ones, sources & twos
    end = at
    for way in (1, 12, 13):
        end = _list_both_ways(memory, singles, singles & ~plain, to, rest, way, end)
    for way in (24, 26):
        end = _list_both_ways(memory, doubles, doubles & ~plain, to, rest, way, end)
    inner = doubles & ~LAST_COLUMN & ((to >> 2) | (rest >> 2 & ~plain))
    end = _list_along(memory, inner, 2, end)
    inner = doubles & ~FIRST_COLUMN & ((to << 2) | (rest << 2 & ~plain))
    end = _list_along(memory, inner, -2, end)
    sources &= ~(ones | twos)
    return _list_each(memory, sources, occupied, plain, spared, end) - at


@compiled
def _list_each(
    memory: Memory, sources: int, occupied: int, plain: int, spared: int, at: int
) -> int:
    """List moves stack by stack, and return the offset after them."""
    while sources:
        source = lowest(sources)
        bit = sources & -sources
        sources ^= bit
        height = height_of(memory, source)
        targets = DESTINATIONS[unsigned(height * POINT_SLOTS + source)] & occupied
        if plain & bit:
            targets &= ~spared
        while targets:
            target = lowest(targets)
            targets &= targets - 1
            memory[unsigned(at)] = source | (target << POINT_BITS)
            at += 1
    return at


@compiled
def _list_both_ways(
    memory: Memory, movers: int, rest_movers: int, to: int, rest: int, way: int, at: int
) -> int:
    """List moves in a direction and its opposite.

    All `movers` may land on `to`, and only `rest_movers` on `rest`.
    """
    at = _list_along(memory, (movers & (to >> way)) | (rest_movers & (rest >> way)), way, at)
    return _list_along(memory, (movers & (to << way)) | (rest_movers & (rest << way)), -way, at)


@compiled
def _list_along(memory: Memory, sources: int, way: int, at: int) -> int:
    """List each source's move in one direction, and return the offset after them."""
    while sources:
        source = lowest(sources)
        sources &= sources - 1
        memory[unsigned(at)] = source | ((source + way) << POINT_BITS)
        at += 1
    return at


@compiled
def joints(occupied: int) -> int:
    """Return the points around which the occupied points form two or three separate runs.

    A stack that leaves any other point cuts off no stacks, unless it contains a red piece.
    """
    number = twice = 0
    before = occupied >> 1
    for beside in (
        occupied >> 13,
        occupied >> 12,
        occupied << 1,
        occupied << 13,
        occupied << 12,
        occupied >> 1,
    ):
        ends = before & ~beside
        twice |= number & ends
        number |= ends
        before = beside
    return twice


@compiled
def can_move(memory: Memory, movers: int, occupied: int) -> bool:
    """Return True if any of the stacks has a move."""
    sources = movers & ~surrounded(occupied)
    while sources:
        source = lowest(sources)
        sources &= sources - 1
        if DESTINATIONS[unsigned(height_of(memory, source) * POINT_SLOTS + source)] & occupied:
            return True
    return False


@compiled
def unlinked(occupied: int, red: int, witnesses: int) -> int:
    """Return the occupied points that are not linked to a red piece.

    The search ends early once it has reached all `witnesses`: stacks chosen so that if all of them
    are linked, every stack is.
    """
    reached = red
    while witnesses & ~reached:
        wider = spread(reached) & occupied
        if wider == reached:
            return occupied & ~reached
        reached = wider
    return 0


@compiled
def touching(points: int) -> bool:
    """Return True if a set of neighbors of a point is empty or a single run around it."""
    run = points & -points
    while True:
        wider = spread(run) & points
        if wider == run:
            return run == points
        run = wider


@compiled
def key(point: int, height: int, kind: int) -> int:
    """Return a stack's contribution to the hash."""
    return HASH_KEYS[unsigned((height * POINT_SLOTS + point) * HASH_KINDS + kind)]


@compiled
def lost_by(own: int, other: int, red: int, move: int) -> int:
    """Return the stacks that a move removes from the board."""
    source = move & POINT_MASK
    leaves = 1 << source
    occupied = (own | other | red) ^ leaves
    beside = NEIGHBORS[unsigned(source)] & occupied
    if red & leaves:
        red = (red ^ leaves) | (1 << (move >> POINT_BITS))
        return unlinked(occupied, red, beside)
    if touching(beside):
        return 0
    return unlinked(occupied, red, beside)


@compiled
def hash_after(
    memory: Memory, own: int, other: int, red: int, hashed: int, side: int, move: int
) -> int:
    """Return the hash after a move, not counting the stacks that it removes from the board."""
    source, target = move & POINT_MASK, move >> POINT_BITS
    moving, below = height_of(memory, source), height_of(memory, target)
    carried = ((red >> source) & 1) * HASH_RED
    met = ((red >> target) & 1) * HASH_RED
    hashed ^= HASH_KEYS[HASH_SIDE]
    hashed ^= key(source, moving, side + carried)
    hashed ^= key(target, moving + below, side + (carried | met))
    if (own >> target) & 1:
        return hashed ^ key(target, below, side + met)
    if (other >> target) & 1:
        return hashed ^ key(target, below, 1 - side + met)
    return hashed ^ key(target, below, HASH_LONE_RED)


@compiled
def make(
    memory: Memory,
    own: int,
    other: int,
    red: int,
    ones: int,
    twos: int,
    hashed: int,
    side: int,
    move: int,
) -> Sets:
    """Play a move of `side` (0 White, 1 Black), and return the sets as the opponent sees them.

    Only one height changes, which `unmake` restores. The caller still has the old sets.
    """
    hashed = hash_after(memory, own, other, red, hashed, side, move)
    lost = lost_by(own, other, red, move)
    return make_hashed(memory, own, other, red, ones, twos, hashed, side, move, lost)


@compiled
def make_hashed(
    memory: Memory,
    own: int,
    other: int,
    red: int,
    ones: int,
    twos: int,
    hashed: int,
    side: int,
    move: int,
    lost: int,
) -> Sets:
    """Play a move like `make`, given the results of `hash_after` and `lost_by`."""
    source = move & POINT_MASK
    target = move >> POINT_BITS
    leaves = 1 << source
    lands = 1 << target
    moving = height_of(memory, source)
    below = height_of(memory, target)
    height = moving + below
    memory[unsigned(HEIGHTS + target)] = height

    if red & leaves:
        red = (red ^ leaves) | lands
    own = (own ^ leaves) | lands
    other &= ~lands
    ones &= ~(leaves | lands)
    twos &= ~(leaves | lands)
    if height == 2:  # noqa: PLR2004 - `twos` have two pieces
        twos |= lands
    if lost:
        unlinked_stacks = lost
        while unlinked_stacks:
            point = lowest(unlinked_stacks)
            unlinked_stacks &= unlinked_stacks - 1
            # Stacks that are cut off contain no red piece.
            owner = side if (own >> point) & 1 else 1 - side
            hashed ^= key(point, height_of(memory, point), owner)
        own &= ~lost
        other &= ~lost
        ones &= ~lost
        twos &= ~lost
    return other, own, red, ones, twos, hashed


@compiled
def unmake(memory: Memory, move: int) -> None:
    """Undo the last move: restore the height at its target."""
    target = unsigned(HEIGHTS + (move >> POINT_BITS))
    memory[target] -= height_of(memory, move & POINT_MASK)


@compiled
def hash_of(memory: Memory, own: int, other: int, red: int, side: int) -> int:
    """Return a position's hash, computed from scratch."""
    hashed = HASH_KEYS[HASH_SIDE] if side else 0
    points = own | other | red
    while points:
        point = lowest(points)
        points &= points - 1
        bit = 1 << point
        kind = HASH_LONE_RED
        if (own | other) & bit:
            kind = (side if own & bit else 1 - side) + (HASH_RED if red & bit else 0)
        hashed ^= key(point, height_of(memory, point), kind)
    return hashed


@compiled
def margin(memory: Memory, own: int, other: int) -> int:
    """Return the number of pieces in own stacks minus the number in the opponent's."""
    pieces = 0
    points = own | other
    while points:
        point = lowest(points)
        points &= points - 1
        height = height_of(memory, point)
        pieces += height if (own >> point) & 1 else -height
    return pieces


@compiled
def perft(
    memory: Memory,
    own: int,
    other: int,
    red: int,
    ones: int,
    twos: int,
    hashed: int,
    side: int,
    depth: int,
    at: int,
) -> int:
    """Return the number of lines of exactly `depth` moves. Passes do not count as moves."""
    count = list_moves(memory, own, own | other | red, at)
    if count == 0:
        if not can_move(memory, other, own | other | red):
            return 0
        own, other, side = other, own, 1 - side
        hashed ^= HASH_KEYS[HASH_SIDE]
        count = list_moves(memory, own, own | other | red, at)
    if depth == 1:
        return count
    lines = 0
    for number in range(at, at + count):
        move = memory[number]
        after = make(memory, own, other, red, ones, twos, hashed, side, move)
        lines += perft(
            memory,
            after[0],
            after[1],
            after[2],
            after[3],
            after[4],
            after[5],
            1 - side,
            depth - 1,
            at + count,
        )
        unmake(memory, move)
    return lines
