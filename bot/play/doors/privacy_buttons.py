"""The buttons of the page on privacy."""

from typing import Any

import discord
import structlog

from bot.base.ids import UserId
from bot.connection.from_id import FromId
from bot.play.doors.answers import Answer, answering
from bot.play.doors.challenge_buttons import take_down
from bot.play.model.refusals.playing import CannotDelete
from bot.play.words.privacy import (
    confirm_deletion,
    confirm_deletion_again,
    deleted,
    exported,
    nothing_deleted,
)
from bot.play.words.privacy import privacy as privacy_post

_log = structlog.get_logger()


class PrivacyButton(
    FromId, template=r"dvonn:privacy:(?P<action>show|export|delete|delete-sure|delete-now|keep)"
):
    """A button of the page, or of a question about it."""

    async def callback(self, interaction: discord.Interaction[Any]) -> None:
        """Do what it says."""
        async with answering(interaction) as answer:
            privacy, user = interaction.client.services.privacy, UserId(interaction.user.id)
            match self.action:
                case "show":
                    await answer.view(privacy_post(answer.reader))
                case "export":
                    ending, data = await privacy.export(user)
                    await answer.privately(exported(answer.reader, ending, data))
                case "delete":
                    running = await privacy.running(user)
                    await answer.in_place(confirm_deletion(answer.reader, running))
                case "delete-sure":
                    await answer.in_place(confirm_deletion_again(answer.reader))
                case "delete-now":
                    await _delete(answer, user)
                case _:
                    await answer.in_place(nothing_deleted(answer.reader))


async def _delete(answer: Answer, user: UserId) -> None:
    """Delete all about somebody, and then tell those whom it concerns."""
    services = answer.interaction.client.services
    try:
        goodbye = await services.privacy.delete(user)
    except CannotDelete as error:
        _log.error(
            "somebody could not be deleted: games of theirs cannot be ended",
            games=error.games,
            cure="look whether the database is damaged: docs/troubleshooting.md",
        )
        raise
    await answer.in_place(deleted(answer.reader))
    for update in goodbye.left:
        await services.publisher.publish(update)
    for row in goodbye.closed:
        await take_down(services, row)
