"""Skips unreadable events, and adds missing fields to the channels of interactions.

discord.py ends the whole session on an event that it can't parse, and the next session would get
the same event again.
"""

from collections.abc import Callable
from typing import Any, Final

import discord
import structlog

_log = structlog.get_logger()

_NEEDED = ("READY", "RESUMED")
"""Events that begin a session. An error in them must end it."""
_OF_INTERACTION, _OF_EDIT = "INTERACTION_CREATE", "MESSAGE_UPDATE"
_KINDS: Final = frozenset(kind.value for kind in discord.ChannelType)
_AMONG_PEOPLE = 2
"""Discord's number for the context PRIVATE_CHANNEL: direct messages without the bot."""
_UNSAID: Final = {
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
"""Fields of a channel that discord.py reads, but Discord may omit in an interaction."""

Parse = Callable[[Any], Any]


def pass_over_broken_ones(parsers: dict[str, Parse]) -> None:
    """Wrap the parsers of a client's connection, so that a broken event is skipped."""
    for name, parse in parsers.items():
        if name not in _NEEDED:
            parsers[name] = _guarded(name, parse)


def _guarded(name: str, parse: Parse) -> Parse:
    def guarded(data: Any) -> None:
        try:
            if name == _OF_EDIT and "author" not in data:
                return  # no new text, but for example a link preview
            parse(_filled_up(data) if name == _OF_INTERACTION else data)
        except Exception as error:
            _log.warning(
                "gateway event unreadable, skipped",
                event_type=name,
                error=f"{type(error).__name__}: {error}",
            )

    return guarded


def _filled_up(data: dict[str, Any]) -> dict[str, Any]:
    """Return an interaction with all fields of its channel and message that discord.py reads.

    Discord may send only the id of a channel, and discord.py drops channels of unknown types. In
    both cases a plain channel takes its place.
    """
    if "message" in data:
        data = {**data, "message": {"components": [], **data["message"]}}
    channel = data.get("channel") or {"id": data.get("channel_id")}
    if channel.get("type") not in _KINDS:
        channel = {"id": channel["id"], "type": _plain_kind(data).value}
    return {**data, "channel": {**_UNSAID, **channel}}


def _plain_kind(data: dict[str, Any]) -> discord.ChannelType:
    if "guild_id" in data:
        return discord.ChannelType.text
    is_group = data.get("context") == _AMONG_PEOPLE
    return discord.ChannelType.group if is_group else discord.ChannelType.private
