"""The machine's levels, as the choices of options."""

from collections.abc import Callable
from functools import partial

from discord import app_commands

from bot.base.locales import IN_ENGLISH, Reader
from bot.connection.command_registration import FOR_READER
from bot.play.model.terms import LEVELS
from bot.play.words.challenges import level_name, no_level

NO_LEVEL = 0
"""The choice that the machine does not play."""


def named(words: Callable[[Reader], str]) -> app_commands.locale_str:
    return app_commands.locale_str(words(IN_ENGLISH), **{FOR_READER: words})


def _level_words(level: int, reader: Reader) -> str:
    return level_name(reader, level)


LEVEL_CHOICES = [
    app_commands.Choice(name=named(partial(_level_words, one)), value=one) for one in LEVELS
]

LEVEL_OR_NONE_CHOICES = [
    app_commands.Choice(name=named(no_level), value=NO_LEVEL),
    *LEVEL_CHOICES,
]
