"""The checker of limits itself: each is found where it is passed, and nothing else is."""

from typing import Any

import pytest

from sandbox import Exchange
from tests import limits

MESSAGES = "/channels/{channel_id}/messages"
THREADS = "/channels/{channel_id}/messages/{message_id}/threads"
CALLBACK = "/interactions/{interaction_id}/{interaction_token}/callback"
COMMANDS = "/applications/{application_id}/commands"


def requested(method: str, route: str, body: Any, status: int = 200) -> Exchange:
    return Exchange(method, route, route, {}, body, (), (), status, None, 0.0)


def button(**changed: object) -> dict[str, Any]:
    return {"type": 2, "style": 2, "label": "x" * 80, "custom_id": "x" * 100, **changed}


def message(**changed: object) -> dict[str, Any]:
    row = {"type": 1, "components": [button()] * 5}
    file = {"id": 0, "description": "x" * 1_024}
    good = {"content": "x" * 2_000, "nonce": "1" * 25, "components": [row] * 5}
    return {**good, "attachments": [file] * 10, **changed}


def command(**changed: object) -> dict[str, Any]:
    choice = {"name": "x" * 100, "value": 1}
    option = {"type": 3, "name": "move", "description": "x", "choices": [choice] * 25}
    good = {"name": "a-name", "description": "x" * 100, "options": [option] * 25}
    return {**good, **changed}


def test_what_is_just_within_passes() -> None:
    form = {"type": 9, "data": {"title": "x" * 45, "custom_id": "x", "components": []}}
    choices = {"type": 8, "data": {"choices": [{"name": "x" * 100, "value": "x"}] * 25}}
    assert (
        limits.check(
            [
                requested("POST", MESSAGES, message()),
                requested("POST", THREADS, {"name": "x" * 100}),
                requested("POST", CALLBACK, form),
                requested("POST", CALLBACK, choices),
                requested("PUT", COMMANDS, [command()] * 100),
                requested("GET", MESSAGES, None),
                requested("POST", MESSAGES, message(content="x" * 2_001), status=400),
            ]
        )
        == []
    )


@pytest.mark.parametrize(
    ("method", "route", "body"),
    [
        ("POST", MESSAGES, message(content="x" * 2_001)),
        ("POST", MESSAGES, message(nonce="1" * 26)),
        ("POST", MESSAGES, message(components=[{"type": 1, "components": []}] * 6)),
        ("POST", MESSAGES, message(components=[{"type": 1, "components": [button()] * 6}])),
        ("POST", MESSAGES, message(components=[button(label="x" * 81)])),
        ("POST", MESSAGES, message(components=[button(custom_id="x" * 101)])),
        ("POST", MESSAGES, message(components=[button(custom_id="")])),
        ("POST", MESSAGES, message(components=[{"type": 3, "options": [{}] * 26}])),
        ("POST", MESSAGES, message(components=[{"type": 3, "placeholder": "x" * 151}])),
        ("POST", MESSAGES, message(attachments=[{"id": 0}] * 11)),
        ("POST", MESSAGES, message(attachments=[{"id": 0, "description": "x" * 1_025}])),
        ("POST", MESSAGES, message(embeds=[{}] * 11)),
        ("POST", THREADS, {"name": ""}),
        ("POST", THREADS, {"name": "x" * 101}),
        ("POST", CALLBACK, {"type": 9, "data": {"title": "x" * 46}}),
        ("POST", CALLBACK, {"type": 8, "data": {"choices": [{"name": "", "value": "x"}]}}),
        ("POST", CALLBACK, {"type": 8, "data": {"choices": [{"name": "x", "value": "x"}] * 26}}),
        ("PUT", COMMANDS, [command()] * 101),
        ("PUT", COMMANDS, [command(name="two words")]),
        ("PUT", COMMANDS, [command(description="")]),
        ("PUT", COMMANDS, [command(options=[{"type": 3, "name": "x", "description": ""}])]),
    ],
)
def test_what_is_beyond_is_told(method: str, route: str, body: Any) -> None:
    good = requested("POST", MESSAGES, message())
    assert len(limits.check([good, requested(method, route, body), good])) == 1
