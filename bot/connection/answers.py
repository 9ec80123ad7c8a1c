"""Answering an interaction: within three seconds, always, whatever went wrong."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from datetime import timedelta
from typing import Any, TypeVar

import discord
import structlog

from bot.base.errors import AlreadyDone, PlayError, StoreError
from bot.base.ids import NO_GUILD, ChannelId, GuildId, MessageId, SourceId, UserId
from bot.base.locales import Reader
from bot.base.metrics import REFUSALS
from bot.connection.people import at_first
from bot.connection.permissions import is_visiting
from bot.connection.posts import Post
from bot.connection.requests import TROUBLE
from bot.connection.sending import arguments
from bot.connection.work import Door, visit
from bot.play.doors.services import Interaction
from bot.play.use_cases.update import Update
from bot.play.words.asides import done
from bot.play.words.troubles import cannot_write, not_posted, something_went_wrong, too_slow
from bot.play.words.visiting import not_shown

_log = structlog.get_logger()

_Response = TypeVar("_Response")

PATIENCE_S = 1.5
"""How long an answer may take before Discord is told to wait. Its own limit is 3 seconds."""

_FIRST_THE_BOARD_S = 1.0

_THE_OTHER_FIRST_S = 2.2
"""After so long, whoever has done something has said so, or has asked for patience."""

_ACKNOWLEDGED = 40060
"""Discord's number for an interaction that has had its first response."""

_WORTH_TELLING = timedelta(days=90)
"""So long after its end a game is told of that had nobody to tell."""

_DOORS = {
    discord.InteractionType.application_command: Door.COMMAND,
    discord.InteractionType.autocomplete: Door.COMMAND,
    discord.InteractionType.component: Door.BUTTON,
    discord.InteractionType.modal_submit: Door.FORM,
}


class Answer:
    """The answer to one interaction, given once; later words follow up."""

    def __init__(self, interaction: Interaction) -> None:
        self.interaction = interaction
        self.reader = at_first(interaction)
        # An answer must not cross a deferral that is on its way.
        self._turn = asyncio.Lock()
        # The asker alone sees "thinking ...", and so whatever takes its place.
        self._thinking = False
        self._followed = 0
        # Another process has asked for patience, and the words are this one's.
        self._taken_over = False
        self.is_ours = False
        """Whether this process has done what was asked, or has answered: no other one has."""

    async def everybody(self, begun_by: UserId | None = None) -> Reader:
        """All who read where the question was asked.

        Args:
            begun_by: Who has begun what is told there, if it is not who asks.
        """
        asked, user = self.interaction, UserId(self.interaction.user.id)
        return await asked.client.desk.readers.everybody(
            GuildId(asked.guild_id or NO_GUILD),
            ChannelId(asked.channel_id or 0),
            alone=None if is_visiting(asked) else user,
            begun_by=begun_by or user,
        )

    async def privately(self, post: Post) -> None:
        """Answer the one who asked, so that nobody else sees it."""
        await self._say(post, ephemeral=True)

    async def publicly(self, post: Post) -> MessageId | None:
        """Answer for everybody to see; the message, if Discord names it."""
        return await self._say(post, ephemeral=False)

    async def view(self, post: Post) -> None:
        """Show what somebody looks at: in place of what only they see, else as a new message."""
        message = self.interaction.message
        if message is not None and message.flags.ephemeral:
            await self.in_place(post)
        else:
            await self.privately(post)

    async def in_place(self, post: Post) -> None:
        """Put a new post in place of the message whose button was pressed."""
        rendered = await self._render(post)

        def changes() -> dict[str, Any]:
            what = arguments(post, rendered)
            file = what.pop("file", None)
            return {"view": None, "attachments": [] if file is None else [file], **what}

        async with self._speaking():
            if await self._respond(self.interaction.response.edit_message, changes) is None:
                await self.interaction.edit_original_response(**changes())
            self.is_ours = True
        self._give_floor()

    async def publish(self, update: Update, word: Awaitable[object]) -> None:
        """Send what an update brings, then give the asker a word; if the sending fails, say so.

        Args:
            update: What came of it.
            word: The answer, not yet begun. It waits for the board, but not long.
        """
        self.is_ours = True
        publisher = self.interaction.client.desk.publisher
        if update.game.row.visiting:
            await self._publish_after(update, word)
            return
        sending = asyncio.ensure_future(publisher.publish(update))
        await asyncio.wait((sending,), timeout=_FIRST_THE_BOARD_S)
        await word
        if not await sending:
            missing = publisher.channels.missing(update.game.row.channel)
            await self.privately(Post(content=not_posted(self.reader, missing)))

    async def _publish_after(self, update: Update, word: Awaitable[object]) -> None:
        """The same where the bot is not: what follows an answer is all that it can say there."""
        try:
            await word
        finally:
            shown = await self.interaction.client.desk.publisher.publish(update)
        if not shown:
            await self.privately(Post(content=not_shown(self.reader)))

    async def form(self, form: discord.ui.Modal) -> None:
        """Open a form."""
        form.stop()  # what it brings is read from its id: discord.py need not remember it
        async with self._speaking():
            if not self._is_acknowledged:
                await self.interaction.response.send_modal(form)
                self.is_ours = True
                return
        # Patience has been asked for, and after that Discord takes no form.
        await self.privately(Post(content=too_slow(self.reader)))

    async def defer(self) -> None:
        """Ask for patience, unless the answer has been given."""
        async with self._speaking():
            if not self._is_acknowledged:
                # For a button: the message stays as it is. For a command: "thinking ...".
                await self.interaction.response.defer(ephemeral=True)
                self._thinking = self._is_command
        self._give_floor()

    async def _render(self, post: Post) -> bytes | None:
        return await self.interaction.client.desk.publisher.render(post)

    async def _say(self, post: Post, *, ephemeral: bool) -> MessageId | None:
        rendered, message = await self._render(post), None

        def words() -> dict[str, Any]:
            return {"ephemeral": ephemeral, **arguments(post, rendered)}

        async with self._speaking():
            respond = self.interaction.response.send_message
            if (response := await self._respond(respond, words)) is not None:
                message = response.message_id
            else:
                if self._thinking and not ephemeral:
                    await self.interaction.edit_original_response(**arguments(done(self.reader)))
                self._thinking = False
                self._followed += 1
                message = (await self.interaction.followup.send(wait=True, **words())).id
            self.is_ours = True
        self._give_floor(said=None if ephemeral else message)
        return None if message is None else MessageId(message)

    async def _respond(
        self,
        respond: Callable[..., Awaitable[_Response | None]],
        words: Callable[[], dict[str, Any]],
    ) -> _Response | None:
        """Give the first response; None where the words have to follow one.

        Raises:
            HTTPException: if Discord does not take it; also where another process was first, unless
                that has only asked for patience for what was done here.
        """
        if self._is_acknowledged:
            return None
        try:
            return await respond(**words())
        except discord.HTTPException as error:
            if error.code != _ACKNOWLEDGED or not await self._is_left_open():
                raise
        self._taken_over, self._thinking = True, self._is_command
        return None

    async def _is_left_open(self) -> bool:
        """Whether what was done here has had no answer yet, but that one has to wait for it.

        Which also keeps an answer from being said twice that Discord took, and did not say so.
        """
        if not await _was_done(self.interaction):
            return False  # whoever has asked for patience is going to say the same
        pressed = self.interaction.message
        try:
            first = await self.interaction.original_response()
        except discord.NotFound:
            return pressed is not None  # a newer board has taken its place
        return first.flags.loading or (pressed is not None and first.id == pressed.id)

    @property
    def _is_acknowledged(self) -> bool:
        return self._taken_over or self.interaction.response.is_done()

    @property
    def _is_command(self) -> bool:
        return self.interaction.type is discord.InteractionType.application_command

    def _give_floor(self, *, said: int | None = None) -> None:
        """Where the bot is not, let what follows this answer be said by it, too."""
        if self._thinking or not is_visiting(self.interaction):
            return
        floors = self.interaction.client.desk.publisher.channels.floors
        if self._is_acknowledged:
            floors.hear(self.interaction, answered=self._followed)
        if said is not None:
            floors.has_said(self.interaction, MessageId(said))

    @asynccontextmanager
    async def _speaking(self) -> AsyncIterator[None]:
        """One word after the other. What Discord does not take is let go: what was done stays."""
        async with self._turn:
            try:
                yield
            except TROUBLE as error:
                _log.warning("an answer was not taken", error=str(error))


@asynccontextmanager
async def answering(interaction: Interaction) -> AsyncIterator[Answer]:
    """Carry out what an interaction asks for; refusals and faults become private words."""
    ids = {
        "guild": interaction.guild_id,
        "channel": interaction.channel_id,
        "interaction": interaction.id,
    }
    with interaction.client.desk.work.piece(), visit(_DOORS[interaction.type], **ids):
        async with _answering(interaction) as answer:
            yield answer


@asynccontextmanager
async def _answering(interaction: Interaction) -> AsyncIterator[Answer]:
    answer = Answer(interaction)
    began = asyncio.get_running_loop().time()
    patience = asyncio.create_task(_ask_for_patience(answer))
    try:
        answer.reader = await interaction.client.desk.readers.asker(interaction)
        yield answer
    except AlreadyDone:
        patience.cancel()
        await _leave_to_the_other(answer, began)
    except (PlayError, StoreError) as error:
        if not answer.is_ours and await _was_done(interaction):
            patience.cancel()
            await _leave_to_the_other(answer, began)
        else:
            REFUSALS.labels(type(error).__name__).inc()
            await answer.privately(Post(content=_refusal(answer, error)))
    except Exception:
        _log.exception("an interaction failed")
        await answer.privately(Post(content=something_went_wrong(answer.reader)))
    finally:
        patience.cancel()
    if is_visiting(interaction):
        await _tell_what_waited(interaction)


async def _tell_what_waited(interaction: Interaction) -> None:
    """Where the bot is not, say by this answer what it could not say before, as of a time-out."""
    desk, channel = interaction.client.desk, ChannelId(interaction.channel_id or 0)
    with suppress(StoreError):
        since = interaction.created_at - _WORTH_TELLING
        game = await desk.whereabouts.newest_in(channel, since=since)
        if game is not None and game.visiting:
            await desk.publisher.sender.take_up(game.id, game.revision)


def _refusal(answer: Answer, error: PlayError | StoreError) -> str:
    if isinstance(error, StoreError):  # the store has told the host of it
        return cannot_write(answer.reader)
    return answer.interaction.client.desk.refusal(answer.reader, error)


async def _was_done(interaction: Interaction) -> bool:
    """Whether what is asked for has just been done, by whichever process."""
    try:
        return await interaction.client.desk.whereabouts.was_done(SourceId(interaction.id))
    except StoreError:
        return False


async def _leave_to_the_other(answer: Answer, began: float) -> None:
    """Let the process that has done it answer; if it died over that, at least acknowledge it."""
    if answer.interaction.channel_id is not None:
        answer.interaction.client.done_elsewhere(ChannelId(answer.interaction.channel_id))
    elapsed = asyncio.get_running_loop().time() - began
    await asyncio.sleep(max(_THE_OTHER_FIRST_S - elapsed, 0))
    await answer.defer()


async def _ask_for_patience(answer: Answer) -> None:
    await asyncio.sleep(PATIENCE_S)
    await answer.defer()
