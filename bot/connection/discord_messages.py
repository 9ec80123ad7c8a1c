"""Turns a post into what discord.py sends."""

from collections.abc import Sequence
from contextlib import AbstractContextManager
from contextvars import ContextVar
from enum import IntEnum
from io import BytesIO
from itertools import count
from typing import Any

import discord

from bot.base.ids import UserId
from bot.connection.posts import (
    BUTTONS_IN_ROW,
    CONTENT_LIMIT,
    Button,
    ButtonStyle,
    File,
    Post,
    Select,
)
from bot.connection.unfinished_work import bound

_STYLES = {
    ButtonStyle.PRIMARY: discord.ButtonStyle.primary,
    ButtonStyle.SECONDARY: discord.ButtonStyle.secondary,
    ButtonStyle.SUCCESS: discord.ButtonStyle.success,
    ButtonStyle.DANGER: discord.ButtonStyle.danger,
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


def arguments(post: Post, png: bytes | None = None) -> dict[str, Any]:
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
        result["content"] = f"{post.content}\n{shown.alt_text or ''}"[:CONTENT_LIMIT].rstrip()
    else:
        alt_text = shown.alt_text if form is Form.WHOLE else None
        result["file"] = discord.File(BytesIO(data), filename=shown.filename, description=alt_text)
    return result


def _view(post: Post) -> discord.ui.View:
    view = discord.ui.View(timeout=None)
    for select in post.selects:
        view.add_item(_select(select))
    for button in post.buttons:
        view.add_item(_button(button, row=button.row))
    # What is pressed is read from the ids (see buttons/): discord.py need not remember this view.
    view.stop()
    return view


def _select(select: Select) -> discord.ui.Select[Any]:
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


def _button(button: Button, row: int | None = None) -> discord.ui.Button[Any]:
    return discord.ui.Button(
        label=button.label,
        custom_id=button.custom_id,
        style=_STYLES[button.style],
        disabled=button.disabled,
        row=row,
    )


def layout(post: Post, pngs: Sequence[bytes] = ()) -> dict[str, Any]:
    """Return the keyword arguments of a private answer that is laid out by newer components.

    Discord lets no such message have words, or be edited to have some: any post can be laid out.
    """
    view: discord.ui.LayoutView = discord.ui.LayoutView(timeout=None)
    if post.content:
        view.add_item(discord.ui.TextDisplay(post.content))
    shown = [
        File(one.filename, png, one.alt_text) for one, png in zip(post.pictures, pngs, strict=True)
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


def _lines(buttons: Sequence[Button]) -> list[list[Button]]:
    """Return buttons line by line: where each says, else where there is room."""
    lines: dict[int, list[Button]] = {}
    for button in buttons:
        free = next(n for n in count() if len(lines.get(n, ())) < BUTTONS_IN_ROW)
        lines.setdefault(free if button.row is None else button.row, []).append(button)
    return [lines[number] for number in sorted(lines)]


def button_ids(message: discord.Message) -> set[str | None]:
    return {
        getattr(item, "custom_id", None)
        for line in message.components
        for item in getattr(line, "children", ())
    }
