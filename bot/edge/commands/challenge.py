"""/challenge."""

from typing import Literal

import discord
from discord import app_commands

from bot import messages
from bot.edge.answers import answering
from bot.edge.challenges import post_challenge
from bot.edge.commands.choices import TextChoices, choices, zone_choices
from bot.edge.commands.common import by_server, channel_of, guild_of, in_servers
from bot.edge.desk import Interaction
from bot.edge.places import venue
from bot.games.time_control import LONGEST_TEXT, read_time_control
from bot.ids import SourceId, UserId
from bot.store.rows import ChallengeTerms, ColourChoice, Place, Start
from dvonn import Coordinates


@app_commands.command(description="Challenge somebody, or anyone, to a game of DVONN")
@app_commands.describe(
    opponent="Whom you challenge. Leave it out to play whoever accepts first",
    colour="The colour that you play. White begins",
    coordinates="How spaces are named: standard a1 to k5, or pergioco e1 to a11",
    start="Place the pieces yourselves, or play at once on a drawn board: balanced or symmetric",
    clock="Time for each player, such as 3 days + 1 day, or 15 minutes. Left out: no clock",
    weekends="The time zone in whose weekends clocks rest. Left out: they run at weekends too",
    where="In this channel, or in a thread of its own",
)
@in_servers
@by_server
async def challenge(
    interaction: Interaction,
    opponent: discord.User | None = None,
    colour: Literal["white", "black", "random"] = "random",
    coordinates: Literal["standard", "pergioco"] = "standard",
    start: Literal["placement", "balanced", "symmetric"] = "placement",
    clock: app_commands.Range[str, 1, LONGEST_TEXT] = "none",
    weekends: app_commands.Range[str, 1, LONGEST_TEXT] | None = None,
    where: Literal["here", "thread"] = "here",
) -> None:
    """Challenge somebody, or anyone."""
    async with answering(interaction) as answer:
        row = await interaction.client.desk.lobby.challenge(
            ChallengeTerms(
                guild=guild_of(interaction),
                channel=channel_of(interaction),
                challenger=UserId(interaction.user.id),
                opponent=None if opponent is None else UserId(opponent.id),
                colour=ColourChoice(colour),
                coordinates=Coordinates(coordinates),
                start=Start(start),
                clock=read_time_control(clock, weekends),
                place=Place(where),
            ),
            opponent_is_bot=opponent is not None and opponent.bot,
            venue=venue(interaction),
            source=SourceId(interaction.id),
        )
        await post_challenge(answer, row)


@challenge.autocomplete("clock")
async def _clocks(_interaction: Interaction, typed: str) -> TextChoices:
    return choices(messages.clock_choices(typed))


@challenge.autocomplete("weekends")
async def _zones(_interaction: Interaction, typed: str) -> TextChoices:
    return zone_choices(typed)
