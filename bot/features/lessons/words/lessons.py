"""Lessons in words: a step, the answer to a move, and all chapters."""

from collections.abc import Set as AbstractSet
from typing import Final

from bot.base.locales import Reader
from bot.connection.posts import Button, ButtonStyle
from bot.features.exercises.model import ExerciseSpot
from bot.features.exercises.words import ExerciseView, exercise_id
from bot.features.lessons.words.answers import hint, said
from bot.features.lessons.words.steps import chapter_title, task
from bot.play.words.challenges import play_first_level
from bot.play.words.help import Surroundings
from bot.play.words.views import moves_text
from dvonn.primer import CHAPTERS, STEPS, Chapter, PrimerStep, StepAnswer, chapter_of, following
from renderer import Arrows, Marking, Marks

LEARN: Final = "learn"
"""The name of lessons among exercises."""
CHAPTERS_KEY: Final = "chapters"
"""In place of a step's name: the list of all chapters."""
ON_KEY: Final = "on"
"""The word in place of a step's name for the next one of the reader."""
_ON_ID: Final = exercise_id(ExerciseSpot(LEARN, ON_KEY), "at")


def lesson(reader: Reader, step: PrimerStep, *, with_hint: bool = False) -> ExerciseView:
    """Return a step to solve.

    Args:
        reader: Who learns.
        step: The step.
        with_hint: Whether a word of help is given.
    """
    helped = (hint(reader, step),) if with_hint else ()
    return _asking(reader, step, helped, _outline(step))


def lesson_answered(
    reader: Reader, step: PrimerStep, answer: StepAnswer, *, has_machine: bool
) -> ExerciseView:
    """Return the view after a move: if it was right with the way on, else with the step once more.

    Args:
        reader: Who learns.
        step: The step.
        answer: What came of it.
        has_machine: Whether the bot itself can be played.
    """
    words = said(reader, step, answer)
    if not answer.right:
        return _asking(reader, step, (words,), _arrows(answer) or _outline(step))
    lines = [_heading(reader, step), words]
    chapter, onward = chapter_of(step), following(step)
    buttons = [_to_chapters(reader)]
    if step is chapter.steps[-1]:
        lines.append(_at_the_end(reader, onward, has_machine=has_machine))
        if has_machine:
            buttons.insert(0, play_first_level(reader))
    if onward is not None:
        label = (
            reader.gettext("Next ▶")
            if onward in chapter.steps
            else reader.gettext("{title} ▶").format(
                title=chapter_title(reader, chapter_of(onward).name)
            )
        )
        buttons.insert(0, Button(label, _to(onward), ButtonStyle.PRIMARY))
    return ExerciseView(
        spot=_spot(step.name).then(answer.move),
        lines=tuple(lines),
        position=answer.after,
        last=answer.move,
        asks=False,
        buttons=tuple(buttons),
    )


def lessons_listed(
    reader: Reader, solved: AbstractSet[str], onward: PrimerStep | None, *, has_machine: bool
) -> ExerciseView:
    """Return the list of all chapters, with the reader's progress.

    Args:
        reader: Who learns.
        solved: The names of the steps that they have solved.
        onward: Where they go on; None: they have solved all.
        has_machine: Whether the bot itself can be played.
    """
    lines = [reader.gettext("### Learn DVONN"), *(_line(reader, one, solved) for one in CHAPTERS)]
    buttons = []
    if onward is not None:
        go_on = reader.gettext("Go on ▶") if solved else reader.gettext("Begin ▶")
        buttons.append(Button(go_on, _ON_ID, ButtonStyle.PRIMARY))
    if has_machine:
        buttons.append(play_first_level(reader))
    buttons += [Button(chapter_title(reader, one.name), _to(one.steps[0])) for one in CHAPTERS]
    return ExerciseView(
        spot=_spot(CHAPTERS_KEY),
        lines=tuple(lines),
        position=(onward or STEPS[-1]).position,
        asks=False,
        buttons=tuple(buttons),
    )


def learn(reader: Reader) -> Button:
    """Return the button that leads to the lessons, wherever one has come to."""
    return Button(
        reader.gettext("Learn by playing"),
        _ON_ID,
        ButtonStyle.SUCCESS,
    )


def _asking(
    reader: Reader, step: PrimerStep, words: tuple[str, ...], marks: Marking | None
) -> ExerciseView:
    spot = _spot(step.name)
    choices = tuple(
        Button(moves_text(reader, [move]), exercise_id(spot.then(move), "try"), ButtonStyle.PRIMARY)
        for move in step.choices
    )
    ways = (Button(reader.gettext("Hint"), exercise_id(spot, "hint")), _to_chapters(reader))
    return ExerciseView(
        spot=spot,
        lines=(_heading(reader, step), task(reader, step), *words),
        position=step.position,
        marks=marks,
        lists=not choices,
        buttons=(*choices, *ways),
    )


def _outline(step: PrimerStep) -> Marking | None:
    """Return the stack that a step is about, if it is about one."""
    return None if step.stack is None else Marks(step.stack, only_outlined=True)


def _arrows(answer: StepAnswer) -> Marking | None:
    """Return a wrong move, and what would come of it; nothing where the rules refuse it."""
    if answer.refused is not None:
        return None
    if not answer.shown:
        return Arrows(played=answer.move)
    return Arrows(line=(answer.move, *answer.shown))


def _at_the_end(reader: Reader, onward: PrimerStep | None, *, has_machine: bool) -> str:
    """Return the last words of a chapter."""
    if onward is None:
        words = reader.gettext("That was the last lesson. Now play!")
    else:
        words = reader.gettext("That was this chapter. The next one: {title}.").format(
            title=chapter_title(reader, chapter_of(onward).name)
        )
    if has_machine:
        words += " " + reader.gettext("Or try it out: on level 1 I am easy to beat.")
    return words


def _line(reader: Reader, chapter: Chapter, solved: AbstractSet[str]) -> str:
    done = sum(step.name in solved for step in chapter.steps)
    mark = "✓" if done == len(chapter.steps) else "○"
    return reader.gettext("{mark} **{title}** {done}/{count}").format(
        mark=mark,
        title=chapter_title(reader, chapter.name),
        done=done,
        count=len(chapter.steps),
    )


def _heading(reader: Reader, step: PrimerStep) -> str:
    chapter = chapter_of(step)
    return reader.gettext("### {title} ({number} of {count})").format(
        title=chapter_title(reader, chapter.name),
        number=chapter.steps.index(step) + 1,
        count=len(chapter.steps),
    )


def _spot(key: str) -> ExerciseSpot:
    return ExerciseSpot(LEARN, key)


def _to(step: PrimerStep) -> str:
    return exercise_id(_spot(step.name), "at")


def _to_chapters(reader: Reader) -> Button:
    return Button(reader.gettext("Chapters"), exercise_id(_spot(CHAPTERS_KEY), "at"))


def learn_of_help(reader: Reader) -> tuple[Button, ...]:
    """Return the button under the pages of help."""
    return (learn(reader),)


def how_to_learn(reader: Reader, around: Surroundings) -> tuple[str, ...]:
    """Tell readers of the rules that there are lessons."""
    return (
        reader.gettext("New to DVONN? {learn} teaches it in five minutes, by playing.").format(
            learn=around.command("learn")
        ),
    )
