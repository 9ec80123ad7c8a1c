"""Tests for solved endgames against brute force."""

from functools import cache

import pytest

pytest.importorskip("numba", reason="the extra `engine` is not installed")

from dvonn import Color, Phase, Position
from dvonn.engine.endgame import solve
from dvonn.engine.memory import NODE_LIMIT, NODES, WIN
from dvonn.engine.searcher import SOLVE_FROM, Searcher
from dvonn.engine.state import load, to_move
from tests.engine.brute_force import TooManyError, brute_force
from tests.engine.engine_memory import new_searcher
from tests.games import positions_of, random_game

SOLVED_NODES = 15_460
"""Number of nodes for all of them. An intended change of the search changes it."""


@cache
def small_endgames() -> list[tuple[Position, int]]:
    """The earliest position of each random game that brute force can solve, and the next two."""
    found = []
    for seed in range(120):
        solved = []
        for position in reversed(positions_of(random_game(seed))):
            if position.phase is not Phase.MOVEMENT:
                continue
            try:
                solved.append((position, brute_force(position)))
            except TooManyError:
                break
        found += solved[-3:]
    return found


def test_outcome_margin_and_move_equal_brute_force() -> None:
    assert len(small_endgames()) > 300
    searcher = new_searcher()
    nodes = 0
    for position, white in small_endgames():
        searcher.memory[NODES] = 0
        margin = white if position.turn is Color.WHITE else -white
        solution = solve(searcher.memory, load(position, searcher.memory))
        nodes += int(searcher.memory[NODES])
        assert solution is not None
        assert solution.outcome == (margin > 0) - (margin < 0)
        assert solution.margin == margin
        assert brute_force(position.play(to_move(solution.move))) == white
        assert searcher.known_move(position) == to_move(solution.move)
    assert nodes == SOLVED_NODES


def test_with_fewer_nodes_less_is_proven_but_nothing_wrong() -> None:
    """First nothing is known, then the winner and their move, and at last the margin."""
    for position, white in small_endgames()[:12:3]:
        margin = white if position.turn is Color.WHITE else -white
        known = []
        for nodes in range(1, 400):
            searcher = Searcher(megabytes=1)
            searcher.memory[NODE_LIMIT] = nodes
            solution = solve(searcher.memory, load(position, searcher.memory))
            known.append(0 if solution is None else 1 if solution.margin is None else 2)
            if solution is None:
                continue
            assert solution.outcome == (margin > 0) - (margin < 0)
            assert solution.margin in {None, margin}
            after = brute_force(position.play(to_move(solution.move)))
            assert (after > 0) - (after < 0) == (white > 0) - (white < 0)
        assert known == sorted(known)
        assert set(known) == {0, 1, 2}


def test_after_solving_a_search_is_as_quick_as_before() -> None:
    """A solving search reduces no depth. What follows it does."""
    searcher, position = new_searcher(), positions_of(random_game(5))[56]
    before = searcher.search(position, depth=6)
    solve(searcher.memory, load(small_endgames()[0][0], searcher.memory))
    searcher.clear()
    assert searcher.search(position, depth=6) == before


def test_a_search_says_that_it_is_exact() -> None:
    searcher = Searcher(megabytes=1)
    few = [case for case in small_endgames() if len(case[0].stacks) <= SOLVE_FROM]
    for position, white in few[:50]:
        margin = white if position.turn is Color.WHITE else -white
        found = searcher.search(position, nodes=100_000)
        assert found.exact
        assert found.value == margin + WIN * ((margin > 0) - (margin < 0))


def test_unsolved_positions_are_not_called_solved() -> None:
    searcher = new_searcher()
    position = positions_of(random_game(1))[49]
    assert solve(searcher.memory, load(position, searcher.memory)) is None
