"""Tests for positions in a search's memory."""

import pytest

pytest.importorskip("numba", reason="the extra `engine` is not installed")

from dvonn import Color, Position, parse_move
from dvonn._rules.bitboard import INDEX
from dvonn._rules.board import Point
from dvonn.engine.memory import HEIGHTS
from dvonn.engine.state import load, to_move, to_number
from tests.engine.engine_memory import new_memory
from tests.games import positions_of, random_game


def bits(*points: str) -> int:
    return sum(1 << INDEX[Point(point)] for point in points)


@pytest.mark.parametrize("turn", Color)
def test_a_position_is_loaded_as_the_player_to_move_sees_it(turn: Color) -> None:
    memory = new_memory()
    stacks = {"a1": "W", "b1": "BR" + "W", "c1": "B", "d1": "WB", "e1": "R", "f1": "RB"}
    state = load(Position.from_stacks(stacks, turn=turn), memory)
    white, black = bits("a1", "b1"), bits("c1", "d1", "f1")
    own, other = (white, black) if turn is Color.WHITE else (black, white)
    ones, twos = bits("a1", "c1", "e1"), bits("d1", "f1")
    assert state.sets[:5] == (own, other, bits("b1", "e1", "f1"), ones, twos)
    assert state.side == (0 if turn is Color.WHITE else 1)
    assert state.stacks == 6
    heights = [int(memory[HEIGHTS + INDEX[Point(point)]]) for point in stacks]
    assert heights == [1, 3, 1, 2, 1, 2]


def test_moves_and_their_numbers() -> None:
    for move in positions_of(random_game(1))[49].legal_moves():
        assert to_move(to_number(move)) == move
    with pytest.raises(ValueError, match="a placement has no number: a1"):
        to_number(parse_move("a1"))
