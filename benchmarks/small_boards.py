"""Solve DVONN on small boards, including the placement.

    python -m benchmarks.small_boards --rows 2 3 2 --reds 1
    python -m benchmarks.small_boards --rows 3 4 5 4 3 --sample 100

The rules are those of DVONN. Rows are given from top to bottom. A row begins half a space to the
right of a longer one above it, and half a space to the left of any other. White begins. With
`--sample`, random full boards are solved instead of the placement.

This shares no code with `dvonn`.
"""

import argparse
import random
from collections.abc import Callable, Sequence
from functools import cache
from itertools import pairwise
from typing import Any, TypeVar, cast

import numpy as np
from numba import njit

from benchmarks.result import result_line

_DIRECTIONS = ((1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1))
_SIZE = 1 << 20
_F = TypeVar("_F", bound=Callable[..., Any])
_compiled = cast("Callable[[_F], _F]", njit)
RED, WHITE, BLACK = 0, 1, 2


def cells_of(rows: Sequence[int]) -> list[tuple[int, int]]:
    """Return the axial coordinates of each cell."""
    cells, start = [], 0
    for row, (length, following) in enumerate(pairwise((*rows, rows[-1]))):
        cells += [(start + column, row) for column in range(length)]
        start -= following > length or (following == length and row + 1 < len(rows))
    return cells


def jumps_of(cells: Sequence[tuple[int, int]]) -> Any:
    """Return the cell at each distance in each direction from each cell, or -1."""
    at = {cell: number for number, cell in enumerate(cells)}
    jumps = np.full((len(cells), 6, len(cells) + 1), -1, np.int64)
    for number, (column, row) in enumerate(cells):
        for way, (across, down) in enumerate(_DIRECTIONS):
            for far in range(1, len(cells) + 1):
                jumps[number, way, far] = at.get((column + far * across, row + far * down), -1)
    return jumps


@_compiled
def _keep_linked(stacks: Any, jumps: Any) -> None:
    """Remove all stacks without a chain of neighbors to a red piece."""
    count, grows = len(stacks), True
    linked = np.zeros(count, np.bool_)
    for cell in range(count):
        linked[cell] = stacks[cell, 0] > 0 and stacks[cell, 2] > 0
    while grows:
        grows = False
        for cell in range(count):
            if stacks[cell, 0] > 0 and not linked[cell]:
                for way in range(6):
                    near = jumps[cell, way, 1]
                    if near >= 0 and linked[near]:
                        linked[cell] = grows = True
    for cell in range(count):
        if not linked[cell]:
            stacks[cell, :] = 0


@_compiled
def _moves(stacks: Any, jumps: Any, side: int) -> Any:
    moves, number = np.empty((len(stacks) * 6, 2), np.int64), 0
    for cell in range(len(stacks)):
        height = stacks[cell, 0]
        if height == 0 or stacks[cell, 1] != side:
            continue
        free = False
        for way in range(6):
            near = jumps[cell, way, 1]
            free = free or near < 0 or stacks[near, 0] == 0
        if free:
            for way in range(6):
                target = jumps[cell, way, height]
                if target >= 0 and stacks[target, 0] > 0:
                    moves[number] = cell, target
                    number += 1
    return moves[:number]


@_compiled
def _solve(board: Any, jumps: Any, side: int, low: int, high: int, keys: Any, table: Any) -> int:
    """Return White's margin after best play, exact if it is between low and high."""
    code = np.int64(side)
    for cell in range(len(board)):
        code = (code * 6364136223846793005 + 1442695040888963407) ^ (
            board[cell, 0] * 7 + board[cell, 1] * 3 + board[cell, 2] * 131
        )
    slot = (code ^ (code >> 29)) & (len(keys) - 1)
    if keys[slot] == code:
        low, high = max(low, table[slot, 0]), min(high, table[slot, 1])
        if low >= high:
            return int(low if table[slot, 0] >= low else high)
    moves = _moves(board, jumps, side)
    if len(moves) == 0:  # the player passes
        side = 3 - side
        moves = _moves(board, jumps, side)
    if len(moves) == 0:
        owner = board[:, 1]  # 1, -1 and 0 times the height for White, Black and red
        return int(np.sum(board[:, 0] * owner * (5 - 3 * owner) // 2))
    best, first_low, first_high = -99 if side == 1 else 99, low, high
    for number in range(len(moves)):
        source, target = moves[number]
        after = board.copy()
        after[target, 0] += board[source, 0]
        after[target, 2] += board[source, 2]
        after[target, 1] = side
        after[source, :] = 0
        _keep_linked(after, jumps)
        value = _solve(after, jumps, 3 - side, low, high, keys, table)
        if side == 1:
            best = max(best, value)
            low = max(low, best)
        else:
            best = min(best, value)
            high = min(high, best)
        if low >= high:
            break
    keys[slot] = code
    table[slot, 0] = best if best > first_low else -99
    table[slot, 1] = best if best < first_high else 99
    return int(best)


class Board:
    """A small board."""

    def __init__(self, rows: Sequence[int], reds: int) -> None:
        self._jumps, self._can_turn = jumps_of(cells_of(rows)), [*rows] == [*rows][::-1]
        self.cells, self.reds = len(self._jumps), reds
        self._keys, self._table = np.zeros(_SIZE, np.int64), np.zeros((_SIZE, 2), np.int64)

    def margin(self, placed: str) -> int:
        """Return White's margin from a full board, a letter for each cell: R, W or B."""
        return self.margin_of([(1, "RWB".index(name), int(name == "R")) for name in placed], WHITE)

    def margin_of(self, stacks: Sequence[tuple[int, int, int]], side: int) -> int:
        """Return White's margin from stacks: the height, the owner and the reds of each cell."""
        board = np.array(stacks, np.int64)
        return int(_solve(board, self._jumps, side, -98, 98, self._keys, self._table))

    def letters(self) -> str:
        """Return the pieces in the order in which they are placed. White begins."""
        colors = ("WB"[number % 2] for number in range(self.reds, self.cells))
        return "R" * self.reds + "".join(colors)

    def margin_with_placement(self) -> int:
        """Return White's margin if both also place as well as they can."""
        order = self.letters()

        @cache
        def placing(placed: str) -> int:
            number = self.cells - placed.count(".")
            if number == self.cells:
                return self.margin(placed)
            free = [at for at, letter in enumerate(placed) if letter == "."]
            boards = [f"{placed[:at]}{order[number]}{placed[at + 1 :]}" for at in free]
            if self._can_turn:  # rotated boards have the same margin
                boards = [*{max(board, board[::-1]) for board in boards}]
            values = [*map(placing, boards)]
            return max(values) if number % 2 == 0 else min(values)

        return placing("." * self.cells)


def main(arguments: Sequence[str] | None = None) -> None:
    """Solve a board, and print the RESULT line."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.small_boards")
    parser.add_argument("--rows", type=int, nargs="+", required=True)
    parser.add_argument("--reds", type=int, default=3)
    parser.add_argument("--sample", type=int, default=0, help="random full boards instead")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args(arguments)
    board = Board(options.rows, options.reds)
    figures: dict[str, float] = {"cells": board.cells, "reds": board.reds}
    if options.sample:
        rng = random.Random(options.seed)
        orders = (rng.sample(board.letters(), board.cells) for _ in range(options.sample))
        margins = [board.margin("".join(order)) for order in orders]
        wins = sum(margin > 0 for margin in margins)
        figures |= {"boards": len(margins), "white_wins": wins, "draws": margins.count(0)}
        figures["mean_margin"] = sum(margins) / len(margins)
    else:
        figures["margin"] = board.margin_with_placement()
    print(result_line("small_boards", figures))


if __name__ == "__main__":
    main()
