"""Conversion of positions and moves between `dvonn` and the memory of a search."""

from dataclasses import dataclass
from typing import Final

from dvonn import Color, Move, Position
from dvonn._rules.bitboard import INDEX, POINT_AT_INDEX
from dvonn._rules.errors import DvonnError
from dvonn.engine.memory import HEIGHTS, POINT_BITS, POINT_MASK
from dvonn.engine.moves import Memory, Sets, hash_of

WHITE: Final = 0
BLACK: Final = 1


@dataclass(frozen=True, slots=True)
class State:
    """A movement-phase position, except for the heights, which are in the memory.

    Attributes:
        sets: Sets of points from the mover's point of view, and the hash.
        side: Player to move, 0 for White or 1 for Black.
        stacks: Number of stacks.
    """

    sets: Sets
    side: int
    stacks: int


def load(position: Position, memory: Memory) -> State:
    """Write the heights of a position's stacks into memory, and return the rest of the position.

    A game that is over is loaded with White to move.
    """
    side = BLACK if position.turn is Color.BLACK else WHITE
    sets = {Color.WHITE: 0, Color.BLACK: 0}
    red = ones = twos = 0
    for point, pieces in position.stacks.items():
        index = INDEX[point]
        bit = 1 << index
        memory[HEIGHTS + index] = len(pieces)
        ones |= bit if len(pieces) == 1 else 0
        twos |= bit if len(pieces) == 2 else 0  # noqa: PLR2004 - `twos` have two pieces
        red |= bit if "R" in pieces else 0
        if pieces != "R":
            sets[Color(pieces[-1])] |= bit
    own, other = sets[Color.WHITE], sets[Color.BLACK]
    if side == BLACK:
        own, other = other, own
    hashed = int(hash_of(memory, own, other, red, side))
    return State((own, other, red, ones, twos, hashed), side, len(position.stacks))


def to_move(number: int) -> Move:
    """Return the movement with a search's move number."""
    return Move(
        source=POINT_AT_INDEX[number & POINT_MASK], target=POINT_AT_INDEX[number >> POINT_BITS]
    )


def to_number(move: Move) -> int:
    """Return the number of a movement.

    Raises:
        DvonnError: for a placement.
    """
    if move.source is None:
        raise DvonnError(f"a placement has no number: {move}")
    return INDEX[move.source] | INDEX[move.target] << POINT_BITS
