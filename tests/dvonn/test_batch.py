"""Tests for the batch, which must agree with `Position`."""

import random
import time

import pytest

pytest.importorskip("numba", reason="the extra `engine` is not installed")

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from dvonn import Color, DvonnError, Position, balanced_start
from dvonn.actions import action_mask, action_of, move_of
from dvonn.arrays import planes
from dvonn.batch import BLACK, OVER, WHITE, Batch
from tests.games import positions_of, random_game
from tests.tiers import share_of

NUMBERS = {Color.WHITE: WHITE, Color.BLACK: BLACK, None: OVER}


def assert_same(batch: Batch, positions: list[Position]) -> None:
    for game, position in enumerate(positions):
        assert batch.masks[game].tobytes() == bytes(action_mask(position))
        assert batch.planes[game].tobytes() == planes(position).tobytes()
        assert batch.turns[game] == NUMBERS[position.turn]
        assert batch.margins[game] == position.score("W") - position.score("B")
        winner = {Color.WHITE: 1, Color.BLACK: -1, None: 0}[position.winner]
        assert batch.outcomes[game] == winner
        assert batch.over[game] == position.is_over


@settings(max_examples=share_of(75), deadline=None)
@given(st.integers(0, 2**40), st.integers(1, 9))
def test_a_batch_is_many_positions_ply_by_ply(seed: int, size: int) -> None:
    rng = random.Random(seed)
    starts = [
        Position.initial(),
        Position.initial().after(*balanced_start(seed % 1000)),
        rng.choice(positions_of(random_game(seed % 1000))),
    ]
    batch = Batch(size, starts)
    positions = [starts[game % len(starts)] for game in range(size)]
    assert_same(batch, positions)
    while not batch.over.all():
        actions = batch.random_actions(rng.getrandbits(62))
        positions = [
            position if position.is_over else position.play(move_of(int(action), position))
            for position, action in zip(positions, actions, strict=True)
        ]
        batch.step(actions)
        assert_same(batch, positions)


def test_tall_stacks_and_red_ones_are_counted() -> None:
    position = Position.from_stacks({"a1": "R" + "WB" * 7 + "W", "b1": "RB", "c2": "RW"}, turn="W")
    batch = Batch(1, [position])
    assert_same(batch, [position])


def test_some_games_are_played_and_restarted() -> None:
    batch = Batch(3)
    batch.step([5, 6], games=[2, 0])
    positions = [Position.initial().play(move_of(n, Position.initial())) for n in (6, 5)]
    assert_same(batch, [positions[0], Position.initial(), positions[1]])
    middle = positions_of(random_game(2))[60]
    batch.reset([0], starts=[middle])
    assert_same(batch, [middle, Position.initial(), positions[1]])
    batch.reset()
    assert_same(batch, [Position.initial()] * 3)


def test_copies_of_games_are_games_of_their_own() -> None:
    positions = [*positions_of(random_game(2))[40:60:9], Position.initial()]
    batch = Batch(len(positions), positions)
    games, actions = np.nonzero(batch.masks)
    children = batch.select(games)
    children.step(actions)
    played = [
        positions[game].play(move_of(int(action), positions[game]))
        for game, action in zip(games, actions, strict=True)
    ]
    assert_same(children, played)
    assert_same(batch, positions)
    children.reset(starts=[Position.initial()])
    assert_same(children, [Position.initial()] * len(games))
    assert_same(batch, positions)
    assert len(batch.select([])) == 0


@pytest.mark.parametrize("action", [-1, 49, 342, 343, 10**9, 7])
def test_illegal_moves_are_not_played(action: int) -> None:
    batch = Batch(2)
    batch.step([7, 7])
    before = [Position.initial().play(move_of(7, Position.initial()))] * 2
    with pytest.raises(DvonnError, match="game 1: action"):
        batch.step([3, action])
    with pytest.raises(DvonnError, match="2 games, but 1 actions"):
        batch.step([3])
    assert_same(batch, before)


def test_random_actions_are_legal_and_all_occur() -> None:
    batch = Batch(1000)
    actions = batch.random_actions(1)
    assert set(actions) == set(range(49))
    assert np.array_equal(actions, batch.random_actions(1))
    assert action_of(move_of(int(actions[0]), Position.initial())) == actions[0]


@pytest.mark.later("of the speed, not of what it says")
def test_a_batch_is_far_faster_than_positions() -> None:
    def steps_of_batch() -> float:
        batch, played = Batch(512), 0
        begun = time.process_time()
        while not batch.over.all():
            played += int((~batch.over).sum())
            batch.step(batch.random_actions(played))
        return played / (time.process_time() - begun)

    def steps_of_positions() -> float:
        rng, position, played = random.Random(1), Position.initial(), 0
        begun = time.process_time()
        while not position.is_over:
            action_mask(position)
            planes(position)
            position = position.play(rng.choice(position.legal_moves()))
            played += 1
        return played / (time.process_time() - begun)

    steps_of_batch()  # compiles
    assert steps_of_batch() > 10 * steps_of_positions()
