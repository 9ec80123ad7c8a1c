"""Tests for moves and positions as CodeCup's programs write them."""

import pytest

from dvonn import Color, Phase, Position, parse_move
from dvonn.engine.codecup_text import move_text, position_from_state, state_text
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
def test_a_state_has_everything_that_matters(seed: int) -> None:
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


def test_all_the_pieces_of_a_game_may_be_in_a_few_stacks() -> None:
    """Covered pieces are left out.

    If all 49 are on the board, one stack must have all three reds.
    """
    stacks = {"a1": "RRR" + 11 * "W", "b1": "B", "c1": 12 * "W", "d1": 15 * "B", "e1": 7 * "B"}
    position = Position.from_stacks(stacks, turn=Color.BLACK)
    read = position_from_state(state_text(position))
    assert read.reds(parse_move("a1").target) == 3
    assert [len(pieces) for pieces in read.stacks.values()] == [14, 1, 12, 15, 7]


def test_a_stack_may_have_fifteen_pieces() -> None:
    stacks = {"a1": "RRR" + 12 * "W", "b1": "B", "c1": "B"}
    read = position_from_state(state_text(Position.from_stacks(stacks, turn=Color.BLACK)))
    assert read.height(parse_move("a1").target) == 15
    stacks["a1"] += "W"
    with pytest.raises(ValueError, match="16 on a1 is too tall"):
        state_text(Position.from_stacks(stacks, turn=Color.BLACK))


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "not a movement-phase state"),
        ("C", "not a movement-phase state"),
        ("A" * 50, "not a movement-phase state"),  # a placement
        ("E" + "CB" + "A" * 47, "not a movement-phase state"),  # nobody's turn
        ("C" + "A" * 49, "no move"),  # nobody can move
        ("C" + "C" * 48, "not a movement-phase state"),  # too short
        ("C" + "C" * 49, "too_many"),  # 49 white pieces
        ("C" + "6666B" + "A" * 44, "too_many"),  # four stacks of 15
        ("C" + "B" + "A" * 46 + "CD", "unlinked"),  # not linked to the red piece
        ("D" + "BC" + "A" * 47, "no move: 'DBC"),  # White could move, but it is Black's turn
        ("C" + "B-" + "A" * 47, "not a movement-phase state"),
    ],
)
def test_invalid_states(text: str, why: str) -> None:
    with pytest.raises(ValueError, match=why):
        position_from_state(text)


def test_no_state_of_other_phases() -> None:
    with pytest.raises(ValueError, match="not a movement-phase state"):
        state_text(Position.initial())
