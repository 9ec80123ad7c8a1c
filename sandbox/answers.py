"""The bot's answers to an interaction: the first response, and the answer after a deferral."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace

from sandbox.interactions import FIRST_RESPONSE_S, CallbackKind, Interaction
from sandbox.modals import Modal
from sandbox.model import Message
from sandbox.signals import SOON_S


@dataclass(frozen=True, slots=True)
class Patience:
    """Limits for a user who waits while the bot is "thinking".

    Attributes:
        is_answer: Returns True for the message to wait for. Other messages, such as one that only
            announces an answer, are skipped.
        from_s: If a button press is acknowledged within this time, in real seconds, it is complete:
            the bot has done its work and is not "thinking".
        response_s: Time for the bot's first response. It is longer than Discord's limit, for slow
            test machines.
    """

    is_answer: Callable[[Interaction, Message], object]
    from_s: float = 0.0
    response_s: float = FIRST_RESPONSE_S


_DEFERRED = frozenset({CallbackKind.DEFERRED_MESSAGE, CallbackKind.DEFERRED_UPDATE})


@dataclass(frozen=True, slots=True)
class OpenModal:
    """A modal on a user's screen. Pass it to :meth:`Person.submit`."""

    modal: Modal
    source: Interaction

    @property
    def title(self) -> str:
        return self.modal.title

    @property
    def custom_id(self) -> str:
        """The modal's custom id, which identifies it to the bot."""
        return self.modal.custom_id

    @property
    def fields(self) -> list[str]:
        """The labels of the inputs, in reading order."""
        return [field.label for field in self.modal.fields]


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """The bot's response to a user's action: the first one, or the one after a deferral.

    Attributes:
        message: The message that was sent or updated, or that says that the bot is thinking.
        ephemeral: True if only that person sees it.
        deferred: True if the actual answer will follow. See :meth:`settled`.
        modal: The modal that opened.
        choices: Suggestions, as (name, value).
        used: The interaction that it answers.
    """

    message: Message | None = None
    ephemeral: bool = False
    deferred: bool = False
    modal: OpenModal | None = None
    choices: list[tuple[str, str | int | float]] = field(default_factory=list)
    used: Interaction

    @classmethod
    def first(cls, used: Interaction) -> Answer:
        """Return the first response to an interaction.

        Raises:
            InteractionFailed: if there was none in time.
        """
        response = used.first.result()
        message = response.message
        return cls(
            message=message,
            ephemeral=message is not None and message.ephemeral,
            deferred=response.kind in _DEFERRED,
            modal=OpenModal(response.modal, used) if response.modal else None,
            choices=response.choices,
            used=used,
        )

    @property
    def content(self) -> str:
        """The message's text, or "" without a message."""
        return self.message.content if self.message is not None else ""

    async def settled(self, *, timeout: float = SOON_S) -> Message:  # noqa: ASYNC109
        """Return the message once the bot is no longer thinking, within ``timeout`` real seconds.

        Raises:
            TimeoutError: if the bot is still thinking.
            ValueError: if the response was not a message.
        """
        message = self.message
        if message is None:
            raise ValueError("the bot did not answer with a message")
        if _is_settled(message):
            return message
        signal = message.channel.directory.messages_changed
        settled = await signal.wait(
            lambda changed: changed is message and _is_settled(changed), timeout
        )
        if settled is None:
            raise TimeoutError("the bot is still thinking")
        return settled

    async def awaited(self, patience: Patience, *, timeout: float) -> Answer:  # noqa: ASYNC109
        """Wait for the answer after a deferral, if ``patience`` waits for such answers.

        Returns:
            That answer, or this one if nothing comes in ``timeout`` real seconds.
        """

        def is_wanted(message: Message) -> object:
            return _is_settled(message) and patience.is_answer(self.used, message)

        message = next(filter(is_wanted, self.used.replies), None)
        if message is None:
            message = await self.used.replied.wait(is_wanted, timeout)
        if message is None:
            return self
        return replace(self, message=message, ephemeral=message.ephemeral, deferred=False)


def _is_settled(message: Message) -> bool:
    return message.deleted or not message.loading
