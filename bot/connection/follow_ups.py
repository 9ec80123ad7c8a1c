"""Answers in places that the bot is not in, to which people bring it.

Discord tells it nothing of such a place but what people use there, and takes nothing but answers:
to each use for a quarter of an hour, with five more messages. So the newest use of a place serves
for all that is to be said there, whoever has caused it. It is kept in memory only: once it is
gone, or the process, the next use gives another, and what waited is told then (`Sender.take_up`).
"""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final

import discord

from bot.base.ids import NO_GUILD, ChannelId, GuildId, MessageId
from bot.connection.discord_messages import arguments
from bot.connection.limits import BoundedCache
from bot.connection.posts import Post

LIFE: Final = timedelta(minutes=14, seconds=30)
"""Time in which a use can be answered; Discord says 15 minutes."""
MOST: Final = 5
"""Number of messages that may follow the answer to a use."""
_OVER: Final = frozenset({10015, 40094, 50027})
"""Discord's numbers for a use that cannot be answered any more."""

_Use = discord.Interaction[Any]


class NoFollowUpError(ConnectionError):
    """A place has no recent use by which something could be said there."""

    def __init__(self) -> None:
        super().__init__("nobody has used anything lately in a place that the bot is not in")


@dataclass(slots=True)
class _Slot:
    """A use of a command or button, which has been answered."""

    token: str
    guild: GuildId
    """The server that it was in, if it was in one."""
    webhook: discord.Webhook
    until: datetime
    answered: int = 0
    """Number of messages that have followed in answer to it."""
    told: int = 0
    """Number of other messages."""


class Said:
    """A message that answered a use, to be changed by that."""

    def __init__(self, message: MessageId, webhook: discord.Webhook) -> None:
        self._message = message
        self._webhook = webhook

    async def edit(self, **changes: Any) -> None:
        await self._webhook.edit_message(self._message, **changes)

    async def delete(self) -> None:
        await self._webhook.delete_message(self._message)


class FollowUpSlots:
    """The newest use in each such place, and what was said by the last ones."""

    def __init__(self, *, sees: Callable[[GuildId], bool], now: Callable[[], datetime]) -> None:
        """Know which servers the bot is in, as far as it sees them, and what time it is."""
        self._sees = sees
        self._now = now
        self._slots: BoundedCache[ChannelId, _Slot] = BoundedCache()
        self._said: BoundedCache[MessageId, _Slot] = BoundedCache()

    def hear(self, use: _Use, *, answered: int) -> None:
        """Note that a use has been answered, with a number of messages that followed."""
        channel = ChannelId(use.channel_id or 0)
        slot = self._slots.get(channel)
        if slot is None or slot.token != use.token:
            slot = _slot(use)
            self._slots.learn(channel, slot)
        slot.answered = answered

    def has_said(self, use: _Use, message: MessageId) -> None:
        self._said.learn(message, _slot(use))

    def is_visited(self, channel: ChannelId) -> bool:
        """Return whether the bot is known not to be in a place, not even by now."""
        slot = self._slots.get(channel)
        return slot is not None and (slot.guild == NO_GUILD or not self._sees(slot.guild))

    def said(self, message: MessageId) -> Said:
        """Return a message that can still be changed.

        Raises:
            NoFollowUpError: if it cannot.
        """
        slot = self._said.get(message)
        if slot is None or self._now() >= slot.until:
            raise NoFollowUpError
        return Said(message, slot.webhook)

    async def say(self, channel: ChannelId, post: Post, png: bytes | None = None) -> MessageId:
        """Say something for all to see, by what was used last.

        Discord knows no such message again: where the connection breaks it may come twice.

        Raises:
            NoFollowUpError: if nothing was used lately, or others would not see it.
            One of `TROUBLE`: if Discord does not take it.
        """
        slot = self._slots.get(channel)
        if slot is None or slot.answered + slot.told >= MOST or self._now() >= slot.until:
            raise NoFollowUpError
        slot.told += 1
        try:
            message = await slot.webhook.send(wait=True, silent=post.silent, **arguments(post, png))
        except discord.HTTPException as error:
            if error.code not in _OVER:
                raise
            slot.told = MOST
            raise NoFollowUpError from error
        if message.flags.ephemeral:  # as where members may show nobody what they bring along
            slot.told = MOST
            raise NoFollowUpError
        self._said.learn(MessageId(message.id), slot)
        return MessageId(message.id)


def _slot(use: _Use) -> _Slot:
    guild = GuildId(use.guild_id or NO_GUILD)
    return _Slot(use.token, guild, use.followup, use.created_at + LIFE)
