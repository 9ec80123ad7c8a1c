"""Tests for the programs behind docs/theory.md."""

from benchmarks.mobility import Solved, figures_of, solve, weights
from benchmarks.small_boards import BLACK, RED, WHITE, Board
from dvonn import POINTS, Color, Phase, Position
from dvonn.engine.searcher import Searcher
from dvonn_lessons.proving import Prover
from dvonn_lessons.solver import Solver
from tests.games import positions_of, random_game

OWNERS = {None: RED, Color.WHITE: WHITE, Color.BLACK: BLACK}


def late_positions(seed: int, stacks: int) -> list[Position]:
    """The unfinished positions of a game with few stacks."""
    game = positions_of(random_game(seed))
    return [
        position
        for position in game
        if position.phase is Phase.MOVEMENT and 0 < len(position.stacks) <= stacks
    ]


def test_small_boards_have_the_rules_of_dvonn() -> None:
    """On the real board they solve endgames as the library does."""
    board, found = Board((9, 10, 11, 10, 9), 3), 0
    for seed in range(3):
        for position in late_positions(seed, 9):
            assert position.turn is not None
            stacks = [
                (position.height(at), OWNERS[position.owner(at)], position.reds(at))
                if at in position.stacks
                else (0, 0, 0)
                for at in POINTS
            ]
            margin = board.margin_of(stacks, OWNERS[position.turn])
            assert margin == Solver(Color.WHITE).exact(position, 0)
            found += 1
    assert found > 4


def test_white_wins_the_smallest_board_by_two() -> None:
    board = Board((2, 3, 2), 1)
    assert board.letters() == "RBWBWBW"
    assert board.margin_with_placement() == 2


def test_the_proven_outcome_is_for_the_player_to_move() -> None:
    prover = Prover(Searcher(megabytes=1), 4_000_000)
    game = positions_of(random_game(3))
    for position in late_positions(3, 9):
        assert position.turn is not None
        told = solve(position, game[-1], prover)
        assert told is not None
        margin = Solver(position.turn).exact(position, 0)
        assert told.score == ((margin > 0) - (margin < 0) + 1) / 2
        assert told.pieces == position.score(position.turn) - position.score(position.turn.opponent)


def test_a_movers_worth_is_the_ratio_of_both_weights() -> None:
    found = [
        Solved(pieces=pieces, movers=movers, score=float(pieces + 6 * movers > 0), result=1.0)
        for pieces in range(-9, 10)
        for movers in range(-4, 5)
        if pieces + 6 * movers
    ]
    _, piece, mover = weights(found)
    assert abs(mover / piece - 6) < 1
    figures = figures_of(found)
    assert figures["positions"] == len(found)
    assert figures["more_movers"] > 0.8
    assert figures["fewer_movers"] < 0.2
    assert figures["changed"] == sum(item.score != 1 for item in found) / len(found)
