"""Tests for puzzles that were judged by searches: their data, and their answers."""

import pytest

from dvonn import IllegalMoveError, Phase, Point
from dvonn.engine.baseline import Baseline
from dvonn.puzzles import Aim, Puzzle, PuzzleTheme, find, load
from dvonn.reviews.lines import positions
from dvonn.reviews.reasons import reasons
from dvonn_lessons.likeness import equivalent_positions, name_of
from tests.tiers import share_of

FIGHTS = [puzzle for puzzle in load() if puzzle.aim is Aim.FIGHT]
PLACEMENTS = [puzzle for puzzle in load() if puzzle.aim is Aim.PLACEMENT]
JUDGED = FIGHTS + PLACEMENTS


def some(puzzles: list[Puzzle], number: int) -> list[Puzzle]:
    return puzzles[:: max(1, len(puzzles) // number)]


def test_there_are_enough_of_the_middle_and_of_the_placement() -> None:
    middle = [puzzle for puzzle in load() if 24 <= stacks(puzzle) <= 42]
    assert len(FIGHTS) >= 250
    assert len(middle) >= 500
    assert len(PLACEMENTS) >= 150


def test_fights_that_longer_searches_contradict_are_found_only_by_their_ids() -> None:
    for name in ("7edc00bf", "093eaf56", "955a4ff7", "f27e65eb"):
        retired = find(name)
        assert retired is not None
        assert retired.themes == ()
        assert retired not in load()


def stacks(puzzle: Puzzle) -> int:
    return sum(letter.isupper() for letter in puzzle.text.split()[0])


@pytest.mark.later("all data of the library, 0.5 s")
def test_a_fights_best_move_keeps_the_lead_and_no_other_does() -> None:
    for fight in FIGHTS:
        assert 24 <= stacks(fight) <= 42
        assert PuzzleTheme.FIGHT in fight.themes
        assert (
            fight.judged >= 4_000_000 or fight.best == 99
        )  # a search ends once everything is proven
        assert fight.best >= 60
        assert fight.goal == 50
        assert fight.best_other_chance <= min(fight.best - 19, 50)  # the chances are rounded


def test_the_best_point_is_better_by_ten_in_a_hundred_and_three_errors() -> None:
    for placement in PLACEMENTS:
        assert placement.themes == (PuzzleTheme.PLACEMENT,)
        assert placement.goal == placement.best - 9
        assert placement.best_other_chance < placement.goal
        assert placement.error > 0
        assert placement.best - placement.best_other_chance >= 3 * (placement.error - 1) - 1
        assert 4 <= len(placement.position.legal_moves()) <= 8


def test_ids_stand_for_all_forms_and_players_can_tell_the_turn() -> None:
    for puzzle in some(JUDGED, 40):
        position = puzzle.position
        assert position.turn is puzzle.solver
        assert (position.phase is Phase.PLACEMENT) is (puzzle.aim is Aim.PLACEMENT)
        forms = equivalent_positions(position)
        assert len(forms) == (4 if puzzle.aim is Aim.PLACEMENT else 8)
        assert {name_of(other) for other in forms} == {puzzle.id}


def test_the_correct_move_solves_it_and_play_continues() -> None:
    for puzzle in some(JUDGED, 40):
        first = puzzle.solution[0]
        answer = puzzle.answer((), first)
        assert answer.right
        assert answer.solved
        assert puzzle.chance(first) == puzzle.best
        assert puzzle.play_on((first,)) == puzzle.solution[1:]
        assert positions(puzzle.position, puzzle.solution)
        if puzzle.aim is Aim.PLACEMENT:
            assert positions(puzzle.position, puzzle.solution)[-1].phase is Phase.MOVEMENT


def test_a_wrong_move_is_answered_with_its_value() -> None:
    for puzzle in some(JUDGED, 25):
        for move in puzzle.position.legal_moves():
            if move == puzzle.solution[0]:
                continue
            answer = puzzle.answer((), move)
            assert not answer.right
            assert not answer.solved
            assert puzzle.chance(move) <= puzzle.best_other_chance < puzzle.best
            line = puzzle.play_on((move,))
            assert line[: len(answer.replies)] == answer.replies
            after = positions(puzzle.position, (move, *line))
            assert line or after[-1].turn is None


@pytest.mark.later("each wrong move of ten positions, 2 s")
def test_a_fights_wrong_move_has_the_reasons_of_a_review() -> None:
    told = 0
    for puzzle in some(FIGHTS, 10):
        for move in puzzle.position.legal_moves():
            why = puzzle.reason((), move)
            if move != puzzle.solution[0] and why is not None:
                assert why in reasons(
                    puzzle.position, move, puzzle.play_on((move,)), puzzle.solution
                )
                told += 1
    assert told > 10


def test_a_placement_has_no_reason() -> None:
    one = PLACEMENTS[0]
    assert all(one.reason((), move) is None for move in one.position.legal_moves())


def test_the_search_has_no_goal_beyond_the_limits() -> None:
    """The plain solver would take years for a middlegame position."""
    for puzzle in some(JUDGED, 10):
        first = puzzle.solution[0]
        other = next(
            move for move in puzzle.position.play(first).legal_moves() if move != puzzle.solution[1]
        )
        assert puzzle.play_on((first, other)) == ()
        after = positions(puzzle.position, (first, other))[-1]
        if after.turn is puzzle.solver:
            assert not puzzle.answer((first, other), after.legal_moves()[0]).right
    with pytest.raises(IllegalMoveError):
        PLACEMENTS[0].answer((), FIGHTS[0].solution[0])


def test_a_proven_puzzle_has_no_chances() -> None:
    puzzle = next(puzzle for puzzle in load() if not puzzle.judged)
    with pytest.raises(KeyError):
        puzzle.chance(puzzle.solution[0])


def test_puzzles_survive_storage_and_proven_ones_stay_short() -> None:
    for puzzle in JUDGED:
        assert Puzzle.from_json(puzzle.to_json()) == puzzle
    puzzle = next(puzzle for puzzle in load() if not puzzle.judged)
    assert len(puzzle.to_json()) == 13
    with pytest.raises(ValueError, match="zip"):
        Puzzle.from_json(puzzle.to_json()[:-1])


@pytest.mark.later("all data of the library, once more")
def test_no_judged_puzzle_is_a_position_of_anothers_solution() -> None:
    known = {item.id for item in load()}
    for puzzle in some(JUDGED, share_of(200)):
        for position in positions(puzzle.position, puzzle.solution)[1:]:
            assert position.turn is None or name_of(position) not in known, puzzle.id


@pytest.mark.later("of the library, not of a line: the baseline looks two plies ahead")
def test_greed_and_two_plies_find_no_fight() -> None:
    for puzzle in some(FIGHTS, 12):
        for depth in (1, 2):
            assert Baseline(depth=depth).choose(puzzle.position) is not puzzle.solution[0]


@pytest.mark.later("of the library, not of a line: the baseline counts points")
def test_a_simple_count_of_points_does_not_find_all_placements() -> None:
    chosen = [Baseline().choose(placement.position).target for placement in PLACEMENTS]
    best: list[Point] = [placement.solution[0].target for placement in PLACEMENTS]
    assert chosen != best
