"""Where to place: not searched yet, near the red pieces."""

import random

from dvonn import Move, Position
from dvonn.board import POINTS, Point, column_row


def steps_between(one: Point, other: Point) -> int:
    """How many steps to a neighbour lead from one point to another."""
    (column, row), (other_column, other_row) = column_row(one), column_row(other)
    across, up = other_column - column, other_row - row
    return max(abs(across), abs(up), abs(across - up))


def choose_placement(position: Position, rng: random.Random) -> Move:
    """The placement to play."""
    legal = list(position.legal_moves())
    rng.shuffle(legal)
    reds = [point for point, pieces in position.stacks.items() if pieces == "R"]
    if position.to_place == "R":
        centre = (Point("c3"), Point("i3"), Point("f3"))[len(reds)]
        return min(legal, key=lambda move: steps_between(move.target, centre))
    return min(legal, key=lambda move: sum(steps_between(move.target, red) for red in reds))


_ = POINTS
