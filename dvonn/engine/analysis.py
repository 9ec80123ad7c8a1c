"""Analysis of a position: the best lines of play with winning chances and margins.

The best move comes from an ordinary search. Each other first move is then searched separately with
an equal share of the nodes, on the same hash table, so that much of the work is already done.
"""

from typing import Final

from dvonn import POINTS, Move, Phase, Position
from dvonn._rules.errors import DvonnError
from dvonn.engine.estimates import expected_margin, finished, points_of, win_probability
from dvonn.engine.placement_worth import outlook
from dvonn.engine.player import FULL_SAMPLES
from dvonn.engine.results import Analysis, Line
from dvonn.engine.searcher import Searcher

_BEST_SHARE: Final = 2
"""The search for the best move gets 1 / _BEST_SHARE of the nodes and the time."""
_LEAST_CHANCE: Final = 0.001
"""Minimum chance in the placement phase. The maximum is 1 minus this."""

_Value = tuple[int, bool]
"""A value in points for the player to move, and whether it is proven."""


def analyse(
    position: Position, *, nodes: int, lines: int, seconds: float | None = None
) -> Analysis:
    """Implement `dvonn.engine.analyse`."""
    mover = position.turn
    if mover is None:
        raise DvonnError(f"the game is over: {position!r}")
    if position.phase is Phase.PLACEMENT:
        return _placement(position, samples=min(nodes, FULL_SAMPLES), lines=lines)
    searcher = Searcher()
    time_share = None if seconds is None else seconds / _BEST_SHARE
    result = searcher.search(position, nodes=max(nodes // _BEST_SHARE, 1), seconds=time_share)
    searched = result.nodes
    ranked = [_line(searcher, position, result.move, (result.value, result.exact))]
    rest = [move for move in position.legal_moves() if move is not result.move]
    if lines > 1 and rest:
        share = max(nodes // _BEST_SHARE // len(rest), 1)
        time = None if time_share is None else time_share / len(rest)
        values: dict[Move, _Value] = {}
        for move in rest:
            after = position.play(move)
            if after.phase is Phase.OVER:
                values[move] = finished(after, mover), True
                continue
            answer = searcher.search(after, nodes=share, seconds=time)
            searched += answer.nodes
            value = answer.value if after.turn is mover else -answer.value
            # These searches are shallower, so their values must not exceed the best move's.
            values[move] = min(value, result.value), answer.exact
        rest.sort(key=lambda move: values[move], reverse=True)
        ranked += [_line(searcher, position, move, values[move]) for move in rest[: lines - 1]]
    return Analysis(lines=tuple(ranked), nodes=searched)


def _placement(position: Position, *, samples: int, lines: int) -> Analysis:
    """Return the best placements, each as a line of one move."""
    chances = outlook(position, samples=samples)
    best = sorted(chances.points, key=chances.points.__getitem__, reverse=True)
    ranked = []
    for point in best[: max(lines, 1)]:
        chance = min(max(chances.chance + chances.points[point], _LEAST_CHANCE), 1 - _LEAST_CHANCE)
        margin = expected_margin(points_of(chance, len(POINTS)))
        move = (Move(target=point),)
        ranked.append(Line(moves=move, win_probability=chance, margin=margin, exact=False))
    return Analysis(lines=tuple(ranked), nodes=samples)


def _line(searcher: Searcher, position: Position, first: Move, value: _Value) -> Line:
    points, exact = value
    return Line(
        moves=line_from(searcher, position, first),
        win_probability=win_probability(points, len(position.stacks)),
        margin=expected_margin(points),
        exact=exact,
    )


def line_from(searcher: Searcher, position: Position, first: Move) -> tuple[Move, ...]:
    """Return the line that begins with `first` and continues with the hash table's best moves."""
    moves = [first]
    position = position.play(first)
    while position.phase is not Phase.OVER:
        entry = searcher.known_move(position)
        if entry is None or entry not in position.legal_moves():
            break
        moves.append(entry)
        position = position.play(entry)
    return tuple(moves)
