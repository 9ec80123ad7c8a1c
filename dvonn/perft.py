"""Perft: counts of all lines of play to a depth, for comparing move generators.

>>> from dvonn import Position
>>> from dvonn.perft import perft
>>> [perft(Position.initial(), depth) for depth in (0, 1, 2)]
[1, 49, 2352]

A line of a given depth has exactly that many placements and movements. Passes do not count as
moves, and a line that ends earlier is not counted.
"""

from dvonn._rules.errors import DvonnError
from dvonn._rules.move import Move
from dvonn._rules.position import Position


def perft(position: Position, depth: int) -> int:
    """Count the lines of exactly `depth` plies.

    Raises:
        DvonnError: if the depth is negative.
    """
    if depth < 0:
        raise DvonnError(f"no depth: {depth}")
    if depth == 0:
        return 1
    moves = position.legal_moves()
    if depth == 1:
        return len(moves)
    return sum(perft(position.play(move), depth - 1) for move in moves)


def divide(position: Position, depth: int) -> dict[Move, int]:
    """Count the lines that begin with each legal move, to find where two programs differ.

    Raises:
        DvonnError: if the depth is less than 1.
    """
    return {move: perft(position.play(move), depth - 1) for move in position.legal_moves()}
