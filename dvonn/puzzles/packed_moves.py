"""Moves as text, one character each: its place among the legal moves."""

from collections.abc import Sequence
from typing import Final

from dvonn.move import Move
from dvonn.position import Position

DIGITS: Final = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz-_"
"""No puzzle has a position with more moves."""
UNTOLD: Final = "."
"""A position that `Solver` is quick enough for."""
RIGHT: Final = "+"
WRONG: Final = "!"


def written(position: Position, line: Sequence[Move]) -> str:
    """Return a line as text.

    Raises:
        IllegalMoveError, ValueError: if one of the moves is not legal.
        IndexError: if a position has too many.
    """
    digits = ""
    for move in line:
        digits += DIGITS[position.legal_moves().index(move)]
        position = position.play(move)
    return digits


class LineReader:
    """Reads lines one after the other from a text.

    Args:
        text: what `written` wrote, each line to the end of the game.
    """

    def __init__(self, text: str) -> None:
        self._text = text
        self._at = 0

    @property
    def left(self) -> bool:
        """True if there is more to read."""
        return self._at < len(self._text)

    def sign(self) -> str:
        self._at += 1
        return self._text[self._at - 1]

    def move(self, position: Position) -> Move | None:
        """Return the next move, if it is told."""
        digit = self.sign()
        return None if digit == UNTOLD else position.legal_moves()[DIGITS.index(digit)]

    def line(self, position: Position) -> list[tuple[Position, Move]]:
        """The moves from a position to the end of the game, each with the position before it."""
        steps: list[tuple[Position, Move]] = []
        while position.turn is not None:
            move = position.legal_moves()[DIGITS.index(self.sign())]
            steps.append((position, move))
            position = position.play(move)
        return steps
