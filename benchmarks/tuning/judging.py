"""Judgements of positions that cannot be proven: by long searches, and by many full boards."""

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import combinations
from statistics import mean, stdev
from typing import Final

from dvonn import Color, Move, Phase, Point, Position
from dvonn.bitboard import POINT_AT_INDEX
from dvonn.engine.estimates import win_probability
from dvonn.engine.memory import (
    AGE,
    HEIGHTS,
    HISTORY,
    INFINITE,
    KILLERS,
    MOVES,
    NODE_LIMIT,
    NODES,
    STOP,
    STOPPED,
    WIN,
)
from dvonn.engine.moves import Memory
from dvonn.engine.search import search
from dvonn.engine.searcher import Searcher
from dvonn.engine.state import State, load
from dvonn.solver import lead

_HEIGHTS: Final = slice(HEIGHTS, HEIGHTS + max(POINT_AT_INDEX) + 1)


@dataclass(frozen=True, slots=True)
class Judged:
    """The two best moves of a position, and their player's chances with them.

    Attributes:
        best: the best move.
        chance: the chance to win with it, 0 to 1.
        second: the best of all others.
        beside: the chance with that; no other move has more.
        nodes: how many positions were looked at.
    """

    best: Move
    chance: float
    second: Move
    beside: float
    nodes: int

    def keeps(self, least: float, gap: float) -> bool:
        """Tell if the best move alone keeps the lead."""
        return self.chance >= least and self.beside < min(0.5, self.chance - gap)


def two_best(searcher: Searcher, position: Position, nodes: int, depth: int = 60) -> Judged:
    """Return the two best moves, both looked at equally deep, in one search of all moves.

    Args:
        searcher: whose table is used; what it knows from before is used, too.
        position: of the movement phase, with two moves or more.
        nodes: how many positions to look at, at most; 1,000 or more.
        depth: how many moves to look ahead, at most.
    """
    memory = searcher.memory
    memory[NODES], memory[NODE_LIMIT], memory[STOP] = 0, nodes, 0
    memory[AGE] = (memory[AGE] + 1) % 256
    memory[HISTORY:MOVES] >>= 3
    memory[KILLERS:HISTORY] = 0
    after = {move: position.play(move) for move in position.legal_moves()}
    moves, kept = list(after), list[tuple[int, Move]]()

    loaded: dict[Move, tuple[State, Memory]] = {}

    def value(move: Move, ahead: int, low: int, high: int) -> int:
        """Return the value of a move, a bound of it outside the window, or STOPPED."""
        then = after[move]
        if then.turn is None:
            pieces = lead(then, position.turn or Color.WHITE)
            return pieces + WIN * ((pieces > 0) - (pieces < 0))
        goes_on = then.turn is position.turn
        window = (low, high) if goes_on else (-high, -low)
        if move not in loaded:
            loaded[move] = load(then, memory), memory[_HEIGHTS].copy()
        state, memory[_HEIGHTS] = loaded[move]
        found = int(search(memory, *state.sets, state.side, ahead - 1, 0, *window))
        return found if goes_on or found == STOPPED else -found

    def two(ahead: int) -> list[tuple[int, Move]]:
        """Return the best two with their values; fewer if that took too long."""
        best: list[tuple[int, Move]] = []
        for move in moves:
            least = best[1][0] if len(best) > 1 else -INFINITE
            found = value(move, ahead, least, least + 1) if best[1:] else least + 1
            if STOPPED != found > least:
                found = value(move, ahead, least, INFINITE)
            if found == STOPPED:
                return []
            best = sorted([*best, (found, move)], key=lambda one: -one[0])[:2]
        return best

    for ahead in range(1, min(depth, len(position.stacks)) + 1):
        found = two(ahead)
        if not found:
            break
        kept = found
        best_first = [move for _, move in kept]
        moves = best_first + [move for move in moves if move not in best_first]
    (best, first), (beside, second) = kept
    stacks = len(position.stacks)
    return Judged(
        best=first,
        chance=win_probability(best, stacks),
        second=second,
        beside=win_probability(beside, stacks),
        nodes=int(memory[NODES]),
    )


def full_boards(
    searcher: Searcher, position: Position, nodes: int
) -> dict[frozenset[Point], float]:
    """Return the chance of the player to place on each full board, by the points they get.

    Args:
        searcher: whose table is used.
        position: in the placement, with all red pieces placed.
        nodes: how many positions to look at for each board.
    """
    free = sorted(move.target for move in position.legal_moves())
    found = {}
    for mine in combinations(free, (len(free) + 1) // 2):
        left = {True: list(mine), False: [point for point in free if point not in mine]}
        full = position
        while full.phase is Phase.PLACEMENT:
            full = full.play(Move(target=left[full.turn is position.turn].pop()))
        value = searcher.search(full, nodes=nodes).value
        chance = win_probability(value, len(full.stacks))
        found[frozenset(mine)] = chance if full.turn is position.turn else 1 - chance
    return found


def means(boards: Mapping[frozenset[Point], float]) -> dict[Point, float]:
    """Return the mean chance with each point, the best first."""
    points = frozenset().union(*boards)
    found = {
        point: mean(chance for mine, chance in boards.items() if point in mine) for point in points
    }
    return dict(sorted(found.items(), key=lambda one: (-one[1], one[0])))


def beside(
    boards: Mapping[frozenset[Point], float], point: Point, other: Point
) -> tuple[float, float]:
    """Return by how much a point is better than another, and the standard error of that.

    Full boards are compared in pairs, which differ in these two points alone.
    """
    gains = [
        chance - boards[mine - {point} | {other}] if other not in mine else 0.0
        for mine, chance in boards.items()
        if point in mine
    ]
    return mean(gains), stdev(gains) / len(gains) ** 0.5


class BestPlacements:
    """Best placements of both players, where each full board has a chance of `full_boards`."""

    def __init__(self, boards: Mapping[frozenset[Point], float]) -> None:
        self._boards = boards
        self._points = frozenset[Point]().union(*boards)
        self._known: dict[tuple[frozenset[Point], frozenset[Point]], tuple[float, Point]] = {}

    def line(self, first: Point) -> tuple[float, tuple[Point, ...]]:
        """Return the chance with a first point, and the placements from it on."""
        mine, left, line = frozenset({first}), self._points - {first}, [first]
        chance, _ = self._best(mine, left)
        while left:
            _, point = self._best(mine, left)
            mine, left = self._after(mine, left, point)
            line.append(point)
        return chance, tuple(line)

    def _after(
        self, mine: frozenset[Point], left: frozenset[Point], point: Point
    ) -> tuple[frozenset[Point], frozenset[Point]]:
        is_own = (len(self._points) - len(left)) % 2 == 0
        return mine | {point} if is_own else mine, left - {point}

    def _best(self, mine: frozenset[Point], left: frozenset[Point]) -> tuple[float, Point]:
        if not left:
            return self._boards[mine], next(iter(mine))
        if (mine, left) not in self._known:
            found = [
                (self._best(*self._after(mine, left, point))[0], point) for point in sorted(left)
            ]
            is_own = (len(self._points) - len(left)) % 2 == 0
            self._known[mine, left] = (max if is_own else min)(found)
        return self._known[mine, left]
