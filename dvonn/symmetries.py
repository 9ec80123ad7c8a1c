"""Rotations and mirror images of positions and moves.

>>> from dvonn import Position
>>> from dvonn.symmetries import images
>>> [next(iter(image.stacks)) for image in images(Position.initial().after("a1"))]
['a1', 'k5', 'i1', 'c5']

The rules stay the same if the board is rotated by half a turn, mirrored left to right, or mirrored
top to bottom. Swapping colors is not a symmetry, because White begins.
"""

from collections.abc import Mapping

from dvonn._records.position_text import placed, position_to_text
from dvonn._rules.board import SYMMETRIES, Point
from dvonn._rules.move import Move
from dvonn._rules.pieces import Color
from dvonn._rules.position import Phase, Position


def image_of_move(move: Move, symmetry: Mapping[Point, Point]) -> Move:
    """Return the image of a move under a symmetry."""
    source = None if move.source is None else symmetry[move.source]
    return Move(target=symmetry[move.target], source=source)


def image_of(position: Position, symmetry: Mapping[Point, Point]) -> Position:
    """Return the image of a position under a symmetry, without its history."""
    stacks = {symmetry[point]: pieces for point, pieces in position.stacks.items()}
    if position.phase is Phase.PLACEMENT:
        return placed(stacks)[1]
    # If the game is over, neither player can move, so any turn gives the same position.
    return Position.from_stacks(stacks, turn=position.turn or Color.WHITE)


def images(position: Position) -> tuple[Position, ...]:
    """Return the four forms of a position, the position itself first. Some may be equal."""
    return tuple(image_of(position, symmetry) for symmetry in SYMMETRIES)


def canonical(position: Position) -> Position:
    """Return the equivalent position whose text sorts first."""
    return min(images(position), key=position_to_text)
