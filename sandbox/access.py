"""Checks a user's permissions in a channel. Failures raise Discord's errors."""

from sandbox.drafts import Draft
from sandbox.errors import (
    archived_thread,
    locked_thread,
    missing_access,
    missing_permissions,
    reply_needs_history,
    slowmode,
    wrong_channel_type,
)
from sandbox.kinds import ChannelKind
from sandbox.model import Channel, Thread, User
from sandbox.permissions import Permission

_WITHOUT_MESSAGES = frozenset({ChannelKind.CATEGORY, ChannelKind.FORUM})


def require_view(channel: Channel, user: User) -> None:
    """Check that a user can see the channel.

    Raises:
        ApiError: 50001.
    """
    if not channel.may(user, Permission.VIEW_CHANNEL):
        raise missing_access()


def require(channel: Channel, user: User, permission: int) -> None:
    """Check that a user can see the channel and has a permission there.

    Raises:
        ApiError: 50001 or 50013.
    """
    require_view(channel, user)
    if not channel.may(user, permission):
        raise missing_permissions()


def send_permission(channel: Channel) -> Permission:
    """Return the permissions that sending messages in a channel requires."""
    thread = isinstance(channel, Thread)
    return Permission.SEND_MESSAGES_IN_THREADS if thread else Permission.SEND_MESSAGES


def require_send(channel: Channel, user: User, draft: Draft) -> None:
    """Check that a user may send a draft in a channel.

    Raises:
        ApiError: 50024 (a forum), 50001, 50013, 160002 (a reply without the history), 160005 or
            50083 (a locked thread).
    """
    if channel.kind in _WITHOUT_MESSAGES:
        raise wrong_channel_type()
    needed = send_permission(channel)
    if draft.files:
        needed |= Permission.ATTACH_FILES
    if draft.embeds and user.bot:
        needed |= Permission.EMBED_LINKS
    require(channel, user, needed)
    if draft.reply and not channel.may(user, Permission.READ_MESSAGE_HISTORY):
        raise reply_needs_history()
    require_unlocked(channel, user)


def require_unlocked(channel: Channel, user: User) -> None:
    """Check that a user may write in a thread, even if it is locked.

    Raises:
        ApiError: 160005, or 50083 if it is also archived.
    """
    if not isinstance(channel, Thread) or not channel.locked:
        return
    if not channel.may(user, Permission.MANAGE_THREADS):
        raise archived_thread() if channel.archived else locked_thread()


def require_open(channel: Channel) -> None:
    """Check that a thread is not archived. Only a new message reopens it.

    Raises:
        ApiError: 50083.
    """
    if isinstance(channel, Thread) and channel.archived:
        raise archived_thread()


def require_slowmode(channel: Channel, user: User, now_s: float) -> None:
    """Check that a channel's slowmode lets a user write now.

    Moderators and bots are exempt.

    Raises:
        ApiError: 20016.
    """
    if not channel.slowmode_s or user.bot:
        return
    if channel.permissions_of(user) & (Permission.MANAGE_MESSAGES | Permission.MANAGE_CHANNELS):
        return
    for message in reversed(channel.history.values()):
        wait_s = message.created_at + channel.slowmode_s - now_s
        if wait_s <= 0:
            return
        if message.author is user:
            raise slowmode(wait_s)
