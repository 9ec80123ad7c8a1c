"""Solve the end of a game by trying every move with `dvonn.Position`."""

from functools import cache

from dvonn import Color, Position

FEW = 200
"""Maximum number of positions for brute force."""


class TooManyError(Exception):
    """There are too many positions for brute force."""


def brute_force(position: Position) -> int:
    """Return White's margin after best play.

    Raises:
        TooManyError: if more than FEW positions can be reached.
    """
    seen = 0

    @cache
    def margin(here: Position) -> int:
        nonlocal seen
        seen += 1
        if seen > FEW:
            raise TooManyError
        if here.turn is None:
            return here.score(Color.WHITE) - here.score(Color.BLACK)
        margins = [margin(here.play(move)) for move in here.legal_moves()]
        return max(margins) if here.turn is Color.WHITE else min(margins)

    return margin(position)
