"""Tests for the compiled rules against `dvonn.Position`, at every ply."""

import pytest

pytest.importorskip("numba", reason="the extra `engine` is not installed")

from dvonn import Color, Move, Phase, Position, from_diagram
from dvonn._rules.bitboard import INDEX
from dvonn.engine.memory import HEIGHTS, MOVES
from dvonn.engine.moves import (
    Memory,
    hash_after,
    hash_of,
    joints,
    list_moves,
    list_some,
    lost_by,
    make,
    margin,
    perft,
    unmake,
)
from dvonn.engine.state import load, to_move, to_number
from dvonn.perft import perft as plain_perft
from tests.dvonn.vectors import DATA, read_vectors
from tests.engine.engine_memory import new_memory
from tests.games import positions_of, random_game


def listed(memory: Memory, position: Position) -> set[Move]:
    own, other, red, *_ = load(position, memory).sets
    count = list_moves(memory, own, own | other | red, MOVES)
    return {to_move(int(number)) for number in memory[MOVES : MOVES + count]}


def heights(memory: Memory, position: Position) -> list[int]:
    return [int(memory[HEIGHTS + INDEX[point]]) for point in position.stacks]


@pytest.mark.parametrize("seed", range(60))
def test_each_ply_of_a_random_game(seed: int) -> None:
    memory, beside = new_memory(), new_memory()
    positions = positions_of(random_game(seed))
    for before, after, move in zip(
        positions[49:], positions[50:], random_game(seed)[49:], strict=False
    ):
        assert listed(beside, before) == set(before.legal_moves())

        state = load(before, memory)
        was = heights(memory, before)
        other, own, red, ones, twos, hashed = make(memory, *state.sets, state.side, to_number(move))
        expected = load(after, beside)
        if expected.side == state.side:  # the opponent had to pass, or the game is over
            own, other = other, own
            hashed = hash_of(memory, other, own, red, expected.side)
        assert (other, own, red, ones, twos, hashed) == expected.sets
        assert heights(memory, after) == heights(beside, after)
        white, black = (other, own) if expected.side == 0 else (own, other)
        assert margin(memory, white, black) == after.score(Color.WHITE) - after.score(Color.BLACK)

        unmake(memory, to_number(move))
        assert heights(memory, before) == was


def test_only_harmless_moves_onto_excluded_stacks_are_omitted() -> None:
    memory, left_out = new_memory(), 0
    for seed in range(20):
        for position in positions_of(random_game(seed))[49:]:
            if position.turn is None:
                continue
            every = listed(memory, position)
            own, other, red, ones, twos, _ = load(position, memory).sets
            occupied = own | other | red
            count = list_some(memory, own, ones, twos, occupied, 0, 0, MOVES)
            assert {to_move(int(number)) for number in memory[MOVES : MOVES + count]} == every
            plain = ~(red | int(joints(occupied)))
            count = list_some(memory, own, ones, twos, occupied, plain, own, MOVES)
            some = {to_move(int(number)) for number in memory[MOVES : MOVES + count]}
            assert some <= every
            assert len(some) == count
            for move in every - some:
                assert position.stacks[move.target][-1] == position.turn
                assert len(position.play(move).stacks) == len(position.stacks) - 1
            left_out += len(every - some)
    assert left_out > 1000


def test_an_incremental_hash_equals_a_fresh_one() -> None:
    memory = new_memory()
    for seed in range(40):
        moves = random_game(seed)
        for before, move in zip(positions_of(moves)[49:], moves[49:], strict=False):
            state = load(before, memory)
            other, own, red, _, _, hashed = make(memory, *state.sets, state.side, to_number(move))
            assert hashed == hash_of(memory, other, own, red, 1 - state.side)


def test_a_hash_is_known_before_a_move_that_takes_nothing_off_is_made() -> None:
    memory, alike = new_memory(), 0
    for seed in range(10):
        for position in positions_of(random_game(seed))[49:]:
            state = load(position, memory)
            own, other, red, _, _, hashed = state.sets
            for move in map(to_number, position.legal_moves()):
                early = hash_after(memory, own, other, red, hashed, state.side, move)
                after = make(memory, *state.sets, state.side, move)
                unmake(memory, move)
                assert (early == after[-1]) == (lost_by(own, other, red, move) == 0)
                alike += early == after[-1]
    assert alike > 1000


def test_equal_positions_and_no_others_share_a_hash() -> None:
    memory = new_memory()
    seen: dict[int, tuple[object, ...]] = {}
    for seed in range(100):
        for position in positions_of(random_game(seed))[49:]:
            # Of a stack's content, only its height, its owner and whether it has red matter.
            view = tuple(
                (point, len(pieces), pieces[-1], "R" in pieces)
                for point, pieces in position.stacks.items()
            )
            known = (position.turn is Color.BLACK, view)
            assert seen.setdefault(load(position, memory).sets[-1], known) == known
    assert len(seen) > 1000


def counted(position: Position, depth: int) -> int:
    memory = new_memory()
    state = load(position, memory)
    return int(perft(memory, *state.sets, state.side, depth, MOVES))


def test_perft_of_our_vectors() -> None:
    vectors = read_vectors(DATA / "perft.txt")
    assert vectors
    for name, vector in vectors.items():
        position = from_diagram(vector["board"])
        if position.phase is Phase.PLACEMENT:
            continue
        for line in vector["lines"].splitlines():
            depth, count = map(int, line.split())
            assert counted(position, depth) == count, (name, depth)


def test_perft_near_the_end_where_players_are_passed_over() -> None:
    passes = 0
    for seed in range(20):
        for position in positions_of(random_game(seed))[-7:-1]:
            passes += any(position.play(move).passed for move in position.legal_moves())
            for depth in (1, 2, 3):
                assert counted(position, depth) == plain_perft(position, depth)
    assert passes > 20


def test_nothing_moves_in_a_finished_game() -> None:
    position = positions_of(random_game(3))[-1]
    assert position.phase is Phase.OVER
    assert counted(position, 1) == 0
