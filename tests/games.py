"""Random whole games, for tests that need real positions."""

import random
from functools import cache

from dvonn import Move, Position
from dvonn.even_boards import even_start


def random_game(seed: int) -> list[Move]:
    """Return the placements and moves of a complete game. The same seed gives the same game."""
    return list(_random_game(seed))


@cache
def _random_game(seed: int) -> tuple[Move, ...]:
    return tuple(played_out(Position.initial(), seed))


@cache
def drawn(seed: int) -> Position:
    """Return the balanced board of a seed."""
    position = Position.initial()
    for placement in even_start(seed):
        position = position.play(placement)
    return position


def played_out(position: Position, seed: int) -> list[Move]:
    """Return random moves from a position to the end. The same seed gives the same moves."""
    rng = random.Random(seed)
    moves = []
    while legal := position.legal_moves():
        moves.append(rng.choice(legal))
        position = position.play(moves[-1])
    return moves


def positions_of(moves: list[Move]) -> list[Position]:
    """Return the positions of a game: the initial one, then the one after each ply."""
    positions = [Position.initial()]
    for move in moves:
        positions.append(positions[-1].play(move))
    return positions
