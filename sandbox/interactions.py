"""Interactions: payloads for a user's use of a command, a component or a modal."""

import asyncio
import secrets
from dataclasses import dataclass, field
from enum import IntEnum
from typing import Any

from sandbox import message_payloads, payloads
from sandbox.access import send_permission
from sandbox.drafts import MAX_FILE_BYTES
from sandbox.errors import (
    already_acknowledged,
    expired_token,
    too_many_follow_ups,
    unknown_interaction,
)
from sandbox.kinds import MessageKind
from sandbox.modals import Modal
from sandbox.model import JSON, Channel, Message, User
from sandbox.permissions import USER_INSTALLED, Permission
from sandbox.signals import Signal

FIRST_RESPONSE_S = 3.0
"""Seconds that Discord waits for the first response."""
TOKEN_LIFE_S = 15 * 60.0
MOST_FOLLOW_UPS = 5
"""Maximum number of follow-ups per interaction of an application installed only by a user."""

_BY_GUILD, _BY_USER = "0", "1"
_IN_GUILD, _WITH_BOT, _AMONG_PEOPLE = 0, 1, 2


class InteractionKind(IntEnum):
    """Discord's interaction types."""

    COMMAND = 2
    COMPONENT = 3
    AUTOCOMPLETE = 4
    MODAL_SUBMIT = 5


class CallbackKind(IntEnum):
    """Discord's types of first responses."""

    MESSAGE = 4
    DEFERRED_MESSAGE = 5
    DEFERRED_UPDATE = 6
    UPDATE = 7
    AUTOCOMPLETE = 8
    MODAL = 9


class InteractionFailed(Exception):  # noqa: N818 - the text that Discord's client shows
    """The application did not respond."""


@dataclass(frozen=True, slots=True)
class Response:
    """The first response to an interaction."""

    kind: CallbackKind
    message: Message | None = None
    modal: Modal | None = None
    choices: list[tuple[str, str | int | float]] = field(default_factory=list)


@dataclass(eq=False)
class Interaction:
    """One use of a command, component or modal, until its token expires.

    Attributes:
        data: The payload's ``data``.
        message: The message with the component.
        source: For a modal, the interaction that opened it.
        original: The message ``@original``, once a first response has a message.
        editable: The messages that the token can edit, by id.
        first: The first response, or InteractionFailed after three seconds.
        followed_up: Number of follow-ups.
        replies: Later messages of the bot, with edits and deletions, oldest first.
        replied: Signal that fires with each of these messages.
    """

    id: int
    kind: InteractionKind
    user: User
    channel: Channel
    created_at: float
    data: JSON
    message: Message | None = None
    source: "Interaction | None" = None
    token: str = field(default_factory=lambda: secrets.token_urlsafe(48))
    response: Response | None = None
    original: Message | None = None
    editable: dict[int, Message] = field(default_factory=dict)
    followed_up: int = 0
    first: "asyncio.Future[Response]" = field(
        default_factory=lambda: asyncio.get_running_loop().create_future()
    )
    replies: list[Message] = field(default_factory=list)
    replied: Signal[Message] = field(default_factory=Signal)

    def require_unanswered(self, now_s: float, *, within_s: float) -> None:
        """Check that a first response is in time, and that there was none before.

        Raises:
            ApiError: 40060 or 10062.
        """
        if self.response is not None:
            raise already_acknowledged()
        if now_s - self.created_at >= within_s:
            raise unknown_interaction()

    def require_alive(self, now_s: float) -> None:
        """Check that the token has not expired.

        Raises:
            ApiError: 50027.
        """
        if now_s - self.created_at >= TOKEN_LIFE_S:
            raise expired_token()

    def answer(self, response: Response) -> None:
        """Record the first response."""
        self.response = response
        if not self.first.done():
            self.first.set_result(response)

    def reply(self, message: Message) -> None:
        """Record a message that was sent or changed after the first response."""
        self.replies.append(message)
        self.replied.fire(message)

    def fail(self) -> None:
        """Fail the interaction, because three seconds have passed."""
        if not self.first.done():
            self.first.set_exception(InteractionFailed("The application did not respond"))

    def follow_up(self) -> None:
        """Count one more follow-up.

        Raises:
            ApiError: 40094.
        """
        if self.is_user_installed_only and self.followed_up >= MOST_FOLLOW_UPS:
            raise too_many_follow_ups()
        self.followed_up += 1

    @property
    def owners(self) -> JSON:
        """Owners of the installations that authorize the interaction, by type.

        Components and modals inherit the owners of the interaction that created them.
        """
        if self.source is not None:
            return self.source.owners
        if self.message is not None and self.message.interaction is not None:
            owners: JSON = self.message.interaction["authorizing_integration_owners"]
            return owners
        return installations(self.channel, self.user)

    @property
    def is_user_installed_only(self) -> bool:
        """True if only the user has installed the application, and not the guild."""
        return _BY_GUILD not in self.owners

    @property
    def is_hidden_from_others(self) -> bool:
        """True if the guild hides the application's responses from others.

        They are hidden if the application is user-installed, and the user lacks a permission.
        """
        needed = Permission.USE_EXTERNAL_APPS | send_permission(self.channel)
        may_show = self.channel.may(self.user, needed)
        return self.channel.guild is not None and self.is_user_installed_only and not may_show

    @property
    def metadata(self) -> JSON:
        """``interaction_metadata`` for messages that answer it."""
        answer: JSON = {
            "id": str(self.id),
            "type": int(self.kind),
            "user": payloads.user(self.user),
            "authorizing_integration_owners": self.owners,
        }
        if self.kind is InteractionKind.COMPONENT and self.message is not None:
            answer["interacted_message_id"] = str(self.message.id)
        if self.source is not None:
            answer["triggering_interaction_metadata"] = self.source.metadata
        return answer

    @property
    def response_message_kind(self) -> MessageKind:
        """The type of a message that answers it."""
        if self.message is not None:
            return MessageKind.REPLY
        if "target_id" in self.data:
            return MessageKind.CONTEXT_MENU_COMMAND
        return MessageKind.CHAT_INPUT_COMMAND


def installations(channel: Channel, user: User) -> JSON:
    """Return the installations through which a user has the application in a channel."""
    owners = {}
    if channel.recipient is not None:
        owners[_BY_GUILD] = "0"
    elif channel.guild is not None and channel.directory.bot.id in channel.guild.members:
        owners[_BY_GUILD] = str(channel.guild.id)
    if user.installed:
        owners[_BY_USER] = str(user.id)
    return owners


def by_guild(channel: Channel, user: User) -> bool:
    """Return True if a channel's guild has the application."""
    return _BY_GUILD in installations(channel, user)


def context(channel: Channel) -> int:
    """Return Discord's context type of a channel."""
    if channel.guild is not None:
        return _IN_GUILD
    return _AMONG_PEOPLE if channel.recipients else _WITH_BOT


def payload(interaction: Interaction, application_id: int, bot: User) -> JSON:
    channel, user = interaction.channel, interaction.user
    permissions = str(channel.permissions_of(user))
    bot_permissions = USER_INSTALLED if channel.recipients else channel.permissions_of(bot)
    answer: JSON = {
        "id": str(interaction.id),
        "application_id": str(application_id),
        "type": int(interaction.kind),
        "token": interaction.token,
        "version": 1,
        "data": interaction.data,
        "channel_id": str(channel.id),
        "channel": {**payloads.channel(channel, bot), "permissions": permissions},
        "app_permissions": str(bot_permissions),
        "locale": user.locale,
        "entitlements": [],
        "context": context(channel),
        "authorizing_integration_owners": interaction.owners,
        "attachment_size_limit": MAX_FILE_BYTES,
    }
    if channel.guild is None:
        answer["user"] = payloads.user(user)
    else:
        guild = channel.guild
        member = payloads.member(guild.members[user.id])
        answer |= {
            "member": {**member, "permissions": permissions},
            "guild_id": str(guild.id),
            "guild": {"id": str(guild.id), "locale": guild.locale, "features": []},
            "guild_locale": guild.locale,
        }
    if interaction.message is not None:
        answer["message"] = message_payloads.message(interaction.message, bot)
    return answer


def resolved_channel(channel: Channel, user: User, resolved: dict[str, Any]) -> None:
    """Add a channel to ``resolved``, with the user's permissions there."""
    entry = {**payloads.channel(channel), "permissions": str(channel.permissions_of(user))}
    resolved.setdefault("channels", {})[str(channel.id)] = entry


def resolved_user(channel: Channel, user: User, resolved: dict[str, Any]) -> None:
    """Add a user to ``resolved``, with the member if there is one."""
    resolved.setdefault("users", {})[str(user.id)] = payloads.user(user)
    member = channel.guild.members.get(user.id) if channel.guild else None
    if member is not None:
        entry = payloads.bare_member(member)
        for name in ("deaf", "mute"):
            del entry[name]
        entry["permissions"] = str(channel.permissions_of(user))
        resolved.setdefault("members", {})[str(user.id)] = entry
