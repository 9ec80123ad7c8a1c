"""The placement: legal, the same for the same seed, and better than chance and a plain rule."""

import random
from collections.abc import Callable

import pytest

pytest.importorskip("numba")

from dvonn import Color, Move, Phase, Position, parse_move
from dvonn.bitboard import INDEX
from dvonn.board import POINTS, Point
from dvonn.engine.placement import Board, choose_placement
from dvonn.engine.searcher import Searcher
from dvonn.engine.tables import steps_between

PLACED = (
    "c1 c2 k5 d4 d1 a2 b1 d3 b2 b3 c3 d2 e4 e2 i3 i5 g3 j5 k4 e1 e3 j4 a1 c4 i4 "
    "h5 f5 f3 k3 j3 e5 d5 h3 f2 b4 f4 f1 c5 g5 j2 h4 g4 i2 h2 g1 a3 g2 h1 i1"
)
SWINGS = 269_254
"""Where the engine places against itself, and the swings of all points on the way, added up."""

Placer = Callable[[Position, random.Random], Move]


def by_chance(position: Position, rng: random.Random) -> Move:
    return rng.choice(position.legal_moves())


def near_the_reds(position: Position, rng: random.Random) -> Move:
    """A plain rule: where the steps to the reds add up to least."""
    reds = [point for point, pieces in position.stacks.items() if pieces == "R"]
    moves = list(position.legal_moves())
    rng.shuffle(moves)
    return min(moves, key=lambda move: sum(steps_between(move.target, red) for red in reds))


def few_samples(position: Position, rng: random.Random) -> Move:
    return choose_placement(position, rng, samples=800)


def full_board(white: Placer, black: Placer, seed: int) -> Position:
    """Reds by chance, the same for all; then each side's own placement."""
    rng, position = random.Random(seed), Position.initial()
    while position.phase is Phase.PLACEMENT:
        placer = white if position.turn is Color.WHITE else black
        if position.to_place == "R":
            placer = by_chance
        position = position.play(placer(position, rng))
    return position


def score(one: Placer, other: Placer, boards: int) -> float:
    """What the first placement gets when the same engine plays both sides."""
    searcher, points = Searcher(megabytes=1), 0.0
    for number in range(2 * boards):
        color = Color.BLACK if number % 2 else Color.WHITE
        placers = (one, other) if color is Color.WHITE else (other, one)
        position = full_board(*placers, seed=number // 2)
        searcher.clear()
        while position.turn is not None:
            position = position.play(searcher.search(position, nodes=1000).move)
        margin = position.score(color) - position.score(color.opponent)
        points += 0.5 + 0.5 * ((margin > 0) - (margin < 0))
    return points / (2 * boards)


def test_it_fills_the_board() -> None:
    position = full_board(few_samples, few_samples, seed=1)
    assert len(position.stacks) == 49


def test_the_same_seed_places_the_same() -> None:
    first, second, other = (full_board(few_samples, few_samples, seed=s) for s in (3, 3, 4))
    assert first.stacks == second.stacks != other.stacks


@pytest.mark.thorough("strength, shown by games; the signature holds each placement")
def test_it_beats_chance() -> None:
    # 97% in 60 games.
    assert score(few_samples, by_chance, boards=10) >= 0.8


@pytest.mark.thorough("strength, shown by games; the signature holds each placement")
def test_it_beats_a_plain_rule() -> None:
    # 75% of 160 games with 8000 samples.
    assert score(choose_placement, near_the_reds, boards=20) >= 0.6


@pytest.mark.parametrize("seed", range(5))
def test_white_sets_reds_apart_and_black_together(seed: int) -> None:
    """By the steps to the nearest red first, then by those to all of them."""
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


def test_the_signature() -> None:
    """A placement that is meant to be another one has another signature; no other one has."""
    rng, position = random.Random(1), Position.initial()
    placed, swings = [], 0
    while position.phase is Phase.PLACEMENT:
        if position.to_place != "R":
            for samples in (4, 42):
                swings += sum(
                    map(abs, Board(position).swings(samples, random.Random(samples)).tolist())
                )
        move = choose_placement(position, rng, samples=42)
        placed.append(str(move))
        position = position.play(move)
    assert " ".join(placed) == PLACED
    assert swings == SWINGS


def test_a_swing_is_what_both_sides_want() -> None:
    """Beside two reds a point is worth more than at the far end of the board."""
    position = Position.initial()
    for text in ("a1", "b2", "d1"):
        position = position.play(parse_move(text))
    board = Board(position)
    swings = board.swings(4000, random.Random(1))
    by_index = dict(zip(board.free.tolist(), swings.tolist(), strict=True))
    assert by_index[INDEX[parse_move("b1").target]] > by_index[INDEX[parse_move("k5").target]] + 100


def test_the_last_points_are_shared_out() -> None:
    """With two points left White gets the last one, whatever Black takes."""
    position = full_board(few_samples, few_samples, seed=2)
    moves = list(position.stacks)
    replay = Position.initial()
    order = {piece: [p for p in moves if position.stacks[p] == piece] for piece in "RWB"}
    while replay.plies < 48:
        assert replay.to_place is not None
        replay = replay.play(Move(target=order[replay.to_place].pop()))
    assert choose_placement(replay, random.Random(1)) == replay.legal_moves()[0]
