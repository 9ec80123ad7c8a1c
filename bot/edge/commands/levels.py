"""The machine's levels, as commands offer them."""

from collections.abc import Callable
from functools import partial

from discord import app_commands

from bot import messages
from bot.edge.translator import FOR_READER
from bot.locales import IN_ENGLISH, Reader
from bot.opponent import LEVELS

NO_LEVEL = 0
"""The choice that the machine does not play."""


def named(words: Callable[[Reader], str]) -> app_commands.locale_str:
    """A choice's words in each language."""
    return app_commands.locale_str(words(IN_ENGLISH), **{FOR_READER: words})


def _level_words(level: int, reader: Reader) -> str:
    return messages.level_name(reader, level)


LEVEL_CHOICES = [
    app_commands.Choice(name=named(partial(_level_words, one)), value=one) for one in LEVELS
]
LEVEL_OR_NONE_CHOICES = [
    app_commands.Choice(name=named(messages.no_level), value=NO_LEVEL),
    *LEVEL_CHOICES,
]
