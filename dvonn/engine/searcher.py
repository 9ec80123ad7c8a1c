"""Iterative deepening with time limits and a reusable hash table."""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Final

from dvonn import Move, Phase, Position
from dvonn._rules.errors import DvonnError
from dvonn.engine import weights
from dvonn.engine.backend import fade, fill, system_zeros
from dvonn.engine.endgame import SOLVED, solve
from dvonn.engine.memory import (
    AGE,
    AS_MEASURED,
    ERROR,
    ERROR_SEED,
    HISTORY,
    INFINITE,
    KILLERS,
    MOVES,
    NODE_LIMIT,
    NODES,
    ROOT_BEST,
    SIZE,
    STOP,
    STOPPED,
    TABLE_AT,
    TABLE_MASK,
    TALL_BONUS,
    WEIGHTS,
    WIN,
)
from dvonn.engine.moves import Memory
from dvonn.engine.search import look_up, move_of, search
from dvonn.engine.state import State, load, to_move

SOLVE_FROM: Final = 20
"""Maximum number of stacks for a first attempt to solve the position."""
SOLVE_SHARE: Final = 3
"""Divisor that gives the first solving attempt's share of the limits."""
PROVE_FROM: Final = 25
"""Maximum number of stacks for a first attempt to find the winner, with `proof`."""

ENTRY_BYTES: Final = 32
"""The size in bytes of two adjacent entries of the table."""

_UNLIMITED: Final = 1 << 62
_LONGEST_S: Final = 86_400.0
"""Maximum wait of a timer: a day. Longer waits may overflow."""
_WINDOW: Final = 120
_WINDOW_AS_MEASURED: Final = 60
"""Half the width of an iteration's first window around the last value, in points."""
_FADED_AS_MEASURED: Final = 3
"""Number of times the history is halved before a search if AS_MEASURED is 1, instead of never."""
_AGES: Final = 256


@dataclass(frozen=True, slots=True)
class SearchResult:
    """The result of a search.

    Attributes:
        move: The best move.
        value: Value to the player to move, in points. It is proven if it is beyond ±WIN.
        depth: Depth of the last finished iteration, in plies.
        nodes: Number of positions searched.
        exact: True if it is proven that no better result is possible.
    """

    move: Move
    value: int
    depth: int
    nodes: int
    exact: bool


class Searcher:
    """Runs one search at a time, with a hash table that is kept between searches.

    Args:
        megabytes: Maximum size of the table.
        threads: Number of search threads. With more than one, results are not reproducible.
        error: Maximum error in evaluating a position, in points.
        error_seed: Seed of these errors.
        tall_bonus: Points added to a move for each piece beyond the first that it captures. They
            only affect searches of depth 1.
        as_measured: True to search as when the levels were measured, instead of at full strength.
        timer: Class of the timer that ends a search.

    Attributes:
        memories: The memory of each thread, all with the same table (see `dvonn.engine.memory`).
        memory: The first of them.
    """

    def __init__(
        self,
        megabytes: int = 16,
        *,
        threads: int = 1,
        error: int = 0,
        error_seed: int = 0,
        tall_bonus: int = 0,
        as_measured: bool = True,
        timer: type[threading.Timer] = threading.Timer,
    ) -> None:
        self._timer = timer
        self._stop_requested = False
        entries = 1
        while entries * 2 * ENTRY_BYTES <= megabytes << 20:
            entries *= 2
        table = threads * SIZE
        whole = system_zeros(table + entries * ENTRY_BYTES // 8)
        self.memories = [whole[start:] for start in range(0, table, SIZE)]
        self._table = whole[table:]
        rows = weights.table()
        for number, memory in enumerate(self.memories):
            memory[TABLE_AT] = table - number * SIZE
            memory[TABLE_MASK] = entries - 1
            memory[ERROR] = error
            memory[ERROR_SEED] = error_seed
            memory[TALL_BONUS] = tall_bonus
            memory[AS_MEASURED] = as_measured
            for at, weight in enumerate(rows, WEIGHTS):
                memory[at] = weight
        self.memory = whole

    def clear(self) -> None:
        """Clear the table, so that later results do not depend on earlier searches."""
        fill(self._table, 0, len(self._table), 0)
        for memory in self.memories:
            fill(memory, KILLERS, MOVES, 0)

    def known_move(self, position: Position) -> Move | None:
        """Return the best move that the table has for a movement-phase position, or None."""
        hashed = load(position, self.memory).sets[-1]
        for salt in (0, SOLVED):
            entry = int(look_up(self.memory, hashed ^ salt))
            if entry and (move := move_of(entry)):
                return to_move(move)
        return None

    def stop(self) -> None:
        """End the running search soon. May be called from any thread."""
        self._stop_requested = True
        self._cut_off()

    def _cut_off(self) -> None:
        self.memory[STOP] = 1

    def search(
        self,
        position: Position,
        *,
        nodes: int | None = None,
        seconds: float | None = None,
        depth: int | None = None,
        proof: int = 0,
        on_depth: Callable[[SearchResult], object] | None = None,
    ) -> SearchResult:
        """Search a position of the movement phase until the first limit is reached.

        Args:
            position: A position with legal moves.
            nodes: Maximum number of positions to search.
            seconds: Maximum time.
            depth: Maximum number of moves to look ahead. With a depth limit, no endgame is solved.
            proof: Number of additional positions to search to prove the outcome near the end.
            on_depth: Called with the result so far after each depth. It may call `known_move`.

        Raises:
            DvonnError: if the position has no moves, or `nodes` is given with several threads.
        """
        if nodes is not None and len(self.memories) > 1:
            raise DvonnError("a node limit needs one thread")
        legal = position.legal_moves()
        if not legal or legal[0].source is None:
            raise DvonnError(f"there is nothing to search: {position!r}")
        self._stop_requested = False
        for memory in self.memories:
            memory[NODES] = 0
            memory[NODE_LIMIT] = _UNLIMITED
            memory[STOP] = 0
            memory[AGE] = (memory[AGE] + 1) % _AGES
            fade(memory, HISTORY, MOVES, _FADED_AS_MEASURED * int(memory[AS_MEASURED]))
            fill(memory, KILLERS, HISTORY, 0)
            state = load(position, memory)
        memory, report_depth = self.memory, _reporter(on_depth, position, self.memory)
        if nodes is not None:
            nodes = min(nodes, _UNLIMITED // 2)
            memory[NODE_LIMIT] = nodes
        if depth is not None:
            return self._deepen(state, legal[0], min(depth, state.stacks), report_depth)
        if state.stacks <= (PROVE_FROM if proof else SOLVE_FROM):
            nodes_for_it = None if nodes is None else max(nodes // SOLVE_SHARE, proof)
            result = self._solve(state, nodes_for_it, seconds and seconds / SOLVE_SHARE)
            if result is not None and (result.exact or proof):
                return result
            memory[STOP] = 0  # an attempt to solve may have been stopped at its share of the limits
            if self._stop_requested:
                memory[STOP] = 1
            # The nodes of a proof do not count toward the limit.
            spent = int(memory[NODES]) if proof else 0
            memory[NODE_LIMIT] = _UNLIMITED if nodes is None else nodes + spent
            if seconds is not None:
                seconds -= seconds / SOLVE_SHARE
        with self._clock(seconds), self._with_helpers(lambda memory: _help(memory, state)):
            return self._deepen(state, legal[0], state.stacks, report_depth)

    def prove(self, position: Position, *, nodes: int, for_margin: int) -> SearchResult | None:
        """Prove the outcome of a movement-phase position, and its margin if the nodes suffice.

        Args:
            position: A position with legal moves.
            nodes: Maximum number of positions to search for the outcome.
            for_margin: Maximum number of further positions to search for the margin.

        Returns:
            A move with the best outcome. Its value is beyond ±WIN, or 0 for a draw, and exact if
            the margin is proven as well. None if the outcome could not be proven with that many
            positions.

        Raises:
            ValueError: if the position has no moves.
        """
        if position.phase is not Phase.MOVEMENT:
            raise ValueError(f"there is nothing to prove: {position!r}")
        memory = self.memory
        memory[NODES], memory[NODE_LIMIT], memory[STOP] = 0, nodes, 0
        memory[AGE] = (memory[AGE] + 1) % _AGES
        state = load(position, memory)
        proof = solve(memory, state, for_margin=for_margin)
        if proof is None:
            return None
        is_exact = proof.margin is not None
        value = proof.outcome * WIN + (proof.outcome if proof.margin is None else proof.margin)
        move = to_move(proof.move)
        return SearchResult(move, value, state.stacks, int(memory[NODES]), exact=is_exact)

    def _solve(self, state: State, nodes: int | None, seconds: float | None) -> SearchResult | None:
        """Return the proven outcome and margin, or None if no usable proof was found in time.

        A win or a draw with an unknown margin has a lower bound as its value and is not exact.
        """
        memory = self.memory
        if nodes is not None:
            memory[NODE_LIMIT] = nodes
        with self._clock(seconds), self._with_helpers(lambda memory: solve(memory, state)):
            solution = solve(memory, state)
        if solution is None or (solution.margin is None and solution.outcome < 0):
            return None
        is_exact = solution.margin is not None
        value = solution.outcome * WIN + (1 if solution.margin is None else solution.margin)
        return SearchResult(
            to_move(solution.move), value, state.stacks, self._nodes(), exact=is_exact
        )

    def _nodes(self) -> int:
        """Return the number of positions searched so far in this search."""
        return sum(int(memory[NODES]) for memory in self.memories)

    @contextmanager
    def _clock(self, seconds: float | None) -> Iterator[None]:
        if seconds is None:
            yield
            return
        timer = self._timer(min(seconds, _LONGEST_S), self._cut_off)
        timer.daemon = True
        timer.start()
        try:
            yield
        finally:
            timer.cancel()
            timer.join()  # the search ends immediately

    @contextmanager
    def _with_helpers(self, work: Callable[[Memory], object]) -> Iterator[None]:
        """Run `work` in the other threads during the block, to fill the shared table."""
        helpers = self.memories[1:]
        for memory in helpers:
            memory[STOP] = 0
        threads = [threading.Thread(target=work, args=(memory,), daemon=True) for memory in helpers]
        for thread in threads:
            thread.start()
        try:
            yield
        finally:
            for memory in helpers:
                memory[STOP] = 1
            for thread in threads:
                thread.join()

    def _deepen(
        self, state: State, fallback: Move, last: int, report_depth: Callable[[SearchResult], None]
    ) -> SearchResult:
        memory = self.memory
        best, value, reached = fallback, 0, 0
        for depth in range(1, last + 1):
            memory[ROOT_BEST] = 0
            searched = _iteration(memory, state, depth, value)
            if memory[ROOT_BEST]:
                # The result of an interrupted iteration is used, because it started with the best
                # move.
                best = to_move(int(memory[ROOT_BEST]))
            if searched == STOPPED:
                break
            value, reached = searched, depth
            report_depth(SearchResult(best, value, reached, self._nodes(), exact=False))
        return SearchResult(best, value, reached, self._nodes(), exact=False)


def _reporter(
    report: Callable[[SearchResult], object] | None, position: Position, memory: Memory
) -> Callable[[SearchResult], None]:
    """Return a function that reports a depth and then loads the position into memory again."""
    if report is None:
        return lambda _: None

    def report_depth(result: SearchResult) -> None:
        report(result)
        load(position, memory)

    return report_depth


def _help(memory: Memory, state: State) -> None:
    """Search deeper and deeper until stopped. The results remain in the table."""
    value = 0
    for depth in range(2, state.stacks + 1):
        searched = _iteration(memory, state, depth, value)
        if searched == STOPPED:
            break
        value = searched


def _iteration(memory: Memory, state: State, depth: int, center: int) -> int:
    """Search to a depth, first with a narrow window. Return STOPPED if the search was stopped."""
    low, high = -INFINITE, INFINITE
    step = _WINDOW_AS_MEASURED if memory[AS_MEASURED] else _WINDOW
    if depth > 2 and abs(center) < WIN:  # noqa: PLR2004 - the first values say little
        low, high = center - step, center + step
    while True:
        value = int(search(memory, *state.sets, state.side, depth, 0, low, high))
        if value == STOPPED or low < value < high:
            return value
        step *= 4
        if value <= low:
            low = max(-INFINITE, value - step)
        else:
            high = min(INFINITE, value + step)
