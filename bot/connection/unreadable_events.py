"""Skips events that can't be parsed, and completes and cleans the data of interactions.

discord.py ends the whole session on an event that it can't parse, and the next session would
receive the same event again.
"""

import re
from collections.abc import Callable
from typing import Any, Final

import discord
import structlog

_log = structlog.get_logger()

_NEEDED = ("READY", "RESUMED")
"""Events that start a session. An error in one must end the session."""
_INTERACTION, _EDIT = "INTERACTION_CREATE", "MESSAGE_UPDATE"
_KINDS: Final = frozenset(kind.value for kind in discord.ChannelType)
_PRIVATE_CHANNEL = 2
"""Discord's value of the context PRIVATE_CHANNEL: direct messages that don't include the bot."""
_OPTIONAL_FIELDS: Final = {
    "name": "",
    "position": 0,
    "permission_overwrites": [],
    "bitrate": 0,
    "user_limit": 0,
    "owner_id": 0,
    "message_count": 0,
    "member_count": 0,
    "thread_metadata": {
        "archived": False,
        "auto_archive_duration": 0,
        "archive_timestamp": "1970-01-01T00:00:00+00:00",
    },
}
"""Channel fields that discord.py reads but that Discord may omit in an interaction."""

_UNSTORABLE: Final = re.compile("[\0\ud800-\udfff]")
"""NUL, which PostgreSQL refuses, and halves of surrogate pairs, which aren't valid Unicode."""
_REPLACEMENT: Final = "\ufffd"

Parse = Callable[[Any], Any]


def skip_unreadable_events(parsers: dict[str, Parse]) -> None:
    """Make the parsers of a client's connection skip events that can't be parsed."""
    for name, parse in parsers.items():
        if name not in _NEEDED:
            parsers[name] = _guard(name, parse)


def _guard(name: str, parse: Parse) -> Parse:
    def guarded(data: Any) -> None:
        try:
            if name == _EDIT and "author" not in data:
                return  # not new text, but a link preview, for example
            parse(_with_required_fields(data) if name == _INTERACTION else data)
        except Exception as error:
            _log.warning(
                "gateway event unreadable, skipped",
                event_type=name,
                error=f"{type(error).__name__}: {error}",
            )

    return guarded


def _with_required_fields(data: dict[str, Any]) -> dict[str, Any]:
    """Return an interaction with every channel and message field that discord.py reads.

    Discord may send only a channel's id, and discord.py drops channels of unknown types. In both
    cases, a plain channel is filled in. In texts, characters that can't be stored are replaced.
    """
    if "message" in data:
        data = {**data, "message": {"components": [], **data["message"]}}
    channel = data.get("channel") or {"id": data.get("channel_id")}
    if channel.get("type") not in _KINDS:
        channel = {"id": channel["id"], "type": _likely_kind(data).value}
    if "data" in data:
        data = {**data, "data": _storable(data["data"])}
    return {**data, "channel": {**_OPTIONAL_FIELDS, **channel}}


def _storable(entered: Any) -> Any:
    """Return a user's input without characters that can't be stored."""
    if isinstance(entered, str):
        return _UNSTORABLE.sub(_REPLACEMENT, entered)
    if isinstance(entered, list):
        return [_storable(item) for item in entered]
    if isinstance(entered, dict):
        return {name: _storable(value) for name, value in entered.items()}
    return entered


def _likely_kind(data: dict[str, Any]) -> discord.ChannelType:
    if "guild_id" in data:
        return discord.ChannelType.text
    is_group = data.get("context") == _PRIVATE_CHANNEL
    return discord.ChannelType.group if is_group else discord.ChannelType.private
