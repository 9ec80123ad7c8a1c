"""Tests for the OpenAPI checker: it finds each difference, and nothing else."""

from dataclasses import replace

import pytest

from sandbox import Channel, Exchange, Person, Sandbox
from tests import openapi
from tests.sandbox.clients import Api


@pytest.fixture
async def exchange(world: Sandbox, channel: Channel, ann: Person, api: Api) -> Exchange:
    """A valid exchange."""
    typed = await ann.say(channel, "hello")
    body = {"content": "x", "message_reference": {"message_id": typed.id}, "nonce": "1"}
    await api("POST", f"/channels/{channel.id}/messages", body)
    return world.exchanges[-1]


def test_correct_exchanges_pass_with_ids_as_numbers_too(exchange: Exchange) -> None:
    assert isinstance(exchange.request["message_reference"]["message_id"], int)
    assert openapi.check([exchange]) == []


def test_faults_are_reported_with_their_place(exchange: Exchange) -> None:
    for wrong, told in (
        ({"route": "/channels/{channel_id}/letters"}, "there is no such route"),
        ({"method": "PUT"}, "there is no such route"),
        ({"request": {"content": 5}}, "request: $.content"),
        ({"request": {"content": "x" * 4_001}}, "request: $.content"),
        ({"request": {"content": "x", "nonce": "1" * 26}}, "request: $.nonce"),
        ({"request": {"embeds": [{"title": "x" * 257}]}}, "request: $.embeds"),
        ({"request": None}, "the request has no body"),
        ({"response": {**exchange.response, "id": 5}}, "answer: $.id"),
        ({"response": {"id": "5"}}, 'answer: $: "type" is a required property'),
        ({"response": None}, "answer: $"),
        ({"status": 204}, "no such status"),
        ({"status": 400}, "answer: $"),
        ({"unknown_fields": ("colour",)}, "unknown field 'colour'"),
        ({"query": {"colour": "red"}}, "unknown query parameter 'colour'"),
    ):
        lines = openapi.check([exchange, replace(exchange, **wrong), exchange])
        assert len(lines) == 1, wrong
        assert told in lines[0]


def test_refused_requests_may_be_malformed(exchange: Exchange) -> None:
    fault = {"_errors": [{"code": "BASE_TYPE_MAX_LENGTH", "message": "Must be shorter."}]}
    body = {"code": 50035, "message": "Invalid Form Body", "errors": {"content": fault}}
    refused = replace(exchange, status=400, request={"content": 5}, response=body)
    assert openapi.check([refused]) == []
