"""The rules by their worked examples, each small enough to be checked by eye."""

import pytest

from dvonn import (
    Color,
    Coordinates,
    IllegalMoveError,
    Phase,
    Point,
    Position,
    Reason,
    format_move,
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


def test_on_a_full_board_only_white_stacks_at_the_edge_may_move() -> None:
    position = start_of_movement(5)
    sources = {move.source for move in position.legal_moves()}
    edge = {point for point in position.stacks if len(neighbours(point)) < 6}
    assert sources == {point for point in edge if position.stacks[point] == "W"}


def test_the_newsletters_first_stack_of_two() -> None:
    """Full board, then d1-d2: the stack of two on d2 may next go to exactly d4, b4 and b2."""
    starts = (start_of_movement(seed) for seed in range(20))
    position = next(start for start in starts if start.owner(Point("a2")) is Color.WHITE)
    position = position.play(parse_move("d1-d2", Coordinates.PERGIOCO))
    assert position.turn is Color.BLACK
    whites_next = Position.from_stacks(position.stacks, turn=Color.WHITE)
    targets = map(Coordinates.PERGIOCO.label, whites_next.destinations(Point("b2")))
    assert sorted(targets) == ["b2", "b4", "d4"]


def test_the_newsletters_endgame() -> None:
    """White leads 20 to 19, has one move, and loses 21 to 5."""
    # Where the newsletter leaves a stack's pieces open, they are chosen here.
    stacks = {"a9": "RWWW", "b10": "WWWWW", "b7": "BBBBB", "b9": "B", "c10": "RB", "c11": "BBBBB"}
    stacks |= {"c6": "WW", "c7": "RWW", "d10": "BB", "d7": "WWWWWW", "d9": "BBBB"}
    position = Position.from_stacks(
        {Coordinates.PERGIOCO.point(label) or "": pieces for label, pieces in stacks.items()},
        turn=Color.WHITE,
    )
    assert (position.score(Color.WHITE), position.score(Color.BLACK)) == (20, 19)
    told = [format_move(move, Coordinates.PERGIOCO) for move in position.legal_moves()]
    assert told == ["c7-c10"]

    position = position.play(parse_move("c7-c10", Coordinates.PERGIOCO))
    assert position.stacks[Point("j3")] == "RBRWW"
    assert position.owner(Point("j3")) is Color.WHITE
    gone = {Coordinates.PERGIOCO.label(point): pieces for point, pieces in position.removed.items()}
    assert gone == {"b7": "BBBBB", "c6": "WW", "d7": "WWWWWW"}
    assert position.turn is Color.BLACK

    position = position.play(parse_move("b9-a9", Coordinates.PERGIOCO))
    assert (position.turn, position.passed) == (Color.BLACK, (Color.WHITE,))
    position = position.play(parse_move("d10-b10", Coordinates.PERGIOCO))
    assert position.phase is Phase.OVER
    assert (position.score(Color.WHITE), position.score(Color.BLACK)) == (5, 21)
    assert position.winner is Color.BLACK


def test_lines_are_crossed_over_empty_and_occupied_spaces() -> None:
    stacks = {"a3": "BWW", "b3": "R", "d3": "B"}
    # The stack of three jumps over b3, which is occupied, and c3, which is empty; d3 is linked by a
    # second red piece beside it.
    position = Position.from_stacks({**stacks, "d4": "R"}, turn=Color.WHITE)
    assert [str(move) for move in position.legal_moves()] == ["a3-d3"]
    assert play(position, "a3-d3").stacks == {"b3": "R", "d3": "BBWW", "d4": "R"}


def test_the_longest_line_takes_a_stack_of_ten() -> None:
    stacks = {"a3": "RR" + "W" * 8, "k3": "B", "k4": "R"}
    position = Position.from_stacks(stacks, turn=Color.WHITE)
    assert [str(move) for move in position.legal_moves()] == ["a3-k3"]
    taller = Position.from_stacks({**stacks, "a3": "RR" + "W" * 9}, turn=Color.WHITE)
    assert taller.turn is Color.BLACK


def test_a_stack_may_land_on_a_red_piece_and_then_carries_it() -> None:
    position = play(Position.from_stacks({"a1": "W", "b1": "R"}, turn=Color.WHITE), "a1-b1")
    assert position.stacks == {"b1": "RW"}
    assert position.owner(Point("b1")) is Color.WHITE
    assert position.reds(Point("b1")) == 1


def test_a_red_piece_that_moves_away_leaves_its_group_to_fall() -> None:
    stacks = {"a1": "RW", "b1": "B", "c1": "B"}
    position = play(Position.from_stacks(stacks, turn=Color.WHITE), "a1-c1")
    assert position.stacks == {"b1": "B", "c1": "BRW"}
    apart = Position.from_stacks({"a3": "RWW", "b3": "B", "d3": "R"}, turn=Color.WHITE)
    position = play(apart, "a3-d3")
    assert position.removed == {"b3": "B"}
    assert position.stacks == {"d3": "RRWW"}


def test_leaving_the_one_joining_space_cuts_what_lies_behind() -> None:
    stacks = {"a3": "B", "b3": "B", "c3": "W", "d3": "R"}
    position = play(Position.from_stacks(stacks, turn=Color.WHITE), "c3-d3")
    assert position.removed == {"a3": "B", "b3": "B"}
    assert position.stacks == {"d3": "RW"}


def test_a_stack_can_cut_itself_off_by_its_own_move() -> None:
    stacks = {"a3": "B", "b3": "W", "c3": "R"}
    position = play(Position.from_stacks(stacks, turn=Color.WHITE), "b3-a3")
    assert position.removed == {"a3": "BW"}
    assert position.stacks == {"c3": "R"}
    assert position.phase is Phase.OVER
    assert position.winner is None


def test_a_stack_with_two_red_pieces_moves_with_both() -> None:
    """An early program tracked one red piece per stack and lost the second when the stack moved."""
    stacks = {"a3": "RRW", "b3": "B", "d3": "W", "e3": "R"}
    position = play(Position.from_stacks(stacks, turn=Color.WHITE), "a3-d3")
    assert position.removed == {"b3": "B"}
    assert position.stacks == {"d3": "WRRW", "e3": "R"}
    assert position.reds(Point("d3")) == 2
    # Both reds link what stands around the landing point, even without the third.
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
    # White's only single is hemmed in by six blacks; when one leaves, it may move.
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
