"""The limits of Discord's that the bot relies on, as its pages tell them.

They hold wherever the tests run; `tests.openapi` holds all else, where Discord's own description is
at hand.
"""

import re
from collections.abc import Iterable, Iterator
from typing import Any, Final

from sandbox import Exchange

_NAME: Final = re.compile(r"[-_\w]{1,32}")
_BUTTON, _FORM, _CHOICES = 2, 9, 8
_IN_A_MENU = (2, 3)
"""The types of commands on people, and on messages."""

_LONGEST: Final = {
    "content": 2_000,
    "nonce": 25,
    "custom_id": 100,
    "placeholder": 150,
    "value": 4_000,
}
"""Characters of a field, wherever it stands."""
_MOST: Final = {"attachments": 10, "embeds": 10, "components": 5, "options": 25, "choices": 25}
"""How many a list may hold, wherever it stands."""


def check(exchanges: Iterable[Exchange]) -> list[str]:
    """Where requests that were taken are beyond a limit: one line each, none if all is well."""
    return [
        f"{one.method} {one.route or one.path}: {line}"
        for one in exchanges
        if one.status < 400
        for line in (*_everywhere("$", one.request), *_here(one))
    ]


def _everywhere(place: str, body: Any) -> Iterator[str]:
    if isinstance(body, list):
        for number, part in enumerate(body):
            yield from _everywhere(f"{place}[{number}]", part)
    if not isinstance(body, dict):
        return
    for name, part in body.items():
        if isinstance(part, str) and len(part) > _LONGEST.get(name, len(part)):
            yield f"{place}.{name} has more than {_LONGEST[name]} characters"
        if isinstance(part, list) and len(part) > _MOST.get(name, len(part)):
            yield f"{place}.{name} holds more than {_MOST[name]}"
        yield from _everywhere(f"{place}.{name}", part)
    if body.get("type") == _BUTTON and "style" in body:
        yield from _within(f"{place}.label", body.get("label", ""), 0, 80)
        if not body.get("custom_id") and not body.get("url"):
            yield f"{place} is a button without an id"


def _here(exchange: Exchange) -> Iterator[str]:
    """What depends on the route."""
    route, body = exchange.route or "", exchange.request
    if exchange.method == "PUT" and route.endswith("/commands"):
        yield from _within("the commands", body, 0, 100)
        for command in body:
            if command.get("type") in _IN_A_MENU:  # its name is free, and it has no description
                yield from _within("the name of a command", command["name"], 1, 32)
            else:
                yield from _command(command)
    elif route.endswith("/threads"):
        yield from _within("$.name", body.get("name", ""), 1, 100)
    elif route.endswith("/callback"):
        data = body.get("data") or {}
        if body["type"] == _FORM:
            yield from _within("$.data.title", data.get("title", ""), 1, 45)
        if body["type"] == _CHOICES:
            for choice in data["choices"]:
                yield from _within("a choice's name", choice["name"], 1, 100)
                yield from _within("a choice's value", str(choice["value"]), 1, 100)
    for number, file in enumerate(body.get("attachments", ()) if isinstance(body, dict) else ()):
        yield from _within(
            f"$.attachments[{number}].description", file.get("description"), 0, 1_024
        )


def _command(command: dict[str, Any]) -> Iterator[str]:
    name = command["name"]
    if command.get("type", 1) in {1, 2, 3, 4} and not _NAME.fullmatch(name):
        yield f"{name!r} is no name of a command or an option"
    yield from _within(f"the description of {name}", command.get("description", ""), 1, 100)
    for option in command.get("options", ()):
        yield from _command({**option, "type": 1})
        for choice in option.get("choices", ()):
            yield from _within(f"a choice of {name}", choice["name"], 1, 100)


def _within(what: str, text: Any, fewest: int, most: int) -> Iterator[str]:
    if not fewest <= len(text or "") <= most:
        yield f"{what} is not between {fewest} and {most} long, but {len(text or '')}"
