"""Embeds: validation, and their form in responses."""

from sandbox.errors import Form
from sandbox.forms import Fields
from sandbox.model import JSON

MAX_EMBEDS = 10
MAX_TOTAL = 6000
MAX_FIELDS = 25
MAX_COLOR = 0xFFFFFF
_URL = 2048
_NAME = 256
_DESCRIPTION = 4096
_FIELD = 1024
_FOOTER = 2048


def read_embeds(fields: Fields, form: Form) -> list[JSON]:
    """Validate a message's embeds, recording faults in the form, and return them for a response."""
    embeds = [_embed(embed) for embed in fields.each("embeds", limit=MAX_EMBEDS)]
    if sum(map(_size, embeds)) > MAX_TOTAL:
        form.wrong(
            ("embeds",),
            "MAX_EMBED_SIZE_EXCEEDED",
            f"Embed size exceeds maximum size of {MAX_TOTAL}",
        )
    return embeds


def _embed(fields: Fields) -> JSON:
    fields.raw("type")
    fields.raw("provider")
    fields.raw("video")
    answer: JSON = {
        "type": "rich",
        "title": fields.text("title", longest=_NAME),
        "description": fields.text("description", longest=_DESCRIPTION),
        "url": fields.text("url", longest=_URL),
        "color": fields.number("color", low=0, high=MAX_COLOR),
        "timestamp": fields.moment("timestamp"),
        "author": _part(fields, "author", {"name": _NAME, "url": _URL, "icon_url": _URL}),
        "footer": _part(fields, "footer", {"text": _FOOTER, "icon_url": _URL}),
        "image": _part(fields, "image", {"url": _URL}),
        "thumbnail": _part(fields, "thumbnail", {"url": _URL}),
    }
    answer["fields"] = [_field(field) for field in fields.each("fields", limit=MAX_FIELDS)] or None
    return {key: value for key, value in answer.items() if value is not None}


def _part(fields: Fields, name: str, limits: dict[str, int]) -> JSON | None:
    part = fields.inner(name)
    if part is None:
        return None
    values = {key: part.text(key, longest=longest) for key, longest in limits.items()}
    return {key: value for key, value in values.items() if value is not None}


def _field(fields: Fields) -> JSON:
    return {
        "name": fields.text("name", longest=_NAME, shortest=1, required=True),
        "value": fields.text("value", longest=_FIELD, shortest=1, required=True),
        "inline": bool(fields.flag("inline")),
    }


def _size(embed: JSON) -> int:
    texts = [embed.get("title"), embed.get("description")]
    texts += [embed.get("author", {}).get("name"), embed.get("footer", {}).get("text")]
    for field in embed.get("fields", ()):
        texts += [field["name"], field["value"]]
    return sum(len(text) for text in texts if text)


def blank(embed: JSON) -> bool:
    """Return True if an embed has no visible content."""
    return not embed.keys() - {"type", "color", "url", "timestamp"}
