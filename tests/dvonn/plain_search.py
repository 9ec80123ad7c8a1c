"""The value of every first move, by plain search over `dvonn.Position`, for `dvonn.puzzles`.

Nothing of `dvonn.engine` or `dvonn.puzzles` is used: it is to say on its own that they are right.
"""

from dvonn import Color, Move, Position


class GaveUpError(Exception):
    """It would have taken too many positions."""


def lead(position: Position, color: Color) -> int:
    return position.score(color) - position.score(color.opponent)


def moves_that_reach(position: Position, goal: int, *, limit: int = 1_000_000) -> list[Move]:
    """The moves after which the player to move ends with such a margin at least, if they can.

    Raises:
        GaveUpError: if more than `limit` positions would have to be looked at.
    """
    color, seen = position.turn, dict[Position, bool]()
    assert color is not None

    def reaches(here: Position) -> bool:
        if here.turn is None:
            return lead(here, color) >= goal
        if here not in seen:
            if len(seen) >= limit:
                raise GaveUpError
            wanted = here.turn is color
            children = [here.play(move) for move in here.legal_moves()]
            children.sort(key=lambda one: lead(one, here.turn or color), reverse=True)
            seen[here] = wanted if any(reaches(one) is wanted for one in children) else not wanted
        return seen[here]

    return [move for move in position.legal_moves() if reaches(position.play(move))]
