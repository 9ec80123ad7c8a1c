"""What is offered while somebody types an option."""

from collections.abc import Iterable

from discord import app_commands

from bot.messages import Option
from bot.model.zones import zones_like

AUTOCOMPLETE_LIMIT = 25
"""How many choices Discord shows."""

TextChoices = list[app_commands.Choice[str]]


def choices(options: Iterable[Option]) -> TextChoices:
    """Options as Discord wants them, the first of too many."""
    return [
        app_commands.Choice(name=option.label, value=option.value)
        for option in list(options)[:AUTOCOMPLETE_LIMIT]
    ]


def zone_choices(typed: str) -> TextChoices:
    """Time zones whose names are like what was typed."""
    return [
        app_commands.Choice(name=name, value=name) for name in zones_like(typed, AUTOCOMPLETE_LIMIT)
    ]
