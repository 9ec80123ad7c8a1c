"""Tests for the rules with small worked examples."""

import pytest

from dvonn import (
    Color,
    Coordinates,
    IllegalMoveError,
    Phase,
    Point,
    Position,
    Reason,
    neighbours,
    parse_move,
)
from tests.games import positions_of, random_game


def start_of_movement(seed: int) -> Position:
    return positions_of(random_game(seed)[:49])[-1]


def play(position: Position, *texts: str) -> Position:
    for text in texts:
        position = position.play(parse_move(text))
    return position


def test_the_newsletters_first_stack_of_two() -> None:
    """Full board, then d1-d2: the stack of two on d2 can then move to exactly d4, b4 and b2."""
    starts = (start_of_movement(seed) for seed in range(20))
    position = next(start for start in starts if start.owner(Point("a2")) is Color.WHITE)
    position = position.play(parse_move("d1-d2", Coordinates.PERGIOCO))
    assert position.turn is Color.BLACK
    whites_next = Position.from_stacks(position.stacks, turn=Color.WHITE)
    targets = map(Coordinates.PERGIOCO.label, whites_next.destinations(Point("b2")))
    assert sorted(targets) == ["b2", "b4", "d4"]


def test_the_longest_line_takes_a_stack_of_ten() -> None:
    stacks = {"a3": "RR" + "W" * 8, "k3": "B", "k4": "R"}
    position = Position.from_stacks(stacks, turn=Color.WHITE)
    assert [str(move) for move in position.legal_moves()] == ["a3-k3"]
    taller = Position.from_stacks({**stacks, "a3": "RR" + "W" * 9}, turn=Color.WHITE)
    assert taller.turn is Color.BLACK


def test_a_stack_with_two_red_pieces_moves_with_both() -> None:
    """An early program tracked one red piece per stack, and lost the second in a move."""
    stacks = {"a3": "RRW", "b3": "B", "d3": "W", "e3": "R"}
    position = play(Position.from_stacks(stacks, turn=Color.WHITE), "a3-d3")
    assert position.removed == {"b3": "B"}
    assert position.stacks == {"d3": "WRRW", "e3": "R"}
    assert position.reds(Point("d3")) == 2
    # The stack's two reds link everything around it, even without the third red piece.
    linked = {"a3": "RRW", "d3": "W", "d4": "B", "e4": "B"}
    position = play(Position.from_stacks(linked | {"c3": "R"}, turn=Color.WHITE), "a3-d3")
    assert position.removed == {}
    assert position.reds(Point("d3")) == 2


def test_three_red_pieces_in_one_stack_hold_all_that_is_left() -> None:
    stacks = {"a3": "RRB", "d3": "RW", "d4": "W", "b3": "W"}
    position = play(Position.from_stacks(stacks, turn=Color.BLACK), "a3-d3")
    assert position.removed == {"b3": "W"}
    assert position.stacks == {"d3": "RWRRB", "d4": "W"}
    assert position.reds(Point("d3")) == 3


def test_white_passes_before_the_first_move_without_a_stack_at_the_edge() -> None:
    edge = [point for point in start_of_movement(1).stacks if len(neighbours(point)) < 6]
    inside = [point for point in start_of_movement(1).stacks if len(neighbours(point)) == 6]
    reds, blacks = edge[:3], [*edge[3:], *inside[:2]]
    position = Position.initial()
    order = [*reds, *(point for pair in zip(blacks, inside[2:], strict=True) for point in pair)]
    for point in order[:-1]:
        position = play(position, point)
        assert position.passed == ()
    position = play(position, order[-1])
    assert position.phase is Phase.MOVEMENT
    assert (position.turn, position.passed) == (Color.BLACK, (Color.WHITE,))
    assert position.plies == 49


def test_a_player_who_had_to_pass_moves_again_when_he_can() -> None:
    # White's only single is enclosed by six blacks. When one leaves, it can move.
    ring: dict[str, str] = dict.fromkeys(neighbours(Point("e3")), "B")
    stacks = {**ring, "e3": "W", "e4": "RB", "g3": "B", "h3": "R", "e5": "R"}
    position = Position.from_stacks(stacks, turn=Color.WHITE)
    assert (position.turn, position.passed) == (Color.BLACK, (Color.WHITE,))
    position = play(position, "f3-g3")
    assert (position.turn, position.passed) == (Color.WHITE, ())
    assert {move.source for move in position.legal_moves()} == {"e3"}


def test_a_stack_of_the_player_who_was_passed_over_is_not_the_movers() -> None:
    position = Position.from_stacks({"a1": "B", "b1": "R", "c1": "WWWWWWWWWWW"}, turn=Color.WHITE)
    assert position.passed == (Color.WHITE,)
    with pytest.raises(IllegalMoveError) as caught:
        play(position, "c1-b1")
    assert caught.value.reason is Reason.NOT_OWNER


def test_equal_scores_are_a_draw() -> None:
    position = play(
        Position.from_stacks({"a1": "W", "b1": "R", "k5": "RB"}, turn=Color.WHITE), "a1-b1"
    )
    assert position.phase is Phase.OVER
    assert (position.score(Color.WHITE), position.score(Color.BLACK)) == (2, 2)
    assert position.winner is None
