"""The events that the gateway can dispatch, and their recipients."""

from dataclasses import dataclass
from enum import IntFlag

from sandbox.model import JSON, Channel


class Intent(IntFlag):
    """The gateway intents that the sandbox supports."""

    GUILDS = 1 << 0
    GUILD_MEMBERS = 1 << 1
    GUILD_PRESENCES = 1 << 8
    GUILD_MESSAGES = 1 << 9
    GUILD_MESSAGE_REACTIONS = 1 << 10
    GUILD_MESSAGE_TYPING = 1 << 11
    DIRECT_MESSAGES = 1 << 12
    DIRECT_MESSAGE_REACTIONS = 1 << 13
    DIRECT_MESSAGE_TYPING = 1 << 14
    MESSAGE_CONTENT = 1 << 15
    GUILD_SCHEDULED_EVENTS = 1 << 16


MESSAGES = (Intent.GUILD_MESSAGES, Intent.DIRECT_MESSAGES)
REACTIONS = (Intent.GUILD_MESSAGE_REACTIONS, Intent.DIRECT_MESSAGE_REACTIONS)
TYPING = (Intent.GUILD_MESSAGE_TYPING, Intent.DIRECT_MESSAGE_TYPING)


@dataclass(frozen=True, slots=True)
class Event:
    """An event to dispatch to the sessions of one shard.

    Attributes:
        name: Discord's name, such as ``MESSAGE_CREATE``.
        data: The payload.
        guild_id: The guild, which determines the shard. None for shard 0.
        intent: The intent that a session needs, or 0 for events without one.
        bare: The payload for sessions without the Message Content intent, if it differs.
    """

    name: str
    data: JSON
    guild_id: int | None = None
    intent: int = 0
    bare: JSON | None = None


def intent_for(channel: Channel, pair: tuple[Intent, Intent]) -> Intent:
    """Return one of two intents: for guilds, or for direct messages."""
    return pair[0] if channel.guild is not None else pair[1]
