"""Which moves a half-typed text leaves."""

import pytest

from bot.play.model.attempts import narrow
from dvonn import Coordinates, Move, Position, format_move, parse_move
from tests.games import positions_of, random_game

STANDARD, PERGIOCO = Coordinates.STANDARD, Coordinates.PERGIOCO
STANDARD_MOVES = "d2-d4 d2-d1 d1-d2 c1-d1 c1-c2"
PERGIOCO_MOVES = "c1-c2 c1-d1 c10-c1 c11-c10 d1-c1"


def left(typed: str, moves: str, coordinates: Coordinates = STANDARD) -> str:
    legal = [parse_move(text, coordinates) for text in moves.split()]
    return " ".join(format_move(move, coordinates) for move in narrow(typed, legal, coordinates))


@pytest.mark.parametrize(
    ("typed", "moves"),
    [
        ("", STANDARD_MOVES),
        ("d", "d2-d4 d2-d1 d1-d2"),
        ("D2", "d2-d4 d2-d1"),
        ("d2 ", "d2-d4 d2-d1"),
        ("d2-", "d2-d4 d2-d1"),
        ("d2-d", "d2-d4 d2-d1"),
        ("d2d4", "d2-d4"),
        ("`d2 – d4`", "d2-d4"),
        ("d2\u00a0→ D4.", "d2-d4"),
        ("d2 t", "d2-d4 d2-d1"),
        ("d2 to d4", "d2-d4"),
        ("d2xd1", "d2-d1"),
        ("-d1", "d2-d1 c1-d1"),
        ("to d2", "d1-d2"),
        ("e", ""),
        ("d2-e", ""),
        ("d9", ""),
        ("d2-d4-d1", ""),
        ("hello", ""),
        ("d2 @everyone", ""),
    ],
)
def test_a_source_then_a_target_narrow_movements(typed: str, moves: str) -> None:
    assert left(typed, STANDARD_MOVES) == moves


@pytest.mark.parametrize(
    ("typed", "moves"),
    [
        ("c", "c1-c2 c1-d1 c10-c1 c11-c10"),
        ("c1", "c1-c2 c1-d1 c10-c1 c11-c10"),
        ("c1-", "c1-c2 c1-d1"),
        ("c10", "c10-c1"),
        ("c11-c1", "c11-c10"),
        ("c1 d1", "c1-d1"),
        ("-c1", "c10-c1 c11-c10 d1-c1"),
    ],
)
def test_a_finished_source_is_not_the_beginning_of_a_longer_one(typed: str, moves: str) -> None:
    assert left(typed, PERGIOCO_MOVES, PERGIOCO) == moves


@pytest.mark.parametrize(
    ("typed", "moves"),
    [("", "c1 c10 d1"), ("c", "c1 c10"), ("c1", "c1 c10"), ("c1.", "c1"), ("c1-d1", ""), ("e", "")],
)
def test_placements_narrow_too(typed: str, moves: str) -> None:
    assert left(typed, "c1 c10 d1", PERGIOCO) == moves


@pytest.mark.parametrize("coordinates", list(Coordinates))
def test_whatever_is_typed_of_a_legal_move_leaves_it(coordinates: Coordinates) -> None:
    positions: list[Position] = positions_of(random_game(3))
    for position in (positions[0], positions[49], positions[-2]):
        for move in position.legal_moves():
            text = format_move(move, coordinates)
            for length in range(len(text) + 1):
                assert move in narrow(text[:length], position.legal_moves(), coordinates)
            legal: list[Move] = narrow(text + ".", position.legal_moves(), coordinates)
            assert move in legal
            assert all(one.source == move.source for one in legal)
