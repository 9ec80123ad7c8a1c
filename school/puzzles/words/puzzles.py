"""Texts for puzzles: tasks, responses to answers, reasons, and a player's record."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final

from bot.base.formats import day_text
from bot.base.glicko import gain_text, rounded_rating
from bot.base.ids import UserId
from bot.base.languages import Reader
from bot.connection.posts import Button, ButtonStyle, NameOf, PlainPicture, Post
from bot.guide.topics import Topic
from bot.play.model.game import Game
from bot.play.words.names import Names, names_of_colors
from bot.play.words.pictures import cut, look_of
from bot.play.words.views import final_score, moves_text
from dvonn import Motif, Move, Position, Review
from dvonn.reviews.lines import positions
from dvonn_lessons.puzzles import Aim, Puzzle, PuzzleTheme, nearest
from renderer import Arrows, Look, Step, describe_progress
from renderer import progress as render_progress
from school.exercises.model import ExerciseState
from school.exercises.words import ExerciseView, exercise_id, reason_text, task_with_color
from school.puzzles import model
from school.puzzles.use_cases import AnswerResult, RevealedSolution


@dataclass(frozen=True, slots=True)
class Progress(PlainPicture):
    """A player's rating history, as a picture and as text."""

    start: float
    steps: tuple[Step, ...]
    look: Look

    def rendering(self, _name_of: NameOf) -> Callable[[], bytes]:
        return partial(render_progress, self.start, self.steps, look=self.look)


def progress(reader: Reader, filename: str, attempts: Sequence[model.Attempt]) -> Progress:
    """Return the chart of a rating over attempts (at least one, oldest first)."""
    look, start = look_of(reader), attempts[0].before
    steps = tuple(Step(attempt.after, attempt.solved) for attempt in attempts)
    alt_text = describe_progress(start, steps, words=look.words)
    return Progress(filename, cut(alt_text), start, steps, look)


PUZZLE: Final = "puzzle"
MINE_ID: Final = "dvonn:puzzles:mine"
_ARROWS: Final = 3
"""Maximum number of arrows. More would hide the board."""
_MILLION: Final = 1_000_000
_THEME_OF: Final = {
    Motif.HANGING: PuzzleTheme.GUARD,
    Motif.ESCAPED: PuzzleTheme.FIGHT,
    Motif.RETAKEN: PuzzleTheme.GUARD,
    Motif.SHARPSHOT: PuzzleTheme.COUNTING,
    Motif.TAKEN: PuzzleTheme.FIGHT,
    Motif.CUT_OFF: PuzzleTheme.CUT_OFF,
    Motif.LAST_LINK: PuzzleTheme.CUT_OFF,
    Motif.RED_CARRIED_OFF: PuzzleTheme.RED_CARRIED_OFF,
    Motif.LAST_MOVER: PuzzleTheme.LAST_MOVE,
    Motif.MOBILITY: PuzzleTheme.IMMOBILISED,
    Motif.MOVERS: PuzzleTheme.FIGHT,
    Motif.SPOT: PuzzleTheme.FIGHT,
    Motif.SAFE_TAKE: PuzzleTheme.FIGHT,
    Motif.LET_TAKE: PuzzleTheme.GUARD,
    Motif.LET_LAND: PuzzleTheme.FIGHT,
    Motif.DOUBLE_THREAT: PuzzleTheme.GUARD,
    Motif.PIECES: PuzzleTheme.COUNTING,
    Motif.TOOK_NONE: PuzzleTheme.FIGHT,
    Motif.FREED: PuzzleTheme.IMMOBILISED,
    Motif.NEAR_RED: PuzzleTheme.FIGHT,
}
"""The puzzle theme that corresponds to each reason why a move was worse."""
_EASY, _MEDIUM, _HARD = 1_300, 1_600, 1_850
"""Maximum ratings of easy, medium and hard puzzles."""


def table_id(key: model.PuzzleKey) -> str:
    return f"dvonn:daily:{key.day}:table"


def solve_id(key: model.PuzzleKey) -> str:
    """Return the custom id of the button that opens a puzzle.

    This id also identifies the message with a day's puzzle.
    """
    return exercise_id(ExerciseState(PUZZLE, key.text), "at")


def theme_name(reader: Reader, theme: PuzzleTheme) -> str:
    names = (  # in the order of `PuzzleTheme`
        reader.gettext("Cutting off"),
        reader.gettext("Stacks too tall to move"),
        reader.gettext("Running out of moves"),
        reader.gettext("Safe moves to spare"),
        reader.gettext("Carrying red away"),
        reader.gettext("Surrounded stacks"),
        reader.gettext("Quiet moves"),
        reader.gettext("Counting"),
        reader.gettext("Spot the cut"),
        reader.gettext("Who moves last"),
        reader.gettext("Guard or take"),
        reader.gettext("Save what you can"),
        reader.gettext("The fight in the middle"),
        reader.gettext("Placing"),
    )
    return dict(zip(PuzzleTheme, names, strict=True))[theme]


def server_games_label(reader: Reader) -> str:
    return reader.gettext("From this server's games")


def task(reader: Reader, puzzle: Puzzle) -> str:
    """Return the task of a puzzle: the solver's color, and the goal."""
    return task_with_color(reader, puzzle.solver, aim(reader, puzzle))


def aim(reader: Reader, puzzle: Puzzle) -> str:
    goal = puzzle.goal
    match puzzle.aim:
        case Aim.WIN:
            sentence = reader.gettext("You can win.")
        case Aim.MARGIN if goal > 0:
            sentence = reader.gettext("Win by {margin} or more.")
        case Aim.MARGIN if goal < 0:
            sentence = reader.gettext("Lose by {margin} at most.")
        case Aim.FIGHT:
            sentence = reader.gettext("Only one move keeps you ahead.")
        case Aim.PLACEMENT:
            sentence = reader.gettext("One space is clearly the best.")
        case _:
            sentence = reader.gettext("Don't lose. A draw is enough.")
    return sentence.format(margin=abs(goal))


def judged(reader: Reader, puzzle: Puzzle) -> list[str]:
    """Return a note if a puzzle is judged by the engine instead of proven."""
    if not puzzle.judged:
        return []
    sentence = reader.gettext("Judged by {count} million positions, not proven.")
    return [sentence.format(count=round(puzzle.judged / _MILLION))]


def difficulty(reader: Reader, puzzle: Puzzle) -> str:
    if puzzle.rating < _EASY:
        return reader.gettext("easy")
    if puzzle.rating < _MEDIUM:
        return reader.gettext("medium")
    if puzzle.rating < _HARD:
        return reader.gettext("hard")
    return reader.gettext("very hard")


def puzzle_asked(
    reader: Reader,
    key: model.PuzzleKey,
    so_far: tuple[Move, ...],
    *,
    is_new: bool = True,
    is_again: bool = False,
) -> ExerciseView:
    """Return the view of a puzzle, at its start or after some moves.

    Args:
        reader: The person who sees the post.
        key: The puzzle.
        so_far: Moves played so far by both sides.
        is_new: True if the next answer counts.
        is_again: True if the user asked for a new puzzle but gets this one again, because they have
            not answered it.
    """
    lines = [_title(reader, key)]
    if so_far:
        played = reader.gettext("Played so far: {moves}")
        lines.append(played.format(moves=moves_text(reader, so_far)))
    lines += [task(reader, key.puzzle), *judged(reader, key.puzzle)]
    if is_again:
        lines.append(
            reader.gettext("You haven't answered this one yet. To skip it, show the solution.")
        )
    return ExerciseView(
        state=ExerciseState(PUZZLE, key.text, so_far),
        lines=tuple(lines),
        position=positions(key.puzzle.position, so_far)[-1],
        last=so_far[-1] if so_far else None,
        buttons=_solution_button(reader, key, so_far, is_new=is_new),
        plays=key.puzzle.solver,
    )


def puzzle_answered(reader: Reader, result: AnswerResult, *, is_new: bool = True) -> ExerciseView:
    if not result.answer.right:
        return _missed(reader, result)
    key, line = result.key, (*result.so_far, result.move, *result.answer.replies)
    move = moves_text(reader, [result.move])
    if not result.answer.solved:
        lines = [reader.gettext("✓ **{move}** is right.").format(move=move)]
        replies = moves_text(reader, result.answer.replies)
        if replies:
            lines.append(reader.gettext("Then {moves}.").format(moves=replies))
        lines += _passes(reader, key.puzzle, result.answer.position)
        find = reader.gettext("Find the next move. {task}")
        lines.append(find.format(task=aim(reader, key.puzzle)))
        return ExerciseView(
            state=ExerciseState(PUZZLE, key.text, line),
            lines=tuple(lines),
            position=result.answer.position,
            last=line[-1],
            buttons=_solution_button(reader, key, line, is_new=is_new),
            plays=key.puzzle.solver,
        )
    lines = [reader.gettext("✓ **{move}** – solved!").format(move=move)]
    if result.follows:
        continuation = reader.gettext("Then {moves}.")
        lines.append(continuation.format(moves=moves_text(reader, result.follows)))
    lines += [
        *_theme_line(reader, key.puzzle),
        _outcome(reader, key.puzzle, result.end),
        *_counted(reader, result.scored, key),
    ]
    return ExerciseView(
        state=ExerciseState(PUZZLE, key.text, line),
        lines=tuple(lines),
        position=result.end,
        last=(result.move, *result.follows)[-1],
        asks=False,
        buttons=_next_buttons(reader, key),
        plays=key.puzzle.solver,
    )


def puzzle_solution(reader: Reader, solution: RevealedSolution) -> ExerciseView:
    key, before = solution.key, positions(solution.key.puzzle.position, solution.so_far)
    end = positions(before[-1], solution.line)[-1]
    return ExerciseView(
        state=ExerciseState(PUZZLE, key.text, solution.so_far),
        lines=(
            reader.gettext("**Solution**: {moves}").format(moves=moves_text(reader, solution.line)),
            *_theme_line(reader, key.puzzle),
            _outcome(reader, key.puzzle, end),
            *_counted(reader, solution.scored, key),
        ),
        position=before[-1],
        marks=Arrows(line=solution.line[:_ARROWS]),
        asks=False,
        buttons=(_retry_button(reader, key, solution.so_far), *_next_buttons(reader, key)),
        plays=key.puzzle.solver,
    )


def _outcome(reader: Reader, puzzle: Puzzle, end: Position) -> str:
    """Return the sentence about how the solution ends: the score, or the winning chance."""
    if not puzzle.judged:
        return final_score(reader, end, _names(reader, puzzle))
    sentence = reader.gettext(
        "That wins about {best} games in 100. Anything else: {other} at most."
    )
    return sentence.format(best=puzzle.best, other=puzzle.best_other_chance)


def no_puzzle(
    reader: Reader, error: model.NoPuzzleLeft | model.NoDailyPuzzle | model.NoServerPuzzle
) -> str:
    if isinstance(error, model.NoPuzzleLeft):
        return reader.gettext("You've tried every puzzle of this kind. Well done!")
    if isinstance(error, model.NoServerPuzzle):
        return reader.gettext(
            "No game here has become a puzzle yet. Both players have to allow it in /settings."
        )
    return " ".join(
        (
            reader.gettext("No puzzle of the day here."),
            reader.gettext("Want one? Choose a channel with /setup puzzle."),
        )
    )


def solver_shown(reader: Reader, solver: model.RatedSolver, attempts: list[model.Attempt]) -> Post:
    if not attempts:
        return Post(
            content=reader.gettext("You haven't tried a puzzle yet. /puzzle has one for you.")
        )
    lines = [
        reader.gettext("**Your puzzles**: rating {rating}, {solved} of {tries} solved.").format(
            rating=_rating(reader, solver), solved=solver.solved, tries=solver.tries
        )
    ]
    if solver.streak > 1:
        lines.append(reader.gettext("{count} in a row!").format(count=solver.streak))
    if solver.best_streak > max(solver.streak, 1):
        best = reader.gettext("Your best: {count} in a row.")
        lines.append(best.format(count=solver.best_streak))
    return Post(content="\n".join(lines), picture=progress(reader, "puzzles.png", attempts))


def _missed(reader: Reader, result: AnswerResult) -> ExerciseView:
    """Return the view of a mistake and its consequences, on the board before it."""
    key, so_far = result.key, result.so_far
    names = _names(reader, key.puzzle)
    reason = result.why
    lines = [
        reader.gettext("✗ **{move}** isn't it.").format(move=moves_text(reader, [result.move]))
    ]
    if result.follows:
        continuation = reader.gettext("Then {moves}.")
        lines.append(continuation.format(moves=moves_text(reader, result.follows)))
    tasks = [aim(reader, key.puzzle)] if key.puzzle.aim is Aim.MARGIN else []
    if key.puzzle.judged and not so_far:
        sentence = reader.gettext(
            "That wins about {chance} games in 100. The best move wins {best}."
        )
        chance = key.puzzle.chance(result.move)
        tasks.insert(0, sentence.format(chance=chance, best=key.puzzle.best))
    elif result.end.turn is None:
        tasks.insert(0, final_score(reader, result.end, names))
    lines += [
        *([" ".join(tasks)] if tasks else ()),
        *([] if reason is None else [f"- {reason_text(reader, reason, names)}"]),
        *_counted(reader, result.scored, key),
    ]
    return ExerciseView(
        state=ExerciseState(PUZZLE, key.text, so_far),
        lines=tuple(lines),
        position=positions(key.puzzle.position, so_far)[-1],
        marks=Arrows(line=(result.move, *result.follows[:_ARROWS])),
        buttons=_solution_button(reader, key, so_far, is_new=False),
        also=(_retry_button(reader, key, so_far), _more(reader, key), *_table(reader, key)),
        plays=key.puzzle.solver,
    )


def _names(reader: Reader, puzzle: Puzzle) -> Names:
    return names_of_colors(reader, puzzle.solver)


def _passes(reader: Reader, puzzle: Puzzle, position: Position) -> list[str]:
    you = reader.gettext("You can't move, so you pass.")
    they = reader.gettext("They can't move, so you move again.")
    return [you if color is puzzle.solver else they for color in position.passed]


def _title(reader: Reader, key: model.PuzzleKey) -> str:
    level = difficulty(reader, key.puzzle)
    if key.day is not None:
        title = reader.gettext("**Puzzle of the day** {day} · {difficulty}")
        return title.format(day=day_text(reader, key.day), difficulty=level)
    if key.here:
        kind = [server_games_label(reader)]
    else:
        kind = [] if key.theme is None else [theme_name(reader, key.theme)]
    title = reader.gettext("**Puzzle** · {difficulty}").format(difficulty=level)
    return " · ".join([title, *kind])


def _theme_line(reader: Reader, puzzle: Puzzle) -> list[str]:
    """Return the line about a puzzle's most specific theme."""
    return [f"- {theme_name(reader, theme)}" for theme in puzzle.themes[-1:]]


def _counted(reader: Reader, scored: model.ScoredAttempt | None, key: model.PuzzleKey) -> list[str]:
    """Return the line about how an answer changed the player's rating."""
    if scored is None:
        return [reader.gettext("That day is over, so this doesn't count.")]
    if not scored.is_first:
        lines = [reader.gettext("Only your first answer counts.")]
    else:
        change = gain_text(scored.attempt.before, scored.attempt.after)
        solver = scored.solver
        lines = [
            reader.gettext("Your puzzle rating: **{rating}** ({change}).").format(
                rating=_rating(reader, solver), change=change
            )
        ]
        if solver.streak > 1:
            lines[0] += " " + reader.gettext("{count} in a row!").format(count=solver.streak)
    if key.day is not None:
        lines.append(reader.gettext("The solution comes with the next puzzle of the day."))
    return lines


def _rating(reader: Reader, solver: model.RatedSolver) -> str:
    """Return a rating, marked as approximate until it is settled."""
    rating = rounded_rating(solver.rating.rating)
    if solver.rating.is_settled:
        return str(rating)
    return reader.gettext("about {rating}").format(rating=rating)


def _retry_button(reader: Reader, key: model.PuzzleKey, so_far: tuple[Move, ...]) -> Button:
    back = exercise_id(ExerciseState(PUZZLE, key.text, so_far), "at")
    return Button(reader.gettext("Try again"), back, ButtonStyle.PRIMARY)


def _solution_button(
    reader: Reader, key: model.PuzzleKey, so_far: tuple[Move, ...], *, is_new: bool
) -> tuple[Button, ...]:
    """Return the button that shows the solution.

    A daily puzzle has none until the next one is posted.
    """
    if key.day is not None:
        return ()
    button_id = exercise_id(ExerciseState(PUZZLE, key.text, so_far), "solve")
    costly = reader.gettext("Show solution (counts as a miss)")
    return (Button(costly if is_new else reader.gettext("Show solution"), button_id),)


def _next_buttons(reader: Reader, key: model.PuzzleKey) -> tuple[Button, ...]:
    """Return the buttons to show after a puzzle has ended."""
    own_puzzles = Button(reader.gettext("My puzzles"), MINE_ID)
    return _more(reader, key), own_puzzles, *_table(reader, key)


def _more(reader: Reader, key: model.PuzzleKey) -> Button:
    key_text = model.PuzzleKey(key.puzzle, key.theme, here=key.here).text
    label = reader.gettext("Next puzzle")
    return Button(label, exercise_id(ExerciseState(PUZZLE, key_text), "next"), ButtonStyle.SUCCESS)


def puzzle_of_overview(
    reader: Reader, game: Game, review: Review, asker: UserId
) -> tuple[Button, ...]:
    """Return a button for a puzzle with the theme that the reader missed most, if any."""
    own_plies = [ply for ply in review.marked if ply.color is game.seat(asker)]
    kinds = ((*ply.missed, *ply.motifs) for ply in sorted(own_plies, key=lambda ply: -ply.loss))
    theme = next((_THEME_OF[motif] for motifs in kinds for motif in motifs), None)
    puzzle = None if theme is None else nearest(model.NEWCOMER, theme=theme)
    if puzzle is None:
        return ()
    state = ExerciseState(PUZZLE, model.PuzzleKey(puzzle, theme).text)
    return (Button(reader.gettext("A puzzle like that"), exercise_id(state, "next")),)


def _table(reader: Reader, key: model.PuzzleKey) -> tuple[Button, ...]:
    """Return a daily puzzle's button for the month's standings. Other puzzles have none."""
    return () if key.day is None else (Button(reader.gettext("Standings"), table_id(key)),)


PUZZLE_TOPIC: Final = Topic(
    words=(
        "puzzle, puzzles, rätsel, aufgabe, aufgaben, énigme, énigmes, puzle, puzles, acertijo, "
        "acertijos, enigma, enigmi, puzzel, puzzels"
    ),
    answer=lambda reader: reader.gettext("/puzzle shows you one at your level."),
)
