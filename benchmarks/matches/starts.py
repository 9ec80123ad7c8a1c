"""Boards for the start of a game. Each is made from a number, so it can be repeated."""

import random
from collections.abc import Callable, Iterable

from dvonn import Move, Position, balanced_start
from dvonn.even_boards import even_seeds, even_start


def _played(moves: Iterable[Move]) -> Position:
    position = Position.initial()
    for move in moves:
        position = position.play(move)
    return position


def _random_board(seed: int) -> Position:
    rng = random.Random(seed)
    position = Position.initial()
    while position.to_place is not None:
        position = position.play(rng.choice(position.legal_moves()))
    return position


STARTS: dict[str, Callable[[int], Position]] = {
    "own": lambda _: Position.initial(),
    "random": _random_board,
    "balanced": lambda seed: _played(balanced_start(seed)),
    "even": lambda number: _played(even_start(even_seeds()[number % len(even_seeds())])),
}
"""Starts by name: an empty board for the programs to fill, and three kinds of full boards."""
