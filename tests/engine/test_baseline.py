"""Tests for the baseline player."""

import pytest

from dvonn import Color, Move, Phase, Position
from dvonn._rules.board import POINTS, Point, neighbours, steps_between
from dvonn.engine.baseline import Baseline
from tests.games import positions_of, random_game
from tests.tiers import share_of


def test_the_engine_plays_a_legal_game_against_itself() -> None:
    player, position = Baseline(depth=1, seed=3), Position.initial()
    while position.turn is not None:
        position = position.play(player.choose(position))
    assert position.phase is Phase.OVER


def test_the_same_seed_plays_the_same_and_without_one_it_is_0() -> None:
    players = (Baseline(), Baseline(seed=0), Baseline(seed=1))
    first, second, other = (
        [player.choose(Position.initial()) for _ in range(9)] for player in players
    )
    assert first == second != other


@pytest.mark.parametrize("seed", range(3))
def test_reds_are_set_far_apart_and_pieces_at_the_edge_near_them(seed: int) -> None:
    player, position = Baseline(seed=seed), Position.initial()
    reds: list[Point] = []
    for _ in range(3):
        target = player.choose(position).target
        away = {point: steps_to(reds, point) for point in POINTS}
        assert away[target] == max(away.values())
        reds.append(target)
        position = position.play(Move(target=target))
    for _ in range(4):
        target = player.choose(position).target
        assert steps_to(reds, target) == 1
        assert len(neighbours(target)) < 6
        position = position.play(Move(target=target))


def steps_to(reds: list[Point], point: Point) -> int:
    return min((steps_between(red, point) for red in reds), default=0)


def test_depth_one_takes_the_most() -> None:
    stacks = {"a1": "R", "b1": "B", "c1": "W", "d1": "BBB", "e1": "R"}
    position = Position.from_stacks(stacks, turn=Color.WHITE)
    assert str(Baseline(depth=1).choose(position)) == "c1-d1"


def test_depth_two_sees_recaptures() -> None:
    for seed in range(6):
        for position in positions_of(random_game(seed))[60::4]:
            if position.phase is Phase.MOVEMENT:
                assert_best(position, depth=2, seed=seed)


def test_near_the_end_it_is_right_at_any_depth() -> None:
    """Winning by one piece is worth more than being ahead by many."""
    for seed in range(share_of(125)):
        for position in positions_of(random_game(seed))[-7:-1]:
            for depth in (1, 2, 3):
                assert_best(position, depth=depth, seed=seed)


def test_a_draw_is_more_than_being_behind() -> None:
    position = positions_of(random_game(322))[-4]
    moves = {str(move): position.play(move) for move in position.legal_moves()}
    drawn, behind = moves["g3-i5"], moves["g3-g1"]
    assert drawn.phase is Phase.OVER
    assert drawn.winner is None
    assert lead(behind, Color.BLACK) == -4
    assert str(Baseline(depth=1).choose(position)) == "g3-i5"


def assert_best(position: Position, *, depth: int, seed: int) -> None:
    """The baseline plays one of the most valuable moves, found without pruning."""
    move = Baseline(depth=depth, seed=seed).choose(position)
    color = position.turn
    assert color is not None
    worths = {
        legal: worth(position.play(legal), color, depth - 1) for legal in position.legal_moves()
    }
    assert worths[move] == max(worths.values())


def worth(position: Position, color: Color, depth: int) -> int:
    if position.phase is Phase.OVER:
        return final(position, color)
    if depth == 0:
        return lead(position, color)
    values = [worth(position.play(move), color, depth - 1) for move in position.legal_moves()]
    return max(values) if position.turn is color else min(values)


def lead(position: Position, color: Color) -> int:
    return position.score(color) - position.score(color.opponent)


def final(position: Position, color: Color) -> int:
    margin = lead(position, color)
    return margin + 1000 * ((margin > 0) - (margin < 0))
