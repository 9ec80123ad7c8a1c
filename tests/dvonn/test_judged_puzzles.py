"""Tests of puzzles that were judged by searches: their data, and their answers."""

import pytest

from dvonn import IllegalMoveError, Phase, Point
from dvonn.engine.baseline import Baseline
from dvonn.puzzles import Aim, Puzzle, PuzzleTheme, find, load
from dvonn.reviews.lines import positions
from dvonn.reviews.reasons import reasons
from dvonn_lessons.likeness import equivalent_positions, name_of
from tests.tiers import share_of

FIGHTS = [one for one in load() if one.aim is Aim.FIGHT]
PLACEMENTS = [one for one in load() if one.aim is Aim.PLACEMENT]
JUDGED = FIGHTS + PLACEMENTS


def some(puzzles: list[Puzzle], number: int) -> list[Puzzle]:
    return puzzles[:: max(1, len(puzzles) // number)]


def test_there_are_enough_of_the_middle_and_of_the_placement() -> None:
    middle = [one for one in load() if 24 <= stacks(one) <= 42]
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
    for one in FIGHTS:
        assert 24 <= stacks(one) <= 42
        assert PuzzleTheme.FIGHT in one.themes
        assert one.judged >= 4_000_000 or one.best == 99  # a search ends once everything is proven
        assert one.best >= 60
        assert one.goal == 50
        assert one.best_other_chance <= min(one.best - 19, 50)  # they are rounded


def test_the_best_point_is_better_by_ten_in_a_hundred_and_three_errors() -> None:
    for one in PLACEMENTS:
        assert one.themes == (PuzzleTheme.PLACEMENT,)
        assert one.goal == one.best - 9
        assert one.best_other_chance < one.goal
        assert one.error > 0
        assert one.best - one.best_other_chance >= 3 * (one.error - 1) - 1
        assert 4 <= len(one.position.legal_moves()) <= 8


def test_ids_stand_for_all_forms_and_players_can_tell_the_turn() -> None:
    for one in some(JUDGED, 40):
        position = one.position
        assert position.turn is one.solver
        assert (position.phase is Phase.PLACEMENT) is (one.aim is Aim.PLACEMENT)
        forms = equivalent_positions(position)
        assert len(forms) == (4 if one.aim is Aim.PLACEMENT else 8)
        assert {name_of(other) for other in forms} == {one.id}


def test_the_correct_move_solves_it_and_play_continues() -> None:
    for one in some(JUDGED, 40):
        first = one.solution[0]
        answer = one.answer((), first)
        assert answer.right
        assert answer.solved
        assert one.chance(first) == one.best
        assert one.play_on((first,)) == one.solution[1:]
        assert positions(one.position, one.solution)
        if one.aim is Aim.PLACEMENT:
            assert positions(one.position, one.solution)[-1].phase is Phase.MOVEMENT


def test_a_wrong_move_is_answered_with_its_value() -> None:
    for one in some(JUDGED, 25):
        for move in one.position.legal_moves():
            if move == one.solution[0]:
                continue
            answer = one.answer((), move)
            assert not answer.right
            assert not answer.solved
            assert one.chance(move) <= one.best_other_chance < one.best
            line = one.play_on((move,))
            assert line[: len(answer.replies)] == answer.replies
            after = positions(one.position, (move, *line))
            assert line or after[-1].turn is None


@pytest.mark.later("each wrong move of ten positions, 2 s")
def test_a_fights_wrong_move_has_the_reasons_of_a_review() -> None:
    told = 0
    for one in some(FIGHTS, 10):
        for move in one.position.legal_moves():
            why = one.reason((), move)
            if move != one.solution[0] and why is not None:
                assert why in reasons(one.position, move, one.play_on((move,)), one.solution)
                told += 1
    assert told > 10


def test_a_placement_has_no_reason() -> None:
    one = PLACEMENTS[0]
    assert all(one.reason((), move) is None for move in one.position.legal_moves())


def test_the_search_has_no_goal_beyond_the_limits() -> None:
    """The plain solver would take years for a middlegame position."""
    for one in some(JUDGED, 10):
        first = one.solution[0]
        other = next(
            move for move in one.position.play(first).legal_moves() if move != one.solution[1]
        )
        assert one.play_on((first, other)) == ()
        after = positions(one.position, (first, other))[-1]
        if after.turn is one.solver:
            assert not one.answer((first, other), after.legal_moves()[0]).right
    with pytest.raises(IllegalMoveError):
        PLACEMENTS[0].answer((), FIGHTS[0].solution[0])


def test_a_proven_puzzle_has_no_chances() -> None:
    one = next(one for one in load() if not one.judged)
    with pytest.raises(KeyError):
        one.chance(one.solution[0])


def test_they_survive_being_written_and_proven_ones_are_as_they_were() -> None:
    for one in JUDGED:
        assert Puzzle.from_json(one.to_json()) == one
    one = next(one for one in load() if not one.judged)
    assert len(one.to_json()) == 13
    with pytest.raises(ValueError, match="zip"):
        Puzzle.from_json(one.to_json()[:-1])


@pytest.mark.later("all data of the library, once more")
def test_no_judged_puzzle_is_a_position_of_anothers_solution() -> None:
    known = {one.id for one in load()}
    for one in some(JUDGED, share_of(200)):
        for position in positions(one.position, one.solution)[1:]:
            assert position.turn is None or name_of(position) not in known, one.id


@pytest.mark.later("of the library, not of a line: the baseline looks two plies ahead")
def test_greed_and_two_plies_find_no_fight() -> None:
    for one in some(FIGHTS, 12):
        for depth in (1, 2):
            assert Baseline(depth=depth).choose(one.position) is not one.solution[0]


@pytest.mark.later("of the library, not of a line: the baseline counts points")
def test_a_simple_count_of_points_does_not_find_all_placements() -> None:
    chosen = [Baseline().choose(one.position).target for one in PLACEMENTS]
    best: list[Point] = [one.solution[0].target for one in PLACEMENTS]
    assert chosen != best
