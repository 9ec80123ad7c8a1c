"""Validation of stacks, and construction of stacks with unknown pieces."""

from collections.abc import Mapping
from typing import Final

from dvonn._rules.board import POINTS, Point
from dvonn._rules.errors import PositionError, PositionProblem
from dvonn._rules.pieces import PIECE_COUNTS

UNKNOWN_PIECE: Final = "?"
"""A piece of unknown color inside a stack."""


def view_stack(owner: str, height: int, reds: int) -> str:
    """Return a stack of which only the owner, the height and the red pieces are known.

    Red pieces are at the bottom. The other inner pieces are `UNKNOWN_PIECE`.
    """
    return "R" * reds + UNKNOWN_PIECE * (height - reds - 1) + owner


def with_assumed_pieces(stacks: Mapping[Point, str]) -> dict[Point, str]:
    """Return the stacks with an assumed color for each unknown piece.

    The assumed color is the one with more pieces left. The same stacks always get the same colors.
    The order inside these stacks is assumed too, because no rule depends on it.
    """
    stacks = {
        point: view_stack(pieces[-1], len(pieces), pieces.count("R"))
        if UNKNOWN_PIECE in pieces
        else pieces
        for point, pieces in stacks.items()
    }
    everything = "".join(stacks.values())
    stock = {piece: PIECE_COUNTS[piece] - everything.count(piece) for piece in ("W", "B")}
    assumed: dict[Point, str] = {}
    for point, pieces in stacks.items():
        stack_text = ""
        for piece in pieces:
            color = max(stock, key=stock.__getitem__) if piece == UNKNOWN_PIECE else piece
            if piece == UNKNOWN_PIECE:
                stock[color] -= 1
            stack_text += color
        assumed[point] = stack_text
    return assumed


def check_stacks(stacks: Mapping[str, str] | Mapping[Point, str]) -> None:
    """Check that all stacks are on points, and that they don't have more pieces than a game.

    Raises:
        PositionError: if the check fails.
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
