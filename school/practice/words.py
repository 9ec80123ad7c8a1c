"""Texts for practice: questions about a user's own mistakes, and responses to answers."""

from dataclasses import replace

from bot.base.ids import UserId
from bot.base.languages import Reader
from bot.connection.posts import Button, ButtonStyle, timestamp, user
from bot.play.model.game import Game
from bot.play.words.views import moves_text
from bot.replay.model.replays import sequence_of
from dvonn import Coordinates, Move, Review
from renderer import Arrows
from school.exercises.model import ExerciseState
from school.exercises.words import ExerciseView, exercise_id, task_with_color
from school.practice.use_cases import Mistake, NothingDue, PracticeRow
from school.reviews.model import worth_practising
from school.reviews.words.moves import explained
from school.reviews.words.reviews import page_of, review_button_id

PRACTICE = "mistake"
NEXT = "next"
"""Key of the position that is longest overdue."""
SHOW = "solve"
"""Action of the button that shows the better move."""
STOP = "stop"
"""Action of the button that keeps a position from coming back."""


def practise_of_overview(
    reader: Reader, game: Game, review: Review, asker: UserId
) -> tuple[Button, ...]:
    """Return the button to practice the reader's mistakes, if they made any."""
    color = game.seat(asker)
    if color is None or not worth_practising(review, color):
        return ()
    return (Button(reader.gettext("Practice my mistakes"), f"dvonn:practise:{game.row.id}"),)


def practice_due(reader: Reader, count: int) -> tuple[str, Button]:
    """Return the notice that `count` mistakes are due, and the button to practice them.

    `count` is at least 1.
    """
    words = reader.ngettext(
        "{count} of your mistakes is waiting. Want another go?",
        "{count} of your mistakes are waiting. Want another go?",
        count,
    ).format(count=count)
    return words, _next(reader)


def with_practice(reader: Reader, view: ExerciseView, due: int) -> ExerciseView:
    """Return a puzzle's view, with a notice added if any of the reader's mistakes are due."""
    if not due:
        return view
    words, button = practice_due(reader, due)
    return replace(view, lines=(*view.lines, words), also=(*view.also, button))


def mistake(reader: Reader, missed: Mistake) -> ExerciseView:
    """Return a position that the reader misplayed, and ask for a better move."""
    opponent = user(missed.game.opponent(missed.row.player))
    lines = (
        reader.gettext("**From your game against {opponent}**, move {number}.").format(
            number=sequence_of(missed.game).number(missed.made.ply), opponent=opponent
        ),
        _question(reader, missed),
    )
    show = Button(reader.gettext("Show solution"), exercise_id(_state(missed), SHOW))
    return ExerciseView(
        state=_state(missed),
        lines=lines,
        position=missed.position,
        buttons=(show, _stop(reader, missed)),
        plays=missed.made.color,
    )


def mistake_missed(reader: Reader, missed: Mistake, move: Move) -> ExerciseView:
    """Return the view after a wrong answer, which asks again without revealing the better move."""
    text = reader.gettext("✗ **{move}** isn't it.").format(move=moves_text(reader, [move]))
    retry_id = exercise_id(_state(missed), "at")
    return replace(
        mistake(reader, missed),
        lines=(text, _question(reader, missed)),
        marks=Arrows(played=move),
        also=(Button(reader.gettext("Try again"), retry_id, ButtonStyle.PRIMARY),),
    )


def mistake_solved(
    reader: Reader, missed: Mistake, move: Move | None, *, after: PracticeRow | None, due: int
) -> ExerciseView:
    """Return the view with the better move, after a right answer or on request.

    `after` is the position's new row, or None if the answer did not count. `due` is the number of
    other due positions.
    """
    best = missed.made.best[0]
    sentences = []
    if move is not None:
        sentence = (
            reader.gettext("✓ **{move}** is better.")
            if move == best
            else reader.gettext("✓ **{move}** is just as good.")
        )
        sentences.append(sentence.format(move=moves_text(reader, [move])))
    view = mistake(reader, missed)
    arrows = Arrows(better=best) if move in {best, None} else Arrows(played=move, better=best)
    look = Button(
        reader.gettext("Review"), review_button_id(missed.game.row.id, page_of(missed.row.ply))
    )
    row = missed.row if after is None else after
    onward = (_next(reader),) if due else ()
    stop = () if row.due_at is None else (_stop(reader, missed),)
    return replace(
        view,
        lines=(
            *sentences,
            *explained(
                reader,
                missed.game,
                missed.made,
                Coordinates.STANDARD,
                missed.made.color,
                is_found=move == best,
            ),
            _return_time(reader, row),
        ),
        marks=arrows,
        asks=False,
        buttons=(look, *onward, *stop),
    )


def mistake_stopped(reader: Reader, missed: Mistake, due: int) -> ExerciseView:
    return replace(
        mistake(reader, missed),
        lines=(reader.gettext("OK, it won't come back."),),
        asks=False,
        buttons=(_next(reader),) if due else (),
    )


def _return_time(reader: Reader, row: PracticeRow) -> str:
    if row.due_at is None:
        return reader.gettext("You know this one now. It won't come back.")
    words = reader.gettext("It comes back {when}.")
    return words.format(when=timestamp(row.due_at, relative=True))


def _next(reader: Reader) -> Button:
    return Button(
        reader.gettext("Practice"),
        exercise_id(ExerciseState(PRACTICE, NEXT), "at"),
        ButtonStyle.PRIMARY,
    )


def _stop(reader: Reader, missed: Mistake) -> Button:
    return Button(reader.gettext("Don't show again"), exercise_id(_state(missed), STOP))


def _state(missed: Mistake) -> ExerciseState:
    return ExerciseState(PRACTICE, f"{missed.game.row.id}_{missed.made.ply}")


def _question(reader: Reader, missed: Mistake) -> str:
    question = reader.gettext("You played {move}. Can you find something better?").format(
        move=moves_text(reader, [missed.made.played])
    )
    return task_with_color(reader, missed.made.color, question)


def nothing_due(reader: Reader, _: NothingDue) -> str:
    return reader.gettext("Nothing to practice right now.")
