"""Converts a world's objects to JSON and back. References between objects become ids.

Objects that end with the process are left out: sessions, interactions with their tokens, ephemeral
messages. Fields without special treatment are stored unchanged, so new fields need no code here.
"""

from dataclasses import fields
from typing import Any

from sandbox.application import Application
from sandbox.kinds import ChannelKind, EventStatus, MessageKind
from sandbox.model import (
    JSON,
    Attachment,
    Channel,
    Guild,
    Member,
    Message,
    Overwrite,
    Reference,
    Role,
    ScheduledEvent,
    Thread,
    User,
)
from sandbox.state import NONCE_LIFE_S, State


def _plain(thing: Any, *without: str) -> JSON:
    names = (field.name for field in fields(thing))
    return {name: getattr(thing, name) for name in names if name not in without}


def world(state: State) -> JSON:
    """Return the objects that exist only once: the bot, its application, the last id."""
    application = state.application
    return {
        "last_id": state.snowflakes.last,
        "base_url": state.base_url,
        "bot": state.bot.id,
        "application": {
            **_plain(application),
            "owner": application.owner.id,
            "commands": list(application.commands.values()),
        },
    }


def read_world(state: State, row: JSON) -> None:
    """Replace a new world's bot and application with the stored ones. Users must exist."""
    about = row["application"]
    state.snowflakes.last = row["last_id"]
    state.base_url = row["base_url"]
    state.directory.bot = state.users[row["bot"]]
    state.application = Application(
        **about
        | {
            "owner": state.users[about["owner"]],
            "commands": _by_id(about["commands"]),
        }
    )


def _by_id(commands: list[JSON]) -> dict[int, JSON]:
    return {int(command["id"]): command for command in commands}


def user(source: User) -> JSON:
    return _plain(source)


def read_user(state: State, row: JSON) -> None:
    """Restore an account."""
    account = User(**row)
    state.users[account.id] = account


def guild(guild: Guild) -> JSON:
    """Return a guild with its roles and members, and the ids of its channels in their order."""
    return {
        **_plain(guild),
        "owner": guild.owner.id,
        "roles": [_plain(role) for role in guild.roles.values()],
        "members": [
            {**_plain(member), "user": member.user.id} for member in guild.members.values()
        ],
        "channels": list(guild.channels),
        "events": [_plain(event) for event in guild.events.values()],
    }


def read_guild(state: State, row: JSON) -> None:
    """Create a guild from its record. Its users and channels must exist."""
    result = Guild(
        **row
        | {
            "owner": state.users[row["owner"]],
            "roles": {role["id"]: Role(**role) for role in row["roles"]},
            "members": {
                member["user"]: Member(**member | {"user": state.users[member["user"]]})
                for member in row["members"]
            },
            "channels": {number: state.channels[number] for number in row["channels"]},
            "events": {event["id"]: _read_event(event) for event in row.get("events", ())},
        }
    )
    state.guilds[result.id] = result
    for channel in result.channels.values():
        channel.guild = result


def _read_event(row: JSON) -> ScheduledEvent:
    return ScheduledEvent(**row | {"status": EventStatus(row["status"])})


def channel(channel: Channel) -> JSON:
    """Return a channel, thread or direct message, without its history."""
    row = {
        **_plain(channel, "directory", "history", "guild"),
        "parent": None if channel.parent is None else channel.parent.id,
        "recipient": None if channel.recipient is None else channel.recipient.id,
        "recipients": [recipient.id for recipient in channel.recipients],
        "overwrites": [_plain(rule) for rule in channel.overwrites.values()],
    }
    if isinstance(channel, Thread):
        row["members"] = list(channel.members.items())
    return row


def read_channel(state: State, row: JSON) -> None:
    """Create a channel from its record, without guild and parent. Users must exist."""
    recipient = row["recipient"]
    values = row | {
        "kind": ChannelKind(row["kind"]),
        "parent": None,
        "recipient": None if recipient is None else state.users[recipient],
        "recipients": [state.users[number] for number in row.get("recipients", ())],
        "overwrites": {rule["target_id"]: Overwrite(**rule) for rule in row["overwrites"]},
    }
    result: Channel
    if "members" in row:
        result = Thread(directory=state.directory, **values | {"members": dict(row["members"])})
    else:
        result = Channel(directory=state.directory, **values)
    state.channels[result.id] = result
    if recipient is not None:
        state.dms[recipient] = result


def link_channel(state: State, row: JSON) -> None:
    """Set the parent of a channel. All channels must exist."""
    if row["parent"] is not None:
        state.channels[row["id"]].parent = state.channels[row["parent"]]


def attachment(attachment: Attachment) -> JSON:
    """Return the record of a file, with the length of its content instead of the content."""
    return {**_plain(attachment, "data"), "length": len(attachment.data)}


def read_attachment(state: State, row: JSON, data: bytes) -> None:
    """Restore an attachment for the CDN.

    Raises:
        ValueError: if the length of the content has changed.
    """
    values = {**row}
    if values.pop("length") != len(data):
        raise ValueError("its length has changed")
    result = Attachment(data=data, **values)
    state.attachments[result.id] = result


def message(message: Message) -> JSON:
    """Return a message that is in a channel's history."""
    return {
        **_plain(message, "viewer", "deleted"),
        "channel": message.channel.id,
        "author": message.author.id,
        "attachments": [file.id for file in message.attachments],
        "mentions": [mention.id for mention in message.mentions],
        "pinged": sorted(message.pinged),
        "reference": None if message.reference is None else _plain(message.reference),
    }


def read_message(state: State, row: JSON) -> None:
    """Create a message in its channel's history. All other objects must exist."""
    place = state.channels[row["channel"]]
    author = state.users.get(row["author"])
    if author is None and row["webhook_name"] is not None:
        author = User(row["author"], row["webhook_name"], bot=True)  # a webhook has no account
    reference = row["reference"]
    values = row | {
        "channel": place,
        "author": author or state.users[row["author"]],
        "kind": MessageKind(row["kind"]),
        "attachments": [state.attachments[number] for number in row["attachments"]],
        "mentions": [state.users[number] for number in row["mentions"]],
        "pinged": frozenset(row["pinged"]),
        "reference": None if reference is None else Reference(**reference),
    }
    result = Message(**values)
    place.history[result.id] = result
    until_s = result.created_at + NONCE_LIFE_S
    if result.nonce is not None and state.now() < until_s:
        state.nonces[result.author.id, str(result.nonce)] = (result, until_s)


def moved(node: Any, old: str, new: str) -> Any:
    """Return JSON with the prefix ``old`` of URLs replaced by ``new``.

    >>> moved({"url": "http://a:1/file", "name": "file"}, "http://a:1", "http://a:2")
    {'url': 'http://a:2/file', 'name': 'file'}
    """
    if isinstance(node, str):
        return new + node.removeprefix(old) if node.startswith(old) else node
    if isinstance(node, list):
        return [moved(item, old, new) for item in node]
    if isinstance(node, dict):
        return {key: moved(value, old, new) for key, value in node.items()}
    return node
