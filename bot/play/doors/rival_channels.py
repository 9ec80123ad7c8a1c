"""Challenges of one channel to another: asked here, accepted there."""

from typing import Any, Final

import discord
from discord import app_commands

from bot.base.ids import ChannelId, SourceId
from bot.connection.channels import send
from bot.connection.permissions import missing, to_play
from bot.connection.requests import TROUBLE
from bot.play.doors.answers import Answer
from bot.play.doors.services import Interaction
from bot.play.doors.venues import venue
from bot.play.model.refusals.voting import CannotVote, VoteProblem
from bot.play.model.terms import ChallengeTerms
from bot.play.words.challenges import challenge, challenge_sent

_TO_WRITE: Final = {"view_channel": "View Channel", "send_messages": "Send Messages"}


class _Rival(app_commands.Transformer):
    """A text channel; also one that the bot does not see, to be refused in words."""

    @property
    def type(self) -> discord.AppCommandOptionType:
        """A channel."""
        return discord.AppCommandOptionType.channel

    @property
    def channel_types(self) -> list[discord.ChannelType]:
        return [discord.ChannelType.text]

    async def transform(
        self, _interaction: discord.Interaction[Any], value: Any, /
    ) -> app_commands.AppCommandChannel:
        """Return the channel as Discord told of it."""
        told: app_commands.AppCommandChannel = value
        return told


RivalOption = app_commands.Transform[app_commands.AppCommandChannel, _Rival]


async def challenge_channel(
    answer: Answer, terms: ChallengeTerms, rival: app_commands.AppCommandChannel
) -> None:
    """Challenge another channel: its people find the challenge there.

    Raises:
        CannotVote: if teams cannot play so, or there.
        And what `Lobby.challenge` raises.
    """
    interaction = answer.interaction
    services, there = interaction.client.services, ChannelId(rival.id)
    if not _may_play(interaction, rival):
        raise CannotVote(VoteProblem.RIVAL, (there,))
    row = await services.lobby.challenge(
        terms,
        opponent_is_bot=False,
        venue=venue(interaction),
        source=SourceId(interaction.id),
    )
    answer.is_ours = True  # what fails from here on was written by this process
    reader = await services.readers.everybody(terms.guild, there)
    try:
        message = await send(
            services.publisher.channels(there, terms.guild),
            challenge(reader, row),
            f"challenge-{row.id}",
        )
    except TROUBLE as error:
        await services.lobby.cancel(row.id, terms.challenger)
        raise CannotVote(VoteProblem.RIVAL, (there,)) from error
    await services.lobby.posted(row.id, message)
    await answer.publicly(challenge_sent(await answer.everybody(), row, message))


def _may_play(asked: Interaction, rival: app_commands.AppCommandChannel) -> bool:
    """Tell whether the bot can play in a channel of this server, and the asker may write there."""
    found = asked.client.get_channel(rival.id)
    if not isinstance(found, discord.TextChannel) or asked.guild_id != found.guild.id:
        return False
    asker = missing(rival.permissions, _TO_WRITE)
    return not asker and not missing(found.permissions_for(found.guild.me), to_play(found.type))
