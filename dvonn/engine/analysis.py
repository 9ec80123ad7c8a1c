"""What a position is worth: several lines of play, as odds and as pieces.

The best move comes from an ordinary search; every other first move is then searched on its own with
an equal share of the nodes, on the same table, so that most of it is known already.
"""

import math
from typing import Final

from dvonn import Color, Move, Phase, Position
from dvonn.engine.layout import WIN
from dvonn.engine.results import Analysis, Line
from dvonn.engine.searcher import Searcher

_BEST_SHARE: Final = 2
"""One part in so many of the nodes goes to the best move."""

POINTS_PER_LOGIT: Final = 100
"""As the weights are fitted."""

_MARGIN_MOST: Final = 22.0
_MARGIN_SCALE: Final = 260.0
"""How the estimate becomes pieces: measured on games of the engine with itself, see
docs/engine.md."""


_Value = tuple[int, bool]
"""In points for the player to move, and whether that is proven."""


def analyse(position: Position, *, nodes: int, lines: int) -> Analysis:
    """See `dvonn.engine.analyse`."""
    mover = position.turn
    if position.phase is not Phase.MOVEMENT or mover is None:
        raise ValueError(f"only positions of the movement phase are analysed: {position!r}")
    searcher = Searcher()
    found = searcher.search(position, nodes=max(nodes // _BEST_SHARE, 1))
    looked_at = found.nodes
    told = [_line(searcher, position, found.move, (found.value, found.exact))]
    others = [move for move in position.legal_moves() if move is not found.move]
    if lines > 1 and others:
        share = max(nodes // _BEST_SHARE // len(others), 1)
        values: dict[Move, _Value] = {}
        for move in others:
            after = position.play(move)
            if after.phase is Phase.OVER:
                values[move] = _finished(after, mover), True
                continue
            answer = searcher.search(after, nodes=share)
            looked_at += answer.nodes
            value = answer.value if after.turn is mover else -answer.value
            # The search of all moves preferred the first; a shallower look knows no better.
            values[move] = min(value, found.value), answer.exact
        others.sort(key=lambda move: values[move], reverse=True)
        told += [_line(searcher, position, move, values[move]) for move in others[: lines - 1]]
    return Analysis(lines=tuple(told), nodes=looked_at)


def _finished(position: Position, player: Color) -> int:
    """What a finished game is worth to a player."""
    margin = position.score(player) - position.score(player.opponent)
    return margin + WIN * ((margin > 0) - (margin < 0))


def _line(searcher: Searcher, position: Position, first: Move, value: _Value) -> Line:
    points, exact = value
    return Line(
        moves=_moves(searcher, position, first),
        win_probability=win_probability(points),
        margin=expected_margin(points),
        exact=exact,
    )


def win_probability(points: int) -> float:
    """The odds that a value in points stands for, as a probability."""
    if abs(points) >= WIN:
        return float(points > 0)
    return 1 / (1 + math.exp(-points / POINTS_PER_LOGIT))


def expected_margin(points: int) -> float:
    """The pieces that a value in points comes to at the end; those of a proven win are proven."""
    if abs(points) >= WIN:
        return float(points - math.copysign(WIN, points))
    return _MARGIN_MOST * math.tanh(points / _MARGIN_SCALE)


def _moves(searcher: Searcher, position: Position, first: Move) -> tuple[Move, ...]:
    """The first move and what the table knows to follow."""
    moves = [first]
    position = position.play(first)
    while position.phase is not Phase.OVER:
        entry = searcher.known(position)
        if entry is None or entry not in position.legal_moves():
            break
        moves.append(entry)
        position = position.play(entry)
    return tuple(moves)
