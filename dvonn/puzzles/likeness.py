"""Positions that are one puzzle: the board turned or mirrored, the colours exchanged."""

from typing import Final

from dvonn.board import SYMMETRIES
from dvonn.pieces import Color
from dvonn.position import Position
from dvonn.position_text import position_to_text

_EXCHANGED: Final = str.maketrans("WB", "BW")


def alike(position: Position) -> tuple[Position, ...]:
    """Return all forms of a position of the movement phase, itself first."""
    turn = position.turn or Color.WHITE
    found: list[Position] = []
    for colour, letters in ((turn, {}), (turn.opponent, _EXCHANGED)):
        for symmetry in SYMMETRIES:
            turned = {
                symmetry[point]: pieces.translate(letters)
                for point, pieces in position.stacks.items()
            }
            found.append(Position.from_stacks(turned, turn=colour))
    return tuple(found)


def name_of(position: Position) -> str:
    """Return eight characters, one name for all positions that are alike."""
    from hashlib import sha256  # noqa: PLC0415 - it loads OpenSSL

    least = min(map(position_to_text, alike(position)))
    return sha256(least.encode("ascii")).hexdigest()[:8]
