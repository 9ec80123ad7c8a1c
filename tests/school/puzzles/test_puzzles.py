"""Tests for puzzles as players get them: choice, first answers, lines and texts."""

import asyncio
from dataclasses import replace
from datetime import date

import pytest

from bot.base.ids import NO_GUILD, UserId
from bot.base.languages import IN_ENGLISH
from bot.database.connection import AsyncEngine
from bot.play.words.pictures import Picture
from bot.replay.model.refusals import NoSuchPly
from dvonn import Color, Motif, Move, Phase
from dvonn.puzzles import Aim, Puzzle, PuzzleTheme, find, load
from dvonn.reviews.lines import positions
from renderer import ENGLISH, Arrows
from school.exercises.model import ExerciseState
from school.exercises.words import ExerciseView, exercise, exercise_as_text, exercise_id
from school.puzzles.model import NEWCOMER, NoPuzzleLeft, PuzzleKey, is_daily
from school.puzzles.store import PuzzleTable
from school.puzzles.use_cases import AnswerResult, Puzzles
from school.puzzles.words.puzzles import (
    difficulty,
    puzzle_answered,
    puzzle_asked,
    puzzle_of_overview,
    puzzle_solution,
    solver_shown,
    theme_name,
)
from tests.bot.composition.test_spaces import BLACK
from tests.bot.conftest import Clock
from tests.bot.play.example_texts import REVIEWED
from tests.bot.reviewed import review_of
from tests.bot.rows import all_rows
from tests.bot.table import ANN, BOB, Table

LONG = next(
    puzzle for puzzle in load() if puzzle.moves == 3 and PuzzleTheme.CUT_OFF in puzzle.themes
)


def wrong_move(puzzle: Puzzle) -> Move:
    """Return the first move that is not the solution."""
    return next(move for move in puzzle.position.legal_moves() if move != puzzle.solution[0])


async def answer(table: Table, key: PuzzleKey, *line: Move, player: UserId = ANN) -> AnswerResult:
    *so_far, move = line
    return await table.of(Puzzles).answer(player, NO_GUILD, key, so_far, move)


async def solve(table: Table, key: PuzzleKey, player: UserId = ANN) -> list[AnswerResult]:
    """Play the best moves until the puzzle is solved."""
    line: tuple[Move, ...] = ()
    done: list[AnswerResult] = []
    while not done or (done[-1].answer.right and not done[-1].answer.solved):
        best = key.puzzle.play_on(line)[0]
        done.append(await answer(table, key, *line, best, player=player))
        line = (*line, best, *done[-1].answer.replies)
    return done


# Choice


async def test_a_newcomer_gets_the_easiest_until_they_have_solved_three(
    table: Table, clock: Clock
) -> None:
    puzzles = table.of(Puzzles)
    for solved in (False, False, False, False, False, False, True, True, True):
        key = await puzzles.pick(ANN)
        assert key.puzzle.rating < NEWCOMER - 200
        assert not is_daily(key.puzzle)
        assert (key.theme, key.day) == (None, None)
        clock.advance(minutes=1)
        await table.store.queries(PuzzleTable).record(ANN, key.puzzle, solved=solved, at=clock())
    rating = (await puzzles.solver(ANN)).rating.rating
    assert abs((await puzzles.pick(ANN)).puzzle.rating - rating) < 30


async def test_after_a_miss_the_next_puzzle_has_the_same_theme(table: Table, clock: Clock) -> None:
    puzzles, tables = table.of(Puzzles), table.store.queries(PuzzleTable)
    for theme in (PuzzleTheme.LAST_MOVE, PuzzleTheme.SURROUNDED, PuzzleTheme.GUARD):
        for solved in (True, False):
            clock.advance(minutes=1)
            tried = await tables.seen_ids(ANN)
            missed = next(
                puzzle for puzzle in load() if puzzle.themes[-1] is theme and puzzle.id not in tried
            )
            await tables.record(ANN, missed, solved=solved, at=clock())
            picked = [await puzzles.pick(ANN) for _ in range(6)]
            assert all(key.theme is None for key in picked), "nobody is kept to it"
            assert all(theme in key.puzzle.themes for key in picked) is not solved
    chosen = await puzzles.pick(ANN, PuzzleTheme.QUIET)
    assert PuzzleTheme.QUIET in chosen.puzzle.themes


def test_a_review_leads_to_a_puzzle_of_what_was_missed_most() -> None:
    game = REVIEWED
    white, black = game.row.white, game.row.black
    one = review_of(game, {52: 0.3, 54: 0.1}, motifs=(Motif.RED_CARRIED_OFF,))
    assert {ply.color for ply in one.marked} == {Color.WHITE}
    (button,) = puzzle_of_overview(IN_ENGLISH, game, one, white)
    assert puzzle_of_overview(IN_ENGLISH, game, one, black) == ()
    assert "-red_carried_off:" in button.custom_id
    assert button.custom_id.endswith(":next")
    assert puzzle_of_overview(IN_ENGLISH, game, review_of(game, {}), white) == ()
    assert puzzle_of_overview(IN_ENGLISH, game, one, UserId(987)) == ()


async def test_a_miss_costs_a_newcomer_little_and_others_more(table: Table, clock: Clock) -> None:
    tables, costs = table.store.queries(PuzzleTable), []
    for puzzle in sorted(load(), key=lambda one: one.rating)[:11]:
        clock.advance(minutes=1)
        scored = await tables.record(ANN, puzzle, solved=False, at=clock())
        assert scored is not None
        costs.append(round(scored.attempt.before - scored.attempt.after, 3))
    assert max(costs[:10]) == 20
    assert costs[10] > 20


async def test_only_who_chooses_it_is_asked_to_lose_by_less(table: Table) -> None:
    for theme in (None, *PuzzleTheme):
        for _ in range(5):
            key = await table.of(Puzzles).pick(ANN, theme)
            assert key.puzzle.is_rescue is (theme is PuzzleTheme.SAVE)
            assert theme is None or theme in key.puzzle.themes
            assert not is_daily(key.puzzle)


async def test_solvers_get_harder_puzzles_and_no_repeats(table: Table, clock: Clock) -> None:
    ratings, seen = [], set()
    for _ in range(4):
        clock.advance(minutes=1)
        key = await table.of(Puzzles).pick(ANN)
        ratings.append(key.puzzle.rating)
        seen.add(key.puzzle.id)
        await table.store.queries(PuzzleTable).record(ANN, key.puzzle, solved=True, at=clock())
    assert ratings == sorted(ratings)
    assert ratings[-1] > ratings[0] + 150
    assert len(seen) == 4


async def test_a_puzzle_is_given_by_how_hard_it_has_turned_out_to_be(
    table: Table, clock: Clock
) -> None:
    """No one solves the puzzle that newcomers get, so its rating rises to its true level."""
    key = await table.of(Puzzles).pick(ANN)
    for number in range(30):
        await table.store.queries(PuzzleTable).record(
            UserId(number), key.puzzle, solved=False, at=clock()
        )
    assert (await table.store.queries(PuzzleTable).ratings())[
        key.puzzle.id
    ] > key.puzzle.rating + 100
    assert key.puzzle not in {(await table.of(Puzzles).pick(BOB)).puzzle for _ in range(60)}


async def test_an_unanswered_puzzle_is_given_again_whatever_is_asked_for(table: Table) -> None:
    puzzles = table.of(Puzzles)
    first = await puzzles.give(ANN, NO_GUILD)
    assert not first.is_again
    for theme in (None, PuzzleTheme.CUT_OFF, None):
        again = await puzzles.give(ANN, NO_GUILD, theme)
        assert (again.key, again.is_again) == (first.key, True)
    words = "You haven't answered this one yet."
    assert words in puzzle_asked(IN_ENGLISH, again.key, (), is_again=True).lines[-1]
    assert (await puzzles.give(BOB, NO_GUILD)).is_again is False, "it is Ann's alone"
    await answer(table, first.key, wrong_move(first.key.puzzle))
    second = await puzzles.give(ANN, NO_GUILD, PuzzleTheme.CUT_OFF)
    assert (second.key.theme, second.is_again) == (PuzzleTheme.CUT_OFF, False)
    scored = (await puzzles.give_up(ANN, NO_GUILD, second.key, ())).scored
    assert scored is not None
    assert not scored.attempt.solved, "to skip one is to miss it"
    third = await puzzles.give(ANN, NO_GUILD)
    assert len({first.key.puzzle, second.key.puzzle, third.key.puzzle}) == 3


@pytest.mark.both_databases
async def test_two_requests_at_once_for_one_person_get_one_puzzle(table: Table) -> None:
    given = await asyncio.gather(*(table.of(Puzzles).give(ANN, NO_GUILD) for _ in range(4)))
    assert len({delivery.key for delivery in given}) == 1
    assert sorted(item.is_again for item in given) == [False, True, True, True]


async def test_a_removed_puzzle_is_followed_by_another(table: Table, clock: Clock) -> None:
    await table.store.queries(PuzzleTable).give(ANN, "0000aaaa-here", before=None, at=clock())
    given = await table.of(Puzzles).give(ANN, NO_GUILD)
    assert not given.is_again
    assert (await table.of(Puzzles).give(ANN, NO_GUILD)).key == given.key


async def test_a_theme_is_continued_until_no_puzzle_is_left(table: Table, clock: Clock) -> None:
    theme = PuzzleTheme.SURROUNDED
    key = await table.of(Puzzles).pick(ANN, theme)
    assert theme in key.puzzle.themes
    assert key.theme is theme
    for puzzle in load():
        if theme in puzzle.themes and not is_daily(puzzle):
            await table.store.queries(PuzzleTable).record(ANN, puzzle, solved=True, at=clock())
    with pytest.raises(NoPuzzleLeft):
        await table.of(Puzzles).pick(ANN, theme)
    assert theme not in (await table.of(Puzzles).pick(ANN)).puzzle.themes


def test_a_key_is_read_as_it_was_written() -> None:
    for key in (
        PuzzleKey(LONG),
        PuzzleKey(LONG, PuzzleTheme.RED_CARRIED_OFF),
        PuzzleKey(LONG, day=date(2026, 11, 22)),
    ):
        assert PuzzleKey.server_puzzle_id(key.text) is None
        assert PuzzleKey.found(key.text) == key
        assert len(key.text) <= 24
    for broken in ("", "00000000", LONG.id + "-2026-02-30", LONG.id + "-chess", LONG.id + "-"):
        with pytest.raises(NoSuchPly):
            PuzzleKey.found(broken)


# What counts


async def test_a_line_is_played_to_its_end_and_counts_then(table: Table) -> None:
    key = PuzzleKey(LONG)
    *before, last = await solve(table, key)
    assert len(before) == LONG.moves - 1
    assert all(item.answer.right and item.scored is None for item in before)
    assert last.answer.solved
    assert last.scored is not None
    assert last.scored.attempt.solved
    assert last.end.phase is Phase.OVER
    assert (await table.of(Puzzles).solver(ANN)).solved == 1


async def test_a_mistake_counts_at_once_and_later_answers_do_not(
    table: Table, engine: AsyncEngine
) -> None:
    key = PuzzleKey(LONG)
    missed = await answer(table, key, wrong_move(LONG))
    assert missed.scored is not None
    assert not missed.scored.attempt.solved
    rows = await all_rows(engine)
    *_, last = await solve(table, key)
    assert last.scored is not None
    assert not last.scored.is_first
    await table.of(Puzzles).give_up(ANN, NO_GUILD, key, ())
    assert await all_rows(engine) == rows


async def test_viewing_the_solution_first_counts_as_missed(table: Table) -> None:
    solution = await table.of(Puzzles).give_up(ANN, NO_GUILD, PuzzleKey(LONG), ())
    assert solution.line == LONG.solution
    solver, attempts = await table.of(Puzzles).history(ANN)
    assert (solver.tries, solver.solved) == (1, 0)
    assert [attempt.solved for attempt in attempts] == [False]


async def test_the_solution_ends_with_the_gain(table: Table) -> None:
    for puzzle in [item for item in load() if not item.judged][:60]:
        solution = await table.of(Puzzles).give_up(ANN, NO_GUILD, PuzzleKey(puzzle), ())
        end = positions(puzzle.position, puzzle.solution)[-1]
        own, other = end.score(puzzle.solver), end.score(puzzle.solver.opponent)
        said = puzzle_solution(IN_ENGLISH, solution).lines[-2]
        if own == other:
            assert said == f"A draw, {own} to {other}."
        else:
            assert said == f"You {'win' if own > other else 'lose'}, {own} to {other}."


async def test_judged_puzzles_say_so_with_their_chances(table: Table) -> None:
    for aim, asks in ((Aim.FIGHT, "Only one move keeps you ahead"), (Aim.PLACEMENT, "One space")):
        puzzle = next(puzzle for puzzle in load() if puzzle.aim is aim)
        key, wrong = PuzzleKey(puzzle), wrong_move(puzzle)
        asked = puzzle_asked(IN_ENGLISH, key, ()).lines
        assert asks in asked[1]
        assert asked[2].endswith(" million positions, not proven.")
        missed = await answer(table, key, wrong)
        chance = f"about {puzzle.chance(wrong)} games in 100. The best move wins {puzzle.best}."
        assert any(chance in line for line in puzzle_answered(IN_ENGLISH, missed).lines)
        solved = await answer(table, key, puzzle.solution[0])
        solution = await table.of(Puzzles).give_up(ANN, NO_GUILD, key, ())
        for lines in (
            puzzle_answered(IN_ENGLISH, solved).lines,
            puzzle_solution(IN_ENGLISH, solution).lines,
        ):
            assert f"about {puzzle.best} games in 100" in lines[-2]
            assert f": {puzzle.best_other_chance} at most." in lines[-2]


async def test_newcomers_begin_with_proven_ones_and_others_get_judged_ones(
    table: Table, clock: Clock
) -> None:
    for _ in range(40):
        assert not (await table.of(Puzzles).pick(ANN)).puzzle.judged
    for theme in (PuzzleTheme.FIGHT, PuzzleTheme.PLACEMENT):
        assert (await table.of(Puzzles).pick(ANN, theme)).puzzle.judged
    assert not any(puzzle.judged for puzzle in load() if is_daily(puzzle))


# Texts


def labels(view: ExerciseView) -> list[str]:
    return [button.label for button in view.buttons]


@pytest.mark.parametrize(
    ("rating", "name"),
    [
        (1_299, "easy"),
        (1_300, "medium"),
        (1_599, "medium"),
        (1_600, "hard"),
        (1_849, "hard"),
        (1_850, "very hard"),
    ],
)
def test_a_puzzles_difficulty_is_named_by_its_rating(rating: int, name: str) -> None:
    assert difficulty(IN_ENGLISH, replace(LONG, rating=rating)) == name


async def test_a_puzzle_states_its_goal_without_a_hint(table: Table) -> None:
    puzzle = find("aa0ebacd")
    assert puzzle is not None
    view = puzzle_asked(IN_ENGLISH, PuzzleKey(puzzle), ())
    assert view.lines[0] == "**Puzzle** · easy"
    assert view.lines[1].startswith(("You're White. ", "You're Black. "))
    assert not any(str(puzzle.solution[0]) in line for line in view.lines)
    assert labels(view) == ["Show solution (counts as a miss)"]
    assert labels(puzzle_asked(IN_ENGLISH, PuzzleKey(puzzle), (), is_new=False)) == [
        "Show solution"
    ]
    post = exercise(IN_ENGLISH, view)
    assert isinstance(post.picture, Picture)
    assert post.picture.position == puzzle.position


async def test_a_correct_move_continues_with_the_reply_on_the_board(table: Table) -> None:
    key = PuzzleKey(LONG)
    first = await answer(table, key, LONG.solution[0])
    view = puzzle_answered(IN_ENGLISH, first)
    line = (LONG.solution[0], *first.answer.replies)
    assert view.state == ExerciseState("puzzle", key.text, line)
    assert view.position == positions(LONG.position, line)[-1]
    assert view.lines[0] == f"✓ **{LONG.solution[0]}** is right."
    assert str(first.answer.replies[0]) in view.lines[1]
    assert view.asks
    second = await answer(table, key, *line, LONG.play_on(line)[0])
    assert puzzle_answered(IN_ENGLISH, second).last == second.answer.replies[-1]


async def test_a_pass_is_mentioned_with_the_next_task(table: Table) -> None:
    puzzle = next(
        puzzle
        for puzzle in load()
        if puzzle.moves > 1 and puzzle.position.play(puzzle.solution[0]).passed
    )
    told = await answer(table, PuzzleKey(puzzle), puzzle.solution[0])
    lines = puzzle_answered(IN_ENGLISH, told).lines
    assert lines[-2] == "They can't move, so you move again."
    assert lines[-1].startswith("Find the next move.")


async def test_a_solved_puzzle_explains_its_theme_and_the_result(table: Table) -> None:
    *_, last = await solve(table, PuzzleKey(LONG))
    view = puzzle_answered(IN_ENGLISH, last)
    said = "\n".join(view.lines)
    assert view.lines[0].endswith("– solved!")
    (theme,) = (line for line in view.lines if line.startswith("- "))
    assert theme == f"- {theme_name(IN_ENGLISH, LONG.themes[-1])}"
    assert "Your puzzle rating: **about 1" in said
    assert "(+" in said
    assert not view.asks
    assert labels(view) == ["Next puzzle", "My puzzles"]
    assert last.follows == ()
    assert not any(line.startswith("Then") for line in view.lines)


async def test_a_mistake_shows_its_consequences_and_the_reason(table: Table) -> None:
    puzzle, move = next(
        (puzzle, move)
        for puzzle in load()
        for move in [wrong_move(puzzle)]
        if (why := puzzle.reason((), move)) and why.motif is Motif.CUT_OFF
    )
    key = PuzzleKey(puzzle, PuzzleTheme.CUT_OFF)
    missed = await answer(table, key, move)
    view = puzzle_answered(IN_ENGLISH, missed)
    assert view.lines[0] == f"✗ **{move}** isn't it."
    assert view.lines[1].startswith(f"Then {missed.follows[0]}")
    assert missed.why
    cut = f"- {missed.why.line[-1]} cuts off "
    assert any(line.startswith(cut) for line in view.lines)
    assert view.position == puzzle.position
    assert isinstance(view.marks, Arrows)
    assert view.marks.line[:2] == (move, missed.follows[0])
    assert labels(view) == ["Show solution"]
    assert [button.label for button in view.also] == ["Try again", "Next puzzle"]
    again = exercise_id(ExerciseState("puzzle", key.text), "at")
    assert view.also[0].custom_id == again
    assert str(puzzle.solution[0]) not in " ".join(view.lines[:2])


@pytest.mark.parametrize(("before", "words"), [(0, []), (1, ["2 in a row!"])])
async def test_two_puzzles_are_a_streak(
    table: Table, clock: Clock, before: int, words: list[str]
) -> None:
    for puzzle in [puzzle for puzzle in load() if puzzle is not LONG][:before]:
        clock.advance(minutes=1)
        await table.store.queries(PuzzleTable).record(ANN, puzzle, solved=True, at=clock())
    *_, last = await solve(table, PuzzleKey(LONG))
    told = "\n".join(puzzle_answered(IN_ENGLISH, last).lines)
    assert ("in a row!" in told) == bool(words)
    shown = solver_shown(IN_ENGLISH, *await table.of(Puzzles).history(ANN))
    assert shown.content.splitlines()[1:] == words


async def test_a_streak_is_announced_and_shown(table: Table, clock: Clock) -> None:
    for puzzle in [puzzle for puzzle in load() if puzzle is not LONG][:3]:
        clock.advance(minutes=1)
        await table.store.queries(PuzzleTable).record(ANN, puzzle, solved=True, at=clock())
    *_, last = await solve(table, PuzzleKey(LONG))
    assert any("4 in a row!" in line for line in puzzle_answered(IN_ENGLISH, last).lines)
    post = solver_shown(IN_ENGLISH, *await table.of(Puzzles).history(ANN))
    assert post.content.splitlines()[0].endswith("4 of 4 solved.")
    assert post.content.splitlines()[1:] == ["4 in a row!"]
    assert post.picture is not None
    assert post.picture.alt_text.endswith("4 of the last 4 puzzles solved.")
    nobody = solver_shown(IN_ENGLISH, *await table.of(Puzzles).history(BOB))
    assert (nobody.content, nobody.picture) == (
        "You haven't tried a puzzle yet. /puzzle has one for you.",
        None,
    )


def test_a_day_keeps_its_solution_to_itself() -> None:
    view = puzzle_asked(IN_ENGLISH, PuzzleKey(LONG, day=date(2026, 11, 22)), ())
    assert labels(view) == []


def test_a_puzzle_for_black_has_blacks_side_below_for_those_who_want_it() -> None:
    for puzzle in load()[:40]:
        for line in ((), puzzle.solution[:2]):
            view = puzzle_asked(BLACK, PuzzleKey(puzzle), line)
            shown = exercise(BLACK, view).picture
            assert isinstance(shown, Picture)
            assert shown.look.turned is (puzzle.solver is Color.BLACK)
            words = exercise_as_text(BLACK, view).content
            assert (ENGLISH.turned in words) is shown.look.turned
