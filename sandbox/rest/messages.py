"""Routes for messages, their reactions and pins."""

from bisect import bisect_left

from sandbox import access, drafts, message_payloads, messages
from sandbox.errors import (
    cannot_message_user,
    invalid,
    missing_permissions,
    no_mutual_guilds,
    not_in_direct_messages,
    not_the_author,
    system_message,
    unknown_message,
)
from sandbox.forms import snowflake
from sandbox.kinds import ORDINARY_KINDS, MessageFlag, MessageKind
from sandbox.model import JSON, Channel, Message, User
from sandbox.permissions import Permission
from sandbox.router import NO_CONTENT, Call, Reply, Router
from sandbox.state import State

router = Router()

MAX_PAGE = 100
_PAGE = 50
_HOUR_S = 3600.0
_MESSAGES = "/channels/{channel_id}/messages"
_MESSAGE = _MESSAGES + "/{message_id}"
_REACTIONS = _MESSAGE + "/reactions"
_UNDELETABLE = frozenset({MessageKind.RECIPIENT_ADD, MessageKind.THREAD_STARTER_MESSAGE})


def read_message(call: Call, message: Message, *, fresh: bool = False) -> JSON:
    """Return a message as the bot may see it: without content if the intent is off."""
    content = call.state.application.message_content
    return message_payloads.message(message, call.state.bot, content=content, fresh=fresh)


def find_channel(call: Call) -> Channel:
    """Return the channel in the path, if the bot can see it.

    Raises:
        ApiError: 10003 or 50001.
    """
    channel = call.state.channel(call.params["channel_id"])
    access.require_view(channel, call.state.bot)
    return channel


def find_message(call: Call) -> Message:
    """Return the message in the path.

    Raises:
        ApiError: 10003, 50001 or 10008.
    """
    message = find_channel(call).history.get(call.params["message_id"])
    if message is None:
        raise unknown_message()
    return message


def _may_reach(state: State, user: User) -> bool:
    """Return True if the bot and a user share a guild, or the user has installed the bot."""
    return user.installed or any(
        state.bot.id in guild.members and user.id in guild.members
        for guild in state.guilds.values()
    )


@router.route("POST", _MESSAGES, "create_message")
def create_message(call: Call) -> JSON:
    channel = find_channel(call)
    draft = drafts.read_draft(call.body, call.uploads)
    call.unknown += draft.unknown
    draft.flags = (draft.flags or 0) & ~MessageFlag.EPHEMERAL
    if channel.recipient is not None and not channel.recipient.accepts_dms:
        raise cannot_message_user()
    if channel.recipient is not None and not _may_reach(call.state, channel.recipient):
        raise no_mutual_guilds()
    message = messages.send(call.state, channel, call.state.bot, draft)
    return read_message(call, message, fresh=True)


@router.route("GET", _MESSAGES)
def list_messages(call: Call) -> list[JSON]:
    """Return a page of the history, newest first."""
    channel = find_channel(call)
    limit = _limit(call)
    anchors = [name for name in ("around", "before", "after") if name in call.query]
    if len(anchors) > 1:
        raise invalid((anchors[1],), "MESSAGE_HISTORY_EXCLUSIVE", "Only one of these may be given.")
    if not channel.may(call.state.bot, Permission.READ_MESSAGE_HISTORY):
        return []
    ids = list(channel.history)
    page = _page(ids, anchors[0], _anchor(call, anchors[0]), limit) if anchors else ids[-limit:]
    return [read_message(call, channel.history[number]) for number in reversed(page)]


def _page(ids: list[int], side: str, anchor: int, limit: int) -> list[int]:
    at = bisect_left(ids, anchor)
    if side == "before":
        return ids[max(0, at - limit) : at]
    if side == "after":
        start = at + (at < len(ids) and ids[at] == anchor)
        return ids[start : start + limit]
    start = max(0, at - limit // 2)
    return ids[start : start + limit]


def _limit(call: Call) -> int:
    text = call.query.get("limit", str(_PAGE))
    if not text.isdecimal() or not 1 <= int(text) <= MAX_PAGE:
        raise invalid(
            ("limit",),
            "NUMBER_TYPE_MAX",
            f"int value should be from 1 to {MAX_PAGE}.",
        )
    return int(text)


def _anchor(call: Call, name: str) -> int:
    number = snowflake(call.query[name])
    if number is None:
        raise invalid(
            (name,), "NUMBER_TYPE_COERCE", f'Value "{call.query[name]}" is not snowflake.'
        )
    return number


@router.route("GET", _MESSAGE)
def get_message(call: Call) -> JSON:
    channel = find_channel(call)
    access.require(channel, call.state.bot, Permission.READ_MESSAGE_HISTORY)
    return read_message(call, find_message(call))


@router.route("PATCH", _MESSAGE, "edit_message")
def edit_message(call: Call) -> JSON | Reply:
    """Edit one of the bot's messages. In other users' messages, moderators can hide embeds."""
    message = find_message(call)
    v2 = bool(message.flags & MessageFlag.IS_COMPONENTS_V2)
    draft = drafts.read_draft(call.body, call.uploads, v2=v2)
    call.unknown += draft.unknown
    bot = call.state.bot
    if message.author is not bot:
        only_flags = isinstance(call.body, dict) and call.body.keys() == {"flags"}
        if not only_flags:
            raise not_the_author()
        if not message.channel.may(bot, Permission.MANAGE_MESSAGES):
            raise missing_permissions()
    elif message.kind not in ORDINARY_KINDS:
        raise system_message()
    access.require_open(message.channel)
    if draft.files:
        access.require(message.channel, bot, Permission.ATTACH_FILES)
    if call.state.now() - message.created_at > _HOUR_S:
        verdict = call.limiter.check_old_edit(message.channel.id)
        if verdict.refusal is not None:
            return Reply(429, verdict.refusal, verdict.headers)
    messages.edit(call.state, message, draft)
    return read_message(call, message)


@router.route("DELETE", _MESSAGE, "delete_message")
def delete_message(call: Call) -> Reply:
    """Delete a message. Other users' messages require Manage Messages."""
    message = find_message(call)
    if message.author is not call.state.bot:
        if message.guild is None:
            raise not_in_direct_messages()
        access.require(message.channel, call.state.bot, Permission.MANAGE_MESSAGES)
    if message.kind in _UNDELETABLE:
        raise system_message()
    access.require_open(message.channel)
    messages.delete(call.state, message.channel, [message])
    return NO_CONTENT


def _emoji(call: Call) -> str:
    name: str = call.params["emoji_name"]
    messages.check_emoji(name)
    return name


@router.route("PUT", _REACTIONS + "/{emoji_name}/@me", "reaction")
def add_reaction(call: Call) -> Reply:
    """React as the bot."""
    message = find_message(call)
    emoji = _emoji(call)
    needed = Permission.READ_MESSAGE_HISTORY
    if emoji not in message.reactions:
        needed |= Permission.ADD_REACTIONS
    access.require(message.channel, call.state.bot, needed)
    access.require_open(message.channel)
    messages.react(call.state, message, call.state.bot, emoji)
    return NO_CONTENT


@router.route("DELETE", _REACTIONS + "/{emoji_name}/@me", "reaction")
def remove_own_reaction(call: Call) -> Reply:
    """Remove the bot's reaction."""
    messages.unreact(call.state, find_message(call), call.state.bot, _emoji(call))
    return NO_CONTENT


@router.route("PUT", _MESSAGES + "/pins/{message_id}")
def pin(call: Call) -> Reply:
    message = find_message(call)
    access.require(message.channel, call.state.bot, Permission.PIN_MESSAGES)
    access.require_open(message.channel)
    messages.pin(call.state, message, call.state.bot)
    return NO_CONTENT


@router.route("DELETE", _MESSAGES + "/pins/{message_id}")
def unpin(call: Call) -> Reply:
    """Unpin a message."""
    message = find_message(call)
    access.require(message.channel, call.state.bot, Permission.PIN_MESSAGES)
    messages.unpin(call.state, message)
    return NO_CONTENT
