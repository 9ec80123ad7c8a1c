"""Judgment of unprovable positions, by long searches and by sampling full boards."""

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import combinations
from statistics import mean, stdev

from dvonn import Move, Phase, Point, Position
from dvonn.engine.estimates import win_probability
from dvonn.engine.jit import compiled
from dvonn.engine.memory import (
    AGE,
    HISTORY,
    INFINITE,
    KILLERS,
    MOVE_MASK,
    MOVES,
    NODE_LIMIT,
    NODES,
    STOP,
    STOPPED,
)
from dvonn.engine.moves import Memory, list_moves, make, unmake
from dvonn.engine.search import search
from dvonn.engine.searcher import Searcher
from dvonn.engine.state import load, to_move


@dataclass(frozen=True, slots=True)
class Judgment:
    """The two best moves of a position, and their player's chances with them.

    Attributes:
        best: The best move.
        chance: The chance to win with it, 0 to 1.
        second: The second-best move.
        beside: The chance with the second move. No other move has more.
        nodes: Number of positions searched.
    """

    best: Move
    chance: float
    second: Move
    beside: float
    nodes: int

    def keeps(self, least: float, gap: float) -> bool:
        """Return True if only the best move keeps the lead."""
        return self.chance >= least and self.beside < min(0.5, self.chance - gap)


def two_best(searcher: Searcher, position: Position, nodes: int, depth: int = 60) -> Judgment:
    """Return the two best moves, both searched to the same depth, in one search of all moves.

    Args:
        searcher: The searcher, whose table and earlier results are used.
        position: A position of the movement phase with at least two moves.
        nodes: Maximum number of positions to search, at least 1,000.
        depth: Maximum number of moves to look ahead.
    """
    memory = searcher.memory
    memory[NODES], memory[NODE_LIMIT], memory[STOP] = 0, nodes, 0
    memory[AGE] = (memory[AGE] + 1) % 256
    memory[HISTORY:MOVES] >>= 3
    memory[KILLERS:HISTORY] = 0
    state = load(position, memory)
    best = beside = first = second = 0
    for plies in range(1, min(depth, state.stacks) + 1):
        answer = _two_best(memory, *state.sets, state.side, plies, first, second)
        if answer[0] == STOPPED:
            break
        best, first, beside, second = map(int, answer)
    return Judgment(
        best=to_move(first),
        chance=win_probability(best, state.stacks),
        second=to_move(second),
        beside=win_probability(beside, state.stacks),
        nodes=int(memory[NODES]),
    )


@compiled
def _move_to_place(memory: Memory, count: int, place: int, move: int) -> None:
    """Move one of the listed moves to a given place of the list."""
    for number in range(place, count):
        if memory[MOVES + number] & MOVE_MASK == move:
            memory[MOVES + number] = memory[MOVES + place]
            memory[MOVES + place] = move


@compiled
def _two_best(
    memory: Memory,
    own: int,
    other: int,
    red: int,
    ones: int,
    twos: int,
    hashed: int,
    side: int,
    depth: int,
    first: int,
    second: int,
) -> tuple[int, int, int, int]:
    """Return the best value and its move, and the next best. Return STOPPED if it took too long.

    The moves `first` and `second` are searched first, if they are known. Otherwise it works as
    `search` does.
    """
    count = list_moves(memory, own, own | other | red, MOVES)
    _move_to_place(memory, count, 0, first)
    _move_to_place(memory, count, 1, second)
    best = beside = -INFINITE
    best_move = move_beside = 0
    for number in range(count):
        move = memory[MOVES + number] & MOVE_MASK
        after = make(memory, own, other, red, ones, twos, hashed, side, move)
        own_after, other_after, red_after, ones_after, twos_after, hashed_after = after
        low, value = -beside - 1, 0
        if number < 2:
            low = -INFINITE
        while True:
            value = search(
                memory,
                own_after,
                other_after,
                red_after,
                ones_after,
                twos_after,
                hashed_after,
                1 - side,
                depth - 1,
                1,
                low,
                -beside,
            )
            if value == STOPPED or low == -INFINITE or -value <= beside:
                break
            low = -INFINITE
        unmake(memory, move)
        if value == STOPPED:
            return STOPPED, 0, 0, 0
        if -value > best:
            beside, move_beside = best, best_move
            best, best_move = -value, move
        elif -value > beside:
            beside, move_beside = -value, move
    return best, best_move, beside, move_beside


def full_boards(
    searcher: Searcher, position: Position, nodes: int
) -> dict[frozenset[Point], float]:
    """Return the chance of the player to place on each full board, by the points they get.

    Args:
        searcher: The searcher whose table is used.
        position: A position of the placement phase, with all red pieces placed.
        nodes: Number of positions to search for each board.
    """
    free = sorted(move.target for move in position.legal_moves())
    chances = {}
    for own_points in combinations(free, (len(free) + 1) // 2):
        remaining = {
            True: list(own_points),
            False: [point for point in free if point not in own_points],
        }
        full = position
        while full.phase is Phase.PLACEMENT:
            full = full.play(Move(target=remaining[full.turn is position.turn].pop()))
        value = searcher.search(full, nodes=nodes).value
        chance = win_probability(value, len(full.stacks))
        chances[frozenset(own_points)] = chance if full.turn is position.turn else 1 - chance
    return chances


def means(boards: Mapping[frozenset[Point], float]) -> dict[Point, float]:
    """Return the mean chance with each point, the best first."""
    points = frozenset().union(*boards)
    mean_chances = {
        point: mean(chance for own_points, chance in boards.items() if point in own_points)
        for point in points
    }
    return dict(sorted(mean_chances.items(), key=lambda item: (-item[1], item[0])))


def beside(
    boards: Mapping[frozenset[Point], float], point: Point, other: Point
) -> tuple[float, float]:
    """Return the difference in chance between two points, and its standard error.

    Full boards are compared in pairs, which differ in these two points alone.
    """
    gains = [
        chance - boards[own_points - {point} | {other}] if other not in own_points else 0.0
        for own_points, chance in boards.items()
        if point in own_points
    ]
    return mean(gains), stdev(gains) / len(gains) ** 0.5


class BestPlacements:
    """Finds the best placements of both players, given the chance of each full board."""

    def __init__(self, boards: Mapping[frozenset[Point], float]) -> None:
        self._boards = boards
        self._points = frozenset[Point]().union(*boards)
        self._known: dict[tuple[frozenset[Point], frozenset[Point]], tuple[float, Point]] = {}

    def line(self, first: Point) -> tuple[float, tuple[Point, ...]]:
        """Return the best placements that begin with a point, and the resulting chance."""
        own_points, free, line = frozenset({first}), self._points - {first}, [first]
        chance, _ = self._best(own_points, free)
        while free:
            _, point = self._best(own_points, free)
            own_points, free = self._after(own_points, free, point)
            line.append(point)
        return chance, tuple(line)

    def _after(
        self, own_points: frozenset[Point], free: frozenset[Point], point: Point
    ) -> tuple[frozenset[Point], frozenset[Point]]:
        is_own = (len(self._points) - len(free)) % 2 == 0
        return own_points | {point} if is_own else own_points, free - {point}

    def _best(self, own_points: frozenset[Point], free: frozenset[Point]) -> tuple[float, Point]:
        if not free:
            return self._boards[own_points], next(iter(own_points))
        if (own_points, free) not in self._known:
            choices = [
                (self._best(*self._after(own_points, free, point))[0], point)
                for point in sorted(free)
            ]
            is_own = (len(self._points) - len(free)) % 2 == 0
            self._known[own_points, free] = (max if is_own else min)(choices)
        return self._known[own_points, free]
