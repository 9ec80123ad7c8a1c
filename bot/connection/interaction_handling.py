"""Handles an interaction and answers it within three seconds, even if something fails.

| After | What happens |
|---|---|
| 1.0 s | The answer no longer waits for the user's settings. |
| 1.3 s | A form opens with cached data. |
| 1.5 s | The answer is deferred: Discord shows "thinking ...". No form can open after that. |
| 2.2 s | If another process handled the interaction and did not answer, it is acknowledged here. |
| 3.0 s | Discord's own limit. |
"""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import TypeVar

import discord
import structlog

from bot.base.errors import AlreadyHandled, InputError, PlayError, StoreError
from bot.base.metrics import REFUSALS
from bot.connection.answers import InteractionAnswer
from bot.connection.permissions import is_visiting
from bot.connection.posts import Button, Post
from bot.connection.triggers import Trigger, handling_trigger
from bot.connection.words import cannot_write, something_went_wrong, try_again

_log = structlog.get_logger()

_Answer = TypeVar("_Answer", bound=InteractionAnswer)

PATIENCE_S = 1.5
"""Seconds until a deferral is sent instead of an answer. Discord's limit is 3 seconds."""

_READER_S = 1.0
"""Seconds to load the user's settings. After that, the answer uses their Discord locale."""

_HANDOVER_S = 2.2
"""Seconds after which a process that handled the request without responding counts as dead."""

_TRIGGERS = {
    discord.InteractionType.application_command: Trigger.COMMAND,
    discord.InteractionType.autocomplete: Trigger.COMMAND,
    discord.InteractionType.component: Trigger.BUTTON,
    discord.InteractionType.modal_submit: Trigger.FORM,
}


@asynccontextmanager
async def handling(answer: _Answer) -> AsyncIterator[_Answer]:
    """Handle an interaction. Refusals and failures become private answers."""
    interaction = answer.interaction
    ids = {
        "guild": interaction.guild_id,
        "channel": interaction.channel_id,
        "interaction": interaction.id,
    }
    with answer.work.track(), handling_trigger(_TRIGGERS[interaction.type], **ids):
        async with _answering(answer):
            yield answer


@asynccontextmanager
async def _answering(answer: InteractionAnswer) -> AsyncIterator[None]:
    began = asyncio.get_running_loop().time()
    deferral = asyncio.create_task(_defer_later(answer))
    try:
        reading = asyncio.create_task(_load_reader(answer))
        await asyncio.wait((reading,), timeout=_READER_S)
        yield
    except AlreadyHandled:
        deferral.cancel()
        await _leave_to_other_process(answer, began)
    except (PlayError, StoreError) as error:
        if not answer.is_ours and await answer.is_handled():
            deferral.cancel()
            await _leave_to_other_process(answer, began)
        else:
            REFUSALS.labels(type(error).__name__).inc()
            await answer.refuse(_refusal_post(answer, error))
    except Exception:
        _log.exception("interaction failed")
        await answer.send_private(Post(content=something_went_wrong(answer.reader)))
    finally:
        deferral.cancel()
    if is_visiting(answer.interaction):
        await answer.send_pending()


async def _load_reader(answer: InteractionAnswer) -> None:
    answer.reader = await answer.find_reader()


def _refusal_post(answer: InteractionAnswer, error: PlayError | StoreError) -> Post:
    """Return the post for a refusal. Its button opens the form again as it was filled in."""
    buttons: tuple[Button, ...] = ()
    if isinstance(error, InputError | StoreError):
        interaction = answer.interaction
        if (form := answer.forms.fill(interaction.user.id, interaction.data or {})) is not None:
            buttons = (try_again(answer.reader, form),)
    if isinstance(error, StoreError):  # the store has logged it
        return Post(content=cannot_write(answer.reader), buttons=buttons)
    return Post(content=answer.refusal(error), buttons=buttons)


async def _leave_to_other_process(answer: InteractionAnswer, began: float) -> None:
    """Let the other process answer the interaction. If that process died, acknowledge it here."""
    answer.leave_to_other()
    elapsed = asyncio.get_running_loop().time() - began
    await asyncio.sleep(max(_HANDOVER_S - elapsed, 0))
    await answer.defer()


async def _defer_later(answer: InteractionAnswer) -> None:
    await asyncio.sleep(PATIENCE_S)
    await answer.defer()
