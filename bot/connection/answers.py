"""The answer to an interaction: a first response, then any number of follow-ups.

Discord accepts one first response per interaction, within 3 seconds. It is a message, an edit of
the pressed button's message, a form, or a deferral. The interaction's state decides whether
`InteractionAnswer` sends a text as that response or as a follow-up:

    state         how it is reached                   a text is sent as       a form is sent as
    ------------  ----------------------------------  ----------------------  -----------------
    open          the start                           the first response      the form itself
    thinking      `defer` on a command or its form:   a follow-up, which      a button that
                  Discord shows "thinking ..."        replaces "thinking"     opens it
    acknowledged  `defer` on a button, or any         a follow-up             a button that
                  first response                                              opens it
    taken over    another process deferred, but       like "thinking" for     a button that
                  the request was handled here        commands, otherwise     opens it
                                                      like "acknowledged"
    lost          another process responded in full   nothing: it is dropped  nothing

The follow-up that replaces "thinking" stays private. So before a public text, the "thinking"
message becomes a short private placeholder, which is deleted once the text is sent.
"""

import asyncio
from abc import ABC, abstractmethod
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Sequence
from contextlib import asynccontextmanager, suppress
from functools import partial
from typing import Any, TypeVar

import discord
import structlog

from bot.base.errors import PlayError, StoreError
from bot.base.ids import MessageId
from bot.base.languages import Reader, reader_for
from bot.connection.discord_messages import FollowUpSlots, arguments, button_ids, layout
from bot.connection.forms import FormCache
from bot.connection.permissions import is_direct, is_visiting
from bot.connection.posts import File, Post, as_read
from bot.connection.request_errors import ACKNOWLEDGED, CUT_OFF, DISCORD_ERRORS
from bot.connection.tasks import InFlightWork
from bot.connection.words import (
    REOPEN_ID,
    done,
    too_slow,
)

_log = structlog.get_logger()

_Response = TypeVar("_Response")
_Read = TypeVar("_Read")

_FORM_S = 1.3
"""Time in seconds after which a form opens with cached data.

It is less than the time until a deferral, after which Discord accepts no form.
"""

Interaction = discord.Interaction[Any]

Deletion = Callable[[], Coroutine[Any, Any, None]]
"""Deletes a message."""


class InteractionAnswer(ABC):
    """The answer to one interaction. Later messages are follow-ups.

    Subclasses add the parts that depend on the game: the reader, a refusal's text, and whether the
    request was handled.
    """

    work: InFlightWork
    slots: FollowUpSlots
    forms: FormCache

    def __init__(self, interaction: Interaction) -> None:
        self.interaction = interaction
        # The user's Discord locale, until their settings are loaded.
        self.reader = reader_for(str(interaction.locale.value))
        # One request at a time: an answer must not cross a deferral that is in flight.
        self._turn = asyncio.Lock()
        # Discord shows "thinking …", which the next message replaces.
        self._thinking = False
        # Number of follow-ups so far.
        self._follow_ups = 0
        # Another process deferred the response, and this one sends the text.
        self._taken_over = False
        self._began = asyncio.get_running_loop().time()
        self.is_ours = False
        """True if this process handled or answered the request."""

    @abstractmethod
    async def find_reader(self) -> Reader:
        """Return the reader for the user, with their settings."""

    @abstractmethod
    async def render(self, post: Post) -> Sequence[File]:
        """Return the pictures of a post, in order."""

    @abstractmethod
    def refusal(self, error: PlayError) -> str:
        """Return the text for a refusal."""

    @abstractmethod
    async def is_handled(self) -> bool:
        """Return True if any process has already handled this request."""

    @abstractmethod
    def leave_to_other(self) -> None:
        """Start the work that remains after another process has handled the request."""

    @abstractmethod
    async def send_pending(self) -> None:
        """Send the deliveries that waited for an interaction where the bot is a guest."""

    async def send_private(self, post: Post) -> MessageId | None:
        """Answer so that only the user sees it.

        Return the message, or None if its id is unknown.
        """
        return await self._answer(post, ephemeral=True)

    async def edit_private(self, message: MessageId, post: Post) -> None:
        """Replace a private answer with a new post. Discord allows this for 15 minutes."""
        post = as_read(self.reader, post)
        changes = _message_fields(post, await self.render(post))
        changes = {"content": None, "attachments": changes.pop("files"), **changes}
        async with self._serialized_responses():
            await self.interaction.followup.edit_message(message, **changes)

    async def send_public(self, post: Post) -> MessageId | None:
        """Answer publicly, or privately if Discord forbids that, such as in a locked thread.

        Return the public message, or None if its id is unknown.
        """
        return await self._answer(post, ephemeral=False)

    async def view(self, post: Post) -> Deletion:
        """Show a view to the user only. Return a function that can delete it for 15 minutes.

        It replaces the pressed button's message if only the user sees that message.
        """
        message = self.interaction.message
        if message is not None and message.flags.ephemeral:
            await self.edit_message(post)
            return self.interaction.delete_original_response
        return await self.add_view(post)

    async def add_view(self, post: Post) -> Deletion:
        """Show a view to the user only, below what they see already. Like `view` otherwise."""
        sent = await self.send_private(post)
        return partial(self.interaction.followup.delete_message, sent or 0)

    async def refuse(self, post: Post) -> None:
        """Show a refusal privately. It replaces an earlier refusal of the same form."""
        message = self.interaction.message
        ids = () if message is None else button_ids(message)
        replaces_refusal = any((custom_id or "").startswith(REOPEN_ID) for custom_id in ids)
        await (self.edit_message if replaces_refusal else self.send_private)(post)

    async def edit_message(self, post: Post) -> None:
        """Replace the pressed button's message with a new post."""
        message = self.interaction.message
        if message is not None and (message.flags.ephemeral or is_direct(self.interaction)):
            post = as_read(self.reader, post)
        rendered = await self.render(post)
        is_laid_out = message is not None and message.flags.components_v2  # edits keep it

        def changes() -> dict[str, Any]:
            fields = _message_fields(post, rendered, is_laid_out=is_laid_out)
            return {"content": None, "view": None, "attachments": fields.pop("files"), **fields}

        async with self._serialized_responses():
            if await self._respond(self.interaction.response.edit_message, changes) is None:
                await self.interaction.edit_original_response(**changes())
            self.is_ours = True
        self._open_slot()

    async def dismiss(self, *, public: bool = False) -> None:
        """Respond without text, and delete the pressed button's message if only the user sees it.

        With `public`, delete it even if others see it. A command gets no visible answer, except
        where the bot is a guest, because follow-ups require one there.
        """
        message = self.interaction.message
        if message is None and is_visiting(self.interaction):
            await self.send_private(done(self.reader))
            return
        async with self._serialized_responses():
            with suppress(
                *CUT_OFF
            ):  # the response may have arrived, in which case the deletion works
                await self._respond(self.interaction.response.defer, self._deferral)
            if message is None or public or message.flags.ephemeral:
                with suppress(discord.NotFound):  # the end of a game deletes its questions
                    await self.interaction.delete_original_response()
            self._thinking, self.is_ours = False, True
        self._open_slot()

    async def within_deadline(
        self, reading: Coroutine[Any, Any, _Read], cached: _Read | None
    ) -> _Read:
        """Return the data for a form, or the cached data if reading would miss Discord's deadline.

        Raises:
            PlayError: if reading raises it.
            StoreError: if the data can't be read and isn't cached.
        """
        if cached is None:
            return await reading
        task, until = asyncio.create_task(reading), self._began + _FORM_S
        timeout = max(until - asyncio.get_running_loop().time(), 0)
        if not (await asyncio.wait((task,), timeout=timeout))[0]:
            task.add_done_callback(lambda future: future.cancelled() or future.exception())
            return cached
        with suppress(StoreError):
            return task.result()
        return cached

    def prepare(self, form: discord.ui.Modal) -> str:
        """Cache a form for a button in this answer that opens it. Return its token."""
        form.stop()  # its id identifies it, so discord.py need not store it
        return self.forms.keep(self.interaction.user.id, form)

    def cached_form(self, custom_id: str) -> discord.ui.Modal | None:
        """Return the form that was last prepared or opened, or None if it isn't cached."""
        return self.forms.find(self.interaction.user.id, custom_id)

    async def form(self, form: discord.ui.Modal) -> None:
        """Open a form. If it is too late to open one, send a button that opens it."""
        mark = self.prepare(form)
        async with self._serialized_responses():
            if not self._is_acknowledged:
                await self.interaction.response.send_modal(form)
                self.is_ours = True
                return
        # The answer was deferred, and after that Discord accepts no form.
        await self.send_private(too_slow(self.reader, mark))

    async def defer(self) -> None:
        """Defer the response, unless there is one already."""
        async with self._serialized_responses():
            if not self._is_acknowledged:
                await self.interaction.response.defer(**self._deferral())
                self._thinking = self._has_no_message
        self._open_slot()

    async def _answer(self, post: Post, *, ephemeral: bool) -> MessageId | None:
        if ephemeral or is_direct(self.interaction):
            post = as_read(self.reader, post)
        rendered, message, is_forbidden = await self.render(post), None, False

        def fields() -> dict[str, Any]:
            return {"ephemeral": ephemeral, **_message_fields(post, rendered)}

        async with self._serialized_responses():
            try:
                message = await self._send(fields, ephemeral=ephemeral)
            except discord.Forbidden:
                if ephemeral:
                    raise
                is_forbidden = True
            self.is_ours = True
        if is_forbidden:
            await self._answer(post, ephemeral=True)
            return None
        self._open_slot(follow_up=None if ephemeral else message)
        return None if message is None else MessageId(message)

    async def _send(self, fields: Callable[[], dict[str, Any]], *, ephemeral: bool) -> int | None:
        """Send a message as the first response or a follow-up. Return its id, if it is known."""
        respond = self.interaction.response.send_message
        if (response := await self._respond(respond, fields)) is not None:
            return response.message_id
        is_placeholder, self._thinking = self._thinking and not ephemeral, False
        if is_placeholder:  # otherwise the follow-up would replace it, and be private
            await self.interaction.edit_original_response(**arguments(done(self.reader)))
        self._follow_ups += 1
        message = await self.interaction.followup.send(wait=True, **fields())
        if is_placeholder:
            with suppress(*DISCORD_ERRORS):
                await self.interaction.delete_original_response()
        return message.id

    async def _respond(
        self,
        respond: Callable[..., Awaitable[_Response | None]],
        fields: Callable[[], dict[str, Any]],
    ) -> _Response | None:
        """Send the first response.

        Return None if the text must be a follow-up.

        Raises:
            HTTPException: if Discord rejects it, or if another process responded first, unless that
                was only a deferral and the request was handled here.
        """
        if self._is_acknowledged:
            return None
        try:
            return await respond(**fields())
        except discord.HTTPException as error:
            if error.code != ACKNOWLEDGED or not await self._is_left_open():
                raise
        self._taken_over, self._thinking = True, self._has_no_message
        return None

    async def _is_left_open(self) -> bool:
        """Return True if the request was handled, and its only response so far is a deferral.

        This also prevents a second answer if Discord accepted the first one but the confirmation
        was lost.
        """
        if not await self.is_handled():
            return False  # the process that deferred will send the same text
        message = self.interaction.message
        try:
            first = await self.interaction.original_response()
        except discord.NotFound:
            return message is not None  # a newer board has replaced it
        return first.flags.loading or (message is not None and first.id == message.id)

    @property
    def _is_acknowledged(self) -> bool:
        return self._taken_over or self.interaction.response.is_done()

    def _deferral(self) -> dict[str, bool]:
        """Return the arguments for a deferral. It leaves a pressed button's message unchanged."""
        return {"ephemeral": True, "thinking": self._has_no_message}

    @property
    def _has_no_message(self) -> bool:
        """True for a command, and for a form that it opened."""
        return self.interaction.message is None

    def _open_slot(self, *, follow_up: int | None = None) -> None:
        """Let later messages be sent as follow-ups to this one where the bot is a guest."""
        if self._thinking or not is_visiting(self.interaction):
            return
        if self._is_acknowledged:
            self.slots.record_interaction(self.interaction, count=self._follow_ups)
        if follow_up is not None:
            self.slots.record_message(self.interaction, MessageId(follow_up))

    @asynccontextmanager
    async def _serialized_responses(self) -> AsyncIterator[None]:
        """Send responses one at a time. Log and drop those that Discord rejects."""
        async with self._turn:
            try:
                yield
            except DISCORD_ERRORS as error:
                # otherwise another process responded
                if getattr(error, "code", None) != ACKNOWLEDGED:
                    _log.warning("interaction response rejected", error=str(error))


def _message_fields(
    post: Post, pictures: Sequence[File], *, is_laid_out: bool = False
) -> dict[str, Any]:
    if is_laid_out or post.is_laid_out:
        return layout(post, pictures)
    result = arguments(post, *pictures)
    return result | {"files": [result.pop("file")] if "file" in result else []}
