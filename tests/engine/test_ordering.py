"""Tests for the order of moves in a search."""

import pytest

pytest.importorskip("numba", reason="the extra `engine` is not installed")

from dvonn import Move
from dvonn.engine.memory import AS_MEASURED, HISTORY, KILLERS, MOVE_BITS, MOVE_MASK, MOVES
from dvonn.engine.moves import list_moves
from dvonn.engine.ordering import next_best, rank, reward
from dvonn.engine.state import load, to_move, to_number
from tests.engine.engine_memory import new_memory
from tests.games import positions_of, random_game


@pytest.mark.parametrize("seed", range(8))
def test_move_order_is_table_move_tall_enemies_killers_reds_own(seed: int) -> None:
    position = positions_of(random_game(seed))[49 + 2 * seed]
    memory = new_memory()
    memory[AS_MEASURED] = 1
    state = load(position, memory)
    own, other, red, *_ = state.sets
    moves = position.legal_moves()
    known, killer, often = moves[seed], moves[-1 - seed], moves[len(moves) // 2]
    memory[KILLERS] = to_number(killer)
    memory[HISTORY + (state.side << MOVE_BITS) + to_number(often)] = 1000

    count = int(list_moves(memory, own, own | other | red, MOVES))
    ranked = int(rank(memory, own, other, state.side, 0, MOVES, count, to_number(known)))
    found = []
    while ranked:
        found.append(to_move(ranked & MOVE_MASK))
        ranked = int(next_best(memory, MOVES, count, ranked))
    assert sorted(found, key=moves.index) == list(moves)
    assert found[0] == known

    stacks = position.stacks

    def group(move: Move) -> tuple[int, int, bool]:
        assert move.source is not None
        pieces = stacks[move.target]
        if pieces == "R":
            kind, height = 1, 0
        elif pieces[-1] == stacks[move.source][-1]:
            kind, height = 0, 0
        else:
            kind, height = 3, len(pieces)
        if move == killer:
            kind, height = (kind, height + 32) if kind == 3 else (2, kind)
        return kind, height, move == often

    groups = [group(move) for move in found[1:]]
    assert groups == sorted(groups, reverse=True)


@pytest.mark.parametrize("as_measured", [0, 1])
def test_a_move_that_refutes_rises_and_those_before_it_sink(as_measured: int) -> None:
    position = positions_of(random_game(1))[50]
    memory = new_memory()
    memory[AS_MEASURED] = as_measured
    state = load(position, memory)
    own, other, red, *_ = state.sets

    def order() -> list[int]:
        count = int(list_moves(memory, own, own | other | red, MOVES))
        ranked = int(rank(memory, own, other, state.side, 0, MOVES, count, 0))
        found = []
        while ranked:
            found.append(ranked)
            ranked = int(next_best(memory, MOVES, count, ranked))
        return found

    before = order()
    third = before[2] & MOVE_MASK
    history = HISTORY + (state.side << MOVE_BITS)
    reward(memory, state.side, 0, 4, MOVES, len(before), before[2])
    worths = [int(memory[history + (ranked & MOVE_MASK)]) for ranked in before]
    assert worths[2] > 0 == worths[3]
    assert [worth < 0 for worth in worths[:2]] == [not as_measured] * 2
    assert not any(worths[3:])
    assert order()[0] & MOVE_MASK == third
    for _ in range(100):
        reward(memory, state.side, 0, 40, MOVES, len(before), before[2])
    assert max(abs(int(worth)) for worth in memory[history : history + MOVE_MASK]) <= 1 << 21
