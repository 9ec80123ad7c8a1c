"""/play and /challenge: the commands that begin games."""

from functools import partial
from typing import Literal

import discord
from discord import app_commands

from bot import messages
from bot.edge.answers import answering
from bot.edge.buttons.challenges import play_machine, post_challenge
from bot.edge.commands.common import (
    TextChoices,
    among_people,
    anywhere,
    channel_of,
    choices,
    guild_of,
    zone_choices,
)
from bot.edge.desk import Interaction
from bot.edge.permissions import venue
from bot.edge.translator import FOR_READER
from bot.locales import IN_ENGLISH, Reader
from bot.model.ids import SourceId, UserId
from bot.model.terms import USUAL_LEVEL, ChallengeTerms, ColourChoice, Place, Start
from bot.model.time_control import LONGEST_TEXT, chosen_clock
from bot.opponent import LEVELS
from dvonn import Coordinates

_Colour = Literal["white", "black", "random"]
_Start = Literal["balanced", "symmetric", "pie", "placement"]
_Coordinates = Literal["standard", "pergioco"]
_Where = Literal["here", "thread"]

_COLOUR = "Your colour; White moves first"
_START = "The board: ready-made (balanced, symmetric, pie) or empty (placement)"
_COORDINATES = "Advanced: names of spaces, standard a1 to k5 or pergioco e1 to a11"
_WHERE = "Here, or in a thread of its own"


def _level_label(number: int, reader: Reader) -> str:
    return messages.level_name(reader, number)


_LEVELS = [
    app_commands.Choice(
        name=app_commands.locale_str(
            messages.level_name(IN_ENGLISH, number), **{FOR_READER: partial(_level_label, number)}
        ),
        value=number,
    )
    for number in LEVELS
]


@app_commands.command(description="Play against me at once")
@app_commands.describe(
    level="How strong I play; empty: level 3",
    colour=_COLOUR,
    start=_START,
    clock="Your time, such as 1 day per move or 10+5; empty: no clock",
    coordinates=_COORDINATES,
    where=_WHERE,
)
@app_commands.choices(level=_LEVELS)
@anywhere
async def play(
    interaction: Interaction,
    level: int = USUAL_LEVEL,
    colour: _Colour = "random",
    start: _Start | None = None,
    clock: app_commands.Range[str, 1, LONGEST_TEXT] | None = None,
    coordinates: _Coordinates | None = None,
    where: _Where | None = None,
) -> None:
    """Begin a game against the machine."""
    async with answering(interaction) as answer:
        await play_machine(
            answer,
            level=level,
            colour=ColourChoice(colour),
            start=None if start is None else Start(start),
            clock=chosen_clock(clock, None, None),
            coordinates=None if coordinates is None else Coordinates(coordinates),
            place=None if where is None else Place(where),
        )


@app_commands.command(description="Challenge a friend, or anyone, to a game of DVONN")
@app_commands.describe(
    opponent="Who to play; empty: whoever accepts first",
    colour=_COLOUR,
    start=_START,
    clock="Such as 1 day per move, or 10+5; empty: as usual in this server",
    weekends="Pause the clock at weekends, in this time zone",
    coordinates=_COORDINATES,
    where=_WHERE,
)
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
) -> None:
    """Challenge somebody, or anyone."""
    async with answering(interaction) as answer:
        client = interaction.client
        lobby, here = client.desk.lobby, venue(interaction)
        usual = await lobby.usual(guild_of(interaction), here)
        terms = ChallengeTerms(
            guild=guild_of(interaction),
            channel=channel_of(interaction),
            challenger=UserId(interaction.user.id),
            opponent=None if opponent is None else UserId(opponent.id),
            colour=ColourChoice(colour),
            coordinates=usual.coordinates if coordinates is None else Coordinates(coordinates),
            start=usual.start if start is None else Start(start),
            clock=chosen_clock(clock, weekends, usual.clock),
            place=usual.place if where is None else Place(where),
        )
        if client.user is not None and terms.opponent == client.user.id:
            await play_machine(
                answer,
                colour=terms.colour,
                start=terms.start,
                clock=terms.clock,
                coordinates=terms.coordinates,
                place=terms.place,
            )
            return
        row = await lobby.challenge(
            terms,
            opponent_is_bot=opponent is not None and opponent.bot,
            venue=here,
            source=SourceId(interaction.id),
        )
        await post_challenge(answer, row)


@play.autocomplete("clock")
async def _clocks(interaction: Interaction, typed: str) -> TextChoices:
    reader = await interaction.client.desk.readers.asker(interaction)
    return choices(messages.clock_choices(reader, typed))


@challenge.autocomplete("clock")
async def _usual_clocks(interaction: Interaction, typed: str) -> TextChoices:
    rules = await interaction.client.desk.servers.rules(guild_of(interaction))
    reader = await interaction.client.desk.readers.asker(interaction)
    return choices(messages.clock_choices(reader, typed, rules.defaults))


@challenge.autocomplete("weekends")
async def _zones(_interaction: Interaction, typed: str) -> TextChoices:
    return zone_choices(typed)
