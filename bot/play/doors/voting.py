"""Votes through every door: typed, tapped or after a command."""

from collections.abc import Awaitable, Callable, Coroutine
from typing import Any, Final

import discord
import structlog

from bot.base.ids import ChannelId, SourceId, UserId
from bot.connection.permissions import may_react
from bot.connection.posts import Post
from bot.connection.requests import TROUBLE
from bot.play.doors.answers import Answer
from bot.play.doors.services import Services
from bot.play.model.refusals.voting import TeamVotes
from bot.play.use_cases.update import Update
from bot.play.words.asides import played
from bot.play.words.votes import voted
from dvonn import Coordinates

_log = structlog.get_logger()

SIGN: Final = "🗳️"
"""Marks a typed move that is counted as a vote: no message is sent for it."""


async def play_or_vote(
    answer: Answer,
    playing: Awaitable[Update],
    say: Callable[[Post], Coroutine[Any, Any, None]],
    *,
    text: str,
    named: Coordinates | None = None,
) -> None:
    """Play what somebody has entered, or count it as their vote where a team is to move.

    Args:
        answer: To whoever entered it.
        playing: Plays it.
        say: Tells them what came of it.
        text: What was entered.
        named: How they see spaces named there; None: as in the game.

    Raises:
        What `playing` and `Votes.cast` raise, but for TeamVotes.
    """
    try:
        update = await playing
    except TeamVotes as entered:
        interaction = answer.interaction
        ballot = await interaction.client.services.votes.cast(
            entered.game,
            entered.revision,
            UserId(interaction.user.id),
            text,
            channel=ChannelId(interaction.channel_id or 0),
            source=SourceId(interaction.id),
            named=named,
        )
        await say(voted(answer.reader, ballot))
        return
    await answer.publish(update, say(played(answer.reader, update)))


class Teller:
    """Counts the moves that are typed where a team votes."""

    def __init__(self, services: Services) -> None:
        self._services = services

    async def count(self, message: discord.Message, entered: TeamVotes, text: str) -> None:
        """Count a typed move as its author's vote, and mark it.

        Raises:
            AlreadyDone: if it was counted before.
            GameGone, TurnOver, NotYourVote, CannotVote, UnreadableMove, IllegalPlay: if it does
                not count.
        """
        await self._services.votes.cast(
            entered.game,
            entered.revision,
            UserId(message.author.id),
            text,
            channel=ChannelId(message.channel.id),
            source=SourceId(message.id),
        )
        # Beside it: Discord takes few reactions in a second, and the next vote does not wait.
        self._services.work.start(self._mark(message))

    async def _mark(self, message: discord.Message) -> None:
        if not may_react(message):
            return
        try:
            await message.add_reaction(SIGN)
        except TROUBLE as error:
            _log.info("a reaction was not taken", message=message.id, error=str(error))
