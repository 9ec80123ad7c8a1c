"""The plain player that others are measured by."""

import random
from collections.abc import Callable

import pytest

from dvonn import Color, Move, Phase, Position
from dvonn.engine.baseline import Baseline
from tests.games import positions_of, random_game


def won(position: Position, color: Color) -> bool:
    return position.phase is Phase.OVER and position.winner is color


def test_it_plays_a_legal_game_by_itself() -> None:
    player, position = Baseline(depth=1, seed=3), Position.initial()
    while position.turn is not None:
        position = position.play(player.choose(position))
    assert position.phase is Phase.OVER


@pytest.mark.parametrize("seed", range(3))
def test_reds_are_set_far_apart_and_pieces_near_them(seed: int) -> None:
    player, position = Baseline(seed=seed), Position.initial()
    for _ in range(3):
        position = position.play(player.choose(position))
    reds = set(position.stacks)
    move = player.choose(position)
    beside = {p for p in position.play(move).stacks if p not in reds}
    assert beside == {move.target}
    assert any(abs(ord(red[0]) - ord(move.target[0])) <= 1 for red in reds)


def test_depth_one_takes_the_most() -> None:
    stacks = {"a1": "R", "b1": "B", "c1": "W", "d1": "BBB", "e1": "R"}
    position = Position.from_stacks(stacks, turn=Color.WHITE)
    assert str(Baseline(depth=1).choose(position)) == "c1-d1"


def test_depth_two_sees_what_is_taken_back() -> None:
    for seed in range(6):
        for position in positions_of(random_game(seed))[60::4]:
            if position.phase is not Phase.MOVEMENT:
                continue
            move = Baseline(depth=2, seed=seed).choose(position)
            assert worth(position, str(move)) == max(
                worth(position, str(legal)) for legal in position.legal_moves()
            )


def worth(position: Position, text: str) -> int:
    """What a move leaves its player with after the best answer, found without any pruning."""
    color = position.turn
    assert color is not None
    child = next(position.play(move) for move in position.legal_moves() if str(move) == text)
    if child.phase is Phase.OVER:
        return final(child, color)
    after = [child.play(move) for move in child.legal_moves()]
    values = [final(p, color) if p.phase is Phase.OVER else lead(p, color) for p in after]
    return max(values) if child.turn is color else min(values)


def lead(position: Position, color: Color) -> int:
    return position.score(color) - position.score(color.opponent)


def final(position: Position, color: Color) -> int:
    margin = lead(position, color)
    return margin + 1000 * ((margin > 0) - (margin < 0))


def test_it_beats_chance() -> None:
    score = 0
    for seed in range(6):
        color = Color.BLACK if seed % 2 else Color.WHITE
        player, chance = Baseline(depth=2, seed=seed), random_mover(seed)
        position = Position.initial()
        while position.turn is not None:
            mover = player.choose if position.turn is color else chance
            position = position.play(mover(position))
        score += won(position, color)
    assert score >= 5


def random_mover(seed: int) -> Callable[[Position], Move]:
    rng = random.Random(seed)
    return lambda position: rng.choice(position.legal_moves())
