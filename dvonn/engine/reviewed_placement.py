"""Review of the placement phase, which finds the costliest placements."""

from collections.abc import Callable, Sequence
from typing import Final

from dvonn import POINTS, Color, Estimate, Move, PlacementCost, PlacementReview, Position
from dvonn.engine.placement_worth import outlook, rough_estimate
from dvonn.engine.results import ReviewStoppedError

_SAMPLES: Final = 1000
"""Number of full boards to sample for the first estimate of a placement."""
_DOUBTED: Final = 6
"""Number of each player's costliest placements that are estimated a second time."""
_SAMPLES_AGAIN: Final = 8000
"""Number of full boards to sample for the second estimate."""
_MOST_COSTS: Final = 3
"""Maximum number of placements per player in the review."""
_LEAST_COST: Final = 0.02
"""Minimum loss of winning chance (0 to 1) of a placement in the review."""


def review_placement(
    positions: Sequence[Position],
    moves: Sequence[Move],
    *,
    chosen: int,
    full: Estimate | None,
    stopped: Callable[[], bool],
) -> PlacementReview | None:
    """Return a review of the placements that the players chose, or None if they chose none.

    Args:
        positions: Positions before each move of the game, and after the last.
        moves: All moves of the game.
        chosen: Number of placements, from the first, that the players chose.
        full: Value of the full board, or None if the placement was not finished.
        stopped: Returns True when the result is no longer needed.

    Raises:
        ReviewStoppedError: if `stopped` returned True.
    """
    chosen = min(chosen, len(moves), len(POINTS))
    if chosen < 1:
        return None

    def cost(number: int, samples: int) -> PlacementCost:
        if stopped():
            raise ReviewStoppedError
        return _placement_cost(positions[number], moves[number], number, samples)

    costliest, first = list[PlacementCost](), positions[0].plies
    for color in Color:
        plies = [n for n in range(chosen) if positions[n].turn is color]
        costs = sorted((cost(n, _SAMPLES) for n in plies), key=_costliest_first)
        # The largest of many estimates is biased upward, so the few that matter are estimated
        # again.
        better = [cost(placement.ply - 1 - first, _SAMPLES_AGAIN) for placement in costs[:_DOUBTED]]
        costly = [placement for placement in better if placement.loss >= _LEAST_COST]
        costliest += sorted(costly, key=_costliest_first)[:_MOST_COSTS]
    outcome = full or rough_estimate(positions[-1], samples=_SAMPLES_AGAIN)
    return PlacementReview(outcome=outcome, costs=tuple(sorted(costliest, key=_costliest_first)))


def _placement_cost(position: Position, move: Move, number: int, samples: int) -> PlacementCost:
    """Return the cost of the placement at index `number`."""
    worth = outlook(position, samples=samples, seed=number).points
    better = max(worth, key=worth.__getitem__)
    assert position.turn is not None  # placements have a player to move  # noqa: S101
    return PlacementCost(
        ply=position.plies + 1,
        color=position.turn,
        played=move.target,
        better=better,
        loss=worth[better] - worth[move.target],
    )


def _costliest_first(cost: PlacementCost) -> tuple[float, int]:
    return -cost.loss, cost.ply
