"""Moves and positions as CodeCup's programs write them."""

import pytest

from dvonn import Color, Phase, Position, parse_move
from dvonn.engine.codecup import move_text, position_from_state, state_text
from tests.games import positions_of, random_game


def test_moves() -> None:
    assert move_text(parse_move("a1")) == "A1"
    assert move_text(parse_move("k3-j2")) == "K3J2"


def test_a_state_by_hand() -> None:
    position = Position.from_stacks(
        {"a1": "W", "b1": "WRB", "d1": "B", "c1": "W", "e1": "R"}, turn=Color.BLACK
    )
    # 4 x 1 - 2 for White's piece, 4 x 3 + 2 + 1 - 2 for Black's stack with red.
    assert state_text(position) == "D" + "CNCDB" + "A" * 44


@pytest.mark.parametrize("seed", range(5))
def test_a_state_tells_all_that_matters(seed: int) -> None:
    for position in positions_of(random_game(seed)):
        if position.phase is not Phase.MOVEMENT or max(map(len, position.stacks.values())) > 15:
            continue
        read = position_from_state(state_text(position))
        assert read.turn is position.turn
        assert read.legal_moves() == position.legal_moves()
        for point in position.stacks:
            assert read.owner(point) is position.owner(point)
            assert read.height(point) == position.height(point)
            assert (read.reds(point) > 0) is (position.reds(point) > 0)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "C",
        "A" * 50,  # a placement
        "C" + "A" * 49,  # nobody can move
        "C" + "C" * 48,  # too short
        "C" + "C" * 49,  # 49 white pieces
        "C" + "B" + "A" * 46 + "CD",  # not linked to the red piece
        "D" + "BC" + "A" * 47,  # White could move, but it is Black's turn
        "C" + "B-" + "A" * 47,
    ],
)
def test_what_is_no_state(text: str) -> None:
    with pytest.raises(ValueError, match=r".+"):
        position_from_state(text)


def test_no_state_of_other_phases() -> None:
    with pytest.raises(ValueError, match="no state"):
        state_text(Position.initial())
