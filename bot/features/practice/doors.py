"""Practise my mistakes, under a review."""

from bot.features.practice.use_cases import Practising
from bot.features.practice.words import practice_kept
from bot.play.doors.interactions import Answer, Component
from bot.play.doors.looking import asker


class PractiseButton(Component, template=r"dvonn:practise:(?P<game>[0-9]{1,18})"):
    """Practise my mistakes, under a review."""

    async def respond(self, answer: Answer) -> None:
        """Let the presser's mistakes come back to them."""
        practising, (user, guild) = (
            answer.services.of(Practising),
            asker(answer.interaction),
        )
        new, count = await practising.keep(self.game, user, guild=guild)
        due = await practising.due(user)
        await answer.privately(practice_kept(answer.reader, new, count, due))
