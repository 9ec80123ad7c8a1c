"""Discord's numeric types of channels and messages that the sandbox supports."""

from enum import IntEnum, IntFlag


class ChannelKind(IntEnum):
    """Discord's channel types."""

    TEXT = 0
    DM = 1
    VOICE = 2
    GROUP_DM = 3
    CATEGORY = 4
    ANNOUNCEMENT = 5
    ANNOUNCEMENT_THREAD = 10
    PUBLIC_THREAD = 11
    PRIVATE_THREAD = 12
    STAGE = 13
    FORUM = 15


class MessageKind(IntEnum):
    """Discord's message types that the sandbox creates."""

    DEFAULT = 0
    RECIPIENT_ADD = 1
    CHANNEL_NAME_CHANGE = 4
    CHANNEL_PINNED_MESSAGE = 6
    THREAD_CREATED = 18
    REPLY = 19
    CHAT_INPUT_COMMAND = 20
    THREAD_STARTER_MESSAGE = 21
    CONTEXT_MENU_COMMAND = 23


ORDINARY_KINDS = frozenset(
    {
        MessageKind.DEFAULT,
        MessageKind.REPLY,
        MessageKind.CHAT_INPUT_COMMAND,
        MessageKind.CONTEXT_MENU_COMMAND,
    }
)
"""Types of messages that users write, as opposed to system messages."""


class MessageFlag(IntFlag):
    """Discord's message flags that the sandbox supports."""

    SUPPRESS_EMBEDS = 1 << 2
    HAS_THREAD = 1 << 5
    EPHEMERAL = 1 << 6
    LOADING = 1 << 7
    SUPPRESS_NOTIFICATIONS = 1 << 12
    IS_VOICE_MESSAGE = 1 << 13
    IS_COMPONENTS_V2 = 1 << 15


class EventStatus(IntEnum):
    """Discord's statuses of scheduled events."""

    SCHEDULED = 1
    ACTIVE = 2
    COMPLETED = 3
    CANCELED = 4
