"""The stacks that a position may have."""

from collections.abc import Mapping
from typing import Final

from dvonn.board import POINTS, Point
from dvonn.errors import PositionError, PositionProblem
from dvonn.pieces import PIECE_COUNTS

UNKNOWN_PIECE: Final = "?"
"""A piece inside a stack, of unknown color."""


def view_stack(owner: str, height: int, reds: int) -> str:
    """Return a stack that is known only from the outside, bottom to top.

    The red pieces are put at the bottom. No rule depends on the order inside a stack.
    """
    return "R" * reds + UNKNOWN_PIECE * (height - reds - 1) + owner


def with_assumed_pieces(stacks: Mapping[Point, str]) -> dict[Point, str]:
    """Return the stacks with a color for each unknown piece: the one with more pieces left.

    The same stacks always get the same colors. In a stack with an unknown piece, only the outside
    counts: no rule depends on the rest.
    """
    stacks = {
        point: view_stack(pieces[-1], len(pieces), pieces.count("R"))
        if UNKNOWN_PIECE in pieces
        else pieces
        for point, pieces in stacks.items()
    }
    everything = "".join(stacks.values())
    left = {piece: PIECE_COUNTS[piece] - everything.count(piece) for piece in ("W", "B")}
    assumed: dict[Point, str] = {}
    for point, pieces in stacks.items():
        told = ""
        for piece in pieces:
            color = max(left, key=lambda one: left[one]) if piece == UNKNOWN_PIECE else piece
            if piece == UNKNOWN_PIECE:
                left[color] -= 1
            told += color
        assumed[point] = told
    return assumed


def check_stacks(stacks: Mapping[str, str] | Mapping[Point, str]) -> None:
    """See that stacks stand on points, and have pieces that a game has.

    Raises:
        PositionError: if they do not.
    """
    if unknown := tuple(point for point in stacks if point not in POINTS):
        raise PositionError(PositionProblem.UNKNOWN_POINT, unknown)
    bad = tuple(
        point
        for point, pieces in stacks.items()
        if not pieces or set(pieces) - set(PIECE_COUNTS) or (pieces[-1] == "R" and pieces != "R")
    )
    if bad:
        raise PositionError(PositionProblem.BAD_STACK, bad)
    everything = "".join(stacks.values())
    if many := tuple(piece for piece, n in PIECE_COUNTS.items() if everything.count(piece) > n):
        raise PositionError(PositionProblem.TOO_MANY_PIECES, many)
