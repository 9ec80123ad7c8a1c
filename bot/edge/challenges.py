"""The messages of challenges: posted, and tidied up when nobody has answered in time."""

import asyncio
from datetime import timedelta

import structlog

from bot import messages
from bot.edge.answers import Answer
from bot.edge.desk import Desk
from bot.edge.places import venue
from bot.edge.readers import everybody
from bot.edge.trouble import TROUBLE
from bot.model.ids import MessageId, Shards, SourceId
from bot.model.terms import ChallengeRow

_log = structlog.get_logger()

SWEEP = timedelta(minutes=10)
"""How often expired challenges are looked for. They cannot be accepted anyway."""


async def post_challenge(answer: Answer, row: ChallengeRow) -> MessageId | None:
    """Post a challenge, and remember as which message; returns that."""
    message = await answer.publicly(messages.challenge(everybody(), row))
    if message is None:
        return None
    try:
        await answer.interaction.client.desk.store.challenges.set_message(row.id, message)
    except Exception:
        # It works without; only its buttons will stay when it has expired.
        _log.exception("a challenge's message was not written down", challenge=row.id)
    return message


async def begin_against_machine(answer: Answer, row: ChallengeRow, message: MessageId) -> None:
    """Accept a challenge in the machine's name, at once.

    If the bot falls over just before, the challenge's own button does it.
    """
    interaction = answer.interaction
    desk = interaction.client.desk
    assert row.terms.opponent is not None  # the machine  # noqa: S101
    accepted, update = await desk.lobby.accept(
        row.id,
        row.terms.opponent,
        message=message,
        venue=venue(interaction),
        source=SourceId(message),
    )
    post = messages.challenge_accepted(everybody(), accepted, update.game)
    closing = desk.publisher.channels.put_in_place(row.terms.channel, message, post)
    await answer.publish(update, closing)


async def close_expired(desk: Desk, shards: Shards) -> None:
    """Close the challenges that nobody has answered in time, for ever."""
    while True:
        try:
            with desk.work.piece():
                expired = await desk.lobby.expire(shards)
            for row in expired:
                await take_down(desk, row)
        except Exception:
            _log.exception("expired challenges could not be closed")
        await asyncio.sleep(SWEEP.total_seconds())


async def take_down(desk: Desk, row: ChallengeRow) -> None:
    """Say on the challenge itself that it has expired, or was taken back: tried once."""
    if row.message is None:
        return
    try:
        await desk.publisher.channels.put_in_place(
            row.terms.channel, row.message, messages.challenge_closed(everybody(), row)
        )
    except TROUBLE as error:
        _log.info("a closed challenge keeps its buttons", challenge=row.id, error=str(error))
