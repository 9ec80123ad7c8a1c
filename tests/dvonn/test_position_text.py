import pickle

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dvonn import (
    Color,
    Move,
    Phase,
    Position,
    PositionError,
    PositionProblem,
    PositionTextError,
    PositionTextProblem,
    from_diagram,
    position_from_text,
    position_text,
    position_to_text,
    to_diagram,
)
from tests.dvonn.strategies import games
from tests.games import positions_of, random_game
from tests.tiers import share_of

EMPTY = "9/10/11/10/9 W place"
MOVING = "2WwB5/2rBW6/4RBW4/10/4wwrB4 B move"
PLACING = "9/10/R2W2R4/B9/R8 B place"


def test_the_empty_board() -> None:
    assert position_to_text(Position.initial()) == EMPTY
    assert position_from_text(EMPTY) == Position.initial()


def test_a_board_by_hand() -> None:
    stacks = {"c1": "W", "d1": "WB", "c2": "RB", "d2": "W", "e3": "R", "f3": "B", "g3": "W"}
    position = Position.from_stacks(stacks | {"g5": "WWRB"}, turn=Color.BLACK)
    assert position_to_text(position) == MOVING
    assert MOVING in (position_text.__doc__ or "")
    assert position_from_text(f"\n {MOVING}\t") == position


def test_a_placement_by_hand() -> None:
    position = position_from_text(PLACING)
    assert dict(position.stacks) == {"a3": "R", "d3": "W", "g3": "R", "b4": "B", "c5": "R"}
    assert (position.phase, position.turn) == (Phase.PLACEMENT, Color.BLACK)
    assert (position.plies, position.to_place) == (5, "B")


@given(games(), st.integers(0, 97))
@settings(max_examples=share_of(60))
def test_every_position_has_one_line_of_its_own(moves: list[Move], ply: int) -> None:
    positions = positions_of(moves)
    position = positions[min(ply, len(moves))]
    text = position_to_text(position)
    assert len(text) <= 90
    assert "\n" not in text
    read = position_from_text(text)
    assert read == position
    assert read.legal_moves() == position.legal_moves()
    assert read.to_place == position.to_place
    assert position_to_text(read) == text
    assert len({position_to_text(one) for one in positions}) == len(set(positions))


@given(games(), st.integers(0, 97), st.data())
@settings(max_examples=share_of(100))
def test_a_spoilt_line_is_read_as_it_stands_or_refused(
    moves: list[Move], ply: int, data: st.DataObject
) -> None:
    text = position_to_text(positions_of(moves)[min(ply, len(moves))])
    at = data.draw(st.integers(0, len(text)))
    put = data.draw(st.sampled_from(["", "w", "W", "r", "R", "1", "11", "/", " ", "²", "x", "B"]))
    spoilt = text[:at] + put + text[at + data.draw(st.integers(0, 2)) :]
    try:
        read = position_from_text(spoilt)
    except PositionTextError as error:
        refused = error
    else:
        assert position_to_text(read) == spoilt.strip()
        return
    assert 0 <= refused.at <= len(spoilt)
    assert refused.text == spoilt


@pytest.mark.parametrize(
    ("text", "at", "problem"),
    [
        ("", 0, PositionTextProblem.BAD_ROW),
        ("  ", 2, PositionTextProblem.BAD_ROW),
        (f"{EMPTY:>201}", 200, PositionTextProblem.TOO_LONG),
        ("9/10/11/10", 10, PositionTextProblem.BAD_ROW),
        ("9/10/11/10/9", 12, PositionTextProblem.BAD_ROW),
        ("9/10/11/10/8 W place", 12, PositionTextProblem.BAD_ROW),
        ("9/10/11/10/10 W place", 11, PositionTextProblem.BAD_ROW),
        ("9/10/11/10/9/ W place", 12, PositionTextProblem.BAD_ROW),
        ("8/10/11/10/9 W place", 1, PositionTextProblem.BAD_ROW),
        ("12/10/11/10/9 W place", 0, PositionTextProblem.BAD_ROW),
        ("45/10/11/10/9 W place", 0, PositionTextProblem.BAD_ROW),
        ("0W9/10/11/10/9 W place", 0, PositionTextProblem.BAD_CHARACTER),
        ("9/10/11/10/5x W place", 12, PositionTextProblem.BAD_CHARACTER),
        ("9/10/11/10/5w3 W place", 13, PositionTextProblem.UNFINISHED_STACK),
        ("9/10/11/10/8w W move", 13, PositionTextProblem.UNFINISHED_STACK),
        ("9/10/11/10/8wR W move", 13, PositionTextProblem.RED_ON_TOP),
        (f"{EMPTY}d", 13, PositionTextProblem.BAD_TURN),
        ("9/10/11/10/9 w place", 13, PositionTextProblem.BAD_TURN),
        ("9/10/11/10/9  W place", 13, PositionTextProblem.BAD_TURN),
        ("9/10/11/10/9 W", 13, PositionTextProblem.BAD_TURN),
        ("9/10/11/10/9 ", 13, PositionTextProblem.BAD_TURN),
        ("9/10/11/10/9 B place", 13, PositionTextProblem.IMPOSSIBLE),  # White begins
        ("9/10/11/10/8W B place", 14, PositionTextProblem.IMPOSSIBLE),  # with a red piece
        ("9/10/11/10/8R W place", 14, PositionTextProblem.IMPOSSIBLE),
        ("9/10/11/10/8rW W place", 15, PositionTextProblem.IMPOSSIBLE),
        ("9/10/11/10/7RB W move", 15, PositionTextProblem.IMPOSSIBLE),  # White has nothing
        ("9/10/11/10/7RB over", 15, PositionTextProblem.IMPOSSIBLE),  # Black can move
        ("9/10/11/10/8R W move", 14, PositionTextProblem.IMPOSSIBLE),
        ("9/10/11/10/R7W W move", 15, PositionTextProblem.IMPOSSIBLE),  # cut off
        ("9/10/11/10/5RRRR over", 17, PositionTextProblem.IMPOSSIBLE),
    ],
)
def test_everything_else_is_refused_with_its_place(
    text: str, at: int, problem: PositionTextProblem
) -> None:
    with pytest.raises(PositionTextError) as caught:
        position_from_text(text)
    assert (caught.value.at, caught.value.problem) == (at, problem)
    assert caught.value.text == text
    assert str(problem) in str(caught.value)
    assert pickle.loads(pickle.dumps(caught.value)).at == at  # noqa: S301 - our own


def test_the_stacks_problem_is_told_too() -> None:
    with pytest.raises(PositionTextError) as caught:
        position_from_text("9/10/11/10/R7W W move")
    cause = caught.value.__cause__
    assert isinstance(cause, PositionError)
    assert (cause.problem, cause.culprits) == (PositionProblem.UNLINKED, ("k5",))


def test_a_position_prints_as_its_diagram() -> None:
    for position in positions_of(random_game(3))[::8]:
        assert f"{position}\n" == to_diagram(position)
        assert from_diagram(str(position)) == position
