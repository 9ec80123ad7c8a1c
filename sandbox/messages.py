"""Changes to messages: sending, edits, deletion, reactions and pins."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import partial

from sandbox import (
    access,
    channels,
    components,
    embeds,
    files,
    mentions,
    message_payloads,
    payloads,
)
from sandbox.drafts import Draft, require_something
from sandbox.errors import empty_message, invalid, unknown_emoji
from sandbox.events import MESSAGES, REACTIONS, Event, Intent, intent_for
from sandbox.kinds import MessageFlag, MessageKind
from sandbox.model import JSON, Channel, Message, Reference, Thread, User
from sandbox.permissions import Permission
from sandbox.snowflakes import isoformat
from sandbox.state import State

_CUSTOM_EMOJI = re.compile(r"\w{2,32}:\d+")


@dataclass(frozen=True, slots=True)
class Origin:
    """The origin of a message that was not simply typed.

    Attributes:
        id: For a forum post, its thread's id.
        interaction: Its ``interaction_metadata``.
        viewer: The only user who sees it.
        webhook_name: For a webhook's message, its display name.
    """

    id: int | None = None
    kind: MessageKind | None = None
    interaction: JSON | None = None
    viewer: User | None = None
    webhook_id: int | None = None
    webhook_name: str | None = None
    application_id: int | None = None
    reference: Reference | None = None
    flags: int = 0


_TYPED = Origin()


def send(state: State, channel: Channel, author: User, draft: Draft) -> Message:
    """Create and return an ordinary message, if the author may write there.

    If the author used the same nonce within the last few minutes, the earlier message is returned.

    Raises:
        ApiError: 50006, 50035 (a reply to a missing message), and the errors of
            :func:`access.require_send`.
    """
    access.require_send(channel, author, draft)
    if draft.enforce_nonce and draft.nonce is not None:
        earlier = state.remembered(author, draft.nonce)
        if earlier is not None:
            return earlier
    require_something(draft)
    replied = _replied(channel, draft)
    return create(state, channel, author, draft, replied=replied)


def create(
    state: State,
    channel: Channel,
    author: User,
    draft: Draft,
    *,
    replied: Message | None = None,
    origin: Origin = _TYPED,
) -> Message:
    """Create a message, and publish it to the bot and to waiting callers."""
    kind = origin.kind
    if kind is None:
        kind = MessageKind.DEFAULT if replied is None else MessageKind.REPLY
    reference = origin.reference
    if replied is not None:
        reference = reference_to(replied)
    message = Message(
        id=state.next_id() if origin.id is None else origin.id,
        channel=channel,
        author=author,
        content=(draft.content or "").strip() if kind in _WRITTEN else draft.content or "",
        created_at=state.now(),
        kind=kind,
        components=components.number(draft.components or []),
        flags=(draft.flags or 0) | origin.flags,
        stickers=draft.stickers,
        reference=reference,
        nonce=draft.nonce,
        tts=draft.tts,
        webhook_id=origin.webhook_id,
        webhook_name=origin.webhook_name,
        application_id=origin.application_id,
        interaction=origin.interaction,
        viewer=origin.viewer,
    )
    attached = files.attach(state, channel, draft, ephemeral=message.ephemeral)
    message.embeds, message.attachments = files.place_in_embeds(draft.embeds or [], attached)
    message.components = files.place_in_components(state, message.components, attached)
    _set_mentions(message, draft, replied)
    message.pinged = mentions.pinged(message)
    if message.viewer is not None:
        message.pinged &= {message.viewer.id}
        state.ephemeral[message.id] = message
    else:
        add(state, message)
    state.touch(message)
    state.messages_changed.fire(message)
    return message


_WRITTEN = frozenset({MessageKind.DEFAULT, MessageKind.REPLY})


def add(state: State, message: Message) -> None:
    """Add a message to its channel's history, and send the bot an event."""
    channel = message.channel
    if isinstance(channel, Thread):
        channels.note_message(state, channel, message)
    channel.history[message.id] = message
    channel.last_message_id = message.id
    state.remember(message)
    announce(state, message, new=True)


def reference_to(target: Message) -> Reference:
    """Return a reference to a message."""
    guild_id = target.guild.id if target.guild else None
    return Reference(target.channel.id, target.id, guild_id)


def _replied(channel: Channel, draft: Draft) -> Message | None:
    if draft.reply is None:
        return None
    original = channel.history.get(draft.reply.message_id)
    elsewhere = draft.reply.channel_id not in {None, channel.id}
    if original is None or elsewhere:
        if draft.reply.must_exist:
            raise invalid(("message_reference",), "REPLIES_UNKNOWN_MESSAGE", "Unknown message")
        return None
    if original.kind in _NOTICES:
        raise invalid(
            ("message_reference",),
            "REPLIES_CANNOT_REPLY_TO_SYSTEM_MESSAGE",
            "Cannot reply to a system message",
        )
    return original


_NOTICES = frozenset(
    {
        MessageKind.RECIPIENT_ADD,
        MessageKind.CHANNEL_NAME_CHANGE,
        MessageKind.CHANNEL_PINNED_MESSAGE,
        MessageKind.THREAD_CREATED,
        MessageKind.THREAD_STARTER_MESSAGE,
    }
)


def _set_mentions(message: Message, draft: Draft, replied: Message | None) -> None:
    mentioned = mentions.read_mentions(
        message.channel, message.author, message.content, draft.allowed, replied
    )
    message.mentions = mentioned.users
    message.mention_roles = mentioned.roles
    message.mention_everyone = mentioned.everyone


def edit(state: State, message: Message, draft: Draft) -> None:
    """Apply a draft's changes to a message.

    Raises:
        ApiError: 50006: nothing would be left to show.
    """
    content = message.content if draft.content is None else draft.content.strip()
    new_embeds = message.embeds if draft.embeds is None else draft.embeds
    items = message.components
    if draft.components is not None:
        items = components.number(draft.components)
    attachments = message.attachments
    if draft.keep is not None:
        attachments = [attachment for attachment in attachments if attachment.id in draft.keep]
    blank = all(embeds.blank(embed) for embed in new_embeds)
    if not (content or items or attachments or draft.files) and blank:
        raise empty_message()
    for attachment in attachments:
        if draft.keep is not None:
            attachment.description = draft.keep[attachment.id] or attachment.description
    added = files.attach(state, message.channel, draft, ephemeral=message.ephemeral)
    message.embeds, message.attachments = files.place_in_embeds(new_embeds, [*attachments, *added])
    message.content = content
    if draft.components is not None:
        items = files.place_in_components(state, items, message.attachments)
    message.components = items
    if draft.flags is not None:
        message.flags = (message.flags & ~_EDITABLE) | (draft.flags & _EDITABLE)
        message.flags |= draft.flags & MessageFlag.IS_COMPONENTS_V2
    if draft.content is not None:
        replied = None
        if message.reference is not None and draft.allowed.replied_user:
            replied = message.channel.history.get(message.reference.message_id or 0)
        _set_mentions(message, draft, replied)
    message.edited = state.now()
    changed(state, message)


_EDITABLE = int(MessageFlag.SUPPRESS_EMBEDS)


def changed(state: State, message: Message) -> None:
    """Announce a change to waiting callers and, unless the message is ephemeral, to the bot."""
    if message.viewer is None:
        announce(state, message, new=False)
    state.touch(message)
    state.messages_changed.fire(message)


def announce(state: State, message: Message, *, new: bool) -> None:
    """Dispatch the event for a created or changed message."""
    channel = message.channel
    if not bot_sees(state, channel):
        return
    event = partial(message_payloads.message_event, message, state.bot, fresh=new)
    differs = message.reference is not None or message_payloads.withheld(message, state.bot)
    state.publish(
        Event(
            "MESSAGE_CREATE" if new else "MESSAGE_UPDATE",
            event(),
            channel.guild.id if channel.guild else None,
            intent_for(channel, MESSAGES),
            event(content=False) if differs else None,
        )
    )


def bot_sees(state: State, channel: Channel) -> bool:
    """Return True if the bot can see a channel, and so receives its events."""
    return channel.may(state.bot, Permission.VIEW_CHANNEL)


def delete(state: State, channel: Channel, doomed: Iterable[Message]) -> None:
    """Delete one or more messages at once."""
    ids = []
    for message in doomed:
        message.deleted = True
        state.messages_changed.fire(message)
        state.touch(message)
        if message.viewer is not None:
            state.ephemeral.pop(message.id, None)
            continue
        channel.history.pop(message.id, None)
        if isinstance(channel, Thread):
            channel.message_count -= 1
        ids.append(message.id)
    if not ids or not bot_sees(state, channel):
        return
    data = _place(channel)
    if len(ids) == 1:
        _publish(state, "MESSAGE_DELETE", channel, {**data, "id": str(ids[0])}, MESSAGES)
    else:
        data["ids"] = [str(number) for number in ids]
        _publish(state, "MESSAGE_DELETE_BULK", channel, data, MESSAGES)


def check_emoji(name: str) -> None:
    """Check that a reaction is an emoji, as far as possible without a list of emoji.

    Raises:
        ApiError: 10014.
    """
    if name.isascii() and not _CUSTOM_EMOJI.fullmatch(name) and name not in "0123456789#*":
        raise unknown_emoji()


def react(state: State, message: Message, user: User, emoji: str) -> None:
    """Add a user's reaction. Repeating it changes nothing."""
    users = message.reactions.setdefault(emoji, [])
    if user.id in users:
        return
    users.append(user.id)
    state.touch(message)
    state.messages_changed.fire(message)
    data = _reaction(message, user, emoji)
    member = message.guild.members.get(user.id) if message.guild else None
    if member is not None:
        data["member"] = payloads.member(member)
    data["message_author_id"] = str(message.author.id)
    _publish(state, "MESSAGE_REACTION_ADD", message.channel, data, REACTIONS)


def unreact(state: State, message: Message, user: User, emoji: str) -> None:
    """Remove a user's reaction, if there is one."""
    users = message.reactions.get(emoji, [])
    if user.id not in users:
        return
    users.remove(user.id)
    state.touch(message)
    if not users:
        del message.reactions[emoji]
    state.messages_changed.fire(message)
    data = _reaction(message, user, emoji)
    _publish(state, "MESSAGE_REACTION_REMOVE", message.channel, data, REACTIONS)


def pin(state: State, message: Message, user: User) -> None:
    """Pin a message, and post a system message about it."""
    if message.pinned:
        return
    message.pinned = True
    message.channel.last_pin_at = state.now()
    _dispatch_pins_update(state, message)
    create(
        state,
        message.channel,
        user,
        Draft(),
        origin=Origin(kind=MessageKind.CHANNEL_PINNED_MESSAGE, reference=reference_to(message)),
    )


def unpin(state: State, message: Message) -> None:
    """Unpin a message."""
    if message.pinned:
        message.pinned = False
        _dispatch_pins_update(state, message)


def _dispatch_pins_update(state: State, message: Message) -> None:
    changed(state, message)
    channel = message.channel
    when = channel.last_pin_at
    data = _place(channel)
    data["last_pin_timestamp"] = None if when is None else isoformat(when)
    intents = (Intent.GUILDS, Intent.DIRECT_MESSAGES)
    _publish(state, "CHANNEL_PINS_UPDATE", channel, data, intents)


def typing(state: State, channel: Channel, user: User) -> None:
    data = {
        **_place(channel),
        "user_id": str(user.id),
        "timestamp": int(state.now()),
    }
    member = channel.guild.members.get(user.id) if channel.guild else None
    if member is not None:
        data["member"] = payloads.member(member)
    intents = (Intent.GUILD_MESSAGE_TYPING, Intent.DIRECT_MESSAGE_TYPING)
    _publish(state, "TYPING_START", channel, data, intents)


def _reaction(message: Message, user: User, emoji: str) -> JSON:
    return {
        **_place(message.channel),
        "user_id": str(user.id),
        "message_id": str(message.id),
        "emoji": message_payloads.emoji(emoji),
        "burst": False,
        "type": 0,
    }


def _place(channel: Channel) -> JSON:
    data: JSON = {"channel_id": str(channel.id)}
    if channel.guild is not None:
        data["guild_id"] = str(channel.guild.id)
    return data


def _publish(
    state: State, name: str, channel: Channel, data: JSON, intents: tuple[Intent, Intent]
) -> None:
    if bot_sees(state, channel):
        guild_id = channel.guild.id if channel.guild else None
        state.publish(Event(name, data, guild_id, intent_for(channel, intents)))
