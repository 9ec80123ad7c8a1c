"""Turns a post into what discord.py sends."""

from contextlib import AbstractContextManager
from contextvars import ContextVar
from enum import IntEnum
from io import BytesIO
from typing import Any

import discord

from bot.base.ids import UserId
from bot.connection.posts import CONTENT_LIMIT, ButtonStyle, Post
from bot.connection.unfinished_work import bound

_STYLES = {
    ButtonStyle.PRIMARY: discord.ButtonStyle.primary,
    ButtonStyle.SECONDARY: discord.ButtonStyle.secondary,
    ButtonStyle.SUCCESS: discord.ButtonStyle.success,
    ButtonStyle.DANGER: discord.ButtonStyle.danger,
}


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
    """Return the keyword arguments that a message and an interaction's answer have in common."""
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
        options = [
            discord.SelectOption(
                label=option.label,
                value=option.value,
                description=option.description,
                default=option.chosen,
            )
            for option in select.options
        ]
        view.add_item(
            discord.ui.Select(
                custom_id=select.custom_id,
                placeholder=select.placeholder,
                options=options,
                min_values=select.least,
                max_values=select.most,
            )
        )
    for button in post.buttons:
        view.add_item(
            discord.ui.Button(
                label=button.label,
                custom_id=button.custom_id,
                style=_STYLES[button.style],
                disabled=button.disabled,
                row=button.row,
            )
        )
    # What is pressed is read from the ids (see buttons/): discord.py need not remember this view.
    view.stop()
    return view


def button_ids(message: discord.Message) -> set[str | None]:
    """Return the ids of the buttons under a message."""
    return {
        getattr(item, "custom_id", None)
        for line in message.components
        for item in getattr(line, "children", ())
    }
