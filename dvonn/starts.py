"""Random boards and random completions of a placement, by the rules of docs/starts.md.

>>> from dvonn import Position, balanced_start, fairness
>>> position = Position.initial()
>>> for move in balanced_start(seed=2001):
...     position = position.play(move)
>>> fairness(position).is_balanced
True

A seed (any integer) gives the same board forever, on every machine and Python version. Any change
to the results, however small, requires a new function.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache, lru_cache
from itertools import chain, combinations, count
from math import comb
from struct import Struct
from typing import Final, TypeVar

from dvonn._rules.bitboard import INDEX, POINT_AT_INDEX, SIZE, indices, surrounded
from dvonn._rules.board import POINTS, Point, column_row, neighbours, opposite, steps_between
from dvonn._rules.frozen import Value
from dvonn._rules.move import Move
from dvonn._rules.pieces import PIECE_COUNTS, Color
from dvonn._rules.position import Phase, Position

LARGEST_LEAD: Final = 1
"""Maximum difference in pieces between the colors under the balance rules."""

WHITE_FARTHER: Final = range(2, 5)
"""Allowed values of `Fairness.farther`, the distance by which White is farther from the reds.

If neither color is nearer, White scores 63% in self-play games. In this range, White scores 50%.
"""

RED_DISTANCE: Final = 3
"""Minimum number of steps between two red pieces. With 3, no piece can be adjacent to two of them.
"""

_STEPS: Final = 2000
"""Number of exchanges in a search. A few hundred find a fair board, and the rest vary it."""

_MOST_STEPS: Final = 4000
"""Maximum number of exchanges in a search while the board still breaks a rule."""

_ALL_WAYS: Final = comb(14, 7)
"""Maximum number of combinations to try exhaustively. Larger numbers are searched."""

_Item = TypeVar("_Item")

_Excess = Callable[[int], tuple[int, ...]]
"""A function from a set of white points to the excess over each color rule."""

_IsFair = Callable[[int], bool]
"""A function from a set of white points to True if no color rule is broken."""

_Rings = tuple[int, ...]
"""Item n is the set of points at least n + 1 steps from the nearest red piece."""


class Fairness(Value, kw_only=True):
    """Measures of a board's fairness, which a balanced start keeps within bounds.

    A lead is the number of White's pieces minus the number of Black's. A stack counts as one piece
    of its owner.

    Attributes:
        enclosed: Points, in row order, of pieces that are surrounded only by their own color.
        beside_reds: Lead among pieces adjacent to a red one.
        edge: Lead on the 24 points of the edge.
        left: Lead on the 23 points left of e1, f3 and g5, which divide the board as it is drawn.
        right: Lead on the 23 points right of them.
        bottom: Lead on the 19 points of rows 1 and 2.
        top: Lead on the 19 points of rows 4 and 5.
        farther: Sum of the steps from each of White's pieces to the nearest single red piece, minus
            the sum for Black's. None if there is no single red piece.
        red_distance: Steps between the two closest single red pieces, in any direction. None if
            there are fewer than two.
    """

    enclosed: tuple[Point, ...]
    beside_reds: int
    edge: int
    left: int
    right: int
    bottom: int
    top: int
    farther: int | None
    red_distance: int | None

    @property
    def is_balanced(self) -> bool:
        """True if the position satisfies all rules of a balanced start."""
        leads = (self.beside_reds, self.edge, self.left, self.right, self.bottom, self.top)
        return (
            not self.enclosed
            and all(abs(lead) <= LARGEST_LEAD for lead in leads)
            and (self.farther is None or self.farther in WHITE_FARTHER)
            and (self.red_distance is None or self.red_distance >= RED_DISTANCE)
        )


def fairness(position: Position) -> Fairness:
    """Return the fairness measures of a position, whether or not its board is full."""
    white, black = _colors(position)
    reds = _reds(position)
    distances = [steps_between(point, other) for point, other in combinations(reds, 2)]
    return Fairness(
        enclosed=tuple(
            POINT_AT_INDEX[index] for index in indices(_enclosed(white) | _enclosed(black))
        ),
        beside_reds=_lead(white, black, _adjacent(reds)),
        edge=_lead(white, black, _EDGE),
        left=_lead(white, black, _LEFT),
        right=_lead(white, black, _RIGHT),
        bottom=_lead(white, black, _BOTTOM),
        top=_lead(white, black, _TOP),
        farther=steps_farther(white, black, rings_around(reds)) if reds else None,
        red_distance=min(distances, default=None),
    )


def balanced_start(seed: int) -> tuple[Move, ...]:
    """Return the 49 placements of a random board that follows the rules of a balanced start.

    They are in the order of play, with the pieces of each color in row order. For about one seed in
    a few thousand, the search ends too early and the board slightly breaks a rule. Then
    `Fairness.is_balanced` is False. Use another seed.

    >>> board = Position.initial().after(*balanced_start(seed=7))
    >>> len(board.stacks), board.phase
    (49, <Phase.MOVEMENT: 'movement'>)
    """
    return finish_placement(Position.initial(), seed)


def symmetric_start(seed: int) -> tuple[Move, ...]:
    """Return the 49 placements of a random board that swaps colors when rotated by 180 degrees.

    A red piece is on f3, the other two are opposite each other and at least `RED_DISTANCE` from it,
    and each white piece is opposite a black one. The placements are in the same order as from
    `balanced_start`.
    """
    dice = Dice(f"symmetric {seed:x}")
    half = list(POINTS[: POINTS.index(_CENTER)])
    red = dice.choice([point for point in half if point in _far(_CENTER)])
    half.remove(red)
    whites = [dice.choice((point, opposite(point))) for point in half]
    return placements_of(Position.initial(), (red, _CENTER, opposite(red)), mask_of(whites))


def finish_placement(position: Position, seed: int) -> tuple[Move, ...]:
    """Return random placements that complete a board, as close to a balanced start as possible.

    New red pieces are placed far enough from all others. If not all color rules can hold, they are
    relaxed in this order, each by as few pieces as possible: the top and bottom halves, the left
    and right halves, the edge, pieces beside reds, White farther from reds, enclosed pieces. With
    at most 14 empty points, the result is optimal. With more, it is the best result of a bounded
    search.

    Args:
        position: The position. The order of its placements does not matter.
        seed: Any integer.

    Returns:
        The moves to play in order, or none if the placement is over. The pieces of each color are
            in row order.
    """
    if position.phase is not Phase.PLACEMENT:
        return ()
    dice = Dice(f"balanced {seed:x}")
    placed = _reds(position)
    added = dice.choice(red_placements(placed))
    white, black = _colors(position)
    empty = [point for point in POINTS if point not in position.stacks and point not in added]
    free, rings = mask_of(empty), rings_around((*placed, *added))

    def excess(chosen: int) -> tuple[int, ...]:
        return _excess(white | chosen, black | free ^ chosen, rings)

    def is_fair(chosen: int) -> bool:
        return _is_fair(white | chosen, black | free ^ chosen, rings)

    missing = PIECE_COUNTS["W"] - white.bit_count()
    bits = [1 << INDEX[point] for point in empty]
    whites = _choose(dice, bits, missing, excess, is_fair)
    return placements_of(position, added, whites)


_WORDS: Final = Struct(">4Q").unpack


class Dice:
    """A random generator that is the same on every machine: SHA-256 of a name and 0, 1, 2, ..."""

    def __init__(self, name: str) -> None:
        from hashlib import sha256  # noqa: PLC0415 - it loads OpenSSL

        texts = (f"dvonn {name} {number}".encode() for number in count())
        words: Iterator[int] = chain.from_iterable(_WORDS(sha256(text).digest()) for text in texts)
        self._word = words.__next__

    def number_below(self, end: int) -> int:
        """Return a number from 0 to end - 1, uniform up to 2**-50 for small `end`."""
        return self._word() % end

    def choice(self, items: Sequence[_Item]) -> _Item:
        return items[self.number_below(len(items))]

    def shuffled(self, items: Iterable[_Item]) -> list[_Item]:
        order = list(items)
        for last in range(len(order) - 1, 0, -1):
            other = self.number_below(last + 1)
            order[last], order[other] = order[other], order[last]
        return order


def mask_of(points: Iterable[Point]) -> int:
    return sum(1 << INDEX[point] for point in points)


_CENTER: Final = POINTS[len(POINTS) // 2]
_MIDDLE_COLUMN, _MIDDLE_ROW = column_row(_CENTER)


def _side(point: Point) -> int:
    """Return a point's horizontal distance from the center in half-steps, positive to the right."""
    column, row = column_row(point)
    return 2 * (column - _MIDDLE_COLUMN) - (row - _MIDDLE_ROW)


_EDGE: Final = mask_of(point for point in POINTS if len(neighbours(point)) < 6)  # noqa: PLR2004 - inside a point has six
_LEFT: Final = mask_of(point for point in POINTS if _side(point) < 0)
_RIGHT: Final = mask_of(point for point in POINTS if _side(point) > 0)
_BOTTOM: Final = mask_of(point for point in POINTS if column_row(point)[1] < _MIDDLE_ROW)
_TOP: Final = mask_of(point for point in POINTS if column_row(point)[1] > _MIDDLE_ROW)

# `_enclosed` treats points off the board as a piece's own color. There are no bits below row 0, so
# the board is shifted up by the largest difference between the bit indices of neighbors.
_SHIFT: Final = INDEX[Point("b2")] - INDEX[Point("a1")]
_OFF_BOARD: Final = (1 << _SHIFT + SIZE + _SHIFT) - 1 ^ mask_of(POINTS) << _SHIFT


def _enclosed(bits: int) -> int:
    """Return the points of one color that have only neighbors of that color."""
    return surrounded(bits << _SHIFT | _OFF_BOARD) >> _SHIFT & bits


def _lead(white: int, black: int, region: int) -> int:
    return (white & region).bit_count() - (black & region).bit_count()


def steps_farther(white: int, black: int, rings: _Rings) -> int:
    """Return the total steps from White's pieces to the nearest reds, minus the total for Black."""
    steps = 0
    for ring in rings:
        steps += (white & ring).bit_count() - (black & ring).bit_count()
    return steps


def _excess(white: int, black: int, rings: _Rings) -> tuple[int, ...]:
    """Return the excess of a full board over each color rule.

    The rule to relax last comes first.
    """
    farther = steps_farther(white, black, rings)
    return (
        (_enclosed(white) | _enclosed(black)).bit_count(),
        max(0, WHITE_FARTHER[0] - farther, farther - WHITE_FARTHER[-1]),
        _excess_lead(white, black, rings[0] & ~rings[1]),
        _excess_lead(white, black, _EDGE),
        _excess_lead(white, black, _LEFT) + _excess_lead(white, black, _RIGHT),
        _excess_lead(white, black, _BOTTOM) + _excess_lead(white, black, _TOP),
    )


def _is_fair(white: int, black: int, rings: _Rings) -> bool:
    """Return True if a full board breaks no color rule.

    Equivalent to `_excess` being all zeros, but faster, because a search calls it thousands of
    times.
    """
    # Most exchanges that break a rule unbalance a half of the board or the edge, so test these
    # first.
    for region in (_BOTTOM, _TOP, _LEFT, _RIGHT, _EDGE, rings[0] & ~rings[1]):
        lead = (white & region).bit_count() - (black & region).bit_count()
        if not -LARGEST_LEAD <= lead <= LARGEST_LEAD:
            return False
    if steps_farther(white, black, rings) not in WHITE_FARTHER:
        return False
    return not (_enclosed(white) or _enclosed(black))


def _excess_lead(white: int, black: int, region: int) -> int:
    lead = (white & region).bit_count() - (black & region).bit_count()
    return max(0, abs(lead) - LARGEST_LEAD)


def _colors(position: Position) -> tuple[int, int]:
    """Return the points of White's and Black's stacks as bit sets."""
    white, black = (
        mask_of(point for point in position.stacks if position.owner(point) is color)
        for color in Color
    )
    return white, black


def _reds(position: Position) -> tuple[Point, ...]:
    return tuple(point for point, pieces in position.stacks.items() if pieces == "R")


def _adjacent(reds: Iterable[Point]) -> int:
    """Return the points adjacent to a red piece."""
    return mask_of({beside for red in reds for beside in neighbours(red)})


def rings_around(reds: Sequence[Point]) -> _Rings:
    """Return sets of points by distance from the nearest red: at least 1 step, at least 2, ..."""
    nearest = {point: min(steps_between(point, red) for red in reds) for point in POINTS}
    return tuple(
        mask_of(point for point, steps in nearest.items() if steps >= least)
        for least in range(1, max(nearest.values()) + 1)
    )


@cache
def _far(source: Point) -> frozenset[Point]:
    """Return the points far enough from a red piece for another one."""
    return frozenset(p for p in POINTS if steps_between(source, p) >= RED_DISTANCE)


@lru_cache(maxsize=64)
def red_placements(placed: tuple[Point, ...]) -> tuple[tuple[Point, ...], ...]:
    """Return all ways to place the missing red pieces. In any position, there is at least one."""
    free = [point for point in POINTS if all(point in _far(red) for red in placed)]
    ways = combinations(free, PIECE_COUNTS["R"] - len(placed))
    return tuple(way for way in ways if all(b in _far(a) for a, b in combinations(way, 2)))


def _choose(dice: Dice, bits: Sequence[int], number: int, excess: _Excess, is_fair: _IsFair) -> int:
    """Return a set of `number` bits with the least excess."""
    if comb(len(bits), number) > _ALL_WAYS:
        return search(dice, bits, number, excess, is_fair)
    ways = {sum(way): excess(sum(way)) for way in combinations(bits, number)}
    least = min(ways.values())
    return dice.choice([way for way, exceeds in ways.items() if exceeds == least])


def search(dice: Dice, bits: Sequence[int], number: int, excess: _Excess, is_fair: _IsFair) -> int:
    """Return a set of `number` bits with little excess, found by exchanges.

    One or two bits of a random set are exchanged at a time, unless that increases the excess.
    """
    order = dice.shuffled(bits)
    chosen, rest = sum(order[:number]), len(bits) - number
    below = dice.number_below
    least = excess(chosen)
    fair = not any(least)
    for step in range(_MOST_STEPS):
        if step >= _STEPS and fair:
            break
        pairs = [(below(number), number + below(rest)) for _ in range(1 + below(2))]
        changed = chosen
        for inside, outside in pairs:
            changed ^= order[inside] | order[outside]
            order[inside], order[outside] = order[outside], order[inside]
        if fair:
            allowed = is_fair(changed)
        elif allowed := (exceeds := excess(changed)) <= least:
            least, fair = exceeds, not any(exceeds)
        if allowed:
            chosen = changed
            continue
        for inside, outside in reversed(pairs):
            order[inside], order[outside] = order[outside], order[inside]
    return chosen


def placements_of(position: Position, reds: Sequence[Point], whites: int) -> tuple[Move, ...]:
    """Return the moves that complete a placement with the given red and white points."""
    free = [point for point in POINTS if point not in position.stacks and point not in reds]
    waiting = {
        "R": iter(reds),
        "W": iter([point for point in free if whites >> INDEX[point] & 1]),
        "B": iter([point for point in free if not whites >> INDEX[point] & 1]),
    }
    moves: list[Move] = []
    while (piece := position.to_place) is not None:
        moves.append(Move(target=next(waiting[piece])))
        position = position.play(moves[-1])
    return tuple(moves)
