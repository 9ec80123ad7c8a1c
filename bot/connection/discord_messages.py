"""Posts as discord.py sends them: as messages, and as follow-ups where the bot is a guest."""

from collections.abc import Callable, Sequence
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
from bot.connection.unfinished_work import bound

_STYLES = {
    posts.ButtonStyle.PRIMARY: discord.ButtonStyle.primary,
    posts.ButtonStyle.SECONDARY: discord.ButtonStyle.secondary,
    posts.ButtonStyle.SUCCESS: discord.ButtonStyle.success,
    posts.ButtonStyle.DANGER: discord.ButtonStyle.danger,
}
_PICTURES = (".png", ".gif")


class Form(IntEnum):
    """Forms in which a message is sent: the simpler ones are for what Discord refuses."""

    WHOLE = 0
    WITHOUT_ALT_TEXT = 1
    AS_TEXT = 2
    """Step of degradation at which the words replace the picture."""
    WITHOUT_BUTTONS = 3


_form: ContextVar[Form] = ContextVar("form", default=Form.WHOLE)


def in_form(form: Form) -> AbstractContextManager[None]:
    """Send messages in a form."""
    return bound(_form, form)


def pinging(*whom: UserId) -> discord.AllowedMentions:
    """Allow some people to be notified, or nobody; never a role, never everyone."""
    users = [discord.Object(user) for user in whom]
    return discord.AllowedMentions(
        everyone=False, roles=False, replied_user=False, users=users or False
    )


def arguments(post: posts.Post, png: bytes | None = None) -> dict[str, Any]:
    form = _form.get()
    result: dict[str, Any] = {
        "content": post.content,
        "allowed_mentions": pinging(*post.pings),
    }
    if (post.buttons or post.selects) and form < Form.WITHOUT_BUTTONS:
        result["view"] = _view(post)
    shown = post.picture or post.file
    data = png if post.file is None else post.file.data
    if shown is None or data is None:
        return result
    if form >= Form.AS_TEXT:
        result["content"] = f"{post.content}\n{shown.alt_text or ''}"[
            : posts.CONTENT_LIMIT
        ].rstrip()
    else:
        alt_text = shown.alt_text if form is Form.WHOLE else None
        result["file"] = discord.File(BytesIO(data), filename=shown.filename, description=alt_text)
    return result


def _view(post: posts.Post) -> discord.ui.View:
    view = discord.ui.View(timeout=None)
    for select in post.selects:
        view.add_item(_select(select))
    for button in post.buttons:
        view.add_item(_button(button, row=button.row))
    # What is pressed is read from the ids (see buttons/): discord.py need not remember this view.
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


def layout(post: posts.Post, pngs: Sequence[bytes] = ()) -> dict[str, Any]:
    """Return the keyword arguments of a private answer that is laid out by newer components.

    Discord lets no such message have words, or be edited to have some: any post can be laid out.
    """
    view: discord.ui.LayoutView = discord.ui.LayoutView(timeout=None)
    if post.content:
        view.add_item(discord.ui.TextDisplay(post.content))
    shown = [
        posts.File(one.filename, png, one.alt_text)
        for one, png in zip(post.pictures, pngs, strict=True)
    ] + ([] if post.file is None else [post.file])
    files = [
        discord.File(BytesIO(one.data), filename=one.filename, description=one.alt_text)
        for one in shown
    ]
    pictures = [
        discord.MediaGalleryItem(file, description=file.description)
        for file in files
        if file.filename.endswith(_PICTURES)
    ]
    if pictures:
        view.add_item(discord.ui.MediaGallery(*pictures))
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
    return {"view": view, "allowed_mentions": pinging(), "files": files}


def _lines(buttons: Sequence[posts.Button]) -> list[list[posts.Button]]:
    """Return buttons line by line: where each says, else where there is room."""
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
    """The newest use in each place that the bot is not in, and what was said by the last ones.

    Discord takes nothing but answers there: to each use for a quarter of an hour, with five more
    messages. So the newest serves for all that is to be said. It is kept in memory only: once it
    is gone, the next use gives another, and what waited is told then (`Sender.take_up`).
    """

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
        """Return a message that can still be changed; raise NoFollowUpError if it cannot."""
        slot = self._said.get(message)
        if slot is None or self._now() >= slot.until:
            raise NoFollowUpError
        return Said(message, slot.webhook)

    async def say(
        self, channel: ChannelId, post: posts.Post, png: bytes | None = None
    ) -> MessageId:
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
