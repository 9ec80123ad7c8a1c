"""Pages that show, export and delete a user's data."""

import structlog

from bot.base.ids import UserId
from bot.people.model import CannotDelete
from bot.people.use_cases.personal_data import Privacy
from bot.people.words.privacy import (
    confirm_deletion,
    confirm_deletion_again,
    deletion_answer,
    export_answer,
    nothing_deleted,
)
from bot.people.words.privacy import privacy as privacy_post
from bot.play.handlers import interactions
from bot.play.handlers.challenge_buttons import close_challenge_message

_log = structlog.get_logger()


class PrivacyButton(
    interactions.Component,
    template=r"dvonn:privacy:(?P<action>show|export|delete|delete-sure|delete-now|keep)",
):
    """Button on a page about a user's data, or below a question for confirmation."""

    async def respond(self, answer: interactions.Answer) -> None:
        privacy, user = answer.services.require(Privacy), answer.user
        match self.action:
            case "show":
                await answer.view(privacy_post(answer.reader))
            case "export":
                ending, data = await privacy.export(user)
                await answer.send_private(export_answer(answer.reader, ending, data))
            case "delete":
                running = await privacy.running(user)
                await answer.edit_message(confirm_deletion(answer.reader, running))
            case "delete-sure":
                await answer.edit_message(confirm_deletion_again(answer.reader))
            case "delete-now":
                await _delete(answer, user)
            case _:
                await answer.edit_message(nothing_deleted(answer.reader))


async def _delete(answer: interactions.Answer, user: UserId) -> None:
    services = answer.services
    try:
        result = await services.require(Privacy).delete(user)
    except CannotDelete as error:
        _log.error(
            "data deletion failed",
            games=error.games,
            cure="check whether the database is damaged: docs/troubleshooting.md",
        )
        raise
    await answer.edit_message(deletion_answer(answer.reader))
    for update in result.updates:
        await services.publisher.publish(update)
    for row in result.closed:
        await close_challenge_message(services, row)
