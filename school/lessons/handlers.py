"""/learn: the primer's steps in order, with the reader's progress."""

from typing import Final

from discord import app_commands

from bot.play.handlers.interactions import Interaction, answering, anywhere
from bot.replay.model.refusals import NoSuchPly
from dvonn import Move
from dvonn_lessons.primer import PrimerStep, find
from school.exercises.handlers import Exercise, ExerciseRequest, asked_by, begin, exercise_of
from school.exercises.model import ExerciseState
from school.exercises.words import ExerciseView
from school.lessons.use_cases import Learning, next_step
from school.lessons.words import lessons
from school.lessons.words.handbook import LEARN, WORD_PREFIX, handbook_page


@app_commands.command(description="Learn DVONN by playing; only you see it")
@anywhere
async def learn(interaction: Interaction) -> None:
    async with answering(interaction) as answer:
        asked = asked_by(answer, ExerciseState(LEARN, lessons.ON_KEY))
        await begin(answer, await exercise_of(answer.services, asked.state).show(asked))


_HINT: Final = "hint"


class Lessons(Exercise):
    """The lessons.

    A key is a step's name, or one of two words for a place that depends on the reader's progress.
    """

    name = LEARN

    async def show(self, asked: ExerciseRequest) -> ExerciseView:
        if asked.state.key in {lessons.CHAPTERS_KEY, lessons.ON_KEY}:
            return await self._where_to(asked)
        if asked.state.key.startswith(WORD_PREFIX):
            return _page(asked)
        step = _step(asked)
        if not asked.state.line:
            return lessons.lesson(asked.reader, step)
        return self._answered(asked, step, asked.state.line[-1])

    async def answer(self, asked: ExerciseRequest, move: Move) -> ExerciseView:
        step = _step(asked)
        if step.answer(move).right:
            await self.services.require(Learning).has_solved(asked.user, step)
        return self._answered(asked, step, move)

    async def press(self, asked: ExerciseRequest, action: str) -> ExerciseView:
        if action == _HINT:
            return lessons.lesson(asked.reader, _step(asked), with_hint=True)
        raise NoSuchPly

    def _answered(self, asked: ExerciseRequest, step: PrimerStep, move: Move) -> ExerciseView:
        return lessons.lesson_answered(
            asked.reader, step, step.answer(move), has_machine=self._has_machine
        )

    async def _where_to(self, asked: ExerciseRequest) -> ExerciseView:
        """Return the next step for *Go on*, or all chapters if none is left."""
        solved = await self.services.require(Learning).solved(asked.user)
        onward = next_step(solved)
        if asked.state.key == lessons.ON_KEY and onward is not None:
            return lessons.lesson(asked.reader, onward)
        return lessons.lessons_listed(asked.reader, solved, onward, has_machine=self._has_machine)

    @property
    def _has_machine(self) -> bool:
        return self.services.has_machine


def _page(asked: ExerciseRequest) -> ExerciseView:
    try:
        return handbook_page(asked.reader, asked.state.key.removeprefix(WORD_PREFIX))
    except KeyError as error:  # from another version
        raise NoSuchPly from error


def _step(asked: ExerciseRequest) -> PrimerStep:
    try:
        return find(asked.state.key)
    except KeyError as error:  # from another version
        raise NoSuchPly from error
