"""Moves and positions in the text formats of the CodeCup competition, which DVONN programs share.

A placement is `A1`, a movement `A1B2`, and a forced pass `PASS`. A position of the movement phase
is one line of 50 characters, as PrimaDvonna writes it: `C` or `D` if White or Black is to move,
then the 49 points in row order, each a base-62 digit: 0 if empty, 1 for a single red piece,
otherwise 4 x height + 2 x (1 if it contains red) + (1 if Black owns it) - 2.
"""

from typing import Final

from dvonn._rules.board import POINTS
from dvonn._rules.errors import DvonnError
from dvonn._rules.move import Move
from dvonn._rules.pieces import PIECE_COUNTS, Color
from dvonn._rules.position import Phase, Position
from dvonn.arrays import cells

PASS: Final = "PASS"  # noqa: S105 - a word of the game
START: Final = "Start"
QUIT: Final = "Quit"

_DIGITS: Final = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
_TO_MOVE: Final = {Color.WHITE: "C", Color.BLACK: "D"}
_TALLEST: Final = 15


def move_text(move: Move) -> str:
    """Return `A1` or `A1B2`, which `dvonn.parse_move` can parse."""
    return f"{move.source or ''}{move.target}".upper()


def state_text(position: Position) -> str:
    """Return a position as 50 characters.

    Raises:
        DvonnError: if it is not in the movement phase, or a stack has more than 15 pieces.
    """
    if position.phase is not Phase.MOVEMENT or position.turn is None:
        raise DvonnError(f"not a movement-phase state: {position!r}")
    for point, pieces in position.stacks.items():
        if len(pieces) > _TALLEST:
            raise DvonnError(f"a stack of {len(pieces)} on {point} is too tall for a state")
    return _TO_MOVE[position.turn] + "".join(_DIGITS[cell] for cell in cells(position))


def position_from_state(text: str) -> Position:
    """Parse a position from 50 characters.

    The text does not contain the inner pieces of stacks, so possible ones are assumed. No rule
    depends on them.

    Raises:
        DvonnError: if it is not a position of the movement phase, or the side to move can't move.
    """
    turn = next((color for color, letter in _TO_MOVE.items() if text.startswith(letter)), None)
    if turn is None or len(text) != len(POINTS) + 1 or set(text) - set(_DIGITS):
        raise DvonnError(f"not a movement-phase state: {text!r}")
    numbers = {point: _DIGITS.index(digit) for point, digit in zip(POINTS, text[1:], strict=True)}
    stock = dict(PIECE_COUNTS)
    stacks = {point: _top(number) for point, number in numbers.items() if number}
    for pieces in stacks.values():
        for piece in pieces:
            stock[piece] -= 1
    filled = {
        point: _filled(pieces, (numbers[point] + 2) // 4, stock) for point, pieces in stacks.items()
    }
    position = Position.from_stacks(filled, turn=turn)
    if position.turn is not turn:
        raise DvonnError(f"the side to move has no move: {text!r}")
    return position


def _top(number: int) -> str:
    """Return the pieces of a stack that a digit determines: a red piece, if any, and the top."""
    if number == 1:
        return "R"
    red, black = divmod((number + 2) % 4, 2)
    return red * "R" + ("B" if black else "W")


def _filled(pieces: str, height: int, stock: dict[str, int]) -> str:
    """Return a stack of a given height, taking unknown pieces from `stock`."""
    below = ""
    while len(pieces) + len(below) < height:
        kinds = "RWB" if "R" in pieces else "WB"
        piece = next((piece for piece in kinds if stock[piece] > 0), "W")
        stock[piece] -= 1
        below += piece
    return below + pieces
