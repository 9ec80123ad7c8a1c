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
"""Maximum number of characters of a message above a reply to it."""


def people(state: State) -> list[User]:
    """List the people that a visitor can be: members of servers, but neither bots nor owners.

    Every server has a separate owner, who created it and then left it to the others.
    """
    owners = {guild.owner.id for guild in state.guilds.values()}
    members = {user_id for guild in state.guilds.values() for user_id in guild.members}
    known = state.users.values()
    return [user for user in known if user.id in members - owners and not user.bot]


def locales(state: State, user: User) -> list[str]:
    """List the languages that a person's client may have: English, the commands', and their own."""
    told = (
        command.get("description_localizations") for command in state.application.commands.values()
    )
    others = {user.locale}.union(*(names or () for names in told)) - {ENGLISH}
    return [ENGLISH, *sorted(others)]


def sees(channel: Channel, user: User) -> bool:
    """Return True if a channel is on a person's screen."""
    return channel.may(user, Permission.VIEW_CHANNEL)


def world(state: State, user: User, *, online: bool, besides: Container[User] = ()) -> JSON:
    """Return everything around the messages: people, servers, channels and threads.

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


def shown(message: Message, user: User) -> bool:
    """Return True if a message is on a person's screen."""
    return message.viewer in {None, user} and sees(message.channel, user)


def history(
    state: State, channel: Channel, user: User, before_id: int | None, most: int
) -> tuple[list[Message], bool]:
    """Return the newest messages before one, oldest first, own ephemeral ones among them.

    Returns:
        The messages, and whether there are older ones.
    """
    private = [
        message
        for message in state.ephemeral.values()
        if message.viewer is user and message.channel is channel
    ]
    found = sorted([*channel.history.values(), *private], key=lambda one: one.id)
    if before_id is not None:
        found = [message for message in found if message.id < before_id]
    return found[-most:], len(found) > most


def message(what: Message, stamp: int, commands: Mapping[str, str]) -> JSON:
    v2 = bool(what.flags & MessageFlag.IS_COMPONENTS_V2)
    answer: JSON = {
        "type": "message",
        "stamp": stamp,
        "id": str(what.id),
        "channel": str(what.channel.id),
        "kind": int(what.kind),
        "author": str(what.author.id),
        "name": what.webhook_name or what.author.name,
        "bot": what.author.bot,
        "content": what.content,
        "at": round(what.created_at * 1000),
        "edited": what.edited is not None,
        "ephemeral": what.ephemeral,
        "loading": what.loading,
        "mentions": [str(mention.id) for mention in what.mentions],
        "everyone": what.mention_everyone,
        # Laid out by newer components, it shows its files among them alone.
        "attachments": [] if v2 else [_attachment(attachment) for attachment in what.attachments],
        "embeds": what.embeds,
        "components": what.components,
        "reactions": {name: list(map(str, users)) for name, users in what.reactions.items()},
        "reply": None if what.reference is None else _reply(what.channel.directory, what.reference),
        "command": None,
    }
    if what.interaction is not None and what.kind in _ENTERED:
        answer["command"] = {
            "user": what.interaction["user"]["id"],
            "name": commands.get(what.interaction["id"]),
        }
    return answer


def _attachment(what: Attachment) -> JSON:
    return {
        "name": what.filename,
        # The page is served at the same place as the files, whatever the bot calls it.
        "url": urlsplit(what.url).path,
        "alt": what.description,
        "picture": what.width_px is not None,
        "width": what.width_px,
        "height": what.height_px,
        "size": len(what.data),
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
