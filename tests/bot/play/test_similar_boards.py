"""Boards that play alike, or nearly, however they are turned and whatever lies below."""

from random import Random

import pytest

from bot.base.ids import GameId
from bot.play.model.similar_boards import FIRST_PLACEMENTS, PlayedBoards, alike, cells, is_free
from dvonn import POINTS, Color, Point, Position, column_row, neighbours, point_at
from tests.fuzz.likeness import (
    AT_MOST,
    DISGUISES,
    PHASES,
    disguised,
    near,
    passing,
    random_courses,
    wrongly_near,
)
from tests.games import positions_of, random_game
from tests.tiers import share_of

GAME = positions_of(random_game(5))


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
    assert cells(other.stacks) in alike(cells(here.stacks))


def test_a_symmetric_board_has_fewer_forms() -> None:
    assert len(alike(cells(GAME[0].stacks))) == 1
    assert len(alike(cells(GAME[60].stacks))) == 8


def test_of_a_stack_counts_who_owns_it_its_height_and_whether_it_holds_red() -> None:
    here = {Point("c3"): "WBRBW"}
    for other, is_same in {
        "BWRWW": True,
        "RBBBW": True,
        "RBRRW": True,  # two reds in one stack leave the board together
        "WBRBB": False,
        "WBBBW": False,
        "WBRW": False,
    }.items():
        assert (cells({Point("c3"): other}) == cells(here)) is is_same, other
    assert cells({Point("c3"): "R"}) != cells({Point("c3"): "W"})


@pytest.fixture(scope="module")
def courses() -> list[list[Position]]:
    return random_courses(Random(7))


@pytest.mark.parametrize("name", DISGUISES)
def test_no_disguise_passes(name: str, courses: list[list[Position]]) -> None:
    tried = passing(name, share_of(1_000), courses, Random(7))
    assert [one for one in tried if one is not None] == []


@pytest.mark.parametrize("phase", PHASES)
def test_other_games_are_hardly_ever_taken_for_near(
    phase: str, courses: list[list[Position]]
) -> None:
    count = share_of(10_000)
    assert wrongly_near(PHASES[phase], count, courses, Random(7)) <= AT_MOST * count


@pytest.mark.parametrize("ply", [20, 47, 49, 60, 75])
def test_what_is_more_plies_away_is_not_near(ply: int) -> None:
    found = [
        number for number in range(12, len(GAME)) if near(GAME[ply].stacks, GAME[number].stacks)
    ]
    assert set(range(ply - 3, ply + 4)) <= set(found)
    assert set(found) <= set(range(ply - 5, ply + 6))


def test_the_first_placements_are_free() -> None:
    free = [ply for ply in range(len(GAME)) if is_free(GAME[ply])]
    assert free == list(range(FIRST_PLACEMENTS + 1))


def test_boards_that_are_kept_are_found_as_if_each_were_looked_at() -> None:
    rng, kept = Random(3), PlayedBoards()
    courses = [positions_of(random_game(seed)) for seed in range(40)]
    played: dict[GameId, list[Position]] = {}
    for number in range(600):
        game = GameId(number % 250)  # most go on, and what was on their board is forgotten
        course = rng.choice(courses)
        boards = [course[rng.randrange(9, len(course))] for _ in range(rng.choice((1, 1, 3)))]
        played[game] = boards
        kept.put(game, (cells(disguised(board, rng)) for board in boards))
    for game in rng.sample(sorted(played), 50):
        kept.drop(game)
        del played[game]
    some = set(rng.sample(sorted(played), 20))
    hits = 0
    for _ in range(30):
        course = rng.choice(courses)
        here = course[rng.randrange(9, len(course))]
        expected = {
            game
            for game, boards in played.items()
            if any(near(board.stacks, here.stacks) for board in boards)
        }
        hits += len(expected)
        assert set(kept.near(cells(here.stacks))) == expected
        assert set(kept.near(cells(here.stacks), some)) == expected & some
    assert hits > 30
