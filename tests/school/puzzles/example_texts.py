"""Examples of puzzle texts."""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from datetime import UTC, date, datetime

from bot.base.glicko import Rating
from bot.base.ids import ChannelId, GuildId, UserId
from bot.base.languages import IN_ENGLISH, Reader
from bot.base.zones import DailyTime
from dvonn import Move
from dvonn.puzzles import Aim, PuzzleAnswer, PuzzleTheme, load
from dvonn.reviews.lines import positions
from school.exercises.words import ExerciseView
from school.puzzles import model
from school.puzzles.dailies import DailyNews, DayResult
from school.puzzles.use_cases import AnswerResult, RevealedSolution
from school.puzzles.words import puzzles
from school.puzzles.words.dailies import daily_chosen, daily_post, daily_table
from tests.bot.play.example_texts import REVIEWED, REVIEWS, ExampleTexts
from tests.bot.replayed import ANN
from tests.bot.reviewed import WHYS
from tests.school.exercises.example_texts import PUZZLE

NOW = datetime(2026, 3, 1, tzinfo=UTC)
DAILY_SETTING = model.DailySetting(
    guild=GuildId(1), channel=ChannelId(2), time=DailyTime(540, "Europe/Berlin"), due_at=NOW
)
DAY = date(2026, 3, 1)
STANDS = model.RatedSolver(
    rating=Rating(rating=1_312.4, at=NOW), tries=7, solved=5, streak=3, best_streak=4
)
SETTLED = replace(STANDS, rating=replace(STANDS.rating, deviation=60.0), streak=0)


def scored(solver: model.RatedSolver, *, is_first: bool = True) -> model.ScoredAttempt:
    attempt = model.Attempt(puzzle=PUZZLE.id, at=NOW, solved=True, before=1_290.0, after=1_312.4)
    return model.ScoredAttempt(attempt=attempt, solver=solver, is_first=is_first)


SCORES = (scored(STANDS), scored(SETTLED), scored(STANDS, is_first=False), None)


def kinds() -> Iterator[model.PuzzleKey]:
    """Yield puzzles of each goal, player and theme, as hard as possible, a daily one, and a
    server's own.
    """
    seen = set[object]()
    for puzzle in load():
        goal = (puzzle.goal > 0) - (puzzle.goal < 0) if puzzle.aim is Aim.MARGIN else 0
        kind = {
            (puzzle.aim, goal, puzzle.solver),
            puzzles.difficulty(IN_ENGLISH, puzzle),
            *puzzle.themes,
        }
        if not kind <= seen:
            seen |= kind
            yield model.PuzzleKey(puzzle, puzzle.themes[0])
    yield model.PuzzleKey(PUZZLE)
    yield model.PuzzleKey(PUZZLE, day=DAY)
    yield model.PuzzleKey(PUZZLE, here=True)


KEYS = tuple(kinds())
LONG = next(key for key in KEYS if key.puzzle.moves > 1)


def answer_result(
    key: model.PuzzleKey,
    move: Move,
    *,
    right: bool,
    solved: bool,
    counts: model.ScoredAttempt | None,
) -> AnswerResult:
    """Return an answer's result with the given properties."""
    follows = key.puzzle.play_on((move,))
    why = None if right else WHYS[0]
    position = positions(key.puzzle.position, (move, *follows[:1]))[-1]
    answer = PuzzleAnswer(right=right, replies=follows[:1], position=position, solved=solved)
    return AnswerResult(
        key=key, so_far=(), move=move, answer=answer, follows=follows, why=why, scored=counts
    )


def view_parts(views: Iterable[ExerciseView]) -> list[object]:
    return [part for view in views for part in (view.lines, view.buttons)]


def answers(who: Reader) -> Iterator[ExerciseView]:
    for key in KEYS:
        move = key.puzzle.solution[0]
        for counts in SCORES:
            for right, solved in ((False, False), (True, False), (True, True)):
                one = answer_result(key, move, right=right, solved=solved, counts=counts)
                yield puzzles.puzzle_answered(who, one)


def dailies(who: Reader) -> Iterator[object]:
    key = model.PuzzleKey(PUZZLE, day=DAY)
    people = [model.DailyAnswer(UserId(number), solved=number < 40) for number in range(60)]
    for before in (None, (), people[50:], people):
        result = None if before is None else DayResult(key, tuple(before))
        yield daily_post(who, DailyNews(key, result))


EXAMPLE_TEXTS: ExampleTexts = {
    "puzzle_of_overview": lambda who: [
        puzzles.puzzle_of_overview(who, REVIEWED, review, ANN) for review in REVIEWS
    ],
    "puzzle_asked": lambda who: view_parts(
        puzzles.puzzle_asked(who, key, line, is_again=not line)
        for key in KEYS
        for line in ((), key.puzzle.solution[:2])
    ),
    "puzzle_answered": lambda who: view_parts(answers(who)),
    "puzzle_solution": lambda who: view_parts(
        puzzles.puzzle_solution(
            who, RevealedSolution(key=key, so_far=(), line=key.puzzle.solution, scored=counts)
        )
        for key in KEYS
        for counts in SCORES
    ),
    "solver_shown": lambda who: [
        puzzles.solver_shown(who, STANDS, []),
        puzzles.solver_shown(who, SETTLED, [scored(SETTLED).attempt]),
        puzzles.solver_shown(who, STANDS, [scored(STANDS).attempt] * 50),
    ],
    "server_games_label": lambda who: [puzzles.server_games_label(who)],
    "theme_name": lambda who: [puzzles.theme_name(who, theme) for theme in PuzzleTheme],
    "daily_post": lambda who: list(dailies(who)),
    "daily_table": lambda who: [
        daily_table(who, DAY, []),
        daily_table(who, DAY, [model.MonthRow(UserId(n), 3, 4) for n in range(40)]),
    ],
    "daily_chosen": lambda who: [
        daily_chosen(who, None, tells_how=True),
        daily_chosen(who, DAILY_SETTING),
    ],
}

REFUSED = [model.NoPuzzleLeft(), model.NoServerPuzzle(), model.NoDailyPuzzle()]
