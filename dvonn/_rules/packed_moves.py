"""A compact encoding of moves as text, with one character for each move.

>>> from dvonn import Position, parse_moves
>>> packed(Position.initial(), parse_moves("d2, c3, f5"))
'CKf'

A move's index among the legal moves is a digit in base 64 (0 to 9, A to Z, a to z, "-", "_"). "_"
adds 63 to the following digit, which few positions need.
"""

from collections.abc import Iterable
from typing import Final

from dvonn._rules.move import Move
from dvonn._rules.position import Position

_DIGITS: Final = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz-_"
_MORE: Final = len(_DIGITS) - 1


def packed(position: Position, moves: Iterable[Move]) -> str:
    """Encode the moves that follow a position as text.

    Raises:
        IllegalMoveError, ValueError: if one of the moves is not legal.
    """
    digits = ""
    for move in moves:
        overflow, number = divmod(position.legal_moves().index(move), _MORE)
        digits += _DIGITS[_MORE] * overflow + _DIGITS[number]
        position = position.play(move)
    return digits


class PackedMoves:
    """A sequential parser of packed moves.

    Args:
        text: Output of `packed`, possibly with other characters in between.

    Attributes:
        at: Number of characters read so far.
    """

    def __init__(self, text: str) -> None:
        self.at = 0
        self._text = text

    @property
    def has_more(self) -> bool:
        """True if the end of the text has not been reached."""
        return self.at < len(self._text)

    def take(self, sign: str) -> bool:
        """Read the next character if it is `sign`. Return True if it was."""
        is_next = self._text.startswith(sign, self.at)
        self.at += is_next
        return is_next

    def number(self, digits: int) -> int:
        """Read a decimal number with a fixed number of digits.

        Raises:
            ValueError: if there is no such number.
        """
        self.at += digits
        return int(self._text[self.at - digits : self.at])

    def move(self, position: Position) -> Move:
        """Read the next move.

        Raises:
            ValueError: if the next character isn't a digit.
            IndexError: if the position has no such move.
        """
        overflow = 0
        while self.take(_DIGITS[_MORE]):
            overflow += _MORE
        digit = self._text[self.at : self.at + 1] or "end"
        move = position.legal_moves()[overflow + _DIGITS.index(digit)]
        self.at += 1
        return move

    def line(self, position: Position) -> list[tuple[Position, Move]]:
        """Read all remaining moves, and return each with the position before it."""
        steps: list[tuple[Position, Move]] = []
        while position.turn is not None:
            steps.append((position, self.move(position)))
            position = position.play(steps[-1][1])
        return steps
