"""/play and /challenge: the commands that begin games."""

from dataclasses import replace
from datetime import timedelta
from functools import partial
from typing import Any, Final, Literal

import discord
from discord import app_commands

from bot.base.ids import ChannelId, UserId
from bot.base.locales import IN_ENGLISH, Reader
from bot.connection.channels import send
from bot.connection.command_registration import FOR_READER
from bot.connection.permissions import missing, to_play
from bot.connection.requests import TROUBLE
from bot.play.doors.challenge_buttons import challenge_machine, play_machine, post_challenge
from bot.play.doors.interactions import (
    LEVEL_CHOICES,
    Answer,
    Interaction,
    TextChoices,
    among_people,
    answering,
    anywhere,
    channel_of,
    choices,
    guild_of,
    venue,
    zone_choices,
)
from bot.play.model.clock import LONGEST_TEXT, chosen_clock
from bot.play.model.refusals import CannotVote, VoteProblem
from bot.play.model.terms import ChallengeTerms, ColourChoice, Place, Start
from bot.play.model.voting import LENGTHS, USUAL_LENGTH, for_teams
from bot.play.words.challenges import challenge as challenge_post
from bot.play.words.challenges import challenge_sent
from bot.play.words.clocks import clock_choices
from bot.play.words.votes import vote_lengths
from dvonn import Coordinates

_TO_WRITE: Final = {"view_channel": "View Channel", "send_messages": "Send Messages"}


class _Rival(app_commands.Transformer):
    """A text channel; also one that the bot does not see, to be refused in words."""

    @property
    def type(self) -> discord.AppCommandOptionType:
        return discord.AppCommandOptionType.channel

    @property
    def channel_types(self) -> list[discord.ChannelType]:
        return [discord.ChannelType.text]

    async def transform(
        self, _interaction: discord.Interaction[Any], value: Any, /
    ) -> app_commands.AppCommandChannel:
        told: app_commands.AppCommandChannel = value
        return told


RivalOption = app_commands.Transform[app_commands.AppCommandChannel, _Rival]


async def challenge_channel(
    answer: Answer, terms: ChallengeTerms, rival: app_commands.AppCommandChannel
) -> None:
    """Challenge another channel: its people find the challenge there."""
    interaction = answer.interaction
    services, there = answer.services, ChannelId(rival.id)
    if not _may_play(interaction, rival):
        raise CannotVote(VoteProblem.RIVAL, (there,))
    row = await services.lobby.challenge(
        terms, opponent_is_bot=False, venue=venue(interaction), source=answer.source
    )
    answer.is_ours = True  # what fails from here on was written by this process
    reader = await services.readers.everybody(terms.guild, there)
    try:
        message = await send(
            services.publisher.channels(there, terms.guild),
            challenge_post(reader, row),
            f"challenge-{row.id}",
        )
    except TROUBLE as error:
        await services.lobby.cancel(row.id, terms.challenger)
        raise CannotVote(VoteProblem.RIVAL, (there,)) from error
    await services.store.challenges.set_message(row.id, message)
    await answer.publicly(challenge_sent(await answer.everybody(), row, message))


def _may_play(asked: Interaction, rival: app_commands.AppCommandChannel) -> bool:
    found = asked.client.get_channel(rival.id)
    if not isinstance(found, discord.TextChannel) or asked.guild_id != found.guild.id:
        return False
    asker = missing(rival.permissions, _TO_WRITE)
    return not asker and not missing(found.permissions_for(found.guild.me), to_play(found.type))


_Colour = Literal["white", "black", "random"]
_Start = Literal["balanced", "symmetric", "pie", "placement"]
_Coordinates = Literal["standard", "pergioco"]
_Where = Literal["here", "thread"]

_COLOUR = "Your colour; White moves first"
_START = "The board: ready-made (balanced, symmetric, pie) or empty (placement)"
_COORDINATES = "Advanced: names of spaces, standard a1 to k5 or pergioco e1 to a11"
_WHERE = "Here, or in a thread of its own"
_RATED = "Whether it counts for ratings; empty: as usual"
_VOTE = "Team game: everyone here votes; time for each move"


def _length_label(number: int, reader: Reader) -> str:
    return vote_lengths(reader)[number][1]


_LENGTHS = [
    app_commands.Choice(
        name=app_commands.locale_str(label, **{FOR_READER: partial(_length_label, number)}),
        value=number,
    )
    for number, (_, label) in enumerate(vote_lengths(IN_ENGLISH))
]


def _chosen_length(number: int | None) -> timedelta | None:
    if number is None:
        return None
    return LENGTHS[number] if 0 <= number < len(LENGTHS) else USUAL_LENGTH


@app_commands.command(description="Play against me at once")
@app_commands.describe(
    level="How strong I play; empty: as last time, at first level 1",
    colour=_COLOUR,
    start=_START,
    clock="Your time, such as 1 day per move or 10+5; empty: no clock",
    coordinates=_COORDINATES,
    where=_WHERE,
    rated="Let it count for your rating: no hints, no takebacks; empty: it doesn't",
    vote=_VOTE,
)
@app_commands.choices(level=LEVEL_CHOICES, vote=_LENGTHS)
@anywhere
async def play(
    interaction: Interaction,
    level: int | None = None,
    colour: _Colour = "random",
    start: _Start | None = None,
    clock: app_commands.Range[str, 1, LONGEST_TEXT] | None = None,
    coordinates: _Coordinates | None = None,
    where: _Where | None = None,
    rated: bool | None = None,
    vote: int | None = None,
) -> None:
    async with answering(interaction) as answer:
        await play_machine(
            answer,
            level=level,
            colour=ColourChoice(colour),
            start=None if start is None else Start(start),
            clock=chosen_clock(clock, None, None),
            coordinates=None if coordinates is None else Coordinates(coordinates),
            place=None if where is None else Place(where),
            rated=rated,
            vote=_chosen_length(vote),
        )


@app_commands.command(description="Challenge a friend, or anyone, to a game of DVONN")
@app_commands.describe(
    opponent="A friend, or leave it empty for anyone",
    colour=_COLOUR,
    start=_START,
    clock="Such as 1 day per move, or 10+5; empty: as usual in this server",
    weekends="Pause the clock at weekends, in this time zone",
    coordinates=_COORDINATES,
    where=_WHERE,
    rated=_RATED,
    channel="Team game: everybody here against everybody in that channel, by votes",
    vote=_VOTE,
)
@app_commands.choices(vote=_LENGTHS)
@among_people
async def challenge(
    interaction: Interaction,
    opponent: discord.User | None = None,
    colour: _Colour = "random",
    start: _Start | None = None,
    clock: app_commands.Range[str, 1, LONGEST_TEXT] | None = None,
    weekends: app_commands.Range[str, 1, LONGEST_TEXT] | None = None,
    coordinates: _Coordinates | None = None,
    where: _Where | None = None,
    rated: bool | None = None,
    channel: RivalOption | None = None,
    vote: int | None = None,
) -> None:
    async with answering(interaction) as answer:
        client = interaction.client
        lobby, here = client.services.lobby, venue(interaction)
        usual = await lobby.usual(guild_of(interaction), here)
        length = _chosen_length(vote) or (None if channel is None else USUAL_LENGTH)
        if length is not None:
            usual = for_teams(usual)
        terms = ChallengeTerms(
            guild=guild_of(interaction),
            channel=channel_of(interaction),
            challenger=answer.user,
            opponent=None if opponent is None else UserId(opponent.id),
            colour=ColourChoice(colour),
            coordinates=usual.coordinates if coordinates is None else Coordinates(coordinates),
            start=usual.start if start is None else Start(start),
            clock=chosen_clock(clock, weekends, usual.clock),
            place=usual.place if where is None else Place(where),
            rated=rated,
            vote=length,
            rival=None if channel is None else ChannelId(channel.id),
        )
        if channel is not None:
            await challenge_channel(answer, terms, channel)
            return
        if client.user is not None and terms.opponent == client.user.id:
            level = await lobby.usual_level(answer.user)
            await challenge_machine(answer, replace(terms, level=level))
            return
        row = await lobby.challenge(
            terms,
            opponent_is_bot=opponent is not None and opponent.bot,
            venue=here,
            source=answer.source,
        )
        await post_challenge(answer, row)


@play.autocomplete("clock")
async def _clocks(interaction: Interaction, typed: str) -> TextChoices:
    reader = await interaction.client.services.readers.asker(interaction)
    return choices(clock_choices(reader, typed))


@challenge.autocomplete("clock")
async def _usual_clocks(interaction: Interaction, typed: str) -> TextChoices:
    rules = await interaction.client.services.store.guilds.rules(guild_of(interaction))
    reader = await interaction.client.services.readers.asker(interaction)
    return choices(clock_choices(reader, typed, rules.defaults))


@challenge.autocomplete("weekends")
async def _zones(_interaction: Interaction, typed: str) -> TextChoices:
    return zone_choices(typed)
