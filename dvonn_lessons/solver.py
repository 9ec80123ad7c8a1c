"""An exact endgame solver on the plain rules: alpha-beta to the last move, without estimates.

It needs no engine, and is meant for positions with a few moves left: 100 positions take a few
milliseconds.
"""

from typing import Final

from dvonn._rules.move import Move
from dvonn._rules.pieces import Color
from dvonn._rules.position import Position

_MOST: Final = 50
"""A bound larger than any margin."""


class Solver:
    """Computes a player's margin after best play by both sides, and remembers the results.

    Args:
        color: The player. The margin is their pieces minus the opponent's.
    """

    def __init__(self, color: Color) -> None:
        self._color = color
        self._bounds: dict[Position, tuple[int, int]] = {}

    def margin(self, position: Position, low: int = -_MOST, high: int = _MOST) -> int:
        """Return the player's margin after best play.

        A result of at most `low` or at least `high` is only a bound.

        The position must not be in the placement phase.
        """
        if position.turn is None:
            return lead(position, self._color)
        floor, ceiling = self._bounds.get(position, (-_MOST, _MOST))
        if floor >= high or floor == ceiling:
            return floor
        if ceiling <= low:
            return ceiling
        low, high = max(low, floor), min(high, ceiling)
        margin = self._search(position, low, high)
        self._bounds[position] = (
            margin if margin > low else floor,
            margin if margin < high else ceiling,
        )
        return margin

    def reaches(self, position: Position, goal: int) -> bool:
        """Return True if the player can reach a margin against any defense."""
        return self.margin(position, goal - 1, goal) >= goal

    def exact(self, position: Position, guess: int) -> int:
        """Return the player's exact margin after best play.

        A close guess makes the search faster.
        """
        floor, ceiling = -_MOST, _MOST
        while floor < ceiling:
            high = max(guess, floor + 1)
            guess = self.margin(position, high - 1, high)
            if guess < high:
                ceiling = guess
            else:
                floor = guess
        return guess

    def best(self, position: Position, guess: int) -> Move:
        """Return the first of the best moves of the player to move. See `exact`."""
        margin = self.exact(position, guess)
        return next(
            move
            for move in position.legal_moves()
            if self.margin(position.play(move), margin - 1, margin + 1) == margin
        )

    def _search(self, position: Position, low: int, high: int) -> int:
        after = [position.play(move) for move in position.legal_moves()]
        after.sort(key=lambda child: lead(child, self._color), reverse=position.turn is self._color)
        if position.turn is self._color:
            best = -_MOST
            for child in after:
                best = max(best, self.margin(child, max(low, best), high))
                if best >= high:
                    break
            return best
        best = _MOST
        for child in after:
            best = min(best, self.margin(child, low, min(high, best)))
            if best <= low:
                break
        return best


def lead(position: Position, color: Color) -> int:
    """Return a player's number of pieces minus the opponent's."""
    return position.score(color) - position.score(color.opponent)
