"""Tests for compiled tables against the board that they are made from."""

import pytest

pytest.importorskip("numba", reason="the extra `engine` is not installed")

import numpy as np

from dvonn._rules.bitboard import INDEX
from dvonn._rules.board import (
    COLUMNS,
    POINTS,
    Point,
    column_row,
    distance,
    neighbours,
    steps_between,
)
from dvonn.engine import tables


def points_of(mask: int) -> set[Point]:
    assert not int(mask) & ~tables.BOARD
    return {point for point in POINTS if int(mask) >> INDEX[point] & 1}


def destinations(height: int, point: Point) -> set[Point]:
    return points_of(tables.DESTINATIONS[height * tables.POINT_SLOTS + INDEX[point]])


def within(steps: int, point: Point) -> set[Point]:
    return points_of(tables.WITHIN[steps * tables.POINT_SLOTS + INDEX[point]])


def walked(point: Point) -> dict[Point, int]:
    """Return how many steps from neighbors lead to each point, by walking."""
    steps, border = {point: 0}, [point]
    while border:
        here = border.pop(0)
        for beside in neighbours(here):
            if beside not in steps:
                steps[beside] = steps[here] + 1
                border.append(beside)
    return steps


@pytest.mark.parametrize("point", POINTS)
def test_the_neighbors_of_a_point(point: Point) -> None:
    assert points_of(tables.NEIGHBORS[INDEX[point]]) == set(neighbours(point))
    for height in range(tables.MAX_HEIGHT + 1):
        straight = {other for other in POINTS if height and distance(point, other) == height}
        assert destinations(height, point) == straight
    steps = walked(point)
    assert {other: steps_between(point, other) for other in POINTS} == steps
    for most in range(COLUMNS):
        assert within(most, point) == {other for other in POINTS if steps[other] <= most}


def test_the_columns_at_the_ends() -> None:
    assert points_of(tables.FIRST_COLUMN) == {
        point for point in POINTS if column_row(point)[0] == 0
    }
    assert points_of(tables.LAST_COLUMN) == {
        point for point in POINTS if column_row(point)[0] == 10
    }


def test_planes_are_empty_outside_the_board() -> None:
    used = set(INDEX.values())
    for table in (tables.NEIGHBORS, tables.DESTINATIONS, tables.WITHIN):
        assert table.dtype == np.int64
        assert not [at for at in table.nonzero()[0] if at % tables.POINT_SLOTS not in used]


def test_hash_keys_are_all_different_and_the_same_everywhere() -> None:
    assert len(set(tables.HASH_KEYS.tolist())) == len(tables.HASH_KEYS) == tables.HASH_SIDE + 1
    assert tables.HASH_KEYS[[0, -1]].tolist() == [-5350270467196914483, -3884437331794429526]
