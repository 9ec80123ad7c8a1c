"""A simple reference player, greedy and with a shallow search.

It must never change, so that results against it remain comparable over the years.

- Placement: red pieces go as far from each other as possible. Each other piece goes as near as
  possible to a red piece. A point at the edge counts as one step nearer, because a single piece can
  always move there.
- Movement: it maximizes its lead in pieces after `depth` plies of plain alpha-beta search. A won or
  lost game outweighs everything else.
- Ties are broken at random, from the seed.
"""

import random
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Final

from dvonn._rules.board import neighbours, steps_between
from dvonn._rules.move import Move
from dvonn._rules.pieces import Color
from dvonn._rules.position import Phase, Position
from dvonn.engine.uci import MOST_SEED, UciInfo, UciLimits, UciOption

DEFAULT_DEPTH: Final = 2

_WON: Final = 1000
"""A value higher than any count of pieces."""

_INSIDE: Final = 6
"""Number of neighbors of a point that is not on the edge."""


class _StoppedError(Exception):
    """Raised when `stop` ends the search."""


class Baseline:
    """The baseline player.

    Args:
        depth: Number of plies to look ahead in the movement phase, 1 or more.
        seed: Seed of its random choices.
    """

    def __init__(self, *, depth: int = DEFAULT_DEPTH, seed: int = 0) -> None:
        self._depth = depth
        self._rng = random.Random(seed)  # noqa: S311 - no secret depends on it
        self._stopping = False

    def choose(self, position: Position, seconds: float | None = None) -> Move:  # noqa: ARG002 - always quick
        """Return the best move, chosen at random among equals.

        Args:
            position: An unfinished position.
            seconds: Ignored.
        """
        self._stopping = False
        moves = list(position.legal_moves())
        self._rng.shuffle(moves)
        if position.phase is Phase.PLACEMENT:
            return max(moves, key=lambda move: _placement_value(position, move))
        best, value = moves[0], -2 * _WON
        with suppress(_StoppedError):
            for move in moves:
                reply_value = self._value_after(position, move, self._depth - 1, value, 2 * _WON)
                if reply_value > value:
                    best, value = move, reply_value
        return best

    def stop(self) -> None:
        """End the running search, which returns the best move so far. May be called repeatedly."""
        self._stopping = True

    def _value_after(
        self, position: Position, move: Move, depth: int, alpha: int, beta: int
    ) -> int:
        child = position.play(move)
        if child.turn is position.turn:  # the opponent had to pass
            return self._value(child, depth, alpha, beta)
        if child.turn is None:
            lead = _lead(child, position.turn or Color.WHITE)
            return lead + _WON * ((lead > 0) - (lead < 0))
        return -self._value(child, depth, -beta, -alpha)

    def _value(self, position: Position, depth: int, alpha: int, beta: int) -> int:
        """Return a position's value for the player to move."""
        if self._stopping:
            raise _StoppedError
        if depth == 0:
            return _lead(position, position.turn or Color.WHITE)
        best = -2 * _WON
        for move in position.legal_moves():
            reply_value = self._value_after(position, move, depth - 1, max(alpha, best), beta)
            best = max(best, reply_value)
            if best >= beta:
                break
        return best


class PlainThinker:
    """Adapts the baseline player to the protocol of `dvonn.engine.uci`.

    It supports only the limits depth and time.
    """

    name = "dvonn baseline"
    options: Mapping[str, UciOption] = {"Seed": UciOption(default=0, least=0, most=MOST_SEED)}

    def __init__(self) -> None:
        self._seed = 0
        self.new_game()

    def set(self, name: str, value: int) -> None:  # noqa: ARG002 - it has one option
        self._seed = value
        self.new_game()

    def new_game(self) -> None:
        self._rng = random.Random(self._seed)  # noqa: S311 - no secrets
        self._player = Baseline()

    def think(
        self, position: Position, limits: UciLimits, report: Callable[[UciInfo], None]
    ) -> Move:
        depth = limits.depth or DEFAULT_DEPTH
        self._player = Baseline(depth=depth, seed=self._rng.getrandbits(31))
        move = self._player.choose(position)
        report(UciInfo(depth=depth, moves=(str(move),)))
        return move

    def stop(self) -> None:
        self._player.stop()


def _placement_value(position: Position, move: Move) -> int:
    reds = [point for point, pieces in position.stacks.items() if pieces == "R"]
    nearest = min((steps_between(move.target, red) for red in reds), default=0)
    if position.to_place == "R":
        return nearest
    return (len(neighbours(move.target)) < _INSIDE) - nearest


def _lead(position: Position, color: Color) -> int:
    return position.score(color) - position.score(color.opponent)
