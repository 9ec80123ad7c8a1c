"""/challenge."""

from typing import Literal

import discord
from discord import app_commands

from bot import messages
from bot.edge.answers import answering
from bot.edge.buttons.challenges import begin_against_machine, post_challenge
from bot.edge.commands.common import (
    TextChoices,
    anywhere,
    by_server,
    channel_of,
    choices,
    guild_of,
    is_direct,
    zone_choices,
)
from bot.edge.desk import Interaction
from bot.edge.permissions import venue
from bot.edge.readers import asker
from bot.model.ids import SourceId, UserId
from bot.model.refusals import BadOpponent, OpponentProblem
from bot.model.terms import ChallengeTerms, ColourChoice, Place, Start
from bot.model.time_control import LONGEST_TEXT, read_time_control
from bot.opponent import LEVELS
from dvonn import Coordinates

USUAL_LEVEL = 3
"""At which the machine plays where nothing was chosen: it beats beginners, not everybody."""


@app_commands.command(description="Challenge somebody, or anyone, to a game of DVONN")
@app_commands.describe(
    opponent="Whom you challenge. Leave it out to play whoever accepts first",
    colour="The colour that you play. White begins",
    coordinates="How spaces are named: standard a1 to k5, or pergioco e1 to a11",
    start="Place the pieces, or start from a random board: balanced, symmetric, pie (one of 3)",
    clock="Time for each player, such as 3 days + 1 day, or 15 minutes. Left out: no clock",
    weekends="The time zone in whose weekends clocks rest. Left out: they run at weekends too",
    level="Against the machine: how strong it plays, 1 to 10",
    where="In this channel, or in a thread of its own",
)
@anywhere
@by_server
async def challenge(
    interaction: Interaction,
    opponent: discord.User | None = None,
    colour: Literal["white", "black", "random"] = "random",
    coordinates: Literal["standard", "pergioco"] = "standard",
    start: Literal["placement", "balanced", "symmetric", "pie"] = "placement",
    clock: app_commands.Range[str, 1, LONGEST_TEXT] = "none",
    weekends: app_commands.Range[str, 1, LONGEST_TEXT] | None = None,
    level: app_commands.Range[int, LEVELS[0], LEVELS[-1]] | None = None,
    where: Literal["here", "thread"] = "here",
) -> None:
    """Challenge somebody, or anyone."""
    async with answering(interaction) as answer:
        machine = _machine(interaction, opponent, level)
        row = await interaction.client.desk.lobby.challenge(
            ChallengeTerms(
                guild=guild_of(interaction),
                channel=channel_of(interaction),
                challenger=UserId(interaction.user.id),
                opponent=machine or (None if opponent is None else UserId(opponent.id)),
                colour=ColourChoice(colour),
                coordinates=Coordinates(coordinates),
                start=Start(start),
                clock=read_time_control(clock, weekends),
                level=None if machine is None else level or USUAL_LEVEL,
                place=Place(where),
            ),
            opponent_is_bot=machine is None and opponent is not None and opponent.bot,
            venue=venue(interaction),
            source=SourceId(interaction.id),
        )
        message = await post_challenge(answer, row)
        if machine is not None and message is not None:
            await begin_against_machine(answer, row, message)


def _machine(
    interaction: Interaction, opponent: discord.User | None, level: int | None
) -> UserId | None:
    """The machine, if somebody challenges it: by its level or as the opponent.

    Raises:
        BadOpponent: if it cannot be played here, or a level was chosen for somebody else.
    """
    client = interaction.client
    assert client.user is not None  # we are logged in  # noqa: S101
    if opponent is None and level is None and not (client.has_machine and is_direct(interaction)):
        return None
    if opponent is not None and opponent.id != client.user.id:
        if level is not None:
            raise BadOpponent(OpponentProblem.NO_LEVEL)
        return None
    if not client.has_machine:
        raise BadOpponent(OpponentProblem.NO_MACHINE)
    return UserId(client.user.id)


@challenge.autocomplete("clock")
async def _clocks(interaction: Interaction, typed: str) -> TextChoices:
    return choices(messages.clock_choices(asker(interaction), typed))


@challenge.autocomplete("weekends")
async def _zones(_interaction: Interaction, typed: str) -> TextChoices:
    return zone_choices(typed)
