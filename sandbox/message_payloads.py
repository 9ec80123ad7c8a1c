"""Converts messages to the JSON of Discord's API, as a given reader sees them."""

from sandbox import payloads
from sandbox.model import JSON, Attachment, Directory, Message, Reference, User
from sandbox.snowflakes import isoformat


def attachment(file: Attachment) -> JSON:
    answer: JSON = {
        "id": str(file.id),
        "filename": file.filename,
        "size": len(file.data),
        "url": file.url,
        "proxy_url": file.url,
    }
    optional = {
        "title": file.title,
        "description": file.description,
        "content_type": file.content_type,
        "width": file.width_px,
        "height": file.height_px,
    }
    answer |= {key: value for key, value in optional.items() if value is not None}
    if file.ephemeral:
        answer["ephemeral"] = True
    return answer


def author(message: Message) -> JSON:
    """Return a message's author. If a webhook sent the message, the author has no account."""
    if message.webhook_name is None:
        return payloads.user(message.author)
    return {
        **payloads.user(message.author),
        "id": str(message.webhook_id),
        "username": message.webhook_name,
    }


def reference(target: Reference) -> JSON:
    """Return a message's reference to another message or thread."""
    answer: JSON = {"type": 0, "channel_id": str(target.channel_id)}
    if target.message_id is not None:
        answer["message_id"] = str(target.message_id)
    if target.guild_id is not None:
        answer["guild_id"] = str(target.guild_id)
    return answer


def emoji(name: str) -> JSON:
    """Return an emoji from its form in routes: a character, or ``name:id``."""
    text, _, number = name.partition(":")
    return {"id": number or None, "name": text}


def withheld(message: Message, bot: User) -> bool:
    """Return True if a bot without the Message Content intent does not get a message's content.

    It gets the content of its own messages, direct messages, and messages that mention it.
    """
    return not (message.author is bot or message.guild is None or bot in message.mentions)


def message(
    source: Message,
    bot: User,
    *,
    content: bool = True,
    fresh: bool = False,
    nested: bool = False,
) -> JSON:
    """Return a message object as the bot receives it.

    Args:
        source: The message.
        bot: The reader.
        content: True if the reader has the Message Content intent.
        fresh: True if it is being created. Only then, never in the history, does Discord send the
            nonce.
        nested: True to leave out a referenced message's own reference, which Discord does not nest.
    """
    hidden = not content and withheld(source, bot)
    answer: JSON = {
        "type": int(source.kind),
        "content": "" if hidden else source.content,
        "mentions": [payloads.user(mention) for mention in source.mentions],
        "mention_roles": [str(role_id) for role_id in source.mention_roles],
        "attachments": [] if hidden else [attachment(file) for file in source.attachments],
        "embeds": [] if hidden else source.embeds,
        "timestamp": isoformat(source.created_at),
        "edited_timestamp": payloads.moment(source.edited),
        "flags": source.flags,
        "components": [] if hidden else source.components,
        "id": str(source.id),
        "channel_id": str(source.channel.id),
        "author": author(source),
        "pinned": source.pinned,
        "mention_everyone": source.mention_everyone,
        "tts": source.tts,
    }
    if fresh and source.nonce is not None:
        answer["nonce"] = source.nonce
    _add_origins(answer, source)
    if source.stickers:
        answer["sticker_items"] = [] if hidden else source.stickers
    if source.reactions:
        answer["reactions"] = [_reaction(source, name, bot) for name in source.reactions]
    if source.reference is not None:
        answer["message_reference"] = reference(source.reference)
        if not nested and source.reference.message_id is not None:
            target = _target(source.channel.directory, source.reference)
            answer["referenced_message"] = (
                None if target is None else message(target, bot, content=content, nested=True)
            )
    own_thread = source.thread
    if own_thread is not None:
        answer["thread"] = payloads.thread(own_thread, bot)
    if source.position is not None:
        answer["position"] = source.position
    return answer


def _add_origins(answer: JSON, source: Message) -> None:
    if source.webhook_id is not None:
        answer["webhook_id"] = str(source.webhook_id)
    if source.application_id is not None:
        answer["application_id"] = str(source.application_id)
    if source.interaction is not None:
        answer["interaction_metadata"] = source.interaction


def _target(directory: Directory, pointer: Reference) -> Message | None:
    place = directory.channels.get(pointer.channel_id)
    return place.history.get(pointer.message_id or 0) if place else None


def _reaction(message: Message, name: str, bot: User) -> JSON:
    users = message.reactions[name]
    return {
        "emoji": emoji(name),
        "count": len(users),
        "count_details": {"burst": 0, "normal": len(users)},
        "burst_colors": [],
        "me_burst": False,
        "burst_me": False,
        "me": bot.id in users,
        "burst_count": 0,
    }


def message_event(source: Message, bot: User, *, content: bool = True, fresh: bool = False) -> JSON:
    """Return a message as the gateway dispatches it, with its guild and members."""
    answer = message(source, bot, content=content, fresh=fresh)
    place = source.guild
    if place is None:
        return answer
    answer["guild_id"] = str(place.id)
    writer = place.members.get(source.author.id)
    if writer is not None and source.webhook_name is None:
        answer["member"] = payloads.bare_member(writer)
    for mentioned, entry in zip(source.mentions, answer["mentions"], strict=True):
        member = place.members.get(mentioned.id)
        if member is not None:
            entry["member"] = payloads.bare_member(member)
    return answer
