"""A Zobrist hash of positions that is the same on every machine and in every version.

>>> from dvonn import Position
>>> from dvonn.hashing import position_hash
>>> f"{position_hash(Position.initial()):016x}"
'f7fb9aa0aecb647f'

The algorithm will never change, so hashes can be stored in files.

The hash is the XOR of a key for each piece on the board and a key for the player to move and the
phase. The key of a number n is `mix(n + 1)`.
The number of a piece is 147 x the index of its point in `POINTS` + 3 x the number of pieces below
it + 0, 1 or 2 for red, white or black. "W place" is 7203, "B place" 7204, "W move" 7205, "B move"
7206 and "over" 7207.
"""

from functools import lru_cache
from typing import Final

from dvonn._rules.board import POINTS, Point
from dvonn._rules.pieces import PIECE_COUNTS, Color
from dvonn._rules.position import Phase, Position

_WORD: Final = (1 << 64) - 1
_GAMMA: Final = 0x9E3779B97F4A7C15
_PIECES: Final = "RWB"
_PER_POINT: Final = len(_PIECES) * sum(PIECE_COUNTS.values())
_FIRST_TURN: Final = _PER_POINT * len(POINTS)


def mix(number: int) -> int:
    """Return the n-th number, counted from 1, of SplitMix64 with seed 0."""
    mixed = number * _GAMMA & _WORD
    mixed = (mixed ^ mixed >> 30) * 0xBF58476D1CE4E5B9 & _WORD
    mixed = (mixed ^ mixed >> 27) * 0x94D049BB133111EB & _WORD
    return mixed ^ mixed >> 31


def position_hash(position: Position) -> int:
    """Return the hash of a position, from 0 to 2**64 - 1."""
    key = mix(_FIRST_TURN + _turn(position) + 1)
    for point, pieces in position.stacks.items():
        key ^= _stack(point, pieces)
    return key


def _turn(position: Position) -> int:
    if position.phase is Phase.OVER:
        return 4
    return 2 * (position.phase is Phase.MOVEMENT) + (position.turn is Color.BLACK)


@lru_cache(1 << 16)
def _stack(point: Point, pieces: str) -> int:
    key = 0
    for height, piece in enumerate(pieces):
        number = _PER_POINT * POINTS.index(point) + len(_PIECES) * height + _PIECES.index(piece)
        key ^= mix(number + 1)
    return key
