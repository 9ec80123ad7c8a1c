"""The doors of exercises, whatever kind they are of: buttons, lists, forms, and typed moves."""

import re
from dataclasses import replace
from typing import Any, Final

import discord

from bot.base.ids import NO_GUILD, UserId
from bot.connection.discord_messages import button_ids
from bot.connection.forms import typed
from bot.connection.requests import TROUBLE
from bot.features.exercises import words
from bot.features.exercises.base import (
    FIELD,
    Asked,
    answer_form,
    asked_by,
    begin,
    exercise_of,
    form_id,
)
from bot.features.exercises.model import EXERCISE, ExerciseSpot, one_move
from bot.features.exercises.words import PREFIX, exercise_as_text
from bot.features.exercises.words import exercise as exercise_post
from bot.play.doors.game_commands import begin_from, play_from
from bot.play.doors.interactions import Answer, Component, Services, form
from bot.play.doors.replies import Replies
from bot.play.doors.typed_moves import TypedHandler
from bot.play.model.refusals import NoSuchPly
from dvonn import Coordinates, Phase

_PART = f"{PREFIX}{EXERCISE}"
_LISTS = r":(?P<action>stack|space[01]|go[012])"


class ExerciseButton(Component, template=rf"{_PART}:(?P<action>(?!stack)[a-z]{{1,8}})"):
    """Anything under an exercise that is pressed."""

    async def respond(self, answer: Answer) -> None:
        spot = ExerciseSpot.found(self.found)
        asked, exercise = asked_by(answer, spot), exercise_of(answer.services, spot)
        match self.action:
            case "at":
                view = await exercise.show(asked)
            case "play":
                if not spot.line:
                    raise NoSuchPly
                asked = replace(asked, spot=spot.before())
                shown = await exercise.show(asked)
                move = one_move(str(spot.line[-1]), shown.position)
                view = await exercise.answer(asked, move)
            case "type":
                await _open(answer, spot)
                return
            case words.FROM:
                shown = await exercise.show(asked)
                await play_from(answer, shown.position, f"dvonn:from-do:{spot.text}")
                return
            case "text":
                post = exercise_as_text(answer.reader, await exercise.show(asked))
                await answer.privately(post)
                return
            case own:
                view = await exercise.press(asked, own)
        await begin(answer, view)


async def _open(answer: Answer, spot: ExerciseSpot) -> None:
    """Open the form to type an answer into."""

    async def form() -> discord.ui.Modal:
        shown = await exercise_of(answer.services, spot).show(asked_by(answer, spot))
        return answer_form(answer.reader, shown)

    await answer.form(await answer.soon(form(), answer.prepared(form_id(spot))))


class ExerciseSelect(Component, template=_PART + _LISTS):
    """A stack to move, a free space to place on, or a key to go to."""

    async def respond(self, answer: Answer) -> None:
        """Show where the stack may go, what comes of the piece, or what stands at the key."""
        spot = ExerciseSpot.found(self.found)
        asked, exercise = asked_by(answer, spot), exercise_of(answer.services, spot)
        if self.action.startswith("go"):
            asked = replace(asked, spot=ExerciseSpot(spot.exercise, self.chosen))
            await begin(answer, await exercise.show(asked))
            return
        point = Coordinates.STANDARD.point(self.chosen)
        if point is None:
            raise NoSuchPly
        view = await exercise.show(asked)
        if view.position.phase is Phase.PLACEMENT:
            move = one_move(Coordinates.STANDARD.label(point), view.position)
            await begin(answer, await exercise.answer(asked, move))
        else:
            await begin(answer, view, chosen=point)


@form(rf"dvonn:done:{EXERCISE}")
async def read_answer(answer: Answer, match: re.Match[str], data: Any) -> None:
    spot = ExerciseSpot.found(match)
    asked, exercise = asked_by(answer, spot), exercise_of(answer.services, spot)
    shown = await exercise.show(asked)
    named = answer.reader.naming(Coordinates.STANDARD)
    move = one_move(typed(data, FIELD), shown.position, named)
    await begin(answer, await exercise.answer(asked, move))


@form(rf"dvonn:from-do:{EXERCISE}")
async def read_start(answer: Answer, match: re.Match[str], data: Any) -> None:
    spot = ExerciseSpot.found(match)
    shown = await exercise_of(answer.services, spot).show(asked_by(answer, spot))
    await begin_from(answer, shown.position, data)


_LOOKED_AT: Final = 25
"""So many of the newest messages are looked at for an exercise."""
_ASKS: Final = re.compile(rf"{PREFIX}{EXERCISE}:type")
"""Under every view that asks for a move."""


class TypedAnswers(TypedHandler):
    """Reads what is typed where no game is played."""

    def __init__(self, services: Services, replies: Replies) -> None:
        self._services = services
        self._replies = replies

    async def take_move(self, message: discord.Message, text: str) -> bool:
        """Take a direct message as an answer, and reply with what comes next.

        Returns:
            Whether it was one; not where no exercise asks for a move here.

        Raises:
            PlayError: if the move is refused.
        """
        spot = await self._asking(message)
        if spot is None:
            return False
        reader = await self._services.readers.recipient(UserId(message.author.id))
        asked = Asked(reader=reader, user=UserId(message.author.id), guild=NO_GUILD, spot=spot)
        exercise = exercise_of(self._services, spot)
        shown = await exercise.show(asked)
        move = one_move(text, shown.position, reader.naming(Coordinates.STANDARD))
        view = await exercise.answer(asked, move)
        post = exercise_post(reader, view, by_typing=True)
        png = await self._services.publisher.render(post)
        await self._replies.give(message, post, "do", png)
        return True

    async def _asking(self, message: discord.Message) -> ExerciseSpot | None:
        """Return the spot of the exercise that was shown last, if it asks for a move."""
        own = self._services.publisher.channels.own_id
        try:
            async for one in message.channel.history(limit=_LOOKED_AT, before=message):
                ids = [name or "" for name in button_ids(one)] if one.author.id == own else []
                if any(name.startswith(PREFIX) for name in ids):
                    asks = (match for name in ids if (match := _ASKS.fullmatch(name)))
                    return next(map(ExerciseSpot.found, asks), None)
        except TROUBLE:
            return None
        return None
