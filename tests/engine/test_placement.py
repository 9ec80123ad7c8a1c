"""Tests for placement: the chosen spaces and their values."""

import random

import pytest

pytest.importorskip("numba")

from dvonn import Phase, Position, parse_move
from dvonn._rules.bitboard import INDEX
from dvonn._rules.board import POINTS, Point, steps_between
from dvonn.engine.placement import Board, choose_placement

PLACED = (
    "c1 c2 k5 d4 d1 a2 b1 d3 b2 b3 c3 d2 e4 e2 i3 i5 g3 j5 k4 e1 e3 j4 a1 c4 i4 "
    "h5 f5 f3 k3 j3 e5 d5 h3 f2 b4 f4 f1 c5 g5 j2 h4 g4 i2 h2 g1 a3 g2 h1 i1"
)
SWINGS = 269_254
"""The sum of all points' swings while the engine places against itself."""


@pytest.mark.parametrize("seed", range(5))
def test_white_sets_reds_apart_and_black_together(seed: int) -> None:
    """Sorted by the distance to the nearest red piece, then by the distance to all."""
    rng, position = random.Random(seed), Position.initial()
    reds: list[Point] = []
    for best in (max, min, max):
        merits = {
            point: (
                min((steps_between(point, red) for red in reds), default=0),
                sum(steps_between(point, red) for red in reds),
            )
            for point in POINTS
            if point not in reds
        }
        move = choose_placement(position, rng)
        assert merits[move.target] == best(merits.values())
        reds.append(move.target)
        position = position.play(move)


def test_between_equal_points_for_a_red_piece_chance_decides() -> None:
    rng = random.Random(1)
    assert len({choose_placement(Position.initial(), rng).target for _ in range(20)}) > 5


def test_placement_is_unchanged() -> None:
    """If a change to the placement is intended, update `PLACED`."""
    rng, position = random.Random(1), Position.initial()
    placed, swings = [], 0
    while position.phase is Phase.PLACEMENT:
        if position.to_place != "R":
            for samples in (4, 42):
                swings += sum(map(abs, Board(position).swings(samples, random.Random(samples))))
        move = choose_placement(position, rng, samples=42)
        placed.append(str(move))
        position = position.play(move)
    assert " ".join(placed) == PLACED
    assert swings == SWINGS


def test_a_swing_is_the_value_for_both_sides() -> None:
    """A point next to two reds is worth more than one at the far end of the board."""
    position = Position.initial()
    for text in ("a1", "b2", "d1"):
        position = position.play(parse_move(text))
    board = Board(position)
    swings = board.swings(4000, random.Random(1))
    by_index = dict(zip(board.free.tolist(), swings, strict=True))
    assert by_index[INDEX[parse_move("b1").target]] > by_index[INDEX[parse_move("k5").target]] + 100


def test_the_last_points_are_shared_out() -> None:
    """With two points left White gets the last one, whatever Black takes."""
    position = Position.initial()
    for text in PLACED.split()[:48]:
        position = position.play(parse_move(text))
    assert choose_placement(position, random.Random(1)) == position.legal_moves()[0]
