"""Modals: forms that a bot can send in response to an interaction."""

from collections.abc import Iterator
from dataclasses import dataclass

from sandbox import components
from sandbox.components import Kind
from sandbox.errors import Form
from sandbox.forms import Fields
from sandbox.model import JSON

MAX_TITLE = 45
MAX_LABEL = 45
MAX_VALUE = 4000
MAX_PLACEHOLDER = 100
MAX_DESCRIPTION = 100
MAX_ITEMS = 5
_STYLES = (1, 2)


@dataclass(frozen=True, slots=True)
class ModalField:
    """One input of a modal, as a user sees it."""

    payload: JSON
    label: str

    @property
    def custom_id(self) -> str:
        """The custom id, which identifies it to the bot."""
        return str(self.payload["custom_id"])

    @property
    def value(self) -> str:
        """The text that is already in the input."""
        return str(self.payload.get("value") or "")

    @property
    def chosen(self) -> list[str]:
        """The preselected values."""
        options = [
            option["value"] for option in self.payload.get("options") or () if option.get("default")
        ]
        return options + [str(value["id"]) for value in self.payload.get("default_values") or ()]

    @property
    def required(self) -> bool:
        """True if the input must be filled in."""
        return self.payload.get("required") is not False

    @property
    def is_text(self) -> bool:
        """True for a text input, False for a select."""
        return bool(self.payload["type"] == Kind.TEXT_INPUT)


@dataclass(frozen=True, slots=True)
class Modal:
    """A modal on a user's screen."""

    custom_id: str
    title: str
    components: list[JSON]

    @property
    def fields(self) -> list[ModalField]:
        """The modal's inputs, in reading order."""
        return list(self._fields())

    def _fields(self) -> Iterator[ModalField]:
        for item in self.components:
            if item["type"] == Kind.LABEL:
                yield ModalField(item["component"], item["label"])
            else:
                for inner in item.get("components", ()):
                    yield ModalField(inner, inner.get("label") or "")


def read_modal(body: object) -> Modal:
    """Parse and validate a modal from a response's data.

    Raises:
        ApiError: 50035 with every fault found.
    """
    form = Form()
    fields = Fields(body, form, ("data",))
    custom_id = fields.text(
        "custom_id", longest=components.MAX_CUSTOM_ID, shortest=1, required=True
    )
    title = fields.text("title", longest=MAX_TITLE, shortest=1, required=True)
    items = fields.items("components", limit=MAX_ITEMS)
    if not items:
        fields.required("components")
    check = _ModalCheck()
    for item in fields.each("components", limit=MAX_ITEMS):
        check.item(item)
    form.raise_errors()
    return Modal(custom_id or "", title or "", components.number(items))


class _ModalCheck:
    def __init__(self) -> None:
        self._components = components.ComponentCheck()

    def item(self, item: Fields) -> None:
        kind = item.raw("type")
        item.number("id", low=0)
        if kind == Kind.ROW:
            rows = item.each("components", limit=1)
            for row in rows:
                self._input(row, label_here=True)
            if not rows:
                item.required("components")
        elif kind == Kind.LABEL:
            item.text("label", longest=MAX_LABEL, shortest=1, required=True)
            item.text("description", longest=MAX_DESCRIPTION)
            inner = item.inner("component")
            if inner is None:
                item.required("component")
            else:
                self._input(inner, label_here=False)
        elif kind == Kind.TEXT_DISPLAY:
            item.text("content", longest=MAX_VALUE, shortest=1, required=True)
        else:
            item.wrong(
                "type", "UNION_TYPE_CHOICES", 'Value of field "type" must be one of (1, 10, 18).'
            )

    def _input(self, fields: Fields, *, label_here: bool) -> None:
        self._components.custom_id(fields)
        if fields.raw("type") != Kind.TEXT_INPUT:
            return
        fields.text("label", longest=MAX_LABEL, shortest=1, required=label_here)
        fields.text("value", longest=MAX_VALUE)
        fields.text("placeholder", longest=MAX_PLACEHOLDER)
        fields.number("min_length", low=0, high=MAX_VALUE)
        fields.number("max_length", low=1, high=MAX_VALUE)
        if fields.number("style") not in _STYLES:
            fields.wrong("style", "BASE_TYPE_CHOICES", "Value must be one of {1, 2}.")
