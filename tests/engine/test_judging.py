"""Tests for judged positions against brute force and other searches."""

from itertools import combinations, permutations

import pytest

pytest.importorskip("numba", reason="the extra `engine` is not installed")

from benchmarks.puzzles import is_judged_alike
from benchmarks.tuning.judged_puzzles import best_point, fights_of, placements_of
from benchmarks.tuning.judging import BestPlacements, beside, full_boards, means, two_best
from dvonn import POINTS, Move, Phase, Point, Position
from dvonn.engine.searcher import Searcher
from dvonn.puzzles import Aim, Puzzle, load
from tests.engine.brute_force import TooManyError, brute_force
from tests.games import positions_of, random_game
from tests.tiers import share_of


def judged(aim: Aim, number: int) -> list[Puzzle]:
    puzzles = [puzzle for puzzle in load() if puzzle.aim is aim]
    return puzzles[:: len(puzzles) // number][:number]


def test_the_two_best_moves_equal_brute_force_near_the_end() -> None:
    checked = 0
    for seed in range(share_of(40)):
        for position in positions_of(random_game(seed))[-9:-4]:
            if position.turn is None or len(position.legal_moves()) < 2:
                continue
            sign = 1 if position.turn.value == "W" else -1
            try:
                worth = {
                    move: sign * brute_force(position.play(move)) for move in position.legal_moves()
                }
            except TooManyError:
                continue
            said = two_best(Searcher(megabytes=1), position, 1_000_000)
            values = sorted(worth.values(), reverse=True)
            assert (said.chance, said.beside) == tuple(
                1.0 if item > 0 else 0.5 if item == 0 else 0.0 for item in values[:2]
            )
            for move, value in ((said.best, values[0]), (said.second, values[1])):
                assert (worth[move] > 0, worth[move] < 0) == (value > 0, value < 0)
            assert said.best is not said.second
            checked += 1
    assert checked > share_of(10)


def placement() -> Position:
    return judged(Aim.PLACEMENT, 3)[1].position


def test_all_reachable_full_boards_are_valued_for_the_player_who_places() -> None:
    position = placement()
    boards = full_boards(Searcher(megabytes=1), position, 500)
    free = [move.target for move in position.legal_moves()]
    seen = set()
    for order in permutations(free):
        seen.add(frozenset(order[::2]))
    assert boards.keys() == seen
    worth = means(boards)
    assert list(worth.values()) == sorted(worth.values(), reverse=True)
    first, second, *_ = worth
    gain, error = beside(boards, first, second)
    assert gain == pytest.approx(worth[first] - worth[second])
    assert error > 0
    assert beside(boards, second, first)[0] == pytest.approx(-gain)


def test_best_placements_equal_brute_force() -> None:
    position = placement()
    boards = full_boards(Searcher(megabytes=1), position, 500)
    free = [move.target for move in position.legal_moves()]

    def best(mine: frozenset[Point], left: tuple[Point, ...]) -> float:
        if not left:
            return boards[mine]
        own = (len(free) - len(left)) % 2 == 0
        after = [
            best(mine | {point} if own else mine, tuple(item for item in left if item != point))
            for point in left
        ]
        return max(after) if own else min(after)

    known = BestPlacements(boards)
    for point in free[:2]:
        chance, line = known.line(point)
        assert chance == best(frozenset({point}), tuple(item for item in free if item != point))
        assert line[0] == point
        assert boards[frozenset(line[::2])] == chance
        for target in line:
            position = position.play(Move(target=target))
        assert position.phase is Phase.MOVEMENT
        position = placement()


def test_a_point_must_be_better_than_each_other() -> None:
    points = [move.target for move in placement().legal_moves()]
    boards = full_boards(Searcher(megabytes=1), placement(), 500)
    clear = {mine: 0.3 + 0.4 * (points[2] in mine) for mine in boards}
    found = best_point(clear)
    assert found is not None
    assert found[0] == points[2]
    assert best_point(dict.fromkeys(boards, 0.5)) is None
    rest, size = points[:2] + points[3:], len(next(iter(boards))) - 1
    lucky = [{points[2], *rest[at : at + size]} for at in (0, size)]
    chancy = {mine: clear[mine] / 5 + 6 * (mine in lucky) for mine in boards}
    assert next(iter(means(chancy))) == points[2]
    assert best_point(chancy) is None  # it depends on two of all boards
    two = {mine: 0.2 * (points[2] in mine) + 0.2 * (points[0] in mine) for mine in boards}
    assert best_point(two) is None


def test_a_point_must_be_better_also_where_both_place_best() -> None:
    """The other player, who places next, takes the space that makes the point so valuable."""
    point, taken, *_ = points = POINTS[:8]

    def boards(gain: float) -> dict[frozenset[Point], float]:
        worth = {(True, True): 1.1, (True, False): 0.5 + gain, (False, True): 0.2}
        return {
            frozenset(mine): worth.get((point in mine, taken in mine), 0.5)
            for mine in combinations(points, 4)
        }

    assert best_point(boards(0.04)) is None
    found = best_point(boards(0.06))
    assert found is not None
    assert found[0] == point


def test_searches_of_another_size_find_the_same() -> None:
    for item in judged(Aim.FIGHT, share_of(6)):
        assert is_judged_alike(item, 500_000), item.id
    for item in judged(Aim.PLACEMENT, share_of(2)):
        assert is_judged_alike(item, 400_000), item.id


def test_the_games_of_the_library_give_the_same_puzzles_again() -> None:
    for aim, first, found_in in (
        (Aim.FIGHT, 300_000, fights_of),
        (Aim.PLACEMENT, 50_000, placements_of),
    ):
        made = (puzzle for puzzle in load() if puzzle.aim is aim and puzzle.seed >= first)
        one = min(made, key=lambda one: one.judged)
        [found] = found_in(one.seed)
        assert Puzzle.from_json(found["puzzle"]) == one
