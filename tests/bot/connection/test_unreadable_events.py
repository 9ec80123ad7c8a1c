"""Tests for unreadable events, which are skipped, and for optional fields that are missing."""

from typing import Any

import discord
import pytest
from structlog.testing import capture_logs

from bot.connection.unreadable_events import skip_unreadable_events


def test_an_unreadable_event_is_logged_and_skipped() -> None:
    def parse(data: dict[str, Any]) -> None:
        raise KeyError(data["id"])

    parsers: dict[str, Any] = {"CHANNEL_CREATE": parse, "READY": parse}
    skip_unreadable_events(parsers)
    with capture_logs() as said:
        parsers["CHANNEL_CREATE"]({"id": "3"})
    (line,) = said
    assert (line["event"], line["event_type"]) == (
        "gateway event unreadable, skipped",
        "CHANNEL_CREATE",
    )
    assert line["error"] == "KeyError: '3'"
    with pytest.raises(KeyError):  # without this one there is no session
        parsers["READY"]({"id": "3"})


@pytest.mark.parametrize(
    ("told", "kind"),
    [
        ({"channel_id": "4", "guild_id": "5"}, discord.ChannelType.text),
        ({"channel_id": "4", "context": 1}, discord.ChannelType.private),
        ({"channel_id": "4", "context": 2}, discord.ChannelType.group),
        ({"channel": {"id": "4", "type": 99}, "guild_id": "5"}, discord.ChannelType.text),
        ({"channel": {"id": "4", "type": 11}, "guild_id": "5"}, discord.ChannelType.public_thread),
    ],
)
def test_a_place_with_little_data_is_plain(told: dict[str, Any], kind: discord.ChannelType) -> None:
    read: list[dict[str, Any]] = []
    parsers: dict[str, Any] = {"INTERACTION_CREATE": read.append}
    skip_unreadable_events(parsers)
    parsers["INTERACTION_CREATE"](told | {"message": {"id": "6"}})
    (data,) = read
    channel = data["channel"]
    assert (channel["id"], channel["type"], channel["name"]) == ("4", kind.value, "")
    assert data["message"] == {"id": "6", "components": []}


@pytest.mark.parametrize("told", [{"id": "5"}, None])
def test_other_events_are_passed_on_as_they_are(told: dict[str, Any] | None) -> None:
    read: list[dict[str, Any] | None] = []
    parsers: dict[str, Any] = {"GUILD_CREATE": read.append}
    skip_unreadable_events(parsers)
    parsers["GUILD_CREATE"](told)
    assert read == [told]


def test_characters_that_cannot_be_stored_are_replaced() -> None:
    read: list[dict[str, Any]] = []
    parsers: dict[str, Any] = {"INTERACTION_CREATE": read.append}
    skip_unreadable_events(parsers)
    option = {"name": "text", "type": 3, "value": "a\0b \ud83d \U0001f642"}
    parsers["INTERACTION_CREATE"]({"channel_id": "4", "data": {"options": [option]}})
    (data,) = read
    assert data["data"] == {"options": [option | {"value": "a\ufffdb \ufffd \U0001f642"}]}


def test_an_edit_event_without_an_author_is_skipped() -> None:
    read: list[dict[str, Any]] = []
    parsers: dict[str, Any] = {"MESSAGE_UPDATE": read.append}
    skip_unreadable_events(parsers)
    for told in ({"id": "1"}, {"id": "2", "author": {}}):
        parsers["MESSAGE_UPDATE"](told)
    assert [row["id"] for row in read] == ["2"]
