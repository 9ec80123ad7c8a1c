"""Moves as numbers from 0 to 342, for machine learning and tables.

>>> from dvonn import Position, parse_move
>>> from dvonn.actions import action_of, move_of
>>> action_of(parse_move("b1")), action_of(parse_move("a1-c1"))
(1, 49)
>>> move_of(1, Position.initial())
Move(target='b1')

A placement is the number of its point in `POINTS`: 0 to 48. A movement is 49 + 6 x the number of
its source + the index of its direction in `DIRECTIONS`. The distance is the stack's height, so
decoding a movement requires the position. A pass has no number, because passes are automatic.
"""

from typing import Final

from dvonn._rules.board import DIRECTIONS, POINTS, column_row, distance, point_at
from dvonn._rules.errors import DvonnError
from dvonn._rules.move import Move
from dvonn._rules.position import Position

ACTIONS: Final = len(POINTS) * (1 + len(DIRECTIONS))
"""The number of actions: 343."""

_NUMBERS: Final = {point: number for number, point in enumerate(POINTS)}
_DIRECTIONS: Final = {step: number for number, step in enumerate(DIRECTIONS)}


def action_of(move: Move) -> int:
    """Return the number of a move.

    Raises:
        DvonnError: if its source and target are not on a straight line.
    """
    if move.source is None:
        return _NUMBERS[move.target]
    steps = distance(move.source, move.target)
    if not steps:
        raise DvonnError(f"no straight line: {move}")
    (column, row), (to_column, to_row) = column_row(move.source), column_row(move.target)
    direction = _DIRECTIONS[(to_column - column) // steps, (to_row - row) // steps]
    return len(POINTS) + len(DIRECTIONS) * _NUMBERS[move.source] + direction


def move_of(action: int, position: Position) -> Move:
    """Return the move with a given number. The move need not be legal.

    Raises:
        DvonnError: if there is no such number, or if the move starts on an empty point or leaves
            the board.
    """
    if not 0 <= action < ACTIONS:
        raise DvonnError(f"no action: {action}")
    if action < len(POINTS):
        return Move(target=POINTS[action])
    number, direction = divmod(action - len(POINTS), len(DIRECTIONS))
    source, (across, up) = POINTS[number], DIRECTIONS[direction]
    height, (column, row) = position.height(source), column_row(source)
    target = point_at(column + across * height, row + up * height)
    if not height or target is None:
        raise DvonnError(f"action {action} is illegal in {position!r}")
    return Move(target=target, source=source)


def legal_actions(position: Position) -> list[int]:
    """Return the numbers of the legal moves, in the order of `legal_moves`."""
    return [_action(move) for move in position.legal_moves()]


def action_mask(position: Position) -> bytearray:
    """Return one byte for each of the `ACTIONS`: 1 if the action is legal now, otherwise 0."""
    mask = bytearray(ACTIONS)
    for action in legal_actions(position):
        mask[action] = 1
    return mask


_KNOWN: Final[dict[Move, int]] = {}


def _action(move: Move) -> int:
    """Compute the number of a move, and cache it."""
    action = _KNOWN.get(move)
    if action is None:
        action = _KNOWN[move] = action_of(move)
    return action
