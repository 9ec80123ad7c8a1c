"""The value of every first move, by simple search with `dvonn.Position`.

It checks `dvonn.puzzles`, and uses neither that package nor `dvonn.engine`.
"""

from dvonn import Color, Move, Position


class GaveUpError(Exception):
    """The search would have to examine too many positions."""


def lead(position: Position, color: Color) -> int:
    return position.score(color) - position.score(color.opponent)


def moves_that_reach(position: Position, goal: int, *, limit: int = 1_000_000) -> list[Move]:
    """Return the moves with which the player to move reaches a margin, whatever the replies.

    Raises:
        GaveUpError: if the search would have to examine more than `limit` positions.
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
            seen[here] = (
                wanted if any(reaches(child) is wanted for child in children) else not wanted
            )
        return seen[here]

    return [move for move in position.legal_moves() if reaches(position.play(move))]
