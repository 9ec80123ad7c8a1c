"""The mentions in a message, and the users that it notifies."""

import re
from dataclasses import dataclass

from sandbox.kinds import MessageFlag
from sandbox.model import Channel, Message, Thread, User
from sandbox.permissions import Permission

_USER = re.compile(r"<@!?(\d+)>")
_ROLE = re.compile(r"<@&(\d+)>")
_EVERYONE = re.compile(r"@(?:everyone|here)\b")


@dataclass(frozen=True, slots=True)
class AllowedMentions:
    """The mentions in a text that count: by default, all of them and the author replied to."""

    users: bool = True
    roles: bool = True
    everyone: bool = True
    user_ids: frozenset[int] = frozenset()
    role_ids: frozenset[int] = frozenset()
    replied_user: bool = True


@dataclass(frozen=True, slots=True)
class Mentions:
    """The mentions in a text that remain after allowed mentions and permissions are applied."""

    users: list[User]
    roles: list[int]
    everyone: bool


def read_mentions(
    channel: Channel, author: User, text: str, allowed: AllowedMentions, replied: Message | None
) -> Mentions:
    """Return the mentions of a message that ``author`` is sending, or has edited."""
    users: dict[int, User] = {}
    if "<@" in text:
        for number in map(int, _USER.findall(text)):
            user = channel.directory.users.get(number)
            if user is not None and (allowed.users or number in allowed.user_ids):
                users[number] = user
    # A reply to an interaction response mentions nobody: discord-api-docs issue 5395.
    if replied is not None and allowed.replied_user and replied.interaction is None:
        users.setdefault(replied.author.id, replied.author)
    loud = channel.may(author, Permission.MENTION_EVERYONE)
    roles = _roles(channel, text, allowed, loud=loud)
    everyone = allowed.everyone and loud and _EVERYONE.search(text) is not None
    return Mentions(list(users.values()), roles, everyone)


def _roles(channel: Channel, text: str, allowed: AllowedMentions, *, loud: bool) -> list[int]:
    if channel.guild is None or "<@&" not in text:
        return []
    role_ids: dict[int, None] = {}
    for number in map(int, _ROLE.findall(text)):
        role = channel.guild.roles.get(number)
        if role is None or not (role.mentionable or loud):
            continue
        if allowed.roles or number in allowed.role_ids:
            role_ids[number] = None
    return list(role_ids)


def pinged(message: Message) -> frozenset[int]:
    """Return the mentioned users that a new message notifies: all who see it, except its author."""
    if message.flags & MessageFlag.SUPPRESS_NOTIFICATIONS:
        return frozenset()
    channel = message.channel
    users = {user.id for user in message.mentions}
    if channel.recipient is not None:
        # Every direct message notifies the other side.
        users = {channel.directory.bot.id, channel.recipient.id}
    elif channel.recipients:
        users = {user.id for user in channel.recipients}
    else:
        users &= channel.home.members.keys()
    if channel.guild is not None and (message.mention_roles or message.mention_everyone):
        for member in channel.home.members.values():
            mentioned = any(role_id in message.mention_roles for role_id in member.roles)
            if mentioned or (message.mention_everyone and _reads(channel, member.user)):
                users.add(member.user.id)
    users.discard(message.author.id)
    accounts = channel.directory.users
    return frozenset(user_id for user_id in users if _sees(channel, accounts[user_id]))


def _reads(channel: Channel, user: User) -> bool:
    return not isinstance(channel, Thread) or user.id in channel.members


def _sees(channel: Channel, user: User) -> bool:
    return channel.may(user, Permission.VIEW_CHANNEL)
