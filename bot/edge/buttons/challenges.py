"""The messages of challenges: posted, answered by their buttons, tidied up after a while."""

import asyncio
from datetime import timedelta
from typing import Any

import discord
import structlog

from bot import messages
from bot.edge.answers import Answer, answering
from bot.edge.buttons.from_id import FromId
from bot.edge.desk import Desk
from bot.edge.permissions import venue
from bot.edge.readers import everybody
from bot.edge.trouble import TROUBLE
from bot.model.ids import ChallengeId, MessageId, Shards, SourceId, UserId
from bot.model.terms import ChallengeRow, ChallengeState

_log = structlog.get_logger()

SWEEP = timedelta(minutes=10)
"""How often expired challenges are looked for. They cannot be accepted anyway."""


async def post_challenge(answer: Answer, row: ChallengeRow) -> MessageId | None:
    """Post a challenge, and remember as which message; returns that."""
    message = await answer.publicly(messages.challenge(everybody(), row))
    if message is None:
        return None
    desk = answer.interaction.client.desk
    try:
        known = await desk.lobby.posted(row.id, message)
        if known.state is ChallengeState.CANCELLED:
            # Who took it back while it was being posted could not know where it stands.
            await take_down(desk, known)
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


class ChallengeButton(
    FromId,
    template=r"dvonn:challenge:(?P<challenge>[0-9]{1,18}):(?P<action>accept|decline|cancel)",
):
    """Accept, Decline or Cancel under a challenge."""

    @property
    def challenge(self) -> ChallengeId:
        """The challenge."""
        return ChallengeId(int(self.found["challenge"]))

    async def callback(self, interaction: discord.Interaction[Any]) -> None:
        """Answer a press."""
        async with answering(interaction) as answer:
            lobby, user = interaction.client.desk.lobby, UserId(interaction.user.id)
            if self.action == "accept":
                await self._accept(answer, user)
            elif self.action == "decline":
                row = await lobby.decline(self.challenge, user)
                await answer.in_place(messages.challenge_closed(everybody(), row))
            else:
                row = await lobby.cancel(self.challenge, user)
                await answer.in_place(messages.challenge_closed(everybody(), row))

    async def _accept(self, answer: Answer, user: UserId) -> None:
        interaction = answer.interaction
        desk = interaction.client.desk
        assert interaction.message is not None  # a button is under a message  # noqa: S101
        row, update = await desk.lobby.accept(
            self.challenge,
            user,
            message=MessageId(interaction.message.id),
            venue=venue(interaction),
            source=SourceId(interaction.id),
        )
        await answer.publish(
            update, answer.in_place(messages.challenge_accepted(everybody(), row, update.game))
        )
