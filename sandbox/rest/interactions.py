"""Routes for responding to interactions: the callback, and later uses of the token."""

from sandbox import drafts, message_payloads, messages, responses
from sandbox.errors import unknown_interaction
from sandbox.interactions import Interaction
from sandbox.kinds import MessageFlag
from sandbox.model import JSON, Message
from sandbox.router import NO_CONTENT, Call, Reply, Router

router = Router()

_CALLBACK = "/interactions/{interaction_id}/{interaction_token}/callback"
_WEBHOOK = "/webhooks/{webhook_id}/{webhook_token}"
_ORIGINAL = _WEBHOOK + "/messages/@original"
_MESSAGE = _WEBHOOK + "/messages/{message_id}"


@router.route("POST", _CALLBACK, "", open=True)
def callback(call: Call) -> JSON | Reply:
    """Handle the first response to an interaction."""
    interaction = call.state.interactions.get(call.params["interaction_token"])
    if interaction is None or interaction.id != call.params["interaction_id"]:
        raise unknown_interaction()
    response, unknown = responses.respond(call.state, interaction, call.body, call.uploads)
    call.unknown += unknown
    if call.query.get("with_response") in {"true", "1", "True"}:
        return responses.callback_payload(call.state, interaction, response)
    return NO_CONTENT


def _interaction(call: Call) -> Interaction:
    return responses.by_token(call.state, call.params["webhook_id"], call.params["webhook_token"])


def _message(call: Call) -> Message:
    return responses.own_message(_interaction(call), call.params.get("message_id"))


@router.route("POST", _WEBHOOK, "webhook", open=True)
def follow_up(call: Call) -> JSON:
    interaction = _interaction(call)
    draft = drafts.read_draft(call.body, call.uploads)
    call.unknown += draft.unknown
    message = responses.follow_up(call.state, interaction, draft)
    return message_payloads.message(message, call.state.bot)


@router.route("GET", _ORIGINAL, "webhook", open=True)
@router.route("GET", _MESSAGE, "webhook", open=True)
def get_message(call: Call) -> JSON:
    """Return one of the interaction's messages."""
    message = _message(call)
    return message_payloads.message(message, call.state.bot)


@router.route("PATCH", _ORIGINAL, "webhook", open=True)
@router.route("PATCH", _MESSAGE, "webhook", open=True)
def edit_message(call: Call) -> JSON:
    """Edit one of the interaction's messages."""
    interaction = _interaction(call)
    message = responses.own_message(interaction, call.params.get("message_id"))
    v2 = bool(message.flags & MessageFlag.IS_COMPONENTS_V2)
    draft = drafts.read_draft(call.body, call.uploads, v2=v2)
    call.unknown += draft.unknown
    responses.edit(call.state, interaction, message, draft)
    return message_payloads.message(message, call.state.bot)


@router.route("DELETE", _ORIGINAL, "webhook", open=True)
@router.route("DELETE", _MESSAGE, "webhook", open=True)
def delete_message(call: Call) -> Reply:
    """Delete one of the interaction's messages."""
    message = _message(call)
    messages.delete(call.state, message.channel, [message])
    _interaction(call).reply(message)
    return NO_CONTENT
