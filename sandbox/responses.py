"""Sends interactions to the bot, and handles their first responses and later uses of the token."""

from collections.abc import Sequence
from typing import Any

from sandbox import access, drafts, message_payloads, messages, modals
from sandbox.drafts import Draft, Upload
from sandbox.errors import Form, unknown_message, unknown_webhook
from sandbox.events import Event
from sandbox.forms import Fields
from sandbox.interactions import (
    CallbackKind,
    Interaction,
    InteractionKind,
    Response,
    payload,
)
from sandbox.kinds import MessageFlag, MessageKind
from sandbox.model import JSON, Message
from sandbox.state import State

MAX_CHOICES = 25
MAX_CHOICE_TEXT = 100

_ANY = frozenset({InteractionKind.COMMAND, InteractionKind.COMPONENT, InteractionKind.MODAL_SUBMIT})
_FITTING = {
    CallbackKind.MESSAGE: _ANY,
    CallbackKind.DEFERRED_MESSAGE: _ANY,
    CallbackKind.DEFERRED_UPDATE: frozenset(
        {InteractionKind.COMPONENT, InteractionKind.MODAL_SUBMIT}
    ),
    CallbackKind.UPDATE: frozenset({InteractionKind.COMPONENT, InteractionKind.MODAL_SUBMIT}),
    CallbackKind.AUTOCOMPLETE: frozenset({InteractionKind.AUTOCOMPLETE}),
    CallbackKind.MODAL: frozenset({InteractionKind.COMMAND, InteractionKind.COMPONENT}),
}
_WITH_RESOURCE = frozenset({CallbackKind.MESSAGE, CallbackKind.UPDATE})
_OF_MESSAGE = frozenset({CallbackKind.DEFERRED_UPDATE, CallbackKind.UPDATE})


def begin(state: State, interaction: Interaction) -> None:
    """Send an interaction to the bot, which has three seconds from the interaction's creation."""
    state.interactions[interaction.token] = interaction
    late_at = interaction.created_at + state.first_response_s
    state.call_at(interaction, late_at, interaction.fail)
    guild = interaction.channel.guild
    data = payload(interaction, state.application.id, state.bot)
    state.publish(Event("INTERACTION_CREATE", data, guild.id if guild else None))


def respond(
    state: State, interaction: Interaction, body: object, uploads: Sequence[Upload]
) -> tuple[Response, list[str]]:
    """Handle the first response.

    Returns:
        The response, and fields of its message that Discord does not know.

    Raises:
        ApiError: 40060, 10062, 50035, 50006, 40005, and the errors of a locked thread.
    """
    interaction.require_unanswered(state.now(), within_s=state.first_response_s)
    form = Form()
    fields = Fields(body, form)
    kind = _kind(fields, form, interaction)
    data = fields.raw("data")
    unknown: list[str] = []
    if kind is CallbackKind.AUTOCOMPLETE:
        response = Response(kind, choices=_choices(data))
    elif kind is CallbackKind.MODAL:
        response = Response(kind, modal=modals.read_modal(data))
    else:
        draft = drafts.read_draft(data if data is not None else {}, uploads)
        unknown = draft.unknown
        response = Response(kind, _message(state, interaction, kind, draft))
        interaction.original = response.message
        if response.message is not None:
            interaction.editable[response.message.id] = response.message
    state.cancel(interaction)
    interaction.answer(response)
    return response, unknown


def _kind(fields: Fields, form: Form, interaction: Interaction) -> CallbackKind:
    number = fields.number("type")
    fitting = {
        kind
        for kind, kinds in _FITTING.items()
        if interaction.kind in kinds and (kind not in _OF_MESSAGE or interaction.message)
    }
    if number is None:
        fields.required("type")
    elif number not in fitting:
        names = ", ".join(str(int(kind)) for kind in sorted(fitting))
        fields.wrong("type", "BASE_TYPE_CHOICES", f"Value must be one of {{{names}}}.")
    form.raise_errors()
    return CallbackKind(number or 0)


def _message(
    state: State, interaction: Interaction, kind: CallbackKind, draft: Draft
) -> Message | None:
    if kind is CallbackKind.DEFERRED_UPDATE:
        return interaction.message
    if kind is CallbackKind.UPDATE:
        if interaction.message is not None and not interaction.message.deleted:
            messages.edit(state, interaction.message, draft)
        return interaction.message
    loading = kind is CallbackKind.DEFERRED_MESSAGE
    if loading:
        draft = Draft(flags=(draft.flags or 0) & MessageFlag.EPHEMERAL)
    else:
        drafts.require_something(draft)
    return _create(state, interaction, draft, loading=loading)


def _create(
    state: State, interaction: Interaction, draft: Draft, *, loading: bool = False
) -> Message:
    channel = interaction.channel
    ephemeral = bool((draft.flags or 0) & MessageFlag.EPHEMERAL)
    if interaction.is_hidden_from_others and not ephemeral:
        ephemeral, draft.flags = True, (draft.flags or 0) | MessageFlag.EPHEMERAL
    if not ephemeral:
        access.require_unlocked(channel, state.bot)
    message = interaction.original or interaction.message
    reference = None
    kind = interaction.response_message_kind
    if interaction.original is not None:
        kind = MessageKind.REPLY
    if kind is MessageKind.REPLY and message is not None and message.viewer is None:
        reference = messages.reference_to(message)
    origin = messages.Origin(
        kind=kind,
        interaction=interaction.metadata,
        viewer=interaction.user if ephemeral else None,
        webhook_id=state.application.id,
        application_id=state.application.id,
        reference=reference,
        flags=MessageFlag.LOADING if loading else 0,
    )
    return messages.create(state, channel, state.bot, draft, origin=origin)


def _choices(data: object) -> list[tuple[str, str | int | float]]:
    form = Form()
    fields = Fields(data, form, ("data",))
    choices: list[tuple[str, Any]] = []
    if "choices" not in fields:
        fields.required("choices")
    for choice in fields.each("choices", limit=MAX_CHOICES):
        name = choice.text("name", longest=MAX_CHOICE_TEXT, shortest=1, required=True)
        value = choice.raw("value")
        if value is None:
            choice.required("value")
        elif isinstance(value, str):
            choice.text("value", longest=MAX_CHOICE_TEXT)
        choices.append((name or "", value))
    form.raise_errors()
    return choices


def callback_payload(state: State, interaction: Interaction, response: Response) -> JSON:
    """Return the body of the reply to a callback with ``with_response``."""
    about: JSON = {"id": str(interaction.id), "type": int(interaction.kind)}
    about["channel_id"] = str(interaction.channel.id)
    if interaction.channel.guild is not None:
        about["guild_id"] = str(interaction.channel.guild.id)
    answer: JSON = {"interaction": about}
    message = response.message
    if message is not None:
        about |= {
            "response_message_id": str(message.id),
            "response_message_loading": message.loading,
            "response_message_ephemeral": message.ephemeral,
        }
        if response.kind in _WITH_RESOURCE:
            answer["resource"] = {
                "type": int(response.kind),
                "message": message_payloads.message(message, state.bot),
            }
    return answer


def by_token(state: State, application_id: int, token: str) -> Interaction:
    """Return the interaction whose token is in a webhook's path.

    Raises:
        ApiError: 10015 (none, or one without a first response), 50027 (after 15 minutes).
    """
    interaction = state.interactions.get(token)
    if interaction is None or application_id != state.application.id:
        raise unknown_webhook()
    interaction.require_alive(state.now())
    if interaction.response is None:
        raise unknown_webhook()
    return interaction


def follow_up(state: State, interaction: Interaction, draft: Draft) -> Message:
    """Send a follow-up message. After "thinking", the first one replaces the loading message.

    Raises:
        ApiError: 50006, 40094, and the errors of a locked thread.
    """
    drafts.require_something(draft)
    interaction.follow_up()
    original = interaction.original
    if original is not None and original.loading and not original.deleted:
        edit(state, interaction, original, draft)
        return original
    message = _create(state, interaction, draft)
    interaction.editable[message.id] = message
    interaction.reply(message)
    return message


def own_message(interaction: Interaction, message_id: int | None) -> Message:
    """Return an interaction's message by id, or the original one if there is no id.

    Raises:
        ApiError: 10008: it does not exist or is not the interaction's.
    """
    message = interaction.original
    if message_id is not None:
        message = interaction.editable.get(message_id)
    if message is None or message.deleted:
        raise unknown_message()
    return message


def edit(state: State, interaction: Interaction, message: Message, draft: Draft) -> None:
    """Edit an interaction's message. A loading message becomes an ordinary one.

    Raises:
        ApiError: 50006.
    """
    thinking = message.loading
    if thinking:
        drafts.require_something(draft)
        message.flags &= ~MessageFlag.LOADING
        message.flags |= (draft.flags or 0) & MessageFlag.IS_COMPONENTS_V2
    messages.edit(state, message, draft)
    if thinking:
        message.edited = None
    interaction.reply(message)
