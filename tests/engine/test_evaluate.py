"""Tests for the compiled evaluation against the plain rules."""

import random
from collections import Counter
from collections.abc import Container, Mapping

import pytest

pytest.importorskip("numba", reason="the extra `engine` is not installed")

import numpy as np

from dvonn import Color, Point, Position
from dvonn._rules.bitboard import INDEX
from dvonn._rules.board import neighbours, steps_between
from dvonn.engine.evaluate import Count, describe
from dvonn.engine.memory import FEATURES, SIZE
from dvonn.engine.state import load
from dvonn.engine.tables import DESTINATIONS, POINT_SLOTS

PLIES = (0, 6, 12, 18, 24, 28)


def positions() -> list[Position]:
    """Positions from full boards to late ones, each with a possible move."""
    found = []
    for seed in range(8):
        rng = random.Random(seed)
        position = Position.initial()
        while position.to_place is not None:
            position = position.play(rng.choice(position.legal_moves()))
        for ply in range(max(PLIES) + 1):
            if position.turn is None:
                break
            if ply in PLIES:
                found.append(position)
            position = position.play(rng.choice(position.legal_moves()))
    return found


def counts_of(position: Position, color: Color) -> Counter[Count]:
    """Return one side's value of each feature, without those that only both sides have together."""
    stacks = position.stacks
    reds = [point for point, pieces in stacks.items() if "R" in pieces]
    own = {point for point, pieces in stacks.items() if pieces[-1] == color}
    found: Counter[Count] = Counter()
    names = {1: "ONES", 2: "TWOS"}
    moves = {point: leads_to(point, stacks) for point in own}
    others = {
        to for at in stacks if stacks[at][-1] == color.opponent for to in leads_to(at, stacks)
    }
    reached = set().union(*moves.values())
    for point in own:
        height = len(stacks[point])
        name = names.get(height, "TALL")
        free = len([beside for beside in neighbours(point) if beside in stacks]) < 6
        if height <= 2:
            found[Count[f"{name}_{'FREE' if free else 'BLOCKED'}"]] += 1
        else:
            found[{3: Count.THREES, 4: Count.FOURS}.get(height, Count.TALL)] += 1
        for target in moves[point]:
            top = stacks[target][-1]
            onto = "OWN" if top == color else "RED" if top == "R" else "ENEMY"
            found[Count[f"{name}_ONTO_{onto}"]] += 1
            found[Count.ONTO_ENEMY_RED] += onto == "ENEMY" and "R" in stacks[target]
        dead = height > 1 and not aimed_at(point, stacks)
        nearest = min(steps_over(stacks, reds, point), 4)
        rings = {1: Count.BESIDE_RED, 2: Count.TWO_FROM_RED, 3: Count.THREE_FROM_RED}
        if nearest in rings:
            found[rings[nearest]] += 1
        found += Counter(
            {
                Count.PIECES: height,
                Count.MOVABLE: bool(moves[point]),
                Count.HOLDS_RED: point in reds,
                Count.PIECES_WITH_RED: height if point in reds else 0,
                Count.MOVABLE_WITH_RED: point in reds and bool(moves[point]),
                Count.ATTACKED: point in others,
                Count.ATTACKED_WITH_RED: point in others and point in reds,
                Count.ATTACKED_ALONE: point in others and point not in reached,
                Count.ATTACKED_PIECES: height if point in others else 0,
                Count.SAFE_PIECES: height if point not in others else 0,
                Count.DEAD: dead,
                Count.DEAD_PIECES: height if dead else 0,
                Count.DEAD_BESIDE_RED: dead and nearest == 1,
                Count.FAR_FROM_RED: nearest > 2,
                Count.HANGING: point not in reds and touched(point, stacks) < 2,
                Count.CROWDED: touched(point, own) >= 4,
                Count.BESIDE_LONE_RED: any(stacks.get(at) == "R" for at in neighbours(point)),
            }
        )
    found[Count.REACHED] = len(reached)
    near = {
        steps: [sum(steps_between(red, point) <= steps for point in own) for red in reds]
        for steps in (1, 2, 3, 4, 6, 8)
    }
    for steps, each in near.items():
        found[Count[f"WITHIN_{steps}"]] = sum(each)
    found[Count.LEAST_WITHIN_2] = min(near[2])
    found[Count.LEAST_WITHIN_4] = min(near[4])
    return found


def aimed_at(point: Point, stacks: Mapping[Point, str]) -> set[Point]:
    """Return the stacks at the right distance, whether or not the moving one is surrounded."""
    mask = int(DESTINATIONS[len(stacks[point]) * POINT_SLOTS + INDEX[point]])
    return {other for other in stacks if mask >> INDEX[other] & 1}


def leads_to(point: Point, stacks: Mapping[Point, str]) -> set[Point]:
    """Return where a stack can move."""
    return set() if touched(point, stacks) == 6 else aimed_at(point, stacks)


def touched(point: Point, points: Container[Point]) -> int:
    """Return how many of the neighboring points have one of these."""
    return sum(beside in points for beside in neighbours(point))


def steps_over(stacks: Mapping[Point, str], reds: list[Point], point: Point) -> int:
    """Return the number of steps over stacks from the nearest red piece."""
    reached, steps = set(reds), 0
    while point not in reached:
        reached |= {at for item in reached for at in neighbours(item) if at in stacks}
        steps += 1
    return steps


def test_every_feature_is_a_difference_between_the_sides() -> None:
    seen: Counter[Count] = Counter()
    for position in positions():
        memory = np.zeros(SIZE, dtype=np.int64)
        describe(memory, *load(position, memory).sets[:5])
        counted = {feature: int(memory[FEATURES + feature]) for feature in Count}
        turn = position.turn
        assert turn is not None
        ours, theirs = counts_of(position, turn), counts_of(position, turn.opponent)
        plain = {feature: ours[feature] - theirs[feature] for feature in Count}
        assert counted == plain | {Count.TURN: 1}
        seen.update(feature for feature, count in counted.items() if count)
    # A stack of two is never surrounded on random boards.
    assert set(Count) - set(seen) <= {Count.TWOS_BLOCKED}
