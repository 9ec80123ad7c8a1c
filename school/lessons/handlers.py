"""The command /learn, which leads through the steps of the primer."""

from typing import Final

from discord import app_commands

from bot.play.handlers.interactions import Interaction, answering, anywhere
from bot.replay.model.refusals import NoSuchPly
from dvonn import Move
from dvonn_lessons.primer import PrimerStep, find
from school.exercises.handlers import Exercise, ExerciseRequest, begin, exercise_of, request_of
from school.exercises.model import ExerciseState
from school.exercises.words import ExerciseView
from school.lessons.use_cases import Learning, next_step
from school.lessons.words import lessons
from school.lessons.words.handbook import LEARN, WORD_PREFIX, handbook_page


@app_commands.command(description="Learn DVONN by playing; only you see it")
@anywhere
async def learn(interaction: Interaction) -> None:
    async with answering(interaction) as answer:
        request = request_of(answer, ExerciseState(LEARN, lessons.ON_KEY))
        await begin(answer, await exercise_of(answer.services, request.state).show(request))


_HINT: Final = "hint"


class Lessons(Exercise):
    """The exercise that shows lessons, chapters and the handbook.

    A key is the name of a step, `CHAPTERS_KEY`, `ON_KEY` for the reader's next step, or
    `WORD_PREFIX` followed by a term of the handbook.
    """

    name = LEARN

    async def show(self, request: ExerciseRequest) -> ExerciseView:
        if request.state.key in {lessons.CHAPTERS_KEY, lessons.ON_KEY}:
            return await self._where_to(request)
        if request.state.key.startswith(WORD_PREFIX):
            return _page(request)
        step = _step(request)
        if not request.state.line:
            return lessons.lesson(request.reader, step)
        return self._answered(request, step, request.state.line[-1])

    async def answer(self, request: ExerciseRequest, move: Move) -> ExerciseView:
        step = _step(request)
        if step.answer(move).right:
            await self.services.require(Learning).record_solved(request.user, step)
        return self._answered(request, step, move)

    async def press(self, request: ExerciseRequest, action: str) -> ExerciseView:
        if action == _HINT:
            return lessons.lesson(request.reader, _step(request), with_hint=True)
        raise NoSuchPly

    def _answered(self, request: ExerciseRequest, step: PrimerStep, move: Move) -> ExerciseView:
        return lessons.lesson_answered(
            request.reader, step, step.answer(move), has_machine=self._has_machine
        )

    async def _where_to(self, request: ExerciseRequest) -> ExerciseView:
        """Return the next step after *Go on*, or the list of chapters if all steps are solved."""
        solved = await self.services.require(Learning).solved(request.user)
        onward = next_step(solved)
        if request.state.key == lessons.ON_KEY and onward is not None:
            return lessons.lesson(request.reader, onward)
        return lessons.lessons_listed(request.reader, solved, onward, has_machine=self._has_machine)

    @property
    def _has_machine(self) -> bool:
        return self.services.has_machine


def _page(request: ExerciseRequest) -> ExerciseView:
    try:
        return handbook_page(request.reader, request.state.key.removeprefix(WORD_PREFIX))
    except KeyError as error:  # a button of another version
        raise NoSuchPly from error


def _step(request: ExerciseRequest) -> PrimerStep:
    try:
        return find(request.state.key)
    except KeyError as error:  # a button of another version
        raise NoSuchPly from error
