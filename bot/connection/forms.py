"""Forms with one field, and what was typed into it."""

from collections.abc import Iterable
from typing import Any, Final

import discord

from bot.connection.posts import Field, FormWords

_LONGEST: Final = 45
"""Discord shows so many characters of a title or label, and refuses more."""
_LONGEST_PLACEHOLDER: Final = 100


def one_line(
    words: FormWords,
    custom_id: str,
    field: str,
    longest: int,
    style: discord.TextStyle = discord.TextStyle.short,
) -> discord.ui.Modal:
    """Return a form with one line to type into, of so many characters at most."""
    one = Field(key=field, label=words.label, placeholder=words.placeholder, value=words.value)
    return _form(words.title, [one], custom_id, max_length=longest, style=style)


def paragraph(words: FormWords, custom_id: str, field: str, longest: int) -> discord.ui.Modal:
    """Return a form with room for several lines."""
    return one_line(words, custom_id, field, longest, discord.TextStyle.paragraph)


def several(title: str, fields: Iterable[Field], custom_id: str, longest: int) -> discord.ui.Modal:
    """Return a form with a line for each field, filled in with its value; any may be left empty."""
    return _form(title, fields, custom_id, max_length=longest, required=False)


def _form(title: str, fields: Iterable[Field], custom_id: str, **how: Any) -> discord.ui.Modal:
    form = discord.ui.Modal(title=_short(title), custom_id=custom_id)
    for field in fields:
        line: discord.ui.TextInput[Any] = discord.ui.TextInput(
            custom_id=field.key,
            placeholder=_short(field.placeholder, _LONGEST_PLACEHOLDER),
            default=field.value or None,
            **how,
        )
        form.add_item(discord.ui.Label(text=_short(field.label), component=line))
    return form


def _short(text: str, most: int = _LONGEST) -> str:
    """Return a text, or its beginning where a language needs more room than there is."""
    return text if len(text) <= most else f"{text[: most - 1].rstrip()}…"


def typed(data: Any, field: str) -> str:
    """Return what stands in a field of a form that was sent; nothing where it is not there."""
    for row in data.get("components", ()):
        for one in (row.get("component"), *row.get("components", ())):
            if one is not None and one.get("custom_id") == field:
                return str(one.get("value", ""))
    return ""
