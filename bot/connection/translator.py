"""The commands in the languages of the catalogues: their names, descriptions and choices."""

import re
from pathlib import Path
from typing import Any, Final

import discord
from discord import app_commands

from bot.base.locales import CATALOGUES, IN_ENGLISH, reader

_Location = app_commands.TranslationContextLocation
# A word alone can mean several things: catalogues are told what it is the name of.
_NAMES: Final = {
    _Location.command_name: "command",
    _Location.group_name: "command",
    _Location.parameter_name: "option",
}
_A_NAME: Final = re.compile(r"[-_'\w]{1,32}")
_LONGEST_NAME: Final = 32
_LONGEST: Final = 100
FOR_READER: Final = "for_reader"
"""Under this name a `locale_str` can have a function from a reader to its words."""


class Translator(app_commands.Translator):
    """Tells Discord's clients what commands are called in each language that there is.

    What Discord would refuse stays English: one word too long, and it takes no command at all.
    """

    def __init__(self, folder: Path = CATALOGUES) -> None:
        self._folder = folder

    async def translate(
        self,
        string: app_commands.locale_str,
        locale: discord.Locale,
        context: app_commands.TranslationContext[Any, Any],
        /,
    ) -> str | None:
        """Translate a text into a language; None where it stays English."""
        who = reader(locale.value, self._folder)
        if who is IN_ENGLISH:
            return None
        if isinstance(context.data, app_commands.ContextMenu):
            text = who.gettext(string.message)
            return text if 0 < len(text) <= _LONGEST_NAME else None
        name_of = _NAMES.get(context.location)
        if name_of is not None:
            text = who.pgettext(name_of, string.message)
            return text if _A_NAME.fullmatch(text) and text == text.lower() else None
        if FOR_READER in string.extras:
            text = string.extras[FOR_READER](who)
        elif context.location is _Location.choice_name:
            text = who.pgettext("choice", string.message)
        else:
            text = who.gettext(string.message)
        return text if 0 < len(text) <= _LONGEST else None
