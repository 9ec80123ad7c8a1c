"""Converts messages to JSON in the shapes of Discord's API, as a given reader sees them."""

from sandbox import payloads
from sandbox.model import JSON, Attachment, Directory, Message, Reference, User
from sandbox.snowflakes import isoformat


def attachment(what: Attachment) -> JSON:
    answer: JSON = {
        "id": str(what.id),
        "filename": what.filename,
        "size": len(what.data),
        "url": what.url,
        "proxy_url": what.url,
    }
    optional = {
        "title": what.title,
        "description": what.description,
        "content_type": what.content_type,
        "width": what.width_px,
        "height": what.height_px,
    }
    answer |= {key: value for key, value in optional.items() if value is not None}
    if what.ephemeral:
        answer["ephemeral"] = True
    return answer


def author(what: Message) -> JSON:
    """Return a message's author. A webhook has no account."""
    if what.webhook_name is None:
        return payloads.user(what.author)
    return {**payloads.user(what.author), "id": str(what.webhook_id), "username": what.webhook_name}


def reference(what: Reference) -> JSON:
    """Return a message's reference to another message or thread."""
    answer: JSON = {"type": 0, "channel_id": str(what.channel_id)}
    if what.message_id is not None:
        answer["message_id"] = str(what.message_id)
    if what.guild_id is not None:
        answer["guild_id"] = str(what.guild_id)
    return answer


def emoji(name: str) -> JSON:
    """Return an emoji from its form in routes: a character, or ``name:id``."""
    text, _, number = name.partition(":")
    return {"id": number or None, "name": text}


def withheld(what: Message, bot: User) -> bool:
    """Return True if a bot without the Message Content intent does not get a message's content.

    It gets the content of its own messages, direct messages, and messages that mention it.
    """
    return not (what.author is bot or what.guild is None or bot in what.mentions)


def message(
    what: Message,
    bot: User,
    *,
    content: bool = True,
    fresh: bool = False,
    nested: bool = False,
) -> JSON:
    """Return a message object as the bot gets it.

    Args:
        what: The message.
        bot: The reader.
        content: True if the reader has the Message Content intent.
        fresh: True if it is being created. Only then, never in the history, does Discord send the
            nonce.
        nested: True to leave out a referenced message's own reference, which Discord does not nest.
    """
    hidden = not content and withheld(what, bot)
    answer: JSON = {
        "type": int(what.kind),
        "content": "" if hidden else what.content,
        "mentions": [payloads.user(mention) for mention in what.mentions],
        "mention_roles": [str(role_id) for role_id in what.mention_roles],
        "attachments": [] if hidden else [attachment(file) for file in what.attachments],
        "embeds": [] if hidden else what.embeds,
        "timestamp": isoformat(what.created_at),
        "edited_timestamp": payloads.moment(what.edited),
        "flags": what.flags,
        "components": [] if hidden else what.components,
        "id": str(what.id),
        "channel_id": str(what.channel.id),
        "author": author(what),
        "pinned": what.pinned,
        "mention_everyone": what.mention_everyone,
        "tts": what.tts,
    }
    if fresh and what.nonce is not None:
        answer["nonce"] = what.nonce
    _add_origins(answer, what)
    if what.stickers:
        answer["sticker_items"] = [] if hidden else what.stickers
    if what.reactions:
        answer["reactions"] = [_reaction(what, name, bot) for name in what.reactions]
    if what.reference is not None:
        answer["message_reference"] = reference(what.reference)
        if not nested and what.reference.message_id is not None:
            target = _target(what.channel.directory, what.reference)
            answer["referenced_message"] = (
                None if target is None else message(target, bot, content=content, nested=True)
            )
    own_thread = what.thread
    if own_thread is not None:
        answer["thread"] = payloads.thread(own_thread, bot)
    if what.position is not None:
        answer["position"] = what.position
    return answer


def _add_origins(answer: JSON, what: Message) -> None:
    if what.webhook_id is not None:
        answer["webhook_id"] = str(what.webhook_id)
    if what.application_id is not None:
        answer["application_id"] = str(what.application_id)
    if what.interaction is not None:
        answer["interaction_metadata"] = what.interaction


def _target(directory: Directory, pointer: Reference) -> Message | None:
    place = directory.channels.get(pointer.channel_id)
    return place.history.get(pointer.message_id or 0) if place else None


def _reaction(what: Message, name: str, bot: User) -> JSON:
    users = what.reactions[name]
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


def message_event(what: Message, bot: User, *, content: bool = True, fresh: bool = False) -> JSON:
    """Return a message as the gateway dispatches it, with its guild and members."""
    answer = message(what, bot, content=content, fresh=fresh)
    place = what.guild
    if place is None:
        return answer
    answer["guild_id"] = str(place.id)
    writer = place.members.get(what.author.id)
    if writer is not None and what.webhook_name is None:
        answer["member"] = payloads.bare_member(writer)
    for mentioned, one in zip(what.mentions, answer["mentions"], strict=True):
        known = place.members.get(mentioned.id)
        if known is not None:
            one["member"] = payloads.bare_member(known)
    return answer
