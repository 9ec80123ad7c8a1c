"""A driver for simulated users, with the actions and the view of a Discord app."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager

from sandbox import access, channels, drafts, messages, threads
from sandbox.answers import Answer, OpenModal
from sandbox.drafts import Upload
from sandbox.errors import ApiError
from sandbox.files import upload
from sandbox.interactions import CallbackKind, Interaction, InteractionFailed, InteractionKind
from sandbox.invocations import (
    InvocationRefused,
    command_data,
    component_data,
    find_component,
    message_command_data,
    modal_data,
    user_command_data,
)
from sandbox.kinds import MessageFlag
from sandbox.model import JSON, Attachment, Channel, Message, Thread, User
from sandbox.permissions import Permission
from sandbox.responses import begin
from sandbox.signals import SOON_S
from sandbox.world import World

PATIENCE_S = 120.0
"""Real seconds that a user waits in a sandbox whose clock is stopped."""

File = tuple[str, bytes]
"""A file's name and content."""


class Person:
    """A simulated user at a keyboard.

    Every action is checked as in Discord's app and server. If an action is not allowed or not
    possible, :class:`InvocationRefused` is raised.

    Attributes:
        nitro: True if they have Nitro, which allows longer messages.
        patience: How long they wait while the bot is thinking, or None to take "thinking" as the
            answer.
    """

    def __init__(self, world: World, user: User) -> None:
        self._world = world
        self._state = world.state
        self.user = user
        self.nitro = False
        self.patience = world.patience

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Person) and other.user is self.user

    def __hash__(self) -> int:
        return hash(self.user)

    def __repr__(self) -> str:
        return f"<Person {self.user.name} {self.user.id}>"

    @property
    def id(self) -> int:
        return self.user.id

    @property
    def name(self) -> str:
        return self.user.name

    @property
    def mention(self) -> str:
        """The text that mentions this person."""
        return self.user.mention

    @property
    def dm(self) -> Channel:
        """The user's direct messages with the bot."""
        return self._state.direct_channel(self.user)

    @property
    def inbox(self) -> list[Message]:
        """Ephemeral messages that were shown to this user, oldest first."""
        return [
            message for message in self._state.ephemeral.values() if message.viewer is self.user
        ]

    def install(self) -> None:
        """Install the bot's application for the user, so that they have its commands everywhere."""
        self.user.installed = True
        self._state.touch()

    async def say(
        self, channel: Channel, content: str = "", *, files: Sequence[File] = ()
    ) -> Message:
        return self._send(channel, {"content": content}, files)

    async def reply(
        self, message: Message, content: str, *, ping: bool = True, files: Sequence[File] = ()
    ) -> Message:
        """Reply to a message. ``ping`` is Discord's switch "@ ON" or "@ OFF"."""
        body = {
            "content": content,
            "message_reference": {"message_id": message.id},
            "allowed_mentions": {
                "parse": ["users", "roles", "everyone"],
                "replied_user": ping,
            },
        }
        return self._send(message.channel, body, files)

    async def send_sticker(self, channel: Channel, name: str) -> Message:
        """Send one of Discord's stickers."""
        sticker = {"id": str(self._state.next_id()), "name": name, "format_type": 1}
        return self._deliver(channel, drafts.Draft(stickers=[sticker]))

    async def send_voice(self, channel: Channel) -> Message:
        """Send a voice message, which contains only a recording."""
        recording = drafts.FileDraft(Upload(0, "voice-message.ogg", b"OggS"), "voice-message.ogg")
        flags = int(MessageFlag.IS_VOICE_MESSAGE)
        return self._deliver(channel, drafts.Draft(files=[recording], flags=flags))

    def _send(self, channel: Channel, body: JSON, files: Sequence[File]) -> Message:
        uploads = [Upload(n, name, data) for n, (name, data) in enumerate(files)]
        with _refusals():
            draft = drafts.read_draft(body, uploads, longest=self._longest)
        return self._deliver(channel, draft)

    def _deliver(self, channel: Channel, draft: drafts.Draft) -> Message:
        with _refusals():
            access.require_slowmode(channel, self.user, self._state.now())
            return messages.send(self._state, channel, self.user, draft)

    @property
    def _longest(self) -> int:
        return drafts.MAX_CONTENT_WITH_NITRO if self.nitro else drafts.MAX_CONTENT

    async def edit(self, message: Message, content: str) -> None:
        """Edit one of the user's own messages."""
        if message.author is not self.user:
            raise InvocationRefused("that is someone else's message")
        with _refusals():
            access.require_open(message.channel)
            draft = drafts.read_draft({"content": content}, longest=self._longest)
            messages.edit(self._state, message, draft)

    async def delete(self, message: Message) -> None:
        """Delete the user's own message, or anyone's if the user is a moderator."""
        with _refusals():
            if message.author is not self.user:
                access.require(message.channel, self.user, Permission.MANAGE_MESSAGES)
            messages.delete(self._state, message.channel, [message])

    async def dismiss(self, message: Message) -> None:
        """Dismiss an ephemeral message from the user's own screen.

        Raises:
            InvocationRefused: if it is not an ephemeral message to this person.
        """
        if message.viewer is not self.user:
            raise InvocationRefused("only the user's own ephemeral messages can be dismissed")
        messages.delete(self._state, message.channel, [message])

    async def react(self, message: Message, emoji: str) -> None:
        with _refusals():
            needed = Permission.READ_MESSAGE_HISTORY | Permission.ADD_REACTIONS
            access.require(message.channel, self.user, needed)
            access.require_open(message.channel)
            messages.check_emoji(emoji)
            messages.react(self._state, message, self.user, emoji)

    async def unreact(self, message: Message, emoji: str) -> None:
        """Remove the person's own reaction."""
        messages.unreact(self._state, message, self.user, emoji)

    async def typing(self, channel: Channel) -> None:
        messages.typing(self._state, channel, self.user)

    async def start_thread(self, place: Channel | Message, name: str) -> Thread:
        """Start a thread in a channel, or on a message."""
        with _refusals():
            if isinstance(place, Message):
                return threads.start_from_message(
                    self._state, place, self.user, threads.ThreadPlan(name)
                )
            return threads.start(self._state, place, self.user, threads.ThreadPlan(name))

    async def post(self, forum: Channel, title: str, content: str) -> Thread:
        """Create a post in a forum."""
        with _refusals():
            draft = drafts.read_draft({"content": content})
            plan = threads.ThreadPlan(title)
            return threads.start_post(self._state, forum, self.user, plan, draft)[0]

    async def archive(self, thread: Thread, *, locked: bool | None = None) -> None:
        """Archive a thread, as its owner or a moderator. Moderators can also lock it."""
        with _refusals():
            if locked is not None or thread.owner_id != self.id:
                access.require(thread, self.user, Permission.MANAGE_THREADS)
            thread.locked = thread.locked if locked is None else locked
            channels.set_archived(self._state, thread, archived=True)

    async def slash(self, channel: Channel, command: str, /, **options: object) -> Answer:
        """Use a slash command.

        Subcommands follow after a space.

        Option values must have the option's type: text, numbers, booleans, or users, roles and
        channels. A file is a name and content. The call waits for the first response, and longer if
        :attr:`patience` requires it.

        Raises:
            InvocationRefused: if there is no such command or option, a value does not fit its
                option, or the command is not available to this user here.
            InteractionFailed: if there is no response within three seconds, or no bot is connected.
        """
        values = {
            name: upload(self._state, channel, *value) if isinstance(value, tuple) else value
            for name, value in options.items()
        }
        data = command_data(self._state, channel, self.user, command, values)
        return await self._use(InteractionKind.COMMAND, channel, data)

    async def autocomplete(
        self, channel: Channel, command: str, /, **options: object
    ) -> list[tuple[str, str | int | float]]:
        """Return the bot's suggestions while the last option is being typed.

        Raises:
            InvocationRefused: like :meth:`slash`, or if an option has no suggestions.
            InteractionFailed: if there is no response within three seconds, or no bot is connected.
        """
        focused = list(options)[-1]
        data = command_data(self._state, channel, self.user, command, options, focused=focused)
        return (await self._use(InteractionKind.AUTOCOMPLETE, channel, data)).choices

    async def menu(self, message: Message, command: str) -> Answer:
        """Use a command on a message, from the Apps menu.

        Raises:
            InvocationRefused: if there is no such command, or this person can't see the message.
            InteractionFailed: if there is no response within three seconds, or no bot is connected.
        """
        self._require_visible(message)
        data = message_command_data(self._state, self.user, message, command)
        return await self._use(InteractionKind.COMMAND, message.channel, data)

    async def menu_of(self, channel: Channel, person: Person | User, command: str) -> Answer:
        """Use a command on a user in a channel, from the Apps menu.

        Raises:
            InvocationRefused: if there is no such command, or it is not offered there.
            InteractionFailed: if there is no response within three seconds, or no bot is connected.
        """
        target = person.user if isinstance(person, Person) else person
        data = user_command_data(self._state, channel, self.user, target, command)
        return await self._use(InteractionKind.COMMAND, channel, data)

    async def click(
        self, message: Message, label: str | None = None, *, custom_id: str | None = None
    ) -> Answer:
        """Press a button, found by its label or custom id.

        Raises:
            InvocationRefused: if the button is missing, disabled or a link, or this person can't
                see it.
            InteractionFailed: if there is no response within three seconds, or no bot is connected.
        """
        self._require_bot_message(message)
        button = find_component(message.buttons, label, custom_id)
        data = component_data(message, self.user, button, None)
        return await self._use(InteractionKind.COMPONENT, message.channel, data, message)

    async def select(
        self,
        message: Message,
        values: Sequence[str | User | Person | Channel],
        *,
        custom_id: str | None = None,
    ) -> Answer:
        """Choose values in a select: options, or users and channels.

        Raises:
            InvocationRefused: if the select or a value is missing, it is disabled, or the number is
                wrong.
            InteractionFailed: if there is no response within three seconds, or no bot is connected.
        """
        self._require_bot_message(message)
        select = find_component(message.selects, None, custom_id)
        chosen = [value.user if isinstance(value, Person) else value for value in values]
        data = component_data(message, self.user, select, chosen)
        return await self._use(InteractionKind.COMPONENT, message.channel, data, message)

    async def submit(
        self, modal: OpenModal | None, values: Mapping[str, str | Sequence[str]]
    ) -> Answer:
        """Submit a modal, with its inputs filled in by custom id or label.

        Raises:
            InvocationRefused: if an input is missing or must not be empty, or a text has a wrong
                length.
            InteractionFailed: if there is no response within three seconds, or no bot is connected.
        """
        if modal is None:
            raise InvocationRefused("no modal has opened")
        source = modal.source
        data = modal_data(source.channel, self.user, modal.modal, values)
        return await self._use(
            InteractionKind.MODAL_SUBMIT, source.channel, data, source.message, source
        )

    async def fetch(self, attachment: Attachment) -> bytes:
        """Download an attachment from the CDN, over HTTP."""
        return await self._world.cdn.download(attachment.url)

    async def ephemeral(
        self,
        check: Callable[[Message], object] = lambda _: True,
        *,
        after: Message | None = None,
        timeout: float = SOON_S,  # noqa: ASYNC109 - the driver's public name
    ) -> Message:
        """Return the newest ephemeral message that passes ``check``, or wait for the first one.

        Raises:
            TimeoutError: if none passes in ``timeout`` real seconds. Its text lists the existing
                messages.
        """
        after_id = after.id if after is not None else 0

        def is_wanted(message: Message) -> object:
            return message.viewer is self.user and message.id > after_id and check(message)

        for message in reversed(self.inbox):
            if is_wanted(message):
                return message
        match = await self._state.messages_changed.wait(is_wanted, timeout)
        if match is None:
            listing = "\n".join(f"  {line}" for line in self.inbox) or "  nothing"
            raise TimeoutError(f"no such message shown to {self.name}; seen:\n{listing}")
        return match

    def _require_bot_message(self, message: Message) -> None:
        if message.author is not self._state.bot:
            raise InvocationRefused("the message is not the bot's")
        self._require_visible(message)

    def _require_visible(self, message: Message) -> None:
        if message.deleted:
            raise InvocationRefused("the message is gone")
        if message.viewer not in {None, self.user}:
            raise InvocationRefused("that is someone else's ephemeral message")
        with _refusals():
            access.require_view(message.channel, self.user)

    async def _use(
        self,
        kind: InteractionKind,
        channel: Channel,
        data: JSON,
        message: Message | None = None,
        source: Interaction | None = None,
    ) -> Answer:
        state = self._state
        guild_id = channel.guild.id if channel.guild else None
        if not self._world.sessions.listening(guild_id):
            raise InteractionFailed("The application did not respond: no bot is connected")
        interaction = Interaction(
            id=state.next_id(),
            kind=kind,
            user=self.user,
            channel=channel,
            created_at=state.now(),
            data=data,
            message=message,
            source=source,
        )
        began = asyncio.get_running_loop().time()
        begin(state, interaction)
        try:
            await asyncio.wait((interaction.first,), timeout=PATIENCE_S)
        except asyncio.CancelledError:
            interaction.first.cancel()
            raise
        acknowledged = asyncio.get_running_loop().time()
        # A stopped clock would never let it time out. This does nothing if it was answered.
        interaction.fail()
        answer = Answer.first(interaction)
        if not answer.deferred or self.patience is None:
            return answer
        is_press = interaction.first.result().kind is CallbackKind.DEFERRED_UPDATE
        if is_press and acknowledged - began < self.patience.from_s:
            return answer
        return await answer.awaited(self.patience, timeout=PATIENCE_S)


@contextmanager
def _refusals() -> Iterator[None]:
    """Convert the API's errors to :class:`InvocationRefused`."""
    try:
        yield
    except ApiError as error:
        raise InvocationRefused(str(error)) from error
