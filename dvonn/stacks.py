"""The stacks that a position may have."""

from collections.abc import Mapping

from dvonn.board import POINTS, Point
from dvonn.errors import PositionError, PositionProblem
from dvonn.pieces import PIECE_COUNTS


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
