"""Moves packed into few characters, so that a button's id holds a whole line of play.

A move is two characters: where it comes from and where it goes, each one of 49 points, as one
number of two digits to the base 64. A placement comes from where it goes.
"""

import string
from collections.abc import Iterable
from typing import Final

from dvonn import POINTS, Move

_DIGITS: Final = string.ascii_uppercase + string.ascii_lowercase + string.digits + "-_"
_PER_MOVE: Final = 2


def pack(moves: Iterable[Move]) -> str:
    """Return moves as characters of an id: letters, digits, "-" and "_"."""
    return "".join(map(_packed, moves))


def unpack(text: str) -> tuple[Move, ...]:
    """Return the moves that `pack` has made a text of.

    Raises:
        ValueError: if it has not.
    """
    if len(text) % _PER_MOVE:
        raise ValueError(f"half a move: {text!r}")
    return tuple(_unpacked(text[at : at + _PER_MOVE]) for at in range(0, len(text), _PER_MOVE))


def _packed(move: Move) -> str:
    source = POINTS.index(move.source or move.target)
    high, low = divmod(source * len(POINTS) + POINTS.index(move.target), len(_DIGITS))
    return _DIGITS[high] + _DIGITS[low]


def _unpacked(two: str) -> Move:
    number = _DIGITS.index(two[0]) * len(_DIGITS) + _DIGITS.index(two[1])
    source, target = divmod(number, len(POINTS))
    if source >= len(POINTS):
        raise ValueError(f"no move: {two!r}")
    return Move(target=POINTS[target], source=None if source == target else POINTS[source])
