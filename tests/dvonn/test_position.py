import copy
import pickle
from collections.abc import Mapping

import pytest

import dvonn
from tests.games import positions_of, random_game

SMALL = {"a1": "W", "b1": "WB", "b2": "R"}


def after(position: dvonn.Position, *texts: str) -> dvonn.Position:
    for text in texts:
        position = position.play(dvonn.parse_move(text))
    return position


def small() -> dvonn.Position:
    return dvonn.Position.from_stacks(SMALL, turn=dvonn.Color.WHITE)


def test_a_game_starts_with_an_empty_board() -> None:
    position = dvonn.Position.initial()
    assert position.phase is dvonn.Phase.PLACEMENT
    assert position.turn is dvonn.Color.WHITE
    assert position.plies == 0
    assert position.to_place == "R"
    assert not position.stacks
    assert not position.removed
    assert position.passed == ()
    assert position.winner is None
    assert [str(move) for move in position.legal_moves()] == list(dvonn.POINTS)


def test_the_placement_goes_red_white_black_in_turn() -> None:
    position, order = dvonn.Position.initial(), []
    while position.phase is dvonn.Phase.PLACEMENT:
        assert position.turn is not None
        order.append(f"{position.turn}{position.to_place}")
        piece = position.to_place
        target = dvonn.POINTS[position.plies]
        position = after(position, target)
        assert position.stacks[target] == piece
    assert order == ["WR", "BR", "WR", *(["BB", "WW"] * 23)]
    assert (position.phase, position.turn, position.plies) == (
        dvonn.Phase.MOVEMENT,
        dvonn.Color.WHITE,
        49,
    )
    assert position.to_place is None
    pieces = "".join(position.stacks.values())
    assert {piece: pieces.count(piece) for piece in "RWB"} == dvonn.PIECE_COUNTS


def test_playing_leaves_the_position_as_it_was() -> None:
    position = small()
    after(position, "a1-b1")
    assert position.stacks == SMALL
    assert [str(move) for move in position.legal_moves()] == ["a1-b1", "a1-b2"]


def test_stacks_come_in_row_order() -> None:
    backwards = dict(reversed(SMALL.items()))
    assert list(dvonn.Position.from_stacks(backwards, turn=dvonn.Color.WHITE).stacks) == list(SMALL)


def test_the_ways_to_look_at_a_stack() -> None:
    stacks = {"a1": "WB", "b1": "RRW", "c1": "R", "d1": "B"}
    position = dvonn.Position.from_stacks(stacks, turn=dvonn.Color.WHITE)
    looks = {
        point: (position.owner(point), position.height(point), position.reds(point))
        for point in map(dvonn.Point, [*stacks, "e1"])
    }
    assert looks == {
        "a1": (dvonn.Color.BLACK, 2, 0),
        "b1": (dvonn.Color.WHITE, 3, 2),
        "c1": (None, 1, 1),
        "d1": (dvonn.Color.BLACK, 1, 0),
        "e1": (None, 0, 0),
    }
    assert (position.score(dvonn.Color.WHITE), position.score(dvonn.Color.BLACK)) == (3, 3)


def test_destinations_belong_to_the_player_to_move() -> None:
    position = dvonn.Position.from_stacks({**SMALL, "a2": "B"}, turn=dvonn.Color.WHITE)
    assert position.destinations(dvonn.Point("a1")) == ("b1", "a2", "b2")
    assert position.destinations(dvonn.Point("a2")) == ()
    assert position.destinations(dvonn.Point("k3")) == ()
    assert dvonn.Position.initial().destinations(dvonn.Point("a1")) == ()


def test_questions_about_no_point_are_refused() -> None:
    position = small()
    nowhere = dvonn.Point("a4")
    for ask in (
        position.owner,
        position.height,
        position.reds,
        position.is_surrounded,
        position.destinations,
    ):
        with pytest.raises(dvonn.UnknownPointError) as caught:
            ask(nowhere)
        assert caught.value.name == nowhere


def test_a_position_cannot_be_changed() -> None:
    for position in (small(), after(small(), "a1-b1"), dvonn.Position.initial()):
        with pytest.raises(AttributeError, match="never changes"):
            position.turn = dvonn.Color.BLACK  # type: ignore[misc]  # what the test is about
        for mapping in (position.stacks, position.removed):
            with pytest.raises(TypeError):
                mapping["a1"] = "B"  # type: ignore[index]  # the same


def test_equal_positions_have_the_same_stacks_phase_and_turn() -> None:
    position = dvonn.Position.from_stacks({**SMALL, "a2": "B"}, turn=dvonn.Color.WHITE)
    assert position == dvonn.Position.from_stacks({"a2": "B", **SMALL}, turn=dvonn.Color.WHITE)
    assert position != dvonn.Position.from_stacks({**SMALL, "a2": "B"}, turn=dvonn.Color.BLACK)
    assert position != dvonn.Position.from_stacks({**SMALL, "a2": "W"}, turn=dvonn.Color.WHITE)
    # Equal owners and heights are not enough, because covered pieces can decide the score.
    one = dvonn.Position.from_stacks({**SMALL, "a2": "WB"}, turn=dvonn.Color.WHITE)
    assert one != dvonn.Position.from_stacks({**SMALL, "a2": "BB"}, turn=dvonn.Color.WHITE)
    assert len({position, one, small(), small()}) == 3


def test_how_a_position_came_about_does_not_matter() -> None:
    position = after(dvonn.Position.initial(), "a1", "b1", "c1", "d1", "e1", "f1")
    other = after(dvonn.Position.initial(), "c1", "a1", "b1", "f1", "e1", "d1")
    assert position == other
    assert hash(position) == hash(other)
    played = after(small(), "a1-b1")
    built = dvonn.Position.from_stacks(played.stacks, turn=dvonn.Color.BLACK)
    assert (played.plies, built.plies) == (1, 0)
    assert played == built
    assert hash(played) == hash(built)


def test_copies_and_pickled_positions_are_equal_and_play_on() -> None:
    for position in positions_of(random_game(2))[::16]:
        for again in (
            copy.deepcopy(position),
            pickle.loads(pickle.dumps(position)),  # noqa: S301 - our own bytes
        ):
            assert type(again) is dvonn.Position
            assert again == position
            assert again.legal_moves() == position.legal_moves()
            assert again.removed == position.removed
            assert [again.play(move) for move in again.legal_moves()[:1]] == [
                position.play(move) for move in position.legal_moves()[:1]
            ]


def test_a_position_has_no_public_constructor() -> None:
    with pytest.raises(TypeError, match="from_stacks"):
        dvonn.Position()
    assert type(positions_of(random_game(2))[60]) is dvonn.Position


def test_the_repr_has_the_turn_and_the_stacks() -> None:
    assert repr(small()) == (
        "<Position movement turn=WHITE plies=0 stacks={'a1': 'W', 'b1': 'WB', 'b2': 'R'}>"
    )
    assert "over turn=nobody" in repr(after(small(), "a1-b1"))


@pytest.mark.parametrize(
    ("stacks", "problem", "culprits"),
    [
        ({"a4": "R"}, dvonn.PositionProblem.UNKNOWN_POINT, ("a4",)),
        ({"A1": "R", "a1": "W"}, dvonn.PositionProblem.UNKNOWN_POINT, ("A1",)),
        ({"a1": "R", "b1": ""}, dvonn.PositionProblem.BAD_STACK, ("b1",)),
        ({"a1": "R", "b1": "w"}, dvonn.PositionProblem.BAD_STACK, ("b1",)),
        ({"a1": "R", "b1": "WX", "c1": "W B"}, dvonn.PositionProblem.BAD_STACK, ("b1", "c1")),
        ({"a1": "WR"}, dvonn.PositionProblem.BAD_STACK, ("a1",)),
        ({"a1": "RR"}, dvonn.PositionProblem.BAD_STACK, ("a1",)),
        ({"a1": "RRRRW"}, dvonn.PositionProblem.TOO_MANY_PIECES, ("R",)),
        ({"a1": "R", "b1": "W" * 24}, dvonn.PositionProblem.TOO_MANY_PIECES, ("W",)),
        ({"a1": "R" + "B" * 24 + "W" * 24}, dvonn.PositionProblem.TOO_MANY_PIECES, ("W", "B")),
        ({"a1": "W"}, dvonn.PositionProblem.UNLINKED, ("a1",)),
        ({"a1": "R", "c1": "W", "c2": "B"}, dvonn.PositionProblem.UNLINKED, ("c1", "c2")),
        ({"a1": "R", "b1": "W", "d1": "B"}, dvonn.PositionProblem.UNLINKED, ("d1",)),
        # The board leans to the left: from b1, a2 is two steps away.
        ({"a2": "R", "b1": "W", "c1": "B"}, dvonn.PositionProblem.UNLINKED, ("b1", "c1")),
    ],
)
def test_stacks_that_no_position_has(
    stacks: Mapping[str, str], problem: dvonn.PositionProblem, culprits: tuple[str, ...]
) -> None:
    with pytest.raises(dvonn.PositionError) as caught:
        dvonn.Position.from_stacks(stacks, turn=dvonn.Color.WHITE)
    assert (caught.value.problem, caught.value.culprits) == (problem, culprits)


def test_all_pieces_of_a_game_are_accepted() -> None:
    pieces = "R" * 3 + "B" * 23 + "W" * 23
    position = dvonn.Position.from_stacks({"a1": pieces}, turn=dvonn.Color.BLACK)
    assert position.phase is dvonn.Phase.OVER
    assert position.score(dvonn.Color.WHITE) == 49
    assert position.winner is dvonn.Color.WHITE


def test_the_letter_of_a_color_is_accepted() -> None:
    position = dvonn.Position.from_stacks({**SMALL, "a2": "B"}, turn="B")
    assert position.turn is dvonn.Color.BLACK
    assert position.score("W") == 1
    with pytest.raises(ValueError, match="X"):
        dvonn.Position.from_stacks(SMALL, turn="X")


def test_the_turn_of_given_stacks_is_resolved_as_after_a_move() -> None:
    blacks_only = {"a1": "B", "b1": "R"}
    position = dvonn.Position.from_stacks(blacks_only, turn=dvonn.Color.WHITE)
    assert (position.turn, position.passed) == (dvonn.Color.BLACK, (dvonn.Color.WHITE,))
    nobody = dvonn.Position.from_stacks({"a1": "R"}, turn=dvonn.Color.BLACK)
    assert (nobody.phase, nobody.turn, nobody.passed) == (dvonn.Phase.OVER, None, ())
    assert nobody.winner is None


def test_a_refusal_names_the_move_and_the_space_and_the_reason() -> None:
    position, move = small(), dvonn.parse_move("b2-a1")
    with pytest.raises(dvonn.IllegalMoveError) as caught:
        position.play(move)
    assert (caught.value.reason, caught.value.move) == (dvonn.Reason.LONE_DVONN, move)
    assert caught.value.position is position
    assert position.stacks == SMALL


def test_a_text_is_refused_with_the_format_of_a_move() -> None:
    with pytest.raises(TypeError, match=r"not a Move: 'a1'; parse_move reads texts"):
        dvonn.Position.initial().play("a1")  # type: ignore[arg-type]


@pytest.mark.parametrize("value", ["white", "w", "R", "", None, 1])
def test_a_value_that_is_not_a_player_has_no_score(value: str) -> None:
    position = dvonn.Position.from_stacks({"a1": "W", "b1": "WB", "b2": "R"}, turn="W")
    assert (position.score("W"), position.score("B")) == (1, 2)
    with pytest.raises(dvonn.UnknownColorError, match="not a player"):
        position.score(value)
    with pytest.raises(dvonn.UnknownColorError):
        dvonn.Position.from_stacks({"a1": "W", "b2": "R"}, turn=value)


def test_a_position_says_if_it_is_over_and_how_it_ended() -> None:
    for stacks, result in (
        ({"a1": "RW"}, "1-0"),
        ({"a1": "RB"}, "0-1"),
        ({"a1": "RW", "c2": "RB"}, "1/2-1/2"),
    ):
        over = dvonn.Position.from_stacks(stacks, turn="W")
        assert (over.is_over, over.result) == (True, result)
    start = dvonn.Position.initial()
    assert (start.is_over, start.result) == (False, "*")


def test_a_position_knows_its_legal_moves_and_its_text() -> None:
    position = dvonn.Position.initial().after("d2")
    assert position.is_legal("c3")
    assert position.is_legal(dvonn.Move(target="c3"))
    assert not position.is_legal("d2")
    assert not position.is_legal("d2-d4")
    with pytest.raises(dvonn.NotationError):
        position.is_legal("pass")
    assert dvonn.Position.from_text(position.to_text()) == position
