import copy
import pickle
from collections.abc import Mapping

import pytest

from dvonn import (
    PIECE_COUNTS,
    POINTS,
    Color,
    IllegalMoveError,
    Phase,
    Point,
    Position,
    PositionError,
    PositionProblem,
    Reason,
    UnknownPointError,
    neighbours,
    parse_move,
)
from tests.games import positions_of, random_game

SMALL = {"a1": "W", "b1": "WB", "b2": "R"}


def after(position: Position, *texts: str) -> Position:
    for text in texts:
        position = position.play(parse_move(text))
    return position


def small() -> Position:
    return Position.from_stacks(SMALL, turn=Color.WHITE)


def test_a_game_starts_with_an_empty_board() -> None:
    position = Position.initial()
    assert position.phase is Phase.PLACEMENT
    assert position.turn is Color.WHITE
    assert position.plies == 0
    assert position.to_place == "R"
    assert not position.stacks
    assert not position.removed
    assert position.passed == ()
    assert position.winner is None
    assert [str(move) for move in position.legal_moves()] == list(POINTS)


def test_the_placement_goes_red_white_black_in_turn() -> None:
    position, order = Position.initial(), []
    while position.phase is Phase.PLACEMENT:
        assert position.turn is not None
        order.append(f"{position.turn}{position.to_place}")
        piece = position.to_place
        target = POINTS[position.plies]
        position = after(position, target)
        assert position.stacks[target] == piece
    assert order == ["WR", "BR", "WR", *(["BB", "WW"] * 23)]
    assert (position.phase, position.turn, position.plies) == (Phase.MOVEMENT, Color.WHITE, 49)
    assert position.to_place is None
    pieces = "".join(position.stacks.values())
    assert {piece: pieces.count(piece) for piece in "RWB"} == PIECE_COUNTS


def test_a_move_carries_the_whole_stack() -> None:
    position = after(small(), "a1-b1")
    assert position.stacks == {"b1": "WBW", "b2": "R"}
    assert (position.phase, position.turn) == (Phase.OVER, None)
    assert position.plies == 1


def test_playing_leaves_the_position_as_it_was() -> None:
    position = small()
    after(position, "a1-b1")
    assert position.stacks == SMALL
    assert [str(move) for move in position.legal_moves()] == ["a1-b1", "a1-b2"]


def test_stacks_come_in_row_order() -> None:
    backwards = dict(reversed(SMALL.items()))
    assert list(Position.from_stacks(backwards, turn=Color.WHITE).stacks) == list(SMALL)


def test_the_ways_to_look_at_a_stack() -> None:
    stacks = {"a1": "WB", "b1": "RRW", "c1": "R", "d1": "B"}
    position = Position.from_stacks(stacks, turn=Color.WHITE)
    looks = {
        point: (position.owner(point), position.height(point), position.reds(point))
        for point in map(Point, [*stacks, "e1"])
    }
    assert looks == {
        "a1": (Color.BLACK, 2, 0),
        "b1": (Color.WHITE, 3, 2),
        "c1": (None, 1, 1),
        "d1": (Color.BLACK, 1, 0),
        "e1": (None, 0, 0),
    }
    assert (position.score(Color.WHITE), position.score(Color.BLACK)) == (3, 3)


def test_a_full_board_surrounds_all_but_the_edge() -> None:
    position = positions_of(random_game(1)[:49])[-1]
    for point in POINTS:
        assert position.is_surrounded(point) == (len(neighbours(point)) == 6)
    assert not Position.initial().is_surrounded(Point("d3"))


def test_six_neighbours_surround_and_five_do_not() -> None:
    ring = neighbours(Point("d3"))
    stacks: dict[str, str] = {"d3": "W", **dict.fromkeys(ring, "B"), ring[0]: "R"}
    assert Position.from_stacks(stacks, turn=Color.BLACK).is_surrounded(Point("d3"))
    for missing in ring[1:]:
        fewer = {point: pieces for point, pieces in stacks.items() if point != missing}
        position = Position.from_stacks(fewer, turn=Color.BLACK)
        assert not position.is_surrounded(Point("d3"))


def test_destinations_are_those_of_the_player_to_move() -> None:
    position = Position.from_stacks({**SMALL, "a2": "B"}, turn=Color.WHITE)
    assert position.destinations(Point("a1")) == ("b1", "a2", "b2")
    assert position.destinations(Point("a2")) == ()
    assert position.destinations(Point("k3")) == ()
    assert Position.initial().destinations(Point("a1")) == ()


def test_questions_about_no_point_are_refused() -> None:
    position = small()
    nowhere = Point("a4")
    for ask in (
        position.owner,
        position.height,
        position.reds,
        position.is_surrounded,
        position.destinations,
    ):
        with pytest.raises(UnknownPointError) as caught:
            ask(nowhere)
        assert caught.value.name == nowhere


def test_a_position_cannot_be_changed() -> None:
    for position in (small(), after(small(), "a1-b1"), Position.initial()):
        with pytest.raises(AttributeError, match="never changes"):
            position.turn = Color.BLACK  # type: ignore[misc]  # what the test is about
        for mapping in (position.stacks, position.removed):
            with pytest.raises(TypeError):
                mapping["a1"] = "B"  # type: ignore[index]  # the same


def test_equal_positions_have_the_same_stacks_phase_and_turn() -> None:
    position = Position.from_stacks({**SMALL, "a2": "B"}, turn=Color.WHITE)
    assert position == Position.from_stacks({"a2": "B", **SMALL}, turn=Color.WHITE)
    assert position != Position.from_stacks({**SMALL, "a2": "B"}, turn=Color.BLACK)
    assert position != Position.from_stacks({**SMALL, "a2": "W"}, turn=Color.WHITE)
    # The same owners and heights are not enough: what lies below can decide the score.
    one = Position.from_stacks({**SMALL, "a2": "WB"}, turn=Color.WHITE)
    assert one != Position.from_stacks({**SMALL, "a2": "BB"}, turn=Color.WHITE)
    assert len({position, one, small(), small()}) == 3


def test_how_a_position_came_about_does_not_matter() -> None:
    one = after(Position.initial(), "a1", "b1", "c1", "d1", "e1", "f1")
    other = after(Position.initial(), "c1", "a1", "b1", "f1", "e1", "d1")
    assert one == other
    assert hash(one) == hash(other)
    played = after(small(), "a1-b1")
    built = Position.from_stacks(played.stacks, turn=Color.BLACK)
    assert (played.plies, built.plies) == (1, 0)
    assert played == built
    assert hash(played) == hash(built)


def test_copies_and_pickled_positions_are_equal_and_play_on() -> None:
    for position in positions_of(random_game(2))[::16]:
        for again in (
            copy.deepcopy(position),
            pickle.loads(pickle.dumps(position)),  # noqa: S301 - our own bytes
        ):
            assert type(again) is Position
            assert again == position
            assert again.legal_moves() == position.legal_moves()
            assert again.removed == position.removed
            assert [again.play(move) for move in again.legal_moves()[:1]] == [
                position.play(move) for move in position.legal_moves()[:1]
            ]


def test_a_position_is_made_by_its_ways_alone() -> None:
    with pytest.raises(TypeError, match="from_stacks"):
        Position()
    assert type(positions_of(random_game(2))[60]) is Position


def test_the_repr_tells_whose_turn_and_the_stacks() -> None:
    assert repr(small()) == (
        "<Position movement turn=WHITE plies=0 stacks={'a1': 'W', 'b1': 'WB', 'b2': 'R'}>"
    )
    assert "over turn=nobody" in repr(after(small(), "a1-b1"))


@pytest.mark.parametrize(
    ("stacks", "problem", "culprits"),
    [
        ({"a4": "R"}, PositionProblem.UNKNOWN_POINT, ("a4",)),
        ({"A1": "R", "a1": "W"}, PositionProblem.UNKNOWN_POINT, ("A1",)),
        ({"a1": "R", "b1": ""}, PositionProblem.BAD_STACK, ("b1",)),
        ({"a1": "R", "b1": "w"}, PositionProblem.BAD_STACK, ("b1",)),
        ({"a1": "R", "b1": "WX", "c1": "W B"}, PositionProblem.BAD_STACK, ("b1", "c1")),
        ({"a1": "WR"}, PositionProblem.BAD_STACK, ("a1",)),
        ({"a1": "RR"}, PositionProblem.BAD_STACK, ("a1",)),
        ({"a1": "RRRRW"}, PositionProblem.TOO_MANY_PIECES, ("R",)),
        ({"a1": "R", "b1": "W" * 24}, PositionProblem.TOO_MANY_PIECES, ("W",)),
        ({"a1": "R" + "B" * 24 + "W" * 24}, PositionProblem.TOO_MANY_PIECES, ("W", "B")),
        ({"a1": "W"}, PositionProblem.UNLINKED, ("a1",)),
        ({"a1": "R", "c1": "W", "c2": "B"}, PositionProblem.UNLINKED, ("c1", "c2")),
        ({"a1": "R", "b1": "W", "d1": "B"}, PositionProblem.UNLINKED, ("d1",)),
        # The board leans to the left: from b1, a2 is two steps away.
        ({"a2": "R", "b1": "W", "c1": "B"}, PositionProblem.UNLINKED, ("b1", "c1")),
    ],
)
def test_stacks_that_no_position_has(
    stacks: Mapping[str, str], problem: PositionProblem, culprits: tuple[str, ...]
) -> None:
    with pytest.raises(PositionError) as caught:
        Position.from_stacks(stacks, turn=Color.WHITE)
    assert (caught.value.problem, caught.value.culprits) == (problem, culprits)


def test_all_pieces_of_a_game_are_accepted() -> None:
    pieces = "R" * 3 + "B" * 23 + "W" * 23
    position = Position.from_stacks({"a1": pieces}, turn=Color.BLACK)
    assert position.phase is Phase.OVER
    assert position.score(Color.WHITE) == 49
    assert position.winner is Color.WHITE


def test_the_letter_of_a_colour_does_as_well() -> None:
    position = Position.from_stacks({**SMALL, "a2": "B"}, turn="B")  # type: ignore[arg-type]  # str
    assert position.turn is Color.BLACK
    assert position.score("W") == 1  # type: ignore[arg-type]  # the same
    with pytest.raises(ValueError, match="X"):
        Position.from_stacks(SMALL, turn="X")  # type: ignore[arg-type]  # the same


def test_the_turn_of_given_stacks_is_resolved_as_after_a_move() -> None:
    blacks_only = {"a1": "B", "b1": "R"}
    position = Position.from_stacks(blacks_only, turn=Color.WHITE)
    assert (position.turn, position.passed) == (Color.BLACK, (Color.WHITE,))
    nobody = Position.from_stacks({"a1": "R"}, turn=Color.BLACK)
    assert (nobody.phase, nobody.turn, nobody.passed) == (Phase.OVER, None, ())
    assert nobody.winner is None


REFUSALS = Position.from_stacks(
    {
        "a1": "W",
        "b1": "B",
        "c1": "R",
        # c3 is surrounded
        "c3": "W",
        "d3": "R",
        "d4": "W",
        "c4": "B",
        "b3": "WW",
        "b2": "W",
        "c2": "W",
    },
    turn=Color.WHITE,
)


@pytest.mark.parametrize(
    ("position", "text", "reason"),
    [
        (after(small(), "a1-b1"), "a1", Reason.GAME_OVER),
        (after(small(), "a1-b1"), "b1-b1", Reason.GAME_OVER),
        (Position.initial(), "a1-b1", Reason.WRONG_PHASE),
        (Position.initial(), "a1-a1", Reason.WRONG_PHASE),
        (small(), "a1", Reason.WRONG_PHASE),
        (small(), "k5", Reason.WRONG_PHASE),
        (after(Position.initial(), "a1"), "a1", Reason.OCCUPIED),
        (REFUSALS, "a1-a1", Reason.SAME_POINT),
        (REFUSALS, "k5-k5", Reason.SAME_POINT),
        (REFUSALS, "k5-k4", Reason.EMPTY_SOURCE),
        (REFUSALS, "k5-a1", Reason.EMPTY_SOURCE),
        (REFUSALS, "c1-b1", Reason.LONE_DVONN),
        (REFUSALS, "c1-a3", Reason.LONE_DVONN),
        (REFUSALS, "b1-a1", Reason.NOT_OWNER),
        (REFUSALS, "b1-k3", Reason.NOT_OWNER),
        (REFUSALS, "c3-c2", Reason.SURROUNDED),
        (REFUSALS, "c3-e4", Reason.SURROUNDED),
        (REFUSALS, "a1-c2", Reason.NOT_STRAIGHT),
        (REFUSALS, "b3-c5", Reason.NOT_STRAIGHT),
        (REFUSALS, "a1-c1", Reason.WRONG_DISTANCE),
        (REFUSALS, "b3-b2", Reason.WRONG_DISTANCE),
        (REFUSALS, "b3-e3", Reason.WRONG_DISTANCE),
        (REFUSALS, "a1-a2", Reason.EMPTY_TARGET),
        (REFUSALS, "b3-d5", Reason.EMPTY_TARGET),
    ],
)
def test_the_first_reason_that_holds(position: Position, text: str, reason: Reason) -> None:
    before = dict(position.stacks)
    with pytest.raises(IllegalMoveError) as caught:
        position.play(parse_move(text))
    assert caught.value.reason is reason
    assert caught.value.move is parse_move(text)
    assert caught.value.position is position
    assert position.stacks == before


def test_the_reasons_stand_in_the_order_in_which_they_are_looked_for() -> None:
    assert [reason.value for reason in Reason] == [
        "game_over",
        "wrong_phase",
        "occupied",
        "same_point",
        "empty_source",
        "lone_dvonn",
        "not_owner",
        "surrounded",
        "not_straight",
        "wrong_distance",
        "empty_target",
    ]


def test_a_text_is_no_move_and_who_plays_one_reads_what_makes_it_one() -> None:
    with pytest.raises(TypeError, match=r"not a Move: 'a1'; parse_move reads texts"):
        Position.initial().play("a1")  # type: ignore[arg-type]
