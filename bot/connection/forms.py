"""Forms, and buttons and selects that are recognized by their custom ids."""

import re
from collections.abc import Iterable
from typing import Any, ClassVar, Final, Self
from zlib import crc32

import discord

from bot.base.ids import GameId, Revision
from bot.connection import posts
from bot.connection.bounded_cache import BoundedCache

DISCORD_ID: Final = "[1-8]?[0-9]{1,18}"
"""Pattern of a Discord id that fits into the database."""
_LONGEST: Final = 45
"""Maximum length of a title or label in characters (Discord's limit)."""
_LONGEST_PLACEHOLDER: Final = 100
_MOST_DIGITS: Final = 3
_MOST_KEPT: Final = 1_000
"""Maximum number of cached forms, about 10 KiB each."""
_USER, _CHANNEL = discord.SelectDefaultValueType.user, discord.SelectDefaultValueType.channel


def one_line(
    words: posts.FormWords,
    custom_id: str,
    field: str,
    longest: int,
    style: discord.TextStyle = discord.TextStyle.short,
    *,
    needed: bool = True,
) -> discord.ui.Modal:
    line = posts.Field(field, words.label, words.placeholder, words.value, needed=needed)
    return _form(words.title, [(line, _text(line, longest, style))], custom_id)


def paragraph(words: posts.FormWords, custom_id: str, field: str, longest: int) -> discord.ui.Modal:
    return one_line(words, custom_id, field, longest, discord.TextStyle.paragraph)


def several(
    title: str, fields: Iterable[posts.AnyField], custom_id: str, longest: int
) -> discord.ui.Modal:
    """Return a form with several fields. Text fields take up to `longest` characters."""
    return _form(title, [(field, _component(field, longest)) for field in fields], custom_id)


def _form(
    title: str, fields: Iterable[tuple[posts.AnyField, discord.ui.Item[Any]]], custom_id: str
) -> discord.ui.Modal:
    form = discord.ui.Modal(title=_short(title), custom_id=custom_id)
    for field, component in fields:
        form.add_item(discord.ui.Label(text=_short(field.label), component=component))
    return form


def _component(field: posts.AnyField, longest: int) -> discord.ui.Item[Any]:
    least: dict[str, Any] = {"custom_id": field.key, "required": False, "min_values": 0}
    match field:
        case posts.Field():
            return _text(field, longest)
        case posts.ListField():
            options = [
                discord.SelectOption(label=option.label, value=option.value, default=option.chosen)
                for option in field.options
            ]
            hint = _short(field.placeholder, _LONGEST_PLACEHOLDER)
            return discord.ui.Select(
                **least, options=options, placeholder=hint, max_values=field.most
            )
        case posts.PeopleField():
            defaults = [
                discord.SelectDefaultValue.from_user(discord.Object(user)) for user in field.chosen
            ]
            hint = _short(field.placeholder, _LONGEST_PLACEHOLDER)
            return discord.ui.UserSelect(
                **least, default_values=defaults, placeholder=hint or None, max_values=field.most
            )


def _text(
    field: posts.Field, longest: int, style: discord.TextStyle = discord.TextStyle.short
) -> discord.ui.TextInput[Any]:
    return discord.ui.TextInput(
        custom_id=field.key,
        placeholder=_short(field.placeholder, _LONGEST_PLACEHOLDER),
        default=field.value or None,
        required=field.needed,
        max_length=longest,
        style=style,
    )


def _short(text: str, limit: int = _LONGEST) -> str:
    """Return a text cut to a maximum length."""
    return text if len(text) <= limit else f"{text[: limit - 1].rstrip()}…"


def typed_text(data: Any, field: str) -> str:
    return str(_sent(data, field).get("value", ""))


def picked_values(data: Any, field: str) -> list[str]:
    """Return the values chosen in a select of a submitted form."""
    return list(map(str, _sent(data, field).get("values", ())))


def picked_ids(data: Any, field: str) -> list[int]:
    """Return the ids chosen in a select of users or channels, without values that aren't ids."""
    return [int(value) for value in picked_values(data, field) if re.fullmatch(DISCORD_ID, value)]


def whole_number(text: str) -> int:
    """Parse a number of up to three digits. Return 0 if the text is not such a number."""
    text = text.strip()
    is_number = len(text) <= _MOST_DIGITS and text.isascii() and text.isdigit()
    return int(text) if is_number else 0


class FormCache:
    """The last forms that users opened, or that a button can open.

    A form whose text was refused reopens with its values. While the database is slow, other forms
    reopen unchanged.
    """

    def __init__(self) -> None:
        self._kept: BoundedCache[tuple[int, str], discord.ui.Modal] = BoundedCache(_MOST_KEPT)

    def keep(self, user: int, form: discord.ui.Modal) -> str:
        """Store a user's form and return its token: the unique part of its custom id."""
        token = _token_of(form.custom_id)
        self._kept.put((user, token), form)
        return token

    def find(self, user: int, custom_id: str) -> discord.ui.Modal | None:
        """Return a user's form by its id, or None if it is not stored."""
        return self.get(user, _token_of(custom_id))

    def get(self, user: int, token: str) -> discord.ui.Modal | None:
        """Return a user's form by its token, or None if it is not stored."""
        return self._kept.get((user, token))

    def fill(self, user: int, data: Any) -> str | None:
        """Fill in a stored form with the submitted values, and return its token.

        Return None if the form is not stored.
        """
        token = _token_of(str(data.get("custom_id", "")))
        if (form := self.get(user, token)) is None:
            return None
        for item in form.walk_children():
            match item:
                case discord.ui.TextInput():
                    item.default = typed_text(data, item.custom_id) or None
                case discord.ui.Select():
                    for option in item.options:
                        option.default = option.value in picked_values(data, item.custom_id)
                case discord.ui.UserSelect():
                    item.default_values = _chosen(data, item.custom_id, _USER)
                case discord.ui.ChannelSelect():
                    item.default_values = _chosen(data, item.custom_id, _CHANNEL)
        return token


def _chosen(
    data: Any, field: str, kind: discord.SelectDefaultValueType
) -> list[discord.SelectDefaultValue]:
    return [discord.SelectDefaultValue(id=number, type=kind) for number in picked_ids(data, field)]


def _token_of(custom_id: str) -> str:
    return f"{crc32(custom_id.encode()):08x}"


def _sent(data: Any, field: str) -> Any:
    for row in data.get("components", ()):
        for part in (row.get("component"), *row.get("components", ())):
            if part is not None and part.get("custom_id") == field:
                return part
    return {}


_NUMBER = re.compile(r"[0-9]{1,18}")
"""Pattern of a number in a custom id, small enough for the database."""


class DynamicComponent(discord.ui.DynamicItem[Any], template=r"(?!)"):
    """A button or select whose custom id contains its action.

    `found` is the match of its template.
    """

    ids: ClassVar[re.Pattern[str]]
    """Pattern of the component's custom ids."""

    def __init_subclass__(cls, *, template: str) -> None:
        super().__init_subclass__(template=template)
        cls.ids = re.compile(template)

    def __init__(self, item: discord.ui.Item[Any], match: re.Match[str]) -> None:
        super().__init__(item)
        self.match = match

    @classmethod
    async def from_custom_id(
        cls,
        _interaction: discord.Interaction[Any],
        item: discord.ui.Item[Any],
        match: re.Match[str],
        /,
    ) -> Self:
        return cls(item, match)

    @property
    def chosen(self) -> str:
        values: list[str] = self.item.values
        return next(iter(values), "")

    @property
    def number(self) -> int | None:
        """The number chosen in a select of numbers, or None if the value is not a number."""
        return int(self.chosen) if _NUMBER.fullmatch(self.chosen) else None

    @property
    def action(self) -> str:
        """The action in the custom id, if the template has a group of this name."""
        return self.match["action"]

    @property
    def game(self) -> GameId:
        """The game, if the template has a group of this name."""
        return GameId(int(self.match["game"]))

    @property
    def revision(self) -> Revision:
        """The revision that the component belongs to, if the template has a group of this name."""
        return Revision(int(self.match["revision"]))


def is_bot(data: Any, user: int | None) -> bool:
    """Return True if a user that was chosen in a submitted form is a bot."""
    return bool(data.get("resolved", {}).get("users", {}).get(str(user), {}).get("bot"))
