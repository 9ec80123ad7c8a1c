"""A search from the outside: its memory, its clock, and how it deepens."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Final

import numpy as np

from dvonn import Move, Position
from dvonn.engine import weights
from dvonn.engine.endgame import SOLVED, solve
from dvonn.engine.layout import (
    AGE,
    ERROR,
    ERROR_SEED,
    HISTORY,
    INFINITE,
    KILLERS,
    MOVES,
    NODE_LIMIT,
    NODES,
    ROOT_BEST,
    STOP,
    STOPPED,
    TABLE,
    TABLE_MASK,
    WEIGHTS,
    WIN,
)
from dvonn.engine.search import look_up, move_of, search
from dvonn.engine.state import State, load, to_move

SOLVE_FROM: Final = 20
"""With so many stacks or fewer a search first tries to solve the position."""
SOLVE_SHARE: Final = 3
"""The share of the limits that this may take is one part in so many."""

ENTRY_BYTES: Final = 32
"""What two entries of the table take, which stand together."""

_UNLIMITED: Final = 1 << 62
_WINDOW: Final = 60
"""Half the first window around the last value, in points of the evaluation."""
_AGES: Final = 256


@dataclass(frozen=True, slots=True)
class Found:
    """What a search found.

    Attributes:
        move: the best move.
        value: what it is worth to the player to move; beyond ±WIN it is proven.
        depth: how deep the last finished iteration was, in moves.
        nodes: how many positions were looked at.
        exact: whether it is proven that nothing better can be had.
    """

    move: Move
    value: int
    depth: int
    nodes: int
    exact: bool


class Searcher:
    """One search at a time, with a table that is kept from move to move.

    Args:
        megabytes: how large the table is at most.
        error: by how many points it misjudges a position at most.
        error_seed: of these errors.

    Attributes:
        memory: see `dvonn.engine.layout`.
    """

    def __init__(self, megabytes: int = 16, *, error: int = 0, error_seed: int = 0) -> None:
        entries = 1
        while entries * 2 * ENTRY_BYTES <= megabytes << 20:
            entries *= 2
        self.memory = np.zeros(TABLE + entries * ENTRY_BYTES // 8, dtype=np.int64)
        self.memory[TABLE_MASK] = entries - 1
        self.memory[ERROR] = error
        self.memory[ERROR_SEED] = error_seed
        rows = weights.table()
        self.memory[WEIGHTS : WEIGHTS + rows.size] = rows

    def clear(self) -> None:
        """Forget everything, so that what follows depends on nothing before."""
        self.memory[TABLE:] = 0
        self.memory[KILLERS:MOVES] = 0

    def known(self, position: Position) -> Move | None:
        """The move that the table holds to be best in a position of the movement phase, if any."""
        hashed = load(position, self.memory).sets[-1]
        for salt in (0, SOLVED):
            entry = int(look_up(self.memory, hashed ^ salt))
            if entry and (move := move_of(entry)):
                return to_move(move)
        return None

    def stop(self) -> None:
        """End the running search soon; may be called from any thread."""
        self.memory[STOP] = 1

    def search(
        self,
        position: Position,
        *,
        nodes: int | None = None,
        seconds: float | None = None,
        depth: int | None = None,
    ) -> Found:
        """Search a position of the movement phase until the first limit is reached.

        Raises:
            ValueError: if the position has no moves.
        """
        legal = position.legal_moves()
        if not legal or legal[0].source is None:
            raise ValueError(f"there is nothing to search: {position!r}")
        memory = self.memory
        memory[NODES] = 0
        memory[NODE_LIMIT] = _UNLIMITED if nodes is None else nodes
        memory[STOP] = 0
        memory[AGE] = (memory[AGE] + 1) % _AGES
        memory[HISTORY:MOVES] >>= 3
        memory[KILLERS:HISTORY] = 0
        state = load(position, memory)
        if depth is not None:
            return self._deepen(state, legal[0], min(depth, state.stacks))
        if state.stacks <= SOLVE_FROM:
            nodes_for_it = None if nodes is None else nodes // SOLVE_SHARE
            found = self._solve(state, nodes_for_it, seconds and seconds / SOLVE_SHARE)
            if found is not None:
                return found
            memory[STOP] = 0
            memory[NODE_LIMIT] = _UNLIMITED if nodes is None else nodes
            if seconds is not None:
                seconds -= seconds / SOLVE_SHARE
        with self._clock(seconds):
            return self._deepen(state, legal[0], state.stacks)

    def _solve(self, state: State, nodes: int | None, seconds: float | None) -> Found | None:
        """Prove the best outcome and margin; None if the margin was not found in time."""
        memory = self.memory
        if nodes is not None:
            memory[NODE_LIMIT] = nodes
        with self._clock(seconds):
            solution = solve(memory, state)
        if solution is None or solution.margin is None:
            return None
        value = solution.outcome * WIN + solution.margin
        return Found(to_move(solution.move), value, state.stacks, int(memory[NODES]), exact=True)

    @contextmanager
    def _clock(self, seconds: float | None) -> Iterator[None]:
        if seconds is None:
            yield
            return
        timer = threading.Timer(seconds, self.stop)
        timer.daemon = True
        timer.start()
        try:
            yield
        finally:
            timer.cancel()

    def _deepen(self, state: State, fallback: Move, last: int) -> Found:
        memory = self.memory
        best, value, reached = fallback, 0, 0
        for depth in range(1, last + 1):
            memory[ROOT_BEST] = 0
            found = self._iteration(state, depth, value)
            if memory[ROOT_BEST]:
                # Also of an iteration that was cut off: its first move was the best one so far.
                best = to_move(int(memory[ROOT_BEST]))
            if found == STOPPED:
                break
            value, reached = found, depth
        return Found(best, value, reached, int(memory[NODES]), exact=False)

    def _iteration(self, state: State, depth: int, around: int) -> int:
        """One depth, in a narrow window first; returns STOPPED if it was cut off."""
        low, high, step = -INFINITE, INFINITE, _WINDOW
        if depth > 2 and abs(around) < WIN:  # noqa: PLR2004 - the first values say little
            low, high = around - step, around + step
        while True:
            value = int(search(self.memory, *state.sets, state.side, depth, 0, low, high))
            if value == STOPPED or low < value < high:
                return value
            step *= 4
            if value <= low:
                low = max(-INFINITE, value - step)
            else:
                high = min(INFINITE, value + step)
