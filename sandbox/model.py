"""The sandbox's objects (users, guilds, channels, messages), with simple properties.

Ids are integers here and become strings on the wire. Times are seconds since the Unix epoch. The
code that changes these objects and informs the bot is in modules named after what they change:
``guilds``, ``channels``, ``messages``.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from sandbox import permissions as perms
from sandbox.components import Component, Kind, interactive, words
from sandbox.kinds import ChannelKind, EventStatus, MessageFlag, MessageKind
from sandbox.signals import SOON_S, Signal

JSON = dict[str, Any]


@dataclass(eq=False, repr=False, slots=True)
class User:
    """An account of a person, the bot, or another bot."""

    id: int
    name: str
    bot: bool = False
    locale: str = "en-US"
    accepts_dms: bool = True
    installed: bool = False  # has installed the bot's application for themselves

    def __repr__(self) -> str:
        return f"<User {self.name} {self.id}>"

    @property
    def mention(self) -> str:
        """The text that mentions the user."""
        return f"<@{self.id}>"


@dataclass(eq=False, repr=False, slots=True)
class Role:
    """A role of a guild. The role @everyone has the guild's id."""

    id: int
    name: str
    permissions: int
    position: int = 0
    mentionable: bool = False
    bot_id: int | None = None  # the bot that this role was created for

    def __repr__(self) -> str:
        return f"<Role {self.name} {self.id}>"


@dataclass(eq=False, repr=False, slots=True)
class Member:
    """A user in a guild."""

    user: User
    joined_at: float
    roles: list[int] = field(default_factory=list)
    nick: str | None = None


@dataclass(frozen=True, slots=True)
class Overwrite:
    """The permissions that a channel allows and denies to one role or member."""

    target_id: int
    member: bool
    allow: int = 0
    deny: int = 0


@dataclass(eq=False, slots=True)
class ScheduledEvent:
    """An announced event that takes place outside of voice channels."""

    id: int
    creator_id: int
    name: str
    description: str | None
    location: str
    starts_at: str  # ISO 8601, as received
    ends_at: str
    status: EventStatus = EventStatus.SCHEDULED


@dataclass(eq=False, repr=False, slots=True)
class Guild:
    """A server with its roles, members and channels, including threads."""

    id: int
    name: str
    owner: User
    created_at: float
    locale: str = "en-US"
    roles: dict[int, Role] = field(default_factory=dict)
    members: dict[int, Member] = field(default_factory=dict)
    channels: dict[int, Channel] = field(default_factory=dict)
    events: dict[int, ScheduledEvent] = field(default_factory=dict)

    def __repr__(self) -> str:
        return f"<Guild {self.name} {self.id}>"

    def base_permissions(self, user: User) -> int:
        """Return the user's permissions in the guild, before any channel overwrites."""
        member = self.members.get(user.id)
        if member is None:
            return 0
        if user is self.owner:
            return perms.ALL
        ids = (self.id, *member.roles)
        return perms.base(self.roles[role_id].permissions for role_id in ids)


@dataclass(eq=False, repr=False, slots=True)
class Directory:
    """The objects that messages in a sandbox can refer to, shared by all channels.

    Attributes:
        messages_changed: Signal that fires when a message is sent, edited, reacted to, pinned or
            deleted, so that a single wait notices every possible outcome.
    """

    bot: User
    users: dict[int, User]
    channels: dict[int, Channel] = field(default_factory=dict)
    messages_changed: Signal[Message] = field(default_factory=Signal)


@dataclass(eq=False, repr=False)
class Channel:
    """A channel: in a guild, between the bot and its ``recipient``, or between people.

    In the last case, the ``recipients`` may have installed the application, but the bot is never a
    member.
    """

    directory: Directory
    id: int
    kind: ChannelKind
    name: str = ""
    guild: Guild | None = None
    parent: Channel | None = None
    recipient: User | None = None
    recipients: list[User] = field(default_factory=list)
    topic: str | None = None
    position: int = 0
    nsfw: bool = False
    slowmode_s: int = 0
    overwrites: dict[int, Overwrite] = field(default_factory=dict)
    # by id, which is also the order of time
    history: dict[int, Message] = field(default_factory=dict)
    last_message_id: int | None = None
    last_pin_at: float | None = None
    auto_archive_minutes: int | None = None  # default for threads that don't set it

    def __repr__(self) -> str:
        return f"<{type(self).__name__} #{self.name} {self.id}>"

    @property
    def mention(self) -> str:
        """The text that links to the channel."""
        return f"<#{self.id}>"

    @property
    def home(self) -> Guild:
        """The guild of a channel that must be in one.

        Raises:
            ValueError: if it is a direct message.
        """
        if self.guild is None:
            raise ValueError(f"{self!r} is not in a guild")
        return self.guild

    @property
    def messages(self) -> list[Message]:
        """All messages in the channel's history, oldest first."""
        return list(self.history.values())

    @property
    def threads(self) -> list[Thread]:
        """The channel's threads, oldest first."""
        if self.guild is None:
            return []
        places = self.guild.channels.values()
        return [place for place in places if isinstance(place, Thread) and place.parent is self]

    def permissions_of(self, user: User) -> int:
        """Return the user's permissions here, computed from roles and overwrites."""
        if self.recipients:
            return perms.DIRECT_MESSAGE if user in self.recipients else 0
        if self.guild is None:
            member = user is self.recipient or user is self.directory.bot
            return perms.DIRECT_MESSAGE if member else 0
        permissions = self.guild.base_permissions(user)
        if permissions & perms.Permission.ADMINISTRATOR:
            return perms.ALL
        if not permissions:
            return 0
        roles = self.guild.members[user.id].roles
        permissions = self._overwritten(permissions, user, roles)
        return perms.without_implied(permissions, thread=isinstance(self, Thread))

    def _overwritten(self, permissions: int, user: User, roles: list[int]) -> int:
        overwrites = (self.parent_channel if isinstance(self, Thread) else self).overwrites
        everyone = overwrites.get(self.home.id)
        if everyone is not None:
            permissions = perms.overwrite(permissions, everyone.allow, everyone.deny)
        allow = deny = 0
        for role_id in roles:
            rule = overwrites.get(role_id)
            if rule is not None:
                allow |= rule.allow
                deny |= rule.deny
        permissions = perms.overwrite(permissions, allow, deny)
        own_overwrite = overwrites.get(user.id)
        if own_overwrite is not None:
            permissions = perms.overwrite(permissions, own_overwrite.allow, own_overwrite.deny)
        return permissions

    def may(self, user: User, permission: int) -> bool:
        """Return True if the user has all the given permission bits here."""
        return self.permissions_of(user) & permission == permission

    async def wait_for(
        self,
        check: Callable[[Message], object] = lambda _: True,
        *,
        after: Message | int | None = None,
        timeout: float = SOON_S,  # noqa: ASYNC109 - the driver's public name
    ) -> Message:
        """Return the newest message that passes ``check``, or wait for the first that does.

        Edited messages are checked again.

        Args:
            check: Test for a message. Any truthy result counts.
            after: Only messages newer than this message or id are considered.
            timeout: Maximum time to wait, in seconds of real time.

        Raises:
            TimeoutError: if none passes in time. Its text lists the existing messages.
        """
        after_id = after.id if isinstance(after, Message) else after or 0

        def is_wanted(message: Message) -> object:
            return message.channel is self and message.id > after_id and check(message)

        for message in reversed(self.history.values()):
            if message.id <= after_id:
                break
            if check(message):
                return message
        match = await self.directory.messages_changed.wait(is_wanted, timeout)
        if match is None:
            lines = [f"  {message}" for message in self.history.values() if message.id > after_id]
            listing = "\n".join(lines) or "  nothing"
            raise TimeoutError(f"no such message in #{self.name}; seen:\n{listing}")
        return match


@dataclass(eq=False, repr=False, kw_only=True)
class Thread(Channel):
    """A thread in a channel. Its permissions come from the parent channel."""

    owner_id: int
    created_at: float
    archived_at: float  # when it was last archived or reopened
    archived: bool = False
    locked: bool = False
    invitable: bool = True
    archive_after_minutes: int = 4320
    members: dict[int, float] = field(default_factory=dict)  # user id -> time of joining
    message_count: int = 0
    total_message_sent: int = 0

    @property
    def parent_channel(self) -> Channel:
        """The thread's parent channel.

        Raises:
            ValueError: if there is none, which never happens for a started thread.
        """
        if self.parent is None:
            raise ValueError(f"{self!r} has no parent channel")
        return self.parent

    def permissions_of(self, user: User) -> int:
        """Return the user's permissions in the thread.

        They come from the parent channel, and are 0 in other people's private threads.
        """
        permissions = super().permissions_of(user)
        if (
            self.kind is ChannelKind.PRIVATE_THREAD
            and user.id not in self.members
            and not permissions & perms.Permission.MANAGE_THREADS
        ):
            return 0
        return permissions


@dataclass(eq=False, repr=False, slots=True)
class Attachment:
    """A file attached to a message."""

    id: int
    filename: str
    data: bytes
    url: str
    description: str | None = None
    content_type: str | None = None
    width_px: int | None = None
    height_px: int | None = None
    ephemeral: bool = False
    title: str | None = None

    def __repr__(self) -> str:
        return f"<Attachment {self.filename} {len(self.data)} bytes>"


@dataclass(frozen=True, slots=True)
class Reference:
    """The target of a message's reference: the message replied to, or a thread that was started."""

    channel_id: int
    message_id: int | None = None
    guild_id: int | None = None


@dataclass(eq=False, repr=False, slots=True)
class Message:
    """A message. Attributes that Discord does not publish are marked as such."""

    id: int
    channel: Channel
    author: User
    content: str
    created_at: float
    kind: MessageKind = MessageKind.DEFAULT
    attachments: list[Attachment] = field(default_factory=list)
    embeds: list[JSON] = field(default_factory=list)
    components: list[JSON] = field(default_factory=list)
    flags: int = 0
    stickers: list[JSON] = field(default_factory=list)
    mentions: list[User] = field(default_factory=list)
    mention_roles: list[int] = field(default_factory=list)
    mention_everyone: bool = False
    reference: Reference | None = None
    edited: float | None = None
    nonce: str | int | None = None
    tts: bool = False
    pinned: bool = False
    deleted: bool = False
    reactions: dict[str, list[int]] = field(default_factory=dict)  # emoji -> user ids
    webhook_name: str | None = None  # name shown for a webhook's message
    webhook_id: int | None = None
    application_id: int | None = None
    interaction: JSON | None = None  # interaction_metadata of a response
    viewer: User | None = None  # the only user who sees an ephemeral message
    pinged: frozenset[int] = frozenset()  # ids of the users it notified
    position: int | None = None  # its number in a thread

    def __repr__(self) -> str:
        return f"<Message {self.id} {self}>"

    def __str__(self) -> str:
        files = "".join(f" [{attachment.filename}]" for attachment in self.attachments)
        buttons = "".join(f" <{button.label}>" for button in self.buttons)
        return f"{self.author.name}: {self.content!r}{files}{buttons}"

    @property
    def guild(self) -> Guild | None:
        """The guild, or None in a direct message."""
        return self.channel.guild

    @property
    def text(self) -> str:
        """The message's content, or the text of its V2 components, line by line."""
        return self.content or words(self.components)

    @property
    def ephemeral(self) -> bool:
        """True if only one user sees the message."""
        return bool(self.flags & MessageFlag.EPHEMERAL)

    @property
    def loading(self) -> bool:
        """True while the message shows that the bot is thinking."""
        return bool(self.flags & MessageFlag.LOADING)

    @property
    def thread(self) -> Thread | None:
        """The thread that was started on the message, or None. It has the same id."""
        place = self.guild.channels.get(self.id) if self.guild else None
        return place if isinstance(place, Thread) else None

    @property
    def buttons(self) -> list[Component]:
        """The buttons on the message, in reading order."""
        return [Component(it) for it in interactive(self.components) if it["type"] == Kind.BUTTON]

    @property
    def selects(self) -> list[Component]:
        """The selects on the message, in reading order."""
        return [Component(it) for it in interactive(self.components) if it["type"] != Kind.BUTTON]
