"""Facts about lines of play and about stacks that follow from the rules.

After the placement, an empty point is never filled again, because a stack may only land on another.
A stack of height n moves exactly n steps. If no stack is n steps away, it can never move again
unless another stack lands on it.
"""

from collections import Counter
from collections.abc import Sequence

from dvonn._rules.board import DIRECTIONS, Point, column_row, point_at
from dvonn._rules.move import Move
from dvonn._rules.pieces import Color
from dvonn._rules.position import Position


def positions(position: Position, line: Sequence[Move]) -> tuple[Position, ...]:
    """Return the position and the positions after each move of a line.

    Raises:
        IllegalMoveError: if one of the moves is illegal.
    """
    path = [position]
    for move in line:
        path.append(path[-1].play(move))
    return tuple(path)


def is_too_high(position: Position, point: Point) -> bool:
    """Return True if an owned stack has no stack to land on, whether or not it is surrounded.

    This stays true until a stack lands on it.
    """
    return position.owner(point) is not None and not is_within_reach(position, point)


def is_within_reach(position: Position, point: Point) -> bool:
    """Return True if this stack has another stack to land on, whether or not it is surrounded."""
    height = position.height(point)
    column, row = column_row(point)
    ends = (point_at(column + across * height, row + up * height) for across, up in DIRECTIONS)
    return any(end is not None and position.height(end) for end in ends)


def moves_left(position: Position, line: Sequence[Move], player: Color) -> int:
    """Count the player's legal moves after a line, if it is their turn."""
    return moves_by_stack(positions(position, line)[-1], player).total()


def moves_by_stack(position: Position, player: Color) -> Counter[Point]:
    """Count the moves of each of the player's movable stacks, as if it were their turn."""
    turned = Position.from_stacks(position.stacks, turn=player)
    moves = turned.legal_moves() if turned.turn is player else ()
    return Counter(move.source for move in moves if move.source is not None)
