"""Changes to channels and threads: creation, edits, archiving and deletion."""

from typing import Any

from sandbox import payloads
from sandbox.events import Event, Intent
from sandbox.kinds import ChannelKind, MessageKind
from sandbox.model import Channel, Guild, Message, Overwrite, Role, Thread, User
from sandbox.permissions import Permission
from sandbox.state import State

_MINUTE_S = 60.0

UNCOUNTED = frozenset({MessageKind.THREAD_STARTER_MESSAGE})
"""System messages that a thread's message count leaves out."""


def create(
    state: State,
    guild: Guild,
    name: str,
    kind: ChannelKind,
    *,
    parent: Channel | None = None,
    nsfw: bool = False,
    slowmode_s: int = 0,
) -> Channel:
    """Create a channel in a guild."""
    channel = Channel(
        state.directory,
        state.next_id(),
        kind,
        name,
        guild,
        parent=parent,
        position=len(guild.channels),
        nsfw=nsfw,
        slowmode_s=slowmode_s,
    )
    add(state, channel)
    publish(state, "CHANNEL_CREATE", channel)
    return channel


def add(state: State, channel: Channel) -> None:
    """Add a channel to the state."""
    channel.home.channels[channel.id] = channel
    state.channels[channel.id] = channel


def publish(state: State, name: str, channel: Channel, **extra: Any) -> None:
    """Dispatch an event that contains a whole channel or thread."""
    guild = channel.guild
    if guild is None or state.bot.id not in guild.members:
        return
    # Only bots that can see a thread get its events. Channel events go to every bot in the guild.
    if isinstance(channel, Thread) and not channel.may(state.bot, Permission.VIEW_CHANNEL):
        return
    data = {**payloads.channel(channel, state.bot), **extra}
    state.publish(Event(name, data, guild.id, Intent.GUILDS))


def updated(state: State, channel: Channel) -> None:
    """Send the bot an event about a changed channel or thread."""
    publish(state, "THREAD_UPDATE" if isinstance(channel, Thread) else "CHANNEL_UPDATE", channel)


def set_overwrite(
    state: State, channel: Channel, target: Role | User, *, allow: int = 0, deny: int = 0
) -> None:
    """Replace the permissions of a role or member in a channel."""
    rule = Overwrite(target.id, isinstance(target, User), allow, deny)
    if allow or deny:
        channel.overwrites[target.id] = rule
    else:
        channel.overwrites.pop(target.id, None)
    updated(state, channel)


def delete(state: State, channel: Channel) -> None:
    """Delete a channel or thread with everything in it."""
    guild = channel.home
    for thread in channel.threads:
        _forget(state, thread)
    if isinstance(channel, Thread):
        data = {
            "id": str(channel.id),
            "guild_id": str(guild.id),
            "parent_id": str(channel.parent_channel.id),
            "type": int(channel.kind),
        }
        if channel.may(state.bot, Permission.VIEW_CHANNEL):
            state.publish(Event("THREAD_DELETE", data, guild.id, Intent.GUILDS))
    else:
        publish(state, "CHANNEL_DELETE", channel)
    _forget(state, channel)


def _forget(state: State, channel: Channel) -> None:
    state.cancel(channel)
    channel.home.channels.pop(channel.id, None)
    state.channels.pop(channel.id, None)


def note_message(state: State, thread: Thread, message: Message) -> None:
    """Update a thread for a new message: count it, reopen the thread, add mentioned people."""
    if message.kind not in UNCOUNTED:
        thread.message_count += 1
        thread.total_message_sent += 1
    message.position = thread.total_message_sent
    if thread.archived:
        set_archived(state, thread, archived=False)
    joining = [message.author, *message.mentions]
    if message.webhook_name is not None:
        joining = message.mentions
    join(state, thread, *joining)
    schedule_auto_archive(state, thread)


def join(state: State, thread: Thread, *users: User) -> None:
    """Add users to a thread. Existing members are skipped."""
    new = [user for user in users if user.id not in thread.members]
    new = [user for user in new if user.id in thread.home.members]
    if not new:
        return
    for user in new:
        thread.members[user.id] = state.now()
    if state.bot in new and thread.kind is ChannelKind.PRIVATE_THREAD:
        publish(state, "THREAD_CREATE", thread)  # until now the bot could not see the thread
    _members_changed(
        state, thread, added_members=[payloads.thread_member(thread, user.id) for user in new]
    )


def leave(state: State, thread: Thread, user: User) -> None:
    """Remove a user from a thread's members."""
    if thread.members.pop(user.id, None) is not None:
        _members_changed(state, thread, removed_member_ids=[str(user.id)])


def _members_changed(state: State, thread: Thread, **extra: Any) -> None:
    bot_id = str(state.bot.id)
    is_own = bot_id in extra.get("removed_member_ids", ()) or any(
        entry["user_id"] == bot_id for entry in extra.get("added_members", ())
    )
    data = {
        "id": str(thread.id),
        "guild_id": str(thread.home.id),
        "member_count": len(thread.members),
        **extra,
    }
    intent = Intent.GUILDS if is_own else Intent.GUILD_MEMBERS
    if thread.may(state.bot, Permission.VIEW_CHANNEL) or is_own:
        state.publish(Event("THREAD_MEMBERS_UPDATE", data, thread.home.id, intent))


def set_archived(state: State, thread: Thread, *, archived: bool) -> None:
    """Archive a thread or reopen it."""
    if thread.archived == archived:
        return
    thread.archived = archived
    thread.archived_at = state.now()
    schedule_auto_archive(state, thread)
    updated(state, thread)


def schedule_auto_archive(state: State, thread: Thread) -> None:
    """Archive a thread after its configured time without activity."""
    if thread.archived:
        state.cancel(thread)
        return
    due_s = state.now() + thread.archive_after_minutes * _MINUTE_S
    state.call_at(thread, due_s, lambda: set_archived(state, thread, archived=True))
