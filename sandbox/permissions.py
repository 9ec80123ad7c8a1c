"""Permission bits, and a user's permissions in a place."""

from collections.abc import Iterable
from enum import IntFlag


class Permission(IntFlag):
    """Permissions that the sandbox supports, with Discord's bits."""

    KICK_MEMBERS = 1 << 1
    BAN_MEMBERS = 1 << 2
    ADMINISTRATOR = 1 << 3
    MANAGE_CHANNELS = 1 << 4
    MANAGE_GUILD = 1 << 5
    ADD_REACTIONS = 1 << 6
    VIEW_CHANNEL = 1 << 10
    SEND_MESSAGES = 1 << 11
    SEND_TTS_MESSAGES = 1 << 12
    MANAGE_MESSAGES = 1 << 13
    EMBED_LINKS = 1 << 14
    ATTACH_FILES = 1 << 15
    READ_MESSAGE_HISTORY = 1 << 16
    MENTION_EVERYONE = 1 << 17
    USE_EXTERNAL_EMOJIS = 1 << 18
    CONNECT = 1 << 20
    SPEAK = 1 << 21
    CHANGE_NICKNAME = 1 << 26
    MANAGE_NICKNAMES = 1 << 27
    MANAGE_ROLES = 1 << 28
    MANAGE_WEBHOOKS = 1 << 29
    USE_APPLICATION_COMMANDS = 1 << 31
    MANAGE_EVENTS = 1 << 33
    MANAGE_THREADS = 1 << 34
    CREATE_PUBLIC_THREADS = 1 << 35
    CREATE_PRIVATE_THREADS = 1 << 36
    USE_EXTERNAL_STICKERS = 1 << 37
    SEND_MESSAGES_IN_THREADS = 1 << 38
    MODERATE_MEMBERS = 1 << 40
    CREATE_EVENTS = 1 << 44
    SEND_POLLS = 1 << 49
    USE_EXTERNAL_APPS = 1 << 50
    PIN_MESSAGES = 1 << 51


ALL = int(~Permission(0))

EVERYONE = int(
    Permission.ADD_REACTIONS
    | Permission.VIEW_CHANNEL
    | Permission.SEND_MESSAGES
    | Permission.EMBED_LINKS
    | Permission.ATTACH_FILES
    | Permission.READ_MESSAGE_HISTORY
    | Permission.USE_EXTERNAL_EMOJIS
    | Permission.CONNECT
    | Permission.SPEAK
    | Permission.CHANGE_NICKNAME
    | Permission.USE_APPLICATION_COMMANDS
    | Permission.CREATE_PUBLIC_THREADS
    | Permission.CREATE_PRIVATE_THREADS
    | Permission.SEND_MESSAGES_IN_THREADS
    | Permission.USE_EXTERNAL_APPS
)
"""Permissions of @everyone in a new guild, which also apply to the bot."""

BOT = int(
    Permission.VIEW_CHANNEL
    | Permission.SEND_MESSAGES
    | Permission.EMBED_LINKS
    | Permission.ATTACH_FILES
    | Permission.READ_MESSAGE_HISTORY
    | Permission.ADD_REACTIONS
    | Permission.CREATE_PUBLIC_THREADS
    | Permission.SEND_MESSAGES_IN_THREADS
)
"""Default permissions of the bot's own role."""

DIRECT_MESSAGE = int(
    Permission.ADD_REACTIONS
    | Permission.VIEW_CHANNEL
    | Permission.SEND_MESSAGES
    | Permission.EMBED_LINKS
    | Permission.ATTACH_FILES
    | Permission.READ_MESSAGE_HISTORY
    | Permission.MENTION_EVERYONE
    | Permission.USE_EXTERNAL_EMOJIS
    | Permission.USE_APPLICATION_COMMANDS
    | Permission.PIN_MESSAGES
)
"""Permissions of both sides in direct messages."""

USER_INSTALLED = int(Permission.EMBED_LINKS | Permission.ATTACH_FILES | Permission.MENTION_EVERYONE)
"""Permissions of a user-installed application in a private channel."""

# Without this permission, no other permission in a channel counts.
_VIEW = int(Permission.VIEW_CHANNEL)
_ADMINISTRATOR = int(Permission.ADMINISTRATOR)
_SEND = int(Permission.SEND_MESSAGES)
_SENDING = int(
    Permission.MENTION_EVERYONE
    | Permission.SEND_TTS_MESSAGES
    | Permission.ATTACH_FILES
    | Permission.EMBED_LINKS
)


def base(roles: Iterable[int]) -> int:
    """Combine the permissions of a member's roles, including @everyone."""
    total = 0
    for permissions in roles:
        total |= permissions
    return ALL if total & _ADMINISTRATOR else total


def overwrite(permissions: int, allow: int, deny: int) -> int:
    """Return permissions after applying one layer of a channel's overwrites.

    >>> view, send = Permission.VIEW_CHANNEL, Permission.SEND_MESSAGES
    >>> overwrite(view | send, allow=0, deny=send) == view
    True
    """
    return (permissions & ~deny) | allow


def without_implied(permissions: int, *, thread: bool) -> int:
    """Remove permissions that don't count because a more basic one is missing."""
    if not permissions & _VIEW:
        return 0
    if not thread and not permissions & _SEND:
        permissions &= ~_SENDING
    return permissions
