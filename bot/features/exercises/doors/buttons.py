"""The buttons, lists and forms of exercises: whatever kind they are of."""

import re
from typing import Any

from bot.connection.forms import one_line, typed
from bot.features.exercises.base import asked_by, begin, exercise_of
from bot.features.exercises.model import EXERCISE, LONGEST_TYPED, ExerciseSpot, one_move
from bot.features.exercises.words import PREFIX, exercise_as_text, exercise_form
from bot.play.doors.interactions import Answer, Component, Interaction, answering
from bot.play.model.refusals import NoSuchPly
from dvonn import Coordinates, Phase

_PART = f"{PREFIX}{EXERCISE}"
_LISTS = r":(?P<action>stack|space[01])"
_FORM = re.compile(rf"dvonn:done:{EXERCISE}")
_FIELD = "move"


class ExerciseButton(Component, template=rf"{_PART}:(?P<action>(?!stack)[a-z]{{1,8}})"):
    """Anything under an exercise that is pressed."""

    async def respond(self, answer: Answer) -> None:
        spot = ExerciseSpot.found(self.found)
        asked, exercise = (
            asked_by(answer, spot),
            exercise_of(answer.services, spot),
        )
        match self.action:
            case "at":
                view = await exercise.show(asked)
            case "play":
                if not spot.line:
                    raise NoSuchPly
                asked = asked.at(spot.before())
                shown = await exercise.show(asked)
                move = one_move(str(spot.line[-1]), shown.position)
                view = await exercise.answer(asked, move)
            case "type":
                words = exercise_form(answer.reader, await exercise.show(asked))
                where = f"dvonn:done:{spot.text}"
                await answer.form(one_line(words, where, _FIELD, LONGEST_TYPED))
                return
            case "text":
                post = exercise_as_text(answer.reader, await exercise.show(asked))
                await answer.privately(post)
                return
            case own:
                view = await exercise.press(asked, own)
        await begin(answer, view)


class ExerciseSelect(Component, template=_PART + _LISTS):
    """A stack to move, or a free space to place on."""

    async def respond(self, answer: Answer) -> None:
        """Show where the stack may go, or what comes of the piece."""
        spot = ExerciseSpot.found(self.found)
        asked, exercise = (
            asked_by(answer, spot),
            exercise_of(answer.services, spot),
        )
        point = Coordinates.STANDARD.point(self.chosen)
        if point is None:
            raise NoSuchPly
        view = await exercise.show(asked)
        if view.position.phase is Phase.PLACEMENT:
            move = one_move(Coordinates.STANDARD.label(point), view.position)
            await begin(answer, await exercise.answer(asked, move))
        else:
            await begin(answer, view, chosen=point)


async def read_answer(interaction: Interaction) -> None:
    """Answer with what was typed into a form, if it is ours."""
    data: Any = interaction.data or {}
    match = _FORM.fullmatch(str(data.get("custom_id", "")))
    if match is None:
        return
    async with answering(interaction) as answer:
        spot = ExerciseSpot.found(match)
        asked, exercise = asked_by(answer, spot), exercise_of(interaction.client.services, spot)
        shown = await exercise.show(asked)
        named = answer.reader.naming(Coordinates.STANDARD)
        move = one_move(typed(data, _FIELD), shown.position, named)
        await begin(answer, await exercise.answer(asked, move))
