"""Choices for command options, in each reader's language, some suggested while typing."""

from collections.abc import Callable, Iterable
from typing import TypeVar

from discord import app_commands

from bot.base.languages import IN_ENGLISH, Reader
from bot.base.zones import suggest_zones
from bot.connection.command_registration import FOR_READER
from bot.connection.posts import Option
from bot.play.handlers.interactions import Interaction, guild_of
from bot.play.model.terms import Start
from bot.play.words.begin_form import both_sides, start_name
from bot.play.words.challenges import level_name
from bot.play.words.clocks import clock_choices
from dvonn.machine import LEVELS

TextChoices = list[app_commands.Choice[str]]
_Value = TypeVar("_Value", str, int)

AUTOCOMPLETE_LIMIT = 25
"""Maximum number of choices that Discord shows for an option."""
NO_LEVEL = 0
"""Choice without the machine: the user plays both sides."""


def choice(
    value: _Value, words: Callable[..., str], *arguments: object
) -> app_commands.Choice[_Value]:
    """Return a choice that `words` names for each reader."""

    def label(reader: Reader) -> str:
        return words(reader, *arguments)

    name = app_commands.locale_str(label(IN_ENGLISH), **{FOR_READER: label})
    return app_commands.Choice(name=name, value=value)


_LEVEL_CHOICES = [choice(number, level_name, number) for number in LEVELS]
OPPONENT_CHOICES = [choice(NO_LEVEL, both_sides), *_LEVEL_CHOICES]
START_CHOICES = [
    choice(str(start), start_name, start) for start in (Start.BALANCED, Start.PLACEMENT)
]


def choices(options: Iterable[Option]) -> TextChoices:
    """Return options as Discord's choices, leaving out those beyond the maximum."""
    return [
        app_commands.Choice(name=option.label, value=option.value)
        for option in list(options)[:AUTOCOMPLETE_LIMIT]
    ]


async def zones(_interaction: Interaction, text: str) -> TextChoices:
    return [
        app_commands.Choice(name=name, value=name)
        for name in suggest_zones(text, AUTOCOMPLETE_LIMIT)
    ]


async def clocks(interaction: Interaction, text: str) -> TextChoices:
    reader = await interaction.client.services.readers.for_interaction(interaction)
    return choices(clock_choices(reader, text))


async def usual_clocks(interaction: Interaction, text: str) -> TextChoices:
    """Suggest clocks, starting with the server's default."""
    rules = await interaction.client.services.store.guilds.rules(guild_of(interaction))
    reader = await interaction.client.services.readers.for_interaction(interaction)
    return choices(clock_choices(reader, text, rules.defaults))
