"""Examples of lesson texts."""

import re
from collections.abc import Iterator
from functools import cache

from bot.base.languages import IN_ENGLISH, Reader
from bot.connection.posts import Button, Post
from dvonn import POINTS, Coordinates, IllegalMoveError, Move, Reason, format_move
from dvonn_lessons.primer import HANDBOOK, STEPS, PrimerStep, find
from dvonn_lessons.primer.goals import Best
from school.exercises.model import EXERCISE, ExerciseState
from school.exercises.words import exercise
from school.lessons.words.handbook import handbook_page, word_button
from school.lessons.words.lessons import learn, lesson, lesson_answered, lessons_listed
from tests.bot.play.example_texts import ExampleTexts


def spot(button: Button) -> ExerciseState:
    match = re.match(f"dvonn:do:{EXERCISE}:", button.custom_id)
    assert match is not None
    return ExerciseState.found(match)


def refused(step: PrimerStep) -> Iterator[Move]:
    """Yield one illegal move at a step for each reason to refuse a move."""
    told: set[Reason] = set()
    for source in (None, *POINTS):
        for target in POINTS:
            move = Move(target=target, source=source)
            try:
                step.position.play(move)
            except IllegalMoveError as error:
                if error.reason not in told:
                    told.add(error.reason)
                    yield move


@cache
def tried(step: PrimerStep) -> tuple[Move, ...]:
    """Return the moves to try at a step: offered ones, legal ones, and illegal ones for each
    reason.

    If answers to legal moves differ only in spaces and numbers, one of the moves is enough. A fight
    has many legal moves, so only some of them are tried.
    """
    kinds: dict[str, Move] = {}
    for move in step.position.legal_moves()[:: 4 if isinstance(step.goal, Best) else 1]:
        kinds.setdefault(_NUMBERS.sub("", "\n".join(lines(IN_ENGLISH, step, move))), move)
    return tuple(dict.fromkeys((*step.choices, *kinds.values(), *refused(step))))


_NUMBERS = re.compile(r"\b[a-k][1-5]\b|\d+")


def post_after(who: Reader, step: PrimerStep, move: Move, *, has_machine: bool = True) -> Post:
    """Yield the views after a move."""
    view = lesson_answered(who, step, step.answer(move), has_machine=has_machine)
    return exercise(who, view)


@cache
def lines(who: Reader, step: PrimerStep, move: Move, *, has_machine: bool = True) -> list[str]:
    """Return the texts of these views, including buttons."""
    view = lesson_answered(who, step, step.answer(move), has_machine=has_machine)
    own = format_move(move, who.coordinates_or(Coordinates.STANDARD))
    return [*view.lines, *(button.label for button in view.buttons if button.label != own)]


def listed(who: Reader, *, has_machine: bool) -> list[Post]:
    """Return all chapters as seen by a new reader, by one who has started, and by one who has
    finished.
    """
    names = [step.name for step in STEPS]
    return [
        exercise(who, lessons_listed(who, set(solved), onward, has_machine=has_machine))
        for solved, onward in (([], STEPS[0]), (names[:3], find("jump")), (names, None))
    ]


EXAMPLE_TEXTS: ExampleTexts = {
    "handbook_page": lambda who: [exercise(who, handbook_page(who, word)) for word in HANDBOOK],
    "word_button": lambda who: [word_button(who, word).label for word in HANDBOOK],
    "learn": lambda who: learn(who).label,
    "lesson": lambda who: [
        exercise(who, lesson(who, step, with_hint=hint)) for step in STEPS for hint in (False, True)
    ],
    "lesson_answered": lambda who: [
        *(lines(who, step, move) for step in STEPS for move in tried(step)),
        *(post_after(who, step, move) for step in STEPS[:12] for move in step.solutions[:1]),
        *(lines(who, step, step.solutions[0], has_machine=False) for step in STEPS),
    ],
    "lessons_listed": lambda who: [*listed(who, has_machine=True), *listed(who, has_machine=False)],
}

FEWER: ExampleTexts = {
    "lesson_answered": lambda who: [
        post_after(who, step, move) for step in STEPS for move in tried(step)[::9]
    ]
}
