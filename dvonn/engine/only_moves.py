"""Detection of played moves that were the only good ones."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Final

from dvonn import Color, Grade, Move, Phase, PlyReview, Position
from dvonn.engine.estimates import finished, win_probability
from dvonn.engine.results import ReviewStoppedError
from dvonn.engine.searcher import Searcher

_LEAST_GAP: Final = 0.15
"""Minimum winning chance (0 to 1) that every other move would have lost."""
_OPEN: Final = 0.1
"""Minimum winning chance of each player at which the game is undecided."""
_HALF: Final = 0.5
"""The chance of a draw."""
_LEAST_CHOICES: Final = 3
_SHARE: Final = 3
"""Divisor of a ply's nodes for the first search of all other moves."""
_CLOSER: Final = 3
"""Number of seemingly best moves that are searched again, each with a ply's full nodes."""


def with_gaps(
    plies: Sequence[PlyReview],
    positions: Sequence[Position],
    *,
    nodes: int,
    stopped: Callable[[], bool],
) -> tuple[PlyReview, ...]:
    """Return the plies, with `gap` filled in for each player's best only move.

    The gap is the winning chance that the second-best move would have lost.

    Args:
        plies: All plies of the movement phase.
        positions: Positions before each of them.
        nodes: Number of positions to search for a ply.
        stopped: Returns True when the result is no longer needed.

    Raises:
        ReviewStoppedError: if `stopped` returned True.
    """
    searcher, gaps = Searcher(), dict[int, float]()

    def chances(number: int, moves: Sequence[Move], budget: int) -> dict[Move, float]:
        if stopped():
            raise ReviewStoppedError
        position = positions[number]
        values = {
            move: _chance(searcher, position.play(move), plies[number].color, budget)
            for move in moves
        }
        return dict(sorted(values.items(), key=lambda item: -item[1]))

    for color in Color:
        seeming = []
        for number, review in enumerate(plies):
            rest = [move for move in positions[number].legal_moves() if move != review.played]
            if review.color is color and _is_open(review) and len(rest) + 1 >= _LEAST_CHOICES:
                best = chances(number, rest, max(nodes // _SHARE // len(rest), 1))
                gap = review.after.for_color(color) - next(iter(best.values()))
                seeming.append((gap, number, [*best][:_CLOSER]))
        if not seeming or max(seeming)[0] < _LEAST_GAP:
            continue
        _, number, closest = max(seeming)
        best = chances(number, closest, nodes)
        gaps[number] = plies[number].after.for_color(color) - next(iter(best.values()))
    return tuple(
        replace(review, gap=gaps[number]) if gaps.get(number, 0) >= _LEAST_GAP else review
        for number, review in enumerate(plies)
    )


def _is_open(ply: PlyReview) -> bool:
    """Return True if a move was good in an undecided game, or kept a proven win or draw."""
    chance = ply.before.for_color(ply.color)
    open_yet = chance >= _HALF if ply.before.exact else _OPEN <= chance <= 1 - _OPEN
    return ply.grade is Grade.GOOD and open_yet


def _chance(searcher: Searcher, position: Position, color: Color, nodes: int) -> float:
    if position.phase is Phase.OVER:
        return win_probability(finished(position, color), 1)
    value = searcher.search(position, nodes=nodes).value
    return win_probability(value if position.turn is color else -value, len(position.stacks))
