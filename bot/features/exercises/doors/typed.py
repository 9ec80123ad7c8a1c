"""Moves typed in direct messages: answers to the exercise that was shown last."""

import re
from typing import Final

import discord

from bot.base.ids import NO_GUILD, UserId
from bot.connection.requests import TROUBLE
from bot.connection.sending import button_ids
from bot.features.exercises.base import Asked, exercise_of
from bot.features.exercises.model import EXERCISE, ExerciseSpot, one_move
from bot.features.exercises.words import PREFIX
from bot.features.exercises.words import exercise as exercise_post
from bot.play.doors.interactions import Services
from bot.play.doors.replies import Replies
from bot.play.doors.typed import TypedHandler
from dvonn import Coordinates

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
