"""Turns posts into discord.py messages, or into follow-ups where the bot is a guest."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager
from contextvars import ContextVar
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import IntEnum
from io import BytesIO
from itertools import count
from typing import Any, Final

import discord

from bot.base.ids import NO_GUILD, ChannelId, GuildId, MessageId, UserId
from bot.connection import posts
from bot.connection.bounded_cache import BoundedCache
from bot.connection.tasks import bound

_STYLES = {
    posts.ButtonStyle.PRIMARY: discord.ButtonStyle.primary,
    posts.ButtonStyle.SECONDARY: discord.ButtonStyle.secondary,
    posts.ButtonStyle.SUCCESS: discord.ButtonStyle.success,
    posts.ButtonStyle.DANGER: discord.ButtonStyle.danger,
}
_PICTURES = (".png", ".gif")


class MessageFormat(IntEnum):
    """Formats of a message, from the most complete to the simplest.

    If Discord refuses one, the next is tried.
    """

    WHOLE = 0
    WITHOUT_ALT_TEXT = 1
    AS_TEXT = 2
    """Alternative text instead of the picture."""
    WITHOUT_BUTTONS = 3


_format: ContextVar[MessageFormat] = ContextVar("format", default=MessageFormat.WHOLE)


def in_format(message_format: MessageFormat) -> AbstractContextManager[None]:
    """Send messages in the given format during the block."""
    return bound(_format, message_format)


def allowed_mentions(*user_ids: UserId) -> discord.AllowedMentions:
    """Allow pings of some users, or of none. Roles and @everyone are never pinged."""
    users = [discord.Object(user) for user in user_ids]
    return discord.AllowedMentions(
        everyone=False, roles=False, replied_user=False, users=users or False
    )


def arguments(post: posts.Post, picture: posts.File | None = None) -> dict[str, Any]:
    message_format = _format.get()
    result: dict[str, Any] = {
        "content": post.content,
        "allowed_mentions": allowed_mentions(*post.pings),
    }
    if (post.buttons or post.selects) and message_format < MessageFormat.WITHOUT_BUTTONS:
        result["view"] = _view(post)
    attachment = post.file or picture
    if attachment is None:
        return result
    if message_format >= MessageFormat.AS_TEXT:
        # The alternative text contains people's names, which must not format or mention anything.
        result["content"] = f"{post.content}\n{posts.escaped(attachment.alt_text or '')}"[
            : posts.CONTENT_LIMIT
        ].rstrip()
    else:
        alt_text = attachment.alt_text if message_format is MessageFormat.WHOLE else None
        result["file"] = discord.File(
            BytesIO(attachment.data), filename=attachment.filename, description=alt_text
        )
    return result


def _view(post: posts.Post) -> discord.ui.View:
    view = discord.ui.View(timeout=None)
    for select in post.selects:
        view.add_item(_select(select))
    for button in post.buttons:
        view.add_item(_button(button, row=button.row))
    # The custom ids identify what was pressed, so discord.py needn't store this view.
    view.stop()
    return view


def _select(select: posts.Select) -> discord.ui.Select[Any]:
    options = [
        discord.SelectOption(
            label=option.label,
            value=option.value,
            description=option.description,
            default=option.chosen,
        )
        for option in select.options
    ]
    return discord.ui.Select(
        custom_id=select.custom_id,
        placeholder=select.placeholder,
        options=options,
        min_values=select.least,
        max_values=select.most,
    )


def _button(button: posts.Button, row: int | None = None) -> discord.ui.Button[Any]:
    return discord.ui.Button(
        label=button.label,
        custom_id=button.custom_id,
        style=_STYLES[button.style],
        disabled=button.disabled,
        row=row,
    )


def layout(post: posts.Post, pictures: Sequence[posts.File] = ()) -> dict[str, Any]:
    """Return the keyword arguments of a private answer that uses Components V2.

    Such a message can have no content, and can't be edited to have any. Any post can be sent this
    way.
    """
    view: discord.ui.LayoutView = discord.ui.LayoutView(timeout=None)
    if post.content:
        view.add_item(discord.ui.TextDisplay(post.content))
    files = [
        discord.File(BytesIO(file.data), filename=file.filename, description=file.alt_text)
        for file in (*pictures, *([] if post.file is None else [post.file]))
    ]
    items = [
        discord.MediaGalleryItem(file, description=file.description)
        for file in files
        if file.filename.endswith(_PICTURES)
    ]
    for item in _galleries(post, items):
        view.add_item(item)
    for file in files:
        if not file.filename.endswith(_PICTURES):
            view.add_item(discord.ui.File(file))
    for section in post.sections:
        view.add_item(discord.ui.Section(section.text, accessory=_button(section.button)))
    if post.footnote:
        view.add_item(discord.ui.TextDisplay(post.footnote))
    for select in post.selects:
        view.add_item(discord.ui.ActionRow(_select(select)))
    for line in _lines(post.buttons):
        view.add_item(discord.ui.ActionRow(*map(_button, line)))
    view.stop()  # as above
    return {"view": view, "allowed_mentions": allowed_mentions(), "files": files}


def _galleries(
    post: posts.Post, pictures: Sequence[discord.MediaGalleryItem]
) -> Iterator[discord.ui.TextDisplay[Any] | discord.ui.MediaGallery[Any]]:
    """Yield the pictures, side by side or each below its caption."""
    if post.captions is not None:
        for caption, picture in zip(post.captions, pictures, strict=True):
            yield discord.ui.TextDisplay(caption)
            yield discord.ui.MediaGallery(picture)
    elif pictures:
        yield discord.ui.MediaGallery(*pictures)


def _lines(buttons: Sequence[posts.Button]) -> list[list[posts.Button]]:
    """Return the buttons row by row. A button without a row goes to the first one with room."""
    lines: dict[int, list[posts.Button]] = {}
    for button in buttons:
        free = next(n for n in count() if len(lines.get(n, ())) < posts.BUTTONS_IN_ROW)
        lines.setdefault(free if button.row is None else button.row, []).append(button)
    return [lines[number] for number in sorted(lines)]


def button_ids(message: discord.Message) -> set[str | None]:
    return {
        getattr(item, "custom_id", None)
        for line in message.components
        for item in getattr(line, "children", ())
    }


TOKEN_LIFETIME: Final = timedelta(minutes=14, seconds=30)
"""Maximum age of an interaction for follow-ups. Discord's limit is 15 minutes."""
MAX_FOLLOW_UPS: Final = 5
"""Maximum number of follow-ups per interaction."""
_EXPIRED_CODES: Final = frozenset({10015, 40094, 50027})
"""Discord's error codes for an interaction that has expired."""

_Use = discord.Interaction[Any]


class NoFollowUpError(ConnectionError):
    """A channel has no recent interaction that can have a follow-up."""

    def __init__(self) -> None:
        super().__init__("the bot is a guest, and the channel has no recent interaction")


@dataclass(slots=True)
class _Slot:
    """An answered interaction, which can have follow-ups."""

    token: str
    guild: GuildId
    """The interaction's server, or `NO_GUILD`."""
    webhook: discord.Webhook
    until: datetime
    answer_count: int = 0
    """Number of follow-ups that answered it."""
    message_count: int = 0
    """Number of other follow-ups."""


class FollowUp:
    """A message that was sent as a follow-up and can be edited through its interaction."""

    def __init__(self, message: MessageId, webhook: discord.Webhook) -> None:
        self._message = message
        self._webhook = webhook

    async def edit(self, **changes: Any) -> None:
        await self._webhook.edit_message(self._message, **changes)

    async def delete(self) -> None:
        await self._webhook.delete_message(self._message)


class FollowUpSlots:
    """The newest interaction in each place where the bot is a guest, and its messages.

    In such places Discord accepts only responses: five follow-ups per interaction, for 15 minutes.
    So all messages are sent as follow-ups to the newest interaction. It is kept only in memory.
    Once it has expired, the next interaction replaces it, and the waiting messages are sent
    (`Sender.resume_game`).
    """

    def __init__(self, *, sees: Callable[[GuildId], bool], now: Callable[[], datetime]) -> None:
        """Create the slots. `sees` returns True if the bot is in a server. `now` is a clock."""
        self._sees = sees
        self._now = now
        self._slots: BoundedCache[ChannelId, _Slot] = BoundedCache()
        self._sent: BoundedCache[MessageId, _Slot] = BoundedCache()

    def record_interaction(self, use: _Use, *, count: int) -> None:
        """Record an answered interaction and its number of follow-ups."""
        channel = ChannelId(use.channel_id or 0)
        slot = self._slots.get(channel)
        if slot is None or slot.token != use.token:
            slot = _slot(use)
            self._slots.put(channel, slot)
        slot.answer_count = count

    def record_message(self, use: _Use, message: MessageId) -> None:
        self._sent.put(message, _slot(use))

    def is_visited(self, channel: ChannelId) -> bool:
        """Return True if the last interaction in a channel showed that the bot is a guest there."""
        slot = self._slots.get(channel)
        return slot is not None and (slot.guild == NO_GUILD or not self._sees(slot.guild))

    def find(self, message: MessageId) -> FollowUp:
        """Return a message that can still be edited, or raise NoFollowUpError."""
        slot = self._sent.get(message)
        if slot is None or self._now() >= slot.until:
            raise NoFollowUpError
        return FollowUp(message, slot.webhook)

    async def send(
        self, channel: ChannelId, post: posts.Post, picture: posts.File | None = None
    ) -> MessageId:
        """Send a public follow-up to the newest interaction in a channel.

        Follow-ups have no nonce. If the connection breaks, one may arrive twice.

        Raises:
            NoFollowUpError: if there was no recent interaction, or other people would not see the
                message.
            One of `DISCORD_ERRORS`: if Discord rejects it.
        """
        slot = self._slots.get(channel)
        if (
            slot is None
            or slot.answer_count + slot.message_count >= MAX_FOLLOW_UPS
            or self._now() >= slot.until
        ):
            raise NoFollowUpError
        slot.message_count += 1
        try:
            message = await slot.webhook.send(
                wait=True, silent=post.silent, **arguments(post, picture)
            )
        except discord.HTTPException as error:
            if error.code not in _EXPIRED_CODES:
                raise
            slot.message_count = MAX_FOLLOW_UPS
            raise NoFollowUpError from error
        if message.flags.ephemeral:  # members may lack the permission Use External Apps
            slot.message_count = MAX_FOLLOW_UPS
            raise NoFollowUpError
        self._sent.put(MessageId(message.id), slot)
        return MessageId(message.id)


def _slot(use: _Use) -> _Slot:
    guild = GuildId(use.guild_id or NO_GUILD)
    return _Slot(use.token, guild, use.followup, use.created_at + TOKEN_LIFETIME)
