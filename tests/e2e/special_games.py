"""Random games in which something rare happens."""

import random
from collections.abc import Callable
from itertools import count

from dvonn import POINTS, Color, Move, Phase, Position, neighbours
from tests.games import positions_of, random_game

_ALL_SIDES = 6


def first_game(has: Callable[[list[Move]], object]) -> list[Move]:
    """Return the random game with the lowest seed that fulfills a condition."""
    return next(moves for moves in map(random_game, count()) if has(moves))


def is_draw(moves: list[Move]) -> bool:
    """Return True if a game ends in a tie."""
    return positions_of(moves)[-1].winner is None


def white_passes_at_the_start() -> list[Move]:
    """Return a game in which White can't make the first move, because all white pieces are
    enclosed."""
    rng = random.Random(1)
    inside = [point for point in POINTS if len(neighbours(point)) == _ALL_SIDES]
    edge = [point for point in POINTS if point not in inside]
    position, moves = Position.initial(), []
    while legal := position.legal_moves():
        if position.phase is Phase.PLACEMENT:
            wanted = inside if position.to_place == "W" else edge
            legal = tuple(move for move in legal if move.target in wanted) or legal
        moves.append(rng.choice(legal))
        position = position.play(moves[-1])
    assert positions_of(moves)[49].passed == (Color.WHITE,)
    return moves
