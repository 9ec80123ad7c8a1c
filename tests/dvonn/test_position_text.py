import pickle

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import dvonn
from dvonn._records import position_text
from tests.dvonn.strategies import games
from tests.games import positions_of, random_game
from tests.tiers import share_of

EMPTY = "9/10/11/10/9 W place"
MOVING = "2WwB5/2rBW6/4RBW4/10/4wwrB4 B move"
PLACING = "9/10/R2W2R4/B9/R8 B place"


def test_the_empty_board() -> None:
    assert dvonn.position_to_text(dvonn.Position.initial()) == EMPTY
    assert dvonn.position_from_text(EMPTY) == dvonn.Position.initial()


def test_a_board_by_hand() -> None:
    stacks = {"c1": "W", "d1": "WB", "c2": "RB", "d2": "W", "e3": "R", "f3": "B", "g3": "W"}
    position = dvonn.Position.from_stacks(stacks | {"g5": "WWRB"}, turn=dvonn.Color.BLACK)
    assert dvonn.position_to_text(position) == MOVING
    assert MOVING in (position_text.__doc__ or "")
    assert dvonn.position_from_text(f"\n {MOVING}\t") == position


def test_a_placement_by_hand() -> None:
    position = dvonn.position_from_text(PLACING)
    assert dict(position.stacks) == {"a3": "R", "d3": "W", "g3": "R", "b4": "B", "c5": "R"}
    assert (position.phase, position.turn) == (dvonn.Phase.PLACEMENT, dvonn.Color.BLACK)
    assert (position.plies, position.to_place) == (5, "B")


@given(games(), st.integers(0, 97))
@settings(max_examples=share_of(60))
def test_every_position_has_one_line_of_its_own(moves: list[dvonn.Move], ply: int) -> None:
    positions = positions_of(moves)
    position = positions[min(ply, len(moves))]
    text = dvonn.position_to_text(position)
    assert len(text) <= 90
    assert "\n" not in text
    read = dvonn.position_from_text(text)
    assert read == position
    assert read.legal_moves() == position.legal_moves()
    assert read.to_place == position.to_place
    assert dvonn.position_to_text(read) == text
    assert len({dvonn.position_to_text(position) for position in positions}) == len(set(positions))


@given(games(), st.integers(0, 97), st.data())
@settings(max_examples=share_of(100))
def test_a_corrupted_line_is_read_literally_or_refused(
    moves: list[dvonn.Move], ply: int, data: st.DataObject
) -> None:
    text = dvonn.position_to_text(positions_of(moves)[min(ply, len(moves))])
    at = data.draw(st.integers(0, len(text)))
    put = data.draw(st.sampled_from(["", "w", "W", "r", "R", "1", "11", "/", " ", "²", "x", "B"]))
    spoilt = text[:at] + put + text[at + data.draw(st.integers(0, 2)) :]
    try:
        read = dvonn.position_from_text(spoilt)
    except dvonn.PositionTextError as error:
        refused = error
    else:
        assert dvonn.position_to_text(read) == spoilt.strip()
        return
    assert 0 <= refused.at <= len(spoilt)
    assert refused.text == spoilt


@pytest.mark.parametrize(
    ("text", "at", "problem"),
    [
        ("", 0, dvonn.PositionTextProblem.BAD_ROW),
        ("  ", 2, dvonn.PositionTextProblem.BAD_ROW),
        (f"{EMPTY:>201}", 200, dvonn.PositionTextProblem.TOO_LONG),
        ("9/10/11/10", 10, dvonn.PositionTextProblem.BAD_ROW),
        ("9/10/11/10/9", 12, dvonn.PositionTextProblem.BAD_ROW),
        ("9/10/11/10/8 W place", 12, dvonn.PositionTextProblem.BAD_ROW),
        ("9/10/11/10/10 W place", 11, dvonn.PositionTextProblem.BAD_ROW),
        ("9/10/11/10/9/ W place", 12, dvonn.PositionTextProblem.BAD_ROW),
        ("8/10/11/10/9 W place", 1, dvonn.PositionTextProblem.BAD_ROW),
        ("12/10/11/10/9 W place", 0, dvonn.PositionTextProblem.BAD_ROW),
        ("45/10/11/10/9 W place", 0, dvonn.PositionTextProblem.BAD_ROW),
        ("0W9/10/11/10/9 W place", 0, dvonn.PositionTextProblem.BAD_CHARACTER),
        ("9/10/11/10/5x W place", 12, dvonn.PositionTextProblem.BAD_CHARACTER),
        ("9/10/11/10/5w3 W place", 13, dvonn.PositionTextProblem.UNFINISHED_STACK),
        ("9/10/11/10/8w W move", 13, dvonn.PositionTextProblem.UNFINISHED_STACK),
        ("9/10/11/10/8wR W move", 13, dvonn.PositionTextProblem.RED_ON_TOP),
        (f"{EMPTY}d", 13, dvonn.PositionTextProblem.BAD_TURN),
        ("9/10/11/10/9 w place", 13, dvonn.PositionTextProblem.BAD_TURN),
        ("9/10/11/10/9  W place", 13, dvonn.PositionTextProblem.BAD_TURN),
        ("9/10/11/10/9 W", 13, dvonn.PositionTextProblem.BAD_TURN),
        ("9/10/11/10/9 ", 13, dvonn.PositionTextProblem.BAD_TURN),
        ("9/10/11/10/9 B place", 13, dvonn.PositionTextProblem.IMPOSSIBLE),  # White must start
        ("9/10/11/10/8W B place", 14, dvonn.PositionTextProblem.IMPOSSIBLE),  # with a red piece
        ("9/10/11/10/8R W place", 14, dvonn.PositionTextProblem.IMPOSSIBLE),
        ("9/10/11/10/8rW W place", 15, dvonn.PositionTextProblem.IMPOSSIBLE),
        ("9/10/11/10/7RB W move", 15, dvonn.PositionTextProblem.IMPOSSIBLE),  # White has no stacks
        ("9/10/11/10/7RB over", 15, dvonn.PositionTextProblem.IMPOSSIBLE),  # Black can move
        ("9/10/11/10/8R W move", 14, dvonn.PositionTextProblem.IMPOSSIBLE),
        ("9/10/11/10/R7W W move", 15, dvonn.PositionTextProblem.IMPOSSIBLE),  # cut off
        ("9/10/11/10/5RRRR over", 17, dvonn.PositionTextProblem.IMPOSSIBLE),
    ],
)
def test_everything_else_is_refused_with_its_place(
    text: str, at: int, problem: dvonn.PositionTextProblem
) -> None:
    with pytest.raises(dvonn.PositionTextError) as caught:
        dvonn.position_from_text(text)
    assert (caught.value.at, caught.value.problem) == (at, problem)
    assert caught.value.text == text
    assert str(problem) in str(caught.value)
    assert pickle.loads(pickle.dumps(caught.value)).at == at  # noqa: S301 - our own


def test_the_problem_of_a_stack_is_reported_too() -> None:
    with pytest.raises(dvonn.PositionTextError) as caught:
        dvonn.position_from_text("9/10/11/10/R7W W move")
    cause = caught.value.__cause__
    assert isinstance(cause, dvonn.PositionError)
    assert (cause.problem, cause.culprits) == (dvonn.PositionProblem.UNLINKED, ("k5",))


def test_a_position_prints_as_its_diagram() -> None:
    for position in positions_of(random_game(3))[::8]:
        assert f"{position}\n" == dvonn.to_diagram(position)
        assert dvonn.from_diagram(str(position)) == position
