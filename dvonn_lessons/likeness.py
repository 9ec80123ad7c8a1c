"""Equivalence of puzzles: rotated or mirrored boards, and exchanged colors."""

from typing import Final

from dvonn._records.position_text import position_to_text
from dvonn._rules.pieces import Color
from dvonn._rules.position import Phase, Position
from dvonn.symmetries import images

_EXCHANGED: Final = str.maketrans("WB", "BW")


def equivalent_positions(position: Position) -> tuple[Position, ...]:
    """Return all equivalent forms of a position that is not over, beginning with itself.

    In the placement the colors are not exchanged, because White begins.
    """
    if position.phase is Phase.PLACEMENT:
        return images(position)
    stacks = {point: pieces.translate(_EXCHANGED) for point, pieces in position.stacks.items()}
    turn = (position.turn or Color.WHITE).opponent
    return images(position) + images(Position.from_stacks(stacks, turn=turn))


def name_of(position: Position) -> str:
    """Return an ID of eight characters that all equivalent positions share."""
    from hashlib import sha256  # noqa: PLC0415 - it loads OpenSSL

    least = min(map(position_to_text, equivalent_positions(position)))
    return sha256(least.encode("ascii")).hexdigest()[:8]
