"""Parallel games whose moves are chosen in batches, for example by a neural network.

>>> from dvonn import Position
>>> from dvonn.simulation import at_random, simulate
>>> games = simulate([Position.initial()] * 3, at_random(seed=1))
>>> [game.position.phase for game in games]
[<Phase.OVER: 'over'>, <Phase.OVER: 'over'>, <Phase.OVER: 'over'>]
"""

import random
from collections.abc import Callable, Iterable, Sequence

from dvonn._rules.move import Move
from dvonn._rules.position import Position

Chooser = Callable[[Sequence[Position]], Sequence[Move]]
"""A function that returns a move for each position. None of the games is over."""


class SimulatedGame:
    """A game in progress.

    Attributes:
        position: Current position.
        moves: All moves played so far.
    """

    def __init__(self, position: Position) -> None:
        self.position = position
        self.moves: list[Move] = []


def simulate(
    starts: Iterable[Position], choose: Chooser, *, plies: int | None = None
) -> list[SimulatedGame]:
    """Play games to their ends, one ply of every game at a time.

    Args:
        starts: Start positions of the games.
        choose: Function that returns a move for each unfinished game.
        plies: Maximum number of plies in each game, or None to play all games to the end.

    Raises:
        IllegalMoveError: if a move is not legal.
        ValueError: if the number of moves differs from the number of positions.
    """
    games = [SimulatedGame(start) for start in starts]
    played = 0
    while played != plies and (running := [game for game in games if game.position.turn]):
        moves = choose([game.position for game in running])
        for game, move in zip(running, moves, strict=True):
            game.position = game.position.play(move)
            game.moves.append(move)
        played += 1
    return games


def at_random(seed: int) -> Chooser:
    """Return a chooser that plays random legal moves. The same seed gives the same games."""
    rng = random.Random(seed)  # noqa: S311 - no secrets

    def choose(positions: Sequence[Position]) -> list[Move]:
        return [rng.choice(position.legal_moves()) for position in positions]

    return choose
