"""Texts for lessons: steps, answers to moves, and the list of chapters."""

from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from typing import Final

from bot.base.languages import Reader
from bot.connection.posts import Button, ButtonStyle, Option, Select
from bot.play.model.terms import FIRST_LEVEL
from bot.play.words.challenges import play_level
from bot.play.words.help import HelpContext
from bot.play.words.names import names_of_colors
from bot.play.words.refused_moves import why_illegal
from bot.play.words.views import final_score, moves_text
from dvonn import Coordinates, Move, Position
from dvonn_lessons import primer
from dvonn_lessons.primer.goals import steps_to_reds
from renderer import Arrows, Marking, Marks
from school.exercises.model import ExerciseState
from school.exercises.words import ExerciseView, exercise_id
from school.lessons.words.fights import why_worse
from school.lessons.words.handbook import LEARN, word_lists
from school.lessons.words.steps import chapter_title, shown_right, space, task

CHAPTERS_KEY: Final = "chapters"
"""Key of the list of all chapters, in place of a step's name."""
ON_KEY: Final = "on"
"""Key of the reader's next step, in place of a step's name."""
_ON_ID: Final = exercise_id(ExerciseState(LEARN, ON_KEY), "at")


def lesson(reader: Reader, step: primer.PrimerStep, *, with_hint: bool = False) -> ExerciseView:
    helped = (hint(reader, step),) if with_hint else ()
    return _asking(reader, step, helped, _outline(step))


def lesson_answered(
    reader: Reader, step: primer.PrimerStep, answer: primer.StepAnswer, *, has_machine: bool
) -> ExerciseView:
    """Return the view after a move: a button to go on if it was right, or the step again.

    In the first chapter, going on is the only choice until its end.
    """
    words = answer_text(reader, step, answer)
    if not answer.right:
        return _asking(reader, step, (words,), _arrows(answer) or _outline(step))
    lines = [_heading(reader, step), words]
    chapter, onward = primer.chapter_of(step), primer.following(step)
    is_first_chapter = chapter is primer.CHAPTERS[0]
    is_end = step is chapter.steps[-1]
    buttons = [_chapters_button(reader)] if is_end or not is_first_chapter else []
    if is_end:
        lines.append(_at_the_end(reader, onward, has_machine=has_machine))
        if has_machine:
            buttons.insert(0, play_level(reader, FIRST_LEVEL))
    if onward is not None:
        label = (
            f"{reader.gettext('Next')} ▶"
            if onward in chapter.steps
            else f"{chapter_title(reader, primer.chapter_of(onward).name)} ▶"
        )
        buttons.insert(0, Button(label, _step_id(onward), ButtonStyle.PRIMARY))
    return ExerciseView(
        state=_state(step.name).with_moves(answer.move),
        lines=tuple(lines),
        position=answer.after,
        last=answer.move,
        plays=step.position.turn,
        asks=False,
        buttons=tuple(buttons),
        starts_games=not is_first_chapter,
    )


def lessons_listed(
    reader: Reader, solved: AbstractSet[str], onward: primer.PrimerStep | None, *, has_machine: bool
) -> ExerciseView:
    """Return all chapters with the reader's progress.

    `onward` is the reader's next step, or None if all are solved.
    """
    lines = [
        reader.gettext("### Learn DVONN"),
        *(_line(reader, chapter, solved) for chapter in primer.CHAPTERS),
    ]
    buttons = []
    if onward is not None:
        go_on = reader.gettext("Go on ▶") if solved else reader.gettext("Begin ▶")
        buttons.append(Button(go_on, _ON_ID, ButtonStyle.PRIMARY))
    if has_machine:
        buttons.append(play_level(reader, FIRST_LEVEL))
    chapters = tuple(
        Option(chapter_title(reader, chapter.name), chapter.steps[0].name)
        for chapter in primer.CHAPTERS
    )
    leads = Select(
        exercise_id(_state(CHAPTERS_KEY), "go2"), reader.gettext("Choose a chapter"), chapters
    )
    return ExerciseView(
        state=_state(CHAPTERS_KEY),
        lines=tuple(lines),
        position=(onward or primer.STEPS[-1]).position,
        asks=False,
        buttons=tuple(buttons),
        leads=(leads, *word_lists(reader)),
    )


def learn(reader: Reader) -> Button:
    return Button(reader.gettext("Learn by playing"), _ON_ID, ButtonStyle.SUCCESS)


def _asking(
    reader: Reader, step: primer.PrimerStep, words: tuple[str, ...], marks: Marking | None
) -> ExerciseView:
    state = _state(step.name)
    return ExerciseView(
        state=state,
        lines=(_heading(reader, step), task(reader, step), *words),
        position=step.position,
        marks=marks,
        plays=step.position.turn,
        choices=step.choices,
        buttons=(
            Button(reader.gettext("Hint"), exercise_id(state, "hint")),
            _chapters_button(reader),
        ),
    )


def _outline(step: primer.PrimerStep) -> Marking | None:
    """Return an outline of the stack that a step is about, or None."""
    return None if step.stack is None else Marks(step.stack, only_outlined=True)


def _arrows(answer: primer.StepAnswer) -> Marking | None:
    """Return arrows for a wrong move and its consequences, or None if the move is illegal."""
    if answer.refused is not None:
        return None
    if not answer.shown:
        return Arrows(played=answer.move)
    return Arrows(line=(answer.move, *answer.shown))


def _at_the_end(reader: Reader, onward: primer.PrimerStep | None, *, has_machine: bool) -> str:
    if onward is None:
        return reader.gettext("That was the last lesson. Now play!")
    words = reader.gettext("Chapter done! Next: {title}.").format(
        title=chapter_title(reader, primer.chapter_of(onward).name)
    )
    if has_machine:
        words += " " + reader.gettext(
            "Or play a first game against me. On level 1 I'll go easy on you."
        )
    return words


def _line(reader: Reader, chapter: primer.Chapter, solved: AbstractSet[str]) -> str:
    solved_steps = sum(step.name in solved for step in chapter.steps)
    mark = "✓" if solved_steps == len(chapter.steps) else "○"
    return f"{mark} **{chapter_title(reader, chapter.name)}** {solved_steps}/{len(chapter.steps)}"


def _heading(reader: Reader, step: primer.PrimerStep) -> str:
    chapter = primer.chapter_of(step)
    place = reader.gettext("{number} of {count}").format(
        number=chapter.steps.index(step) + 1, count=len(chapter.steps)
    )
    return f"### {chapter_title(reader, chapter.name)} ({place})"


def _state(key: str) -> ExerciseState:
    return ExerciseState(LEARN, key)


def _step_id(step: primer.PrimerStep) -> str:
    return exercise_id(_state(step.name), "at")


def _chapters_button(reader: Reader) -> Button:
    return Button(reader.gettext("Chapters"), exercise_id(_state(CHAPTERS_KEY), "at"))


def learn_of_help(reader: Reader) -> tuple[Button, ...]:
    return (learn(reader),)


def how_to_learn(reader: Reader, context: HelpContext) -> tuple[str, ...]:
    """Return the paragraph about the lessons for readers of the rules."""
    return (
        reader.gettext("New to DVONN? {learn} teaches it in five minutes, by playing.").format(
            learn=context.command("learn")
        ),
    )


def answer_text(reader: Reader, step: primer.PrimerStep, answer: primer.StepAnswer) -> str:
    move = moves_text(reader, [answer.move])
    if answer.right:
        words = [shown_right(reader, step, answer), *_how_it_goes_on(reader, step, answer)]
        return reader.gettext("✓ **{move}**: {words}").format(move=move, words=" ".join(words))
    if answer.refused is not None:
        reason = why_illegal(reader, answer.refused, reader.coordinates_or(Coordinates.STANDARD))
    else:
        reason = _why_not(reader, step, answer)
    return reader.gettext("✗ **{move}**: {words}").format(move=move, words=reason)


def hint(reader: Reader, step: primer.PrimerStep) -> str:
    first = step.solutions[0]
    example = next((move for move in step.choices if move in step.solutions), first)
    if example.source is None or len(step.choices) > 0:
        return reader.gettext("💡 Try {move}.").format(move=moves_text(reader, [example]))
    return reader.gettext("💡 Look at {stack}.").format(stack=space(reader, example.source))


def _why_not(reader: Reader, step: primer.PrimerStep, answer: primer.StepAnswer) -> str:  # noqa: C901, PLR0911 - a branch for each kind of goal
    goal = step.goal
    own_lost, _ = answer.cut
    match goal:
        case primer.AnyMove(stack) if stack is not None:
            return reader.gettext("That's allowed, but move {stack}.").format(
                stack=space(reader, stack)
            )
        case primer.LandOn():
            return _landed(reader, step.position, answer.move)
        case primer.CutOff():
            return _cut_nothing(reader, own_lost)
        case primer.KeepAll():
            return _costs(reader, own_lost) if own_lost else _cut_by_reply(reader, answer)
        case primer.Free():
            return reader.gettext(
                "{source} is surrounded on all six sides, so it can't move."
            ).format(source="" if step.stack is None else space(reader, step.stack))
        case primer.Overload():
            return _not_overloaded(reader, goal, answer)
        case primer.Silence():
            return reader.gettext("Black still has a move, for example {reply}.").format(
                reply=moves_text(reader, [answer.shown[0]])
            )
        case primer.Best():
            return why_worse(reader, step, goal, answer.move)
        case primer.PlaceWell():
            return _placed(reader, goal, step.position, answer.move)
        case primer.End():
            return " ".join(_how_it_goes_on(reader, step, answer)) or _score(reader, step, answer)
    return ""


def _landed(reader: Reader, position: Position, move: Move) -> str:
    owner = position.owner(move.target)
    target = space(reader, move.target)
    if owner is None:
        sentence = reader.gettext("That's allowed, but {target} is red. Look for a black one.")
    elif owner is position.turn:
        sentence = reader.gettext("That's allowed, but {target} is yours already.")
    else:
        sentence = reader.gettext("That's allowed, but {target} is black. Look for a red one.")
    return sentence.format(target=target)


def _costs(reader: Reader, own_lost: int) -> str:
    return reader.ngettext(
        "That cuts off {count} piece of yours. Look for a safer move.",
        "That cuts off {count} pieces of yours. Look for a safer move.",
        own_lost,
    ).format(count=own_lost)


def _cut_nothing(reader: Reader, own_lost: int) -> str:
    if own_lost:
        return _costs(reader, own_lost)
    return reader.gettext("That cuts nothing off. Look for the stack that holds them together.")


def _cut_by_reply(reader: Reader, answer: primer.StepAnswer) -> str:
    (reply,) = answer.shown
    lost = sum(
        len(pieces) for pieces in answer.end.removed.values() if pieces[-1] != answer.after.turn
    )
    return reader.ngettext(
        "Then Black plays {reply} and cuts off {count} piece of yours.",
        "Then Black plays {reply} and cuts off {count} pieces of yours.",
        lost,
    ).format(reply=moves_text(reader, [reply]), count=lost)


def _not_overloaded(reader: Reader, goal: primer.Overload, answer: primer.StepAnswer) -> str:
    (reply,) = answer.shown
    sentence = (
        reader.gettext("{stack} can still go on: {reply}.")
        if reply.source == goal.point
        else reader.gettext("Then Black retakes with {reply}, and {stack} can still move.")
    )
    return sentence.format(stack=space(reader, goal.point), reply=moves_text(reader, [reply]))


def _placed(reader: Reader, goal: primer.PlaceWell, position: Position, move: Move) -> str:
    away = steps_to_reds(position, move.target)
    if goal.apart:
        return reader.gettext("The red pieces stay close together.")
    if (steps := min(away)) > goal.steps:
        return reader.gettext("It's {count} steps from the nearest red piece.").format(count=steps)
    return reader.gettext("It touches no red piece.")


def _how_it_goes_on(
    reader: Reader, step: primer.PrimerStep, answer: primer.StepAnswer
) -> Sequence[str]:
    """Return the best play to the end, and its result."""
    if not answer.shown or answer.end.turn is not None:
        return ()
    line = reader.gettext("Then {moves}.").format(moves=moves_text(reader, answer.shown))
    return line, _score(reader, step, answer)


def _score(reader: Reader, step: primer.PrimerStep, answer: primer.StepAnswer) -> str:
    you = step.position.turn
    assert you is not None  # a step asks for a move  # noqa: S101
    return final_score(reader, answer.end, names_of_colors(reader, you))
