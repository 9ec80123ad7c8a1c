"""Tests for the library's puzzles and their solutions."""

import doctest
import random
import sys
from collections import Counter
from functools import cache

import pytest

import dvonn.puzzles
import dvonn_lessons.puzzles
from dvonn import DvonnError, IllegalMoveError, Move, Phase, parse_move, position_to_text
from dvonn._rules.packed_moves import PackedMoves, packed
from dvonn.engine.baseline import Baseline
from dvonn.puzzles import Aim, Puzzle, PuzzleTheme, find, load, nearest
from dvonn.reviews.lines import positions
from dvonn.reviews.reasons import costs
from dvonn_lessons.likeness import equivalent_positions, name_of
from dvonn_lessons.motifs import cut_off, immobilised
from dvonn_lessons.puzzles.puzzle import RIGHT, WRONG
from dvonn_lessons.solver import Solver
from dvonn_lessons.themes import themes
from tests.dvonn.plain_search import GaveUpError, lead, moves_that_reach
from tests.tiers import share_of


@cache
def proven() -> list[Puzzle]:
    """All puzzles except those judged by searches."""
    return [puzzle for puzzle in load() if not puzzle.judged]


@cache
def cheap(number: int) -> list[Puzzle]:
    """Return a sample of the quarter with the least data, which the plain search solves quickly."""
    puzzles = sorted(proven(), key=lambda one: len(one.others) + len(one.book))
    return random.Random(number).sample(puzzles[: len(puzzles) // 4], number)


@cache
def sample(number: int) -> list[Puzzle]:
    """A fixed sample of the proven puzzles."""
    return random.Random(number).sample(proven(), number)


def wrong_lines(puzzle: Puzzle) -> dict[Move, tuple[Move, ...]]:
    """Return the stored line of best play after each wrong first move."""
    reader, position, found = PackedMoves(puzzle.others), puzzle.position, {}
    for move in position.legal_moves():
        if move is not puzzle.solution[0]:
            assert reader.take(WRONG)
            found[move] = tuple(step for _, step in reader.line(position.play(move)))
    return found


def margin_after(puzzle: Puzzle, line: tuple[Move, ...]) -> int:
    end = positions(puzzle.position, line)[-1]
    assert end.phase is Phase.OVER
    return lead(end, puzzle.solver)


def test_there_are_thousands_and_each_theme_has_fifty() -> None:
    puzzles = load()

    assert sum(puzzle.aim in {Aim.WIN, Aim.DRAW} for puzzle in puzzles) >= 2_800
    assert (
        len({puzzle.id for puzzle in puzzles})
        == len({puzzle.text for puzzle in puzzles})
        == len(puzzles)
    )
    told = Counter(theme for puzzle in puzzles for theme in puzzle.themes)
    assert min(told[theme] for theme in PuzzleTheme) >= 50
    assert all(puzzle.themes for puzzle in puzzles)
    assert {puzzle.aim for puzzle in puzzles} == set(Aim)
    assert {puzzle.aim for puzzle in puzzles if puzzle.judged} == {Aim.FIGHT, Aim.PLACEMENT}


def test_a_puzzles_goal_fits_its_margin() -> None:
    for puzzle in proven():
        match puzzle.aim:
            case Aim.WIN:
                assert puzzle.goal == 1 <= puzzle.best
            case Aim.DRAW:
                assert puzzle.goal == puzzle.best == 0
            case Aim.MARGIN:
                assert puzzle.goal == puzzle.best - 3
                assert puzzle.goal > 0 or puzzle.best < 0


def test_positions_are_of_the_movement_phase_and_no_two_are_alike() -> None:
    """Equivalent positions have the same id, and no two puzzles share one."""
    for item in sample(60):
        position = item.position
        assert position_to_text(position) == item.text
        assert position.phase is Phase.MOVEMENT
        assert position.turn is item.solver
        assert len(position.legal_moves()) >= 5
        assert {name_of(other) for other in equivalent_positions(position)} == {item.id}


def test_positions_that_are_alike_play_alike() -> None:
    for item in sample(8):
        games = equivalent_positions(item.position)
        assert len(set(games)) == len(games) == 8
        assert games[0] == item.position
        counts = {
            tuple(sorted(len(here.play(move).legal_moves()) for move in here.legal_moves()))
            for here in games
        }
        assert len(counts) == 1


def test_lines_are_legal_to_the_end_and_end_as_they_say() -> None:
    for puzzle in sample(60):
        assert margin_after(puzzle, puzzle.solution) == puzzle.best >= puzzle.goal
        gap = 4 if puzzle.aim is Aim.MARGIN else 1
        for move, line in wrong_lines(puzzle).items():
            assert margin_after(puzzle, (move, *line)) <= puzzle.best - gap
            assert margin_after(puzzle, (move, *line)) < puzzle.goal


def test_all_output_is_read() -> None:
    for item in sample(60):
        line, reader = PackedMoves(item.line).line(item.position), PackedMoves(item.others)
        assert packed(item.position, [move for _, move in line]) == item.line
        for position, best in line:
            if position.turn is item.solver and reader.has_more:
                for move in position.legal_moves():
                    if move is not best:
                        assert reader.take(RIGHT) or reader.take(WRONG)
                        reader.line(position.play(move))
        assert not reader.has_more


def test_a_plain_search_finds_one_move_that_reaches_the_goal() -> None:
    checked = 0
    for puzzle in cheap(share_of(220)):
        try:
            found = moves_that_reach(puzzle.position, puzzle.goal, limit=1_000)
        except GaveUpError:
            continue
        checked += 1
        assert found == [puzzle.solution[0]], puzzle
    assert checked >= share_of(200)


def test_the_solver_agrees_with_the_plain_search() -> None:
    for puzzle in cheap(share_of(20)):
        solver = Solver(puzzle.solver)
        for move in puzzle.position.legal_moves():
            after = puzzle.position.play(move)
            margin = solver.exact(after, 0)
            assert Solver(puzzle.solver).margin(after) == margin
            assert solver.reaches(after, margin)
            assert not solver.reaches(after, margin + 1)
            assert solver.reaches(after, puzzle.goal) is (move is puzzle.solution[0])


def test_every_defence_to_the_first_move_is_answered() -> None:
    for puzzle in sample(5)[: share_of(10)]:
        first = puzzle.solution[0]
        for defence in puzzle.position.play(first).legal_moves():
            if puzzle.position.play(first).turn is puzzle.solver:
                continue
            line = puzzle.play_on((first, defence))
            assert margin_after(puzzle, (first, defence, *line)) >= puzzle.goal


def test_the_solution_is_right_to_its_end() -> None:
    for puzzle in sample(30):
        played: tuple[Move, ...] = ()
        found = 0
        while True:
            position = positions(puzzle.position, played)[-1]
            move = puzzle.solution[len(played)]
            answer = puzzle.answer(played, move)
            assert answer.right
            assert (*played, move, *answer.replies) == puzzle.solution[
                : len(played) + 1 + len(answer.replies)
            ]
            found += len(position.legal_moves()) > 1
            played = (*played, move, *answer.replies)
            assert positions(puzzle.position, played)[-1] == answer.position
            if answer.solved:
                break
            assert answer.position.turn is puzzle.solver
            assert len(answer.position.legal_moves()) > 1
        assert found == puzzle.moves


def test_a_wrong_move_is_refuted() -> None:
    for puzzle in sample(share_of(12)):
        for move, line in wrong_lines(puzzle).items():
            answer = puzzle.answer((), move)
            assert not answer.right
            assert not answer.solved
            assert answer.replies == line[: len(answer.replies)]
            assert answer.position.turn in {puzzle.solver, None}
            assert puzzle.play_on((move,)) == line
            told = costs(puzzle.position, move, line, puzzle.solution)
            assert puzzle.reason((), move) == next(iter(told), None)
            assert all(why.sufferer is puzzle.solver and why.better is None for why in told)


def test_later_moves_are_judged_too() -> None:
    """At the second turn, every verdict agrees with the plain search."""
    checked = 0
    for item in [puzzle for puzzle in cheap(70) if puzzle.moves > 1]:
        answer = item.answer((), item.solution[0])
        so_far = (item.solution[0], *answer.replies)
        right = moves_that_reach(answer.position, item.goal)
        for move in answer.position.legal_moves():
            said = item.answer(so_far, move)
            assert said.right is (move in right)
            end = lead(
                positions(said.position, item.play_on((*so_far, move, *said.replies)))[-1],
                item.solver,
            )
            assert (end >= item.goal) is said.right
            checked += 1
    assert checked > 50


def test_each_move_that_is_asked_for_is_the_only_one() -> None:
    """A puzzle ends when several moves reach the goal, or the game is over."""
    longer = 0
    for puzzle in cheap(share_of(30)):
        so_far: tuple[Move, ...] = ()
        for number in range(puzzle.moves):
            position = positions(puzzle.position, so_far)[-1]
            move = puzzle.solution[len(so_far)]
            assert moves_that_reach(position, puzzle.goal) == [move]
            answer = puzzle.answer(so_far, move)
            assert answer.solved is (number == puzzle.moves - 1)
            so_far = (*so_far, move, *answer.replies)
        end = positions(puzzle.position, so_far)[-1]
        assert end.turn is None or len(moves_that_reach(end, puzzle.goal)) > 1
        longer += puzzle.moves > 1
    assert longer


def test_no_puzzle_is_a_position_of_anothers_solution() -> None:
    known = {item.id for item in load()}
    for puzzle in sample(5)[: share_of(25)]:
        for position in positions(puzzle.position, puzzle.solution)[1:]:
            assert position.turn is None or name_of(position) not in known, puzzle.id


def test_a_puzzle_that_is_no_longer_given_is_still_known_by_its_id() -> None:
    gone = find("0015e202")
    assert gone is not None
    assert gone not in load()
    assert gone.answer((), gone.solution[0]).right


def test_illegal_moves_are_not_answers() -> None:
    one = load()[0]
    with pytest.raises(IllegalMoveError):
        one.answer((), parse_move("a1-k5"))
    with pytest.raises(ValueError, match="not the solver's turn"):
        one.answer(one.solution, one.solution[0])


def test_themes_match_the_lines() -> None:
    for puzzle in sample(30):
        lines = [(move, *line) for move, line in wrong_lines(puzzle).items()]
        strongest = max(lines, key=lambda line: margin_after(puzzle, line))
        assert puzzle.themes == themes(puzzle.position, puzzle.solution, strongest)
        other = puzzle.solver.opponent
        if PuzzleTheme.COUNTING in puzzle.themes:
            assert {*puzzle.themes} <= {PuzzleTheme.COUNTING, PuzzleTheme.QUIET, PuzzleTheme.SAVE}
        for theme, count in (
            (PuzzleTheme.CUT_OFF, cut_off),
            (PuzzleTheme.IMMOBILISED, immobilised),
        ):
            if theme not in puzzle.themes:
                gain = count(puzzle.position, puzzle.solution, other)
                assert gain - count(puzzle.position, strongest, other) < 3


def test_two_plies_of_search_find_less_than_four_in_ten() -> None:
    some = sample(60)
    found = sum(Baseline(depth=2).choose(puzzle.position) is puzzle.solution[0] for puzzle in some)
    greedy = sum(Baseline(depth=1).choose(puzzle.position) is puzzle.solution[0] for puzzle in some)
    assert found <= 0.6 * len(some)
    assert greedy == 0


def test_puzzles_are_found_by_id_rating_and_theme() -> None:
    one = load()[7]
    assert find(one.id) is one
    assert find("nothing!") is None
    near = nearest(one.rating, theme=one.themes[0])
    assert near is not None
    assert near.rating == one.rating
    assert one.themes[0] in near.themes
    next_one = nearest(one.rating, without={near.id})
    assert next_one is not None
    assert next_one is not near
    assert nearest(1500, without={puzzle.id for puzzle in load()}) is None


def test_without_the_lessons_the_error_says_which_package_has_the_puzzles(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "dvonn_lessons.puzzles", None)
    for error in (DvonnError, ImportError):
        with pytest.raises(error, match="need the package dvonn-lessons"):
            from dvonn.puzzles import load as _  # noqa: F401, PLC0415 - it is what is tested
    with pytest.raises(AttributeError, match="has no attribute 'chess'"):
        dvonn.puzzles.chess  # noqa: B018


def test_a_puzzle_survives_being_written() -> None:
    for item in sample(8):
        assert Puzzle.from_json(item.to_json()) == item


def test_the_docstring_example_holds() -> None:
    result = doctest.testmod(dvonn_lessons.puzzles)
    assert result.attempted > 0
    assert result.failed == 0
