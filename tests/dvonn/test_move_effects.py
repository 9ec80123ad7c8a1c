"""Tests for a movement's consequences against the plain rules."""

import doctest
from random import Random

import pytest

from dvonn import Color, Phase, Position
from dvonn_lessons import move_effects
from dvonn_lessons.move_effects import MoveEffects
from tests.dvonn.plain_rules import OTHER, PlainPosition, move_of, name
from tests.games import random_game


def lost(after: PlainPosition, player: str) -> dict[str, int]:
    """Return what a player's stacks have just lost."""
    stacks = after.removed.items()
    return {name(point): len(stack) for point, stack in stacks if stack[-1] == player}


def movable(plain: PlainPosition, player: str) -> set[str]:
    return {name(source) for source, _ in plain.moves_of(player) if source is not None}


def owned(plain: PlainPosition, player: str) -> set[str]:
    return {name(point) for point, stack in plain.stacks.items() if stack[-1] == player}


@pytest.mark.parametrize("seed", range(6))
def test_the_legal_moves_follow_the_rules(seed: int) -> None:
    rng, plain, position = Random(seed), PlainPosition(), Position.initial()
    freed = blocked = 0
    for played in random_game(seed):
        if position.phase is Phase.MOVEMENT:
            effects = MoveEffects(position, rng.choice(position.legal_moves()))
            agrees(plain, effects)
            freed += any(effects.freed(player) for player in Color)
            blocked += any(effects.blocked(player) for player in Color)
        plain, position = plain.play(move_of(str(played))), position.play(played)
    assert min(freed, blocked) >= 1


def agrees(plain: PlainPosition, effects: MoveEffects) -> None:
    after = plain.play(move_of(str(effects.move)))
    below = plain.stacks[move_of(str(effects.move))[1]]
    landing = effects.landing
    assert landing.owner == (None if below == "R" else below[-1])
    assert (landing.height, landing.reds) == (len(below), below.count("R"))
    assert effects.takes == (below[-1] == OTHER[plain.turn])
    for player in Color:
        found = effects.cut_off(player)
        assert {str(point): pieces for point, pieces in found.items()} == lost(after, player)
        assert effects.lost(player) == sum(found.values())
        stays = owned(plain, player) & owned(after, player)
        could, can = movable(plain, player), movable(after, player)
        assert {str(point) for point in effects.freed(player)} == stays & (can - could)
        assert {str(point) for point in effects.blocked(player)} == stays & (could - can)
    assert effects.moves_again == (after.turn == plain.turn)
    assert effects.ends_game == (after.turn == "")
    if after.turn != OTHER[plain.turn]:
        assert effects.threat is None
        return
    cuts = [sum(lost(after.play(reply), plain.turn).values()) for reply in after.legal_moves()]
    assert (0 if effects.threat is None else effects.threat.pieces) == max(cuts)
    if effects.threat is not None:
        by = after.play(move_of(str(effects.threat.by)))
        assert sum(lost(by, plain.turn).values()) == effects.threat.pieces


def test_the_example_is_true() -> None:
    assert doctest.testmod(move_effects).failed == 0
