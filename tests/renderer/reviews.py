"""Artificial reviews, made from numbers and a seed."""

import math
import random

from dvonn import (
    Color,
    Estimate,
    Grade,
    Move,
    PlacementCost,
    PlacementReview,
    PlyReview,
    Point,
    Review,
)
from renderer import Reel

EXACT = 7
"""Number of plies before the end at which everything is proven."""


def reviewed(reel: Reel, seed: int, *, exact: int = EXACT) -> Review:
    """Return a review of a game from the full board on, with the game's real result."""
    rng, count = random.Random(seed), len(reel.moves)
    final = reel.positions[-1]
    lead = final.score(Color.WHITE) - final.score(Color.BLACK)
    sure = 0.5 if not lead else 1.0 if lead > 0 else 0.0
    estimates, chance = [], 0.5
    for left in range(count, -1, -1):
        if left <= exact:
            estimates.append(_estimate(sure, lead, 0))
            continue
        jump = rng.choice((0.0, 0.0, 0.01, 0.02, 0.03, 0.06, 0.12, 0.2))
        chance = min(max(chance + rng.choice((-jump, jump)), 0.04), 0.96)
        estimates.append(_estimate(chance, 12 * (chance - 0.5), 1 + left / 4))
    first = reel.positions[0].plies
    plies = tuple(
        _ply(first + number, color.turn or Color.WHITE, move, *estimates[number - 1 : number + 1])
        for number, (color, move) in enumerate(
            zip(reel.positions, reel.moves, strict=False), start=1
        )
    )
    cost = PlacementCost(
        ply=20, color=Color.BLACK, played=Point("a1"), better=Point("c3"), loss=0.04
    )
    return Review(
        plies=plies,
        placement=PlacementReview(outcome=estimates[0], costs=(cost,)),
        accuracy=(83.0, 71.5),
        engine="0.1.0",
        nodes=100_000,
    )


def _estimate(chance: float, lead: float, spread: float) -> Estimate:
    low, high = math.floor(lead - spread), math.ceil(lead + spread)
    return Estimate(win_probability=chance, margin=(low, high), exact=not spread)


def _ply(number: int, color: Color, move: Move, before: Estimate, after: Estimate) -> PlyReview:
    loss = max(before.for_color(color) - after.for_color(color), 0.0)
    return PlyReview(
        ply=number,
        color=color,
        played=move,
        before=before,
        after=after,
        grade=Grade.from_loss(loss),
        best=(Move(source=move.target, target=move.source or move.target),) if loss >= 0.05 else (),
        answer=(Move(source=move.target, target=move.source or move.target),) * 3
        if loss >= 0.05
        else (),
    )
