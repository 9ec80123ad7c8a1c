"""Positions that are the same puzzle: the board turned or mirrored, the colours exchanged."""

from collections.abc import Callable
from hashlib import sha256
from typing import Final

from dvonn.board import Point, column_row, point_at
from dvonn.pieces import Color
from dvonn.position import Position
from dvonn.position_text import position_to_text

_EXCHANGED: Final = str.maketrans("WB", "BW")
_SYMMETRIES: Final[tuple[Callable[[int, int], Point | None], ...]] = (
    point_at,
    lambda column, row: point_at(10 - column, 4 - row),
    lambda column, row: point_at(8 + row - column, row),
    lambda column, row: point_at(2 - row + column, 4 - row),
)


def alike(position: Position) -> tuple[Position, ...]:
    """A position of the movement phase in all the ways in which it is the same, itself first."""
    turn = position.turn or Color.WHITE
    stacks = {column_row(point): pieces for point, pieces in position.stacks.items()}
    found = []
    for colour, letters in ((turn, {}), (turn.opponent, _EXCHANGED)):
        for symmetry in _SYMMETRIES:
            turned = {
                point: pieces.translate(letters)
                for grid, pieces in stacks.items()
                if (point := symmetry(*grid)) is not None
            }
            found.append(Position.from_stacks(turned, turn=colour))
    return tuple(found)


def name_of(position: Position) -> str:
    """Eight characters, the same for positions that are alike."""
    least = min(map(position_to_text, alike(position)))
    return sha256(least.encode("ascii")).hexdigest()[:8]
