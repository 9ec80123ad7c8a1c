"""Positions that are the same, however the board is turned."""

import pytest

from bot.model.likeness import alike, cells, is_like
from dvonn import POINTS, Color, Point, Position, column_row, neighbours, point_at
from tests.games import random_game


def positions(seed: int) -> list[Position]:
    found = [Position.initial()]
    for move in random_game(seed):
        found.append(found[-1].play(move))
    return found


GAME = positions(5)


def turned(point: Point) -> Point:
    column, row = column_row(point)
    other = point_at(10 - column, 4 - row)
    assert other is not None
    return other


def mirrored(point: Point) -> Point:
    row = [one for one in POINTS if one[1] == point[1]]
    return row[len(row) - 1 - row.index(point)]


def test_turning_and_mirroring_keep_neighbours() -> None:
    for form in (turned, mirrored):
        for point in POINTS:
            beside = {form(one) for one in neighbours(point)}
            assert beside == set(neighbours(form(point)))


@pytest.mark.parametrize("form", [turned, mirrored, lambda point: turned(mirrored(point))])
@pytest.mark.parametrize("swap", [False, True])
@pytest.mark.parametrize("ply", [49, 60, 75])
def test_a_board_is_alike_however_it_is_turned(form: object, swap: bool, ply: int) -> None:
    table = str.maketrans("WB", "BW") if swap else {}
    here = GAME[ply]
    other = Position.from_stacks(
        {form(point): pieces.translate(table) for point, pieces in here.stacks.items()},  # type: ignore[operator]  # a function
        turn=Color.BLACK,
    )
    assert cells(other) in alike(here)
    assert is_like(other, here)


def test_a_symmetric_position_has_fewer_forms() -> None:
    assert len(alike(Position.initial())) == 1
    assert len(alike(GAME[60])) == 8


@pytest.mark.parametrize("ply", [10, 48, 49, 60, 75])
def test_what_is_two_plies_on_or_was_just_there_is_like_it(ply: int) -> None:
    present, before = GAME[ply], GAME[ply - 2 : ply]
    like = [number for number, one in enumerate(GAME) if is_like(one, present, before)]
    assert like == [ply - 2, ply - 1, ply, ply + 1, ply + 2]


def test_other_games_are_not_like_it() -> None:
    others = [one for seed in range(6, 10) for one in positions(seed)[20:80]]
    assert not any(is_like(one, GAME[60], GAME[58:60]) for one in others)
