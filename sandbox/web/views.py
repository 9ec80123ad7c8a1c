"""The page's data, as JSON: the world and its messages, as one person sees them."""

from collections.abc import Container, Mapping
from urllib.parse import urlsplit

from sandbox.answers import Answer
from sandbox.kinds import MessageFlag, MessageKind
from sandbox.model import (
    JSON,
    Attachment,
    Channel,
    Directory,
    Guild,
    Message,
    Reference,
    Thread,
    User,
)
from sandbox.permissions import Permission
from sandbox.state import State

_ENTERED = {MessageKind.CHAT_INPUT_COMMAND, MessageKind.CONTEXT_MENU_COMMAND}
ENGLISH = "en-US"
EXCERPT = 160
"""Maximum number of characters of a message that is quoted above a reply."""


def people(state: State) -> list[User]:
    """List the people that a visitor can be: members of servers, but neither bots nor owners.

    Every server has a separate owner, who only created it.
    """
    owners = {guild.owner.id for guild in state.guilds.values()}
    members = {user_id for guild in state.guilds.values() for user_id in guild.members}
    users = state.users.values()
    return [user for user in users if user.id in members - owners and not user.bot]


def locales(state: State, user: User) -> list[str]:
    """List the languages that a person's client may have: English, the commands', and its own."""
    dictionaries = (
        command.get("description_localizations") for command in state.application.commands.values()
    )
    languages = {user.locale}.union(*(names or () for names in dictionaries)) - {ENGLISH}
    return [ENGLISH, *sorted(languages)]


def sees(channel: Channel, user: User) -> bool:
    """Return True if a channel is on a person's screen."""
    return channel.may(user, Permission.VIEW_CHANNEL)


def world(state: State, user: User, *, online: bool, besides: Container[User] = ()) -> JSON:
    """Return everything except the messages: people, servers, channels and threads.

    Args:
        state: The sandbox's state.
        user: The user at the screen.
        online: True if the bot is online.
        besides: People that a visitor cannot be.
    """
    guilds = [guild for guild in state.guilds.values() if user.id in guild.members]
    direct = state.dms.get(user.id)
    return {
        "type": "world",
        "me": str(user.id),
        "people": [str(person.id) for person in people(state) if person not in besides],
        "bot": {"id": str(state.bot.id), "online": online},
        "users": {
            str(account.id): {"name": account.name, "bot": account.bot}
            for account in state.users.values()
        },
        "locale": user.locale,
        "locales": locales(state, user),
        "guilds": [_guild(guild, user) for guild in guilds],
        "direct": None if direct is None else _channel(direct),
    }


def _guild(guild: Guild, user: User) -> JSON:
    members = [member.user for member in guild.members.values() if member.user is not guild.owner]
    return {
        "id": str(guild.id),
        "name": guild.name,
        "members": [str(member.id) for member in members],
        "roles": {str(role.id): role.name for role in guild.roles.values() if role.id != guild.id},
        "channels": [
            _channel(channel) for channel in guild.channels.values() if sees(channel, user)
        ],
    }


def _channel(channel: Channel) -> JSON:
    answer: JSON = {
        "id": str(channel.id),
        "name": channel.name,
        "kind": int(channel.kind),
        "topic": channel.topic or "",
        "parent": None if channel.parent is None else str(channel.parent.id),
    }
    if isinstance(channel, Thread):
        answer |= {
            "thread": True,
            "archived": channel.archived,
            "locked": channel.locked,
            "count": channel.message_count,
        }
    return answer


def is_visible(message: Message, user: User) -> bool:
    """Return True if a message is on a person's screen."""
    return message.viewer in {None, user} and sees(message.channel, user)


def history(
    state: State, channel: Channel, user: User, before_id: int | None, limit: int
) -> tuple[list[Message], bool]:
    """Return the newest messages before a given one, oldest first, including ephemeral ones.

    Returns:
        The messages, and True if there are older ones.
    """
    private = [
        message
        for message in state.ephemeral.values()
        if message.viewer is user and message.channel is channel
    ]
    messages = sorted([*channel.history.values(), *private], key=lambda message: message.id)
    if before_id is not None:
        messages = [message for message in messages if message.id < before_id]
    return messages[-limit:], len(messages) > limit


def message(message: Message, stamp: int, commands: Mapping[str, str]) -> JSON:
    v2 = bool(message.flags & MessageFlag.IS_COMPONENTS_V2)
    answer: JSON = {
        "type": "message",
        "stamp": stamp,
        "id": str(message.id),
        "channel": str(message.channel.id),
        "kind": int(message.kind),
        "author": str(message.author.id),
        "name": message.webhook_name or message.author.name,
        "bot": message.author.bot,
        "content": message.content,
        "at": round(message.created_at * 1000),
        "edited": message.edited is not None,
        "ephemeral": message.ephemeral,
        "loading": message.loading,
        "mentions": [str(mention.id) for mention in message.mentions],
        "everyone": message.mention_everyone,
        # A message with Components V2 shows its files only in its components.
        "attachments": []
        if v2
        else [_attachment(attachment) for attachment in message.attachments],
        "embeds": message.embeds,
        "components": message.components,
        "reactions": {name: list(map(str, users)) for name, users in message.reactions.items()},
        "reply": None
        if message.reference is None
        else _reply(message.channel.directory, message.reference),
        "command": None,
    }
    if message.interaction is not None and message.kind in _ENTERED:
        answer["command"] = {
            "user": message.interaction["user"]["id"],
            "name": commands.get(message.interaction["id"]),
        }
    return answer


def _attachment(file: Attachment) -> JSON:
    return {
        "name": file.filename,
        # The page and the files are on the same server, even if the bot uses another address for
        # it.
        "url": urlsplit(file.url).path,
        "alt": file.description,
        "picture": file.width_px is not None,
        "width": file.width_px,
        "height": file.height_px,
        "size": len(file.data),
    }


def _reply(directory: Directory, pointer: Reference) -> JSON | None:
    if pointer.message_id is None:
        return None
    place = directory.channels.get(pointer.channel_id)
    target = place.history.get(pointer.message_id) if place else None
    answer: JSON = {"id": str(pointer.message_id), "author": None}
    if target is not None:
        text = target.content[:EXCERPT] or ("a picture" if target.attachments else "a message")
        answer |= {"author": str(target.author.id), "text": text}
    return answer


def outcome(answer: Answer, token: str | None) -> JSON:
    """Return the outcome of an interaction: the message that answered, or a form to fill in."""
    form = answer.modal
    return {
        "message": None if answer.message is None else str(answer.message.id),
        "ephemeral": answer.ephemeral,
        "deferred": answer.deferred,
        "form": None
        if form is None
        else {
            "token": token,
            "title": form.title,
            "components": form.modal.components,
        },
    }
