"""/learn: the steps of the primer, one after the other, with the reader's progress."""

from typing import Final

from discord import app_commands

from bot.play.doors.interactions import Interaction, answering, anywhere
from bot.play.model.refusals import NoSuchPly
from dvonn import Move
from dvonn.primer import PrimerStep, find
from school.exercises.doors import Asked, Exercise, asked_by, begin, exercise_of
from school.exercises.model import ExerciseSpot
from school.exercises.words import ExerciseView
from school.lessons.use_cases import Learning, next_step
from school.lessons.words import lessons
from school.lessons.words.handbook import LEARN, WORD_PREFIX, handbook_page


@app_commands.command(description="Learn DVONN by playing; only you see it")
@anywhere
async def learn(interaction: Interaction) -> None:
    async with answering(interaction) as answer:
        asked = asked_by(answer, ExerciseSpot(LEARN, lessons.ON_KEY))
        await begin(answer, await exercise_of(answer.services, asked.spot).show(asked))


_HINT: Final = "hint"


class Lessons(Exercise):
    """The lessons. A key is a step's name, or one of two words for the reader's progress."""

    name = LEARN

    async def show(self, asked: Asked) -> ExerciseView:
        if asked.spot.key in {lessons.CHAPTERS_KEY, lessons.ON_KEY}:
            return await self._where_to(asked)
        if asked.spot.key.startswith(WORD_PREFIX):
            return _page(asked)
        step = _step(asked)
        if not asked.spot.line:
            return lessons.lesson(asked.reader, step)
        return self._answered(asked, step, asked.spot.line[-1])

    async def answer(self, asked: Asked, move: Move) -> ExerciseView:
        step = _step(asked)
        if step.answer(move).right:
            await self.services.of(Learning).has_solved(asked.user, step)
        return self._answered(asked, step, move)

    async def press(self, asked: Asked, action: str) -> ExerciseView:
        if action == _HINT:
            return lessons.lesson(asked.reader, _step(asked), with_hint=True)
        raise NoSuchPly

    def _answered(self, asked: Asked, step: PrimerStep, move: Move) -> ExerciseView:
        return lessons.lesson_answered(
            asked.reader, step, step.answer(move), has_machine=self._has_machine
        )

    async def _where_to(self, asked: Asked) -> ExerciseView:
        """Return the next step for "go on", if any is left, or else all chapters."""
        solved = await self.services.of(Learning).solved(asked.user)
        onward = next_step(solved)
        if asked.spot.key == lessons.ON_KEY and onward is not None:
            return lessons.lesson(asked.reader, onward)
        return lessons.lessons_listed(asked.reader, solved, onward, has_machine=self._has_machine)

    @property
    def _has_machine(self) -> bool:
        return self.services.has_machine


def _page(asked: Asked) -> ExerciseView:
    try:
        return handbook_page(asked.reader, asked.spot.key.removeprefix(WORD_PREFIX))
    except KeyError as error:  # of another version
        raise NoSuchPly from error


def _step(asked: Asked) -> PrimerStep:
    try:
        return find(asked.spot.key)
    except KeyError as error:  # of another version
        raise NoSuchPly from error
