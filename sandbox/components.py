"""Message components: traversal, validation and ids."""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import IntEnum
from typing import Any

from sandbox.forms import Fields

Payload = dict[str, Any]

MAX_ROWS = 5
MAX_IN_ROW = 5
MAX_V2 = 40
MAX_V2_TEXT = 4000
MAX_CUSTOM_ID = 100
MAX_LABEL = 80
MAX_URL = 512
MAX_MEDIA_URL = 2048
MAX_PICTURES = 10
MAX_ALT_TEXT = 1024
MAX_OPTIONS = 25
MAX_OPTION_TEXT = 100
MAX_PLACEHOLDER = 150


class Kind(IntEnum):
    """Discord's component types."""

    ROW = 1
    BUTTON = 2
    STRING_SELECT = 3
    TEXT_INPUT = 4
    USER_SELECT = 5
    ROLE_SELECT = 6
    MENTIONABLE_SELECT = 7
    CHANNEL_SELECT = 8
    SECTION = 9
    TEXT_DISPLAY = 10
    THUMBNAIL = 11
    GALLERY = 12
    FILE = 13
    SEPARATOR = 14
    CONTAINER = 17
    LABEL = 18


class ButtonStyle(IntEnum):
    """The button styles that behave differently: links and premium buttons."""

    LINK = 5
    PREMIUM = 6


SELECTS = frozenset(
    {
        Kind.STRING_SELECT,
        Kind.USER_SELECT,
        Kind.ROLE_SELECT,
        Kind.MENTIONABLE_SELECT,
        Kind.CHANNEL_SELECT,
    }
)
_SHOWN: Payload = {"description": None, "spoiler": False}
_DEFAULTS: dict[int, Payload] = {
    **{kind: {"min_values": 1, "max_values": 1} for kind in SELECTS},
    Kind.CONTAINER: {"accent_color": None, "spoiler": False},
    Kind.SEPARATOR: {"divider": True, "spacing": 1},
    Kind.THUMBNAIL: _SHOWN,
    Kind.FILE: {"name": None, "size": None, "spoiler": False},
}
_IN_ROW = SELECTS | {Kind.BUTTON}
_PLAIN = frozenset({Kind.ROW})
_V2 = frozenset(
    {
        Kind.ROW,
        Kind.SECTION,
        Kind.TEXT_DISPLAY,
        Kind.GALLERY,
        Kind.FILE,
        Kind.SEPARATOR,
        Kind.CONTAINER,
    }
)


@dataclass(frozen=True, slots=True)
class Component:
    """A button or a select on a message, as a user sees it."""

    payload: Payload

    @property
    def custom_id(self) -> str | None:
        """The custom id that the bot receives when the component is used. None for a link."""
        custom_id: str | None = self.payload.get("custom_id")
        return custom_id

    @property
    def label(self) -> str:
        """The text on a button, or a select's placeholder."""
        return str(self.payload.get("label") or self.payload.get("placeholder") or "")

    @property
    def disabled(self) -> bool:
        """True if the component is grayed out and can't be used."""
        return bool(self.payload.get("disabled"))

    @property
    def style(self) -> int | None:
        """A button's style: 1 primary, 2 secondary, 3 success, 4 danger, 5 link."""
        style: int | None = self.payload.get("style")
        return style

    @property
    def url(self) -> str | None:
        """The URL of a link button."""
        url: str | None = self.payload.get("url")
        return url

    @property
    def kind(self) -> int:
        """Discord's component type: 2 button, 3 string select, 5 user select, and so on."""
        return int(self.payload["type"])

    @property
    def options(self) -> list[tuple[str, str]]:
        """A string select's options as (label, value)."""
        return [(option["label"], option["value"]) for option in self.payload.get("options", ())]


def walk(components: list[Payload]) -> Iterator[Payload]:
    """Yield all components, depth first, in reading order."""
    for component in components:
        yield component
        yield from walk(component.get("components") or [])
        for key in ("accessory", "component"):
            if component.get(key):
                yield from walk([component[key]])


def words(components: list[Payload]) -> str:
    """Return the content of text components, line by line."""
    return "\n".join(item["content"] for item in walk(components) if "content" in item)


def interactive(components: list[Payload]) -> Iterator[Payload]:
    """Yield the buttons and selects among components."""
    return (item for item in walk(components) if item["type"] in _IN_ROW)


def number(components: list[Payload]) -> list[Payload]:
    """Return components in the form of responses: with ids and defaults, without nulls."""
    used_ids = {item["id"] for item in walk(components) if item.get("id")}
    free = (n for n in range(1, 1 << 31) if n not in used_ids)
    return [_numbered(component, free) for component in components]


def _numbered(component: Payload, free: Iterator[int]) -> Payload:
    answer = {**_DEFAULTS.get(component["type"], {}), **_present(component)}
    if not answer.get("id"):
        answer["id"] = next(free)
    if "options" in answer:
        answer["options"] = [_present(option) for option in answer["options"]]
    if "items" in answer:
        answer["items"] = [{**_SHOWN, **_present(item)} for item in answer["items"]]
    for key in ("accessory", "component"):
        if key in answer:
            answer[key] = _numbered(answer[key], free)
    if "components" in answer:
        answer["components"] = [_numbered(item, free) for item in answer["components"]]
    return answer


def _present(item: Payload) -> Payload:
    answer = {key: value for key, value in item.items() if value is not None}
    if "emoji" in answer:
        answer["emoji"] = _present(answer["emoji"])
    return answer


def _media(fields: Fields, name: str) -> None:
    fields.text("description", longest=MAX_ALT_TEXT)
    fields.flag("spoiler")
    media = fields.inner(name)
    if media is None:
        fields.required(name)
    else:
        media.text("url", longest=MAX_MEDIA_URL, shortest=1, required=True)


class ComponentCheck:
    """Validates components, and records faults in the form that their fields belong to."""

    def __init__(self) -> None:
        self._seen: set[str] = set()
        self._count = 0
        self._characters = 0

    def message(self, fields: Fields, *, v2: bool) -> list[Payload]:
        """Validate a message's components, in the field ``components``."""
        offered = _V2 if v2 else _PLAIN
        for item in fields.each("components", limit=MAX_V2 if v2 else MAX_ROWS):
            self._item(item, offered)
        if self._count > MAX_V2:
            fields.wrong(
                "components", "BASE_TYPE_MAX_LENGTH", f"Must be {MAX_V2} or fewer in length."
            )
        if self._characters > MAX_V2_TEXT:
            fields.wrong(
                "components",
                "COMPONENT_DISPLAYABLE_TEXT_SIZE_EXCEEDED",
                f"Must be {MAX_V2_TEXT} or fewer in length.",
            )
        return fields.items("components", limit=MAX_V2)

    def _item(self, item: Fields, offered: frozenset[Kind]) -> None:
        kind = item.raw("type")
        item.number("id", low=0)
        self._count += 1
        if kind not in offered:
            choices = ", ".join(str(int(number)) for number in sorted(offered))
            item.wrong(
                "type", "UNION_TYPE_CHOICES", f'Value of field "type" must be one of ({choices}).'
            )
        elif kind == Kind.ROW:
            self._row(item)
        elif kind == Kind.BUTTON:
            self._button(item)
        elif kind in SELECTS:
            self._select(item, kind)
        else:
            self._layout(item, kind)

    def _layout(self, item: Fields, kind: Kind) -> None:
        if kind == Kind.CONTAINER:
            for name in ("accent_color", "spoiler"):
                item.raw(name)
            for inner in item.each("components", limit=MAX_V2):
                self._item(inner, _V2 - {Kind.CONTAINER})
        elif kind == Kind.SECTION:
            for inner in item.each("components", limit=3):
                self._item(inner, frozenset({Kind.TEXT_DISPLAY}))
            accessory = item.inner("accessory")
            if accessory is None:
                item.required("accessory")
            else:
                self._item(accessory, frozenset({Kind.BUTTON, Kind.THUMBNAIL}))
        elif kind == Kind.TEXT_DISPLAY:
            text = item.text("content", longest=MAX_V2_TEXT, shortest=1, required=True)
            self._characters += len(text or "")
        else:
            self._leaf(item, kind)

    @staticmethod
    def _leaf(item: Fields, kind: Kind) -> None:
        if kind == Kind.SEPARATOR:
            item.flag("divider")
            item.number("spacing", low=1, high=2)
        elif kind == Kind.GALLERY:
            pictures = item.each("items", limit=MAX_PICTURES)
            if not pictures:
                item.required("items")
            for picture in pictures:
                _media(picture, "media")
        else:
            _media(item, "file" if kind == Kind.FILE else "media")

    def _row(self, row: Fields) -> None:
        items = row.each("components", limit=MAX_IN_ROW)
        if not items:
            row.wrong("components", "BASE_TYPE_BAD_LENGTH", "Must be between 1 and 5 in length.")
        if len(items) > 1 and any(item.raw("type") in SELECTS for item in items):
            row.wrong(
                "components", "COMPONENT_LAYOUT_WIDTH_EXCEEDED", "A select takes a whole row."
            )
        for item in items:
            self._item(item, _IN_ROW)

    def _button(self, button: Fields) -> None:
        label = button.text("label", longest=MAX_LABEL)
        url = button.text("url", longest=MAX_URL)
        style = button.number("style", low=1, high=ButtonStyle.PREMIUM)
        custom_id, sku = button.raw("custom_id"), button.raw("sku_id")
        emoji = button.inner("emoji")
        if emoji is not None:
            for name in ("id", "name", "animated"):
                emoji.raw(name)
        button.flag("disabled")
        if style is None:
            button.required("style")
        elif style == ButtonStyle.LINK:
            if not url:
                button.required("url")
            if custom_id:
                button.wrong(
                    "custom_id",
                    "BUTTON_COMPONENT_CUSTOM_ID_URL_MUTUALLY_EXCLUSIVE",
                    "A custom id and url cannot both be specified",
                )
        elif style == ButtonStyle.PREMIUM:
            if not sku:
                button.required("sku_id")
        else:
            self.custom_id(button)
            if not label and emoji is None:
                button.wrong("label", "BASE_TYPE_REQUIRED", "A label or an emoji is required")

    def _select(self, select: Fields, kind: Kind) -> None:
        self.custom_id(select)
        select.text("placeholder", longest=MAX_PLACEHOLDER)
        select.flag("disabled")
        for name in ("default_values", "channel_types", "required"):
            select.raw(name)
        low = select.number("min_values", low=0, high=MAX_OPTIONS)
        high = select.number("max_values", low=1, high=MAX_OPTIONS)
        low, high = 1 if low is None else low, 1 if high is None else high
        if low > high:
            select.wrong(
                "min_values", "SELECT_COMPONENT_MIN_VALUES", "More values needed than allowed."
            )
        if kind == Kind.STRING_SELECT:
            self._options(select, high)

    def _options(self, select: Fields, high: int) -> None:
        options = select.each("options", limit=MAX_OPTIONS)
        if high > len(options):
            select.wrong(
                "options",
                "BASE_TYPE_BAD_LENGTH",
                f"Must be between {high} and {MAX_OPTIONS} in length.",
            )
        values: set[str] = set()
        for option in options:
            option.text("label", longest=MAX_OPTION_TEXT, shortest=1, required=True)
            value = option.text("value", longest=MAX_OPTION_TEXT, shortest=1, required=True)
            option.text("description", longest=MAX_OPTION_TEXT)
            option.raw("emoji")
            option.flag("default")
            if value in values:
                option.wrong(
                    "value",
                    "SELECT_COMPONENT_OPTION_VALUE_DUPLICATED",
                    "The specified option value is already used",
                )
            values.add(value or "")

    def custom_id(self, component: Fields) -> None:
        """Check that a component has a custom id that no other component here has."""
        custom_id = component.text("custom_id", longest=MAX_CUSTOM_ID, shortest=1, required=True)
        if custom_id in self._seen:
            component.wrong(
                "custom_id",
                "COMPONENT_CUSTOM_ID_DUPLICATED",
                "Component custom id cannot be duplicated",
            )
        self._seen.add(custom_id or "")
