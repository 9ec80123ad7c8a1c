"""Routes for channels, threads and direct messages."""

from typing import Any

from sandbox import access, channels, drafts, messages, payloads, threads
from sandbox.errors import (
    Form,
    cannot_message_user,
    missing_permissions,
    unknown_user,
    wrong_channel_type,
)
from sandbox.forms import Fields
from sandbox.kinds import ChannelKind
from sandbox.model import JSON, Channel, Thread
from sandbox.permissions import Permission
from sandbox.rest.messages import find_channel, find_message, read_message
from sandbox.router import NO_CONTENT, Call, Reply, Router
from sandbox.threads import ThreadPlan

router = Router()

MAX_NAME = 100
MAX_TOPIC = 1024
MAX_SLOWMODE_S = 21600
_CHANNEL = "/channels/{channel_id}"


@router.route("GET", _CHANNEL)
def get_channel(call: Call) -> JSON:
    """Return a channel or thread."""
    return payloads.channel(find_channel(call), call.state.bot)


@router.route("PATCH", _CHANNEL, "edit_channel")
def edit_channel(call: Call) -> JSON:
    """Change a channel or thread."""
    channel = find_channel(call)
    if isinstance(channel, Thread):
        _edit_thread(call, channel)
    elif channel.guild is None:
        raise wrong_channel_type()
    else:
        _edit_guild_channel(call, channel)
    return payloads.channel(channel, call.state.bot)


def _edit_guild_channel(call: Call, channel: Channel) -> None:
    access.require(channel, call.state.bot, Permission.MANAGE_CHANNELS)
    form = Form()
    fields = Fields(call.body, form)
    name = fields.text("name", longest=MAX_NAME, shortest=1)
    topic = fields.text("topic", longest=MAX_TOPIC)
    slowmode_s = fields.number("rate_limit_per_user", low=0, high=MAX_SLOWMODE_S)
    nsfw = fields.flag("nsfw")
    minutes = _archive_minutes(fields, "default_auto_archive_duration")
    position = fields.number("position", low=0)
    call.unknown += form.unknown
    form.raise_errors()
    channel.name = name or channel.name
    channel.topic = topic if "topic" in fields else channel.topic
    channel.slowmode_s = channel.slowmode_s if slowmode_s is None else slowmode_s
    channel.nsfw = channel.nsfw if nsfw is None else nsfw
    channel.auto_archive_minutes = minutes or channel.auto_archive_minutes
    channel.position = channel.position if position is None else position
    channels.updated(call.state, channel)


def _edit_thread(call: Call, thread: Thread) -> None:
    form = Form()
    fields = Fields(call.body, form)
    name = fields.text("name", longest=MAX_NAME, shortest=1)
    archived = fields.flag("archived")
    locked = fields.flag("locked")
    invitable = fields.flag("invitable")
    slowmode_s = fields.number("rate_limit_per_user", low=0, high=MAX_SLOWMODE_S)
    minutes = _archive_minutes(fields)
    fields.raw("flags")
    fields.raw("applied_tags")
    call.unknown += form.unknown
    form.raise_errors()
    _require_thread_edit(call, thread, {**call.body})
    if invitable is not None:
        thread.invitable = invitable
    if slowmode_s is not None:
        thread.slowmode_s = slowmode_s
    if minutes is not None:
        thread.archive_after_minutes = minutes
    if locked is not None:
        thread.locked = locked
    if archived is not None and archived != thread.archived:
        channels.set_archived(call.state, thread, archived=archived)
    else:
        channels.schedule_auto_archive(call.state, thread)
        channels.updated(call.state, thread)
    if name is not None and name != thread.name:
        threads.rename(call.state, thread, call.state.bot, name)


def _require_thread_edit(call: Call, thread: Thread, body: dict[str, Any]) -> None:
    """Check an edit of a thread.

    Without Manage Threads, a locked thread can't be changed. In other threads, the owner may change
    everything except the lock and slowmode, and anyone who may write may reopen the thread.

    Raises:
        ApiError: 50083 (the thread stays archived) or 50013.
    """
    bot = call.state.bot
    moderator = thread.may(bot, Permission.MANAGE_THREADS)
    reopening = body.get("archived") is False
    if thread.archived and not reopening:
        access.require_open(thread)
    if moderator:
        return
    if thread.locked or "locked" in body or "rate_limit_per_user" in body:
        raise missing_permissions()
    if body.keys() == {"archived"} and reopening:
        access.require(thread, bot, Permission.SEND_MESSAGES_IN_THREADS)
    elif thread.owner_id != bot.id:
        raise missing_permissions()


def _archive_minutes(fields: Fields, name: str = "auto_archive_duration") -> int | None:
    minutes = fields.number(name)
    if minutes is not None and minutes not in threads.ARCHIVE_MINUTES:
        fields.wrong(
            name,
            "BASE_TYPE_CHOICES",
            "Value must be one of {60, 1440, 4320, 10080}.",
        )
    return minutes


@router.route("POST", _CHANNEL + "/typing", "typing")
def typing(call: Call) -> Reply:
    """Show that the bot is typing."""
    channel = find_channel(call)
    thread = isinstance(channel, Thread)
    needed = Permission.SEND_MESSAGES_IN_THREADS if thread else Permission.SEND_MESSAGES
    access.require(channel, call.state.bot, needed)
    messages.typing(call.state, channel, call.state.bot)
    return NO_CONTENT


@router.route("POST", "/users/@me/channels", "direct_channel")
def open_direct_channel(call: Call) -> JSON:
    """Return the bot's direct messages with a user."""
    form = Form()
    fields = Fields(call.body, form)
    number = fields.id("recipient_id")
    if number is None:
        fields.required("recipient_id")
    form.raise_errors()
    user = call.state.users.get(number or 0)
    if user is None:
        raise unknown_user()
    if user is call.state.bot:
        raise cannot_message_user()
    return payloads.channel(call.state.direct_channel(user))


def _thread_form(call: Call) -> tuple[ThreadPlan, Fields]:
    """Return the thread to create, and the body's other fields, before faults are raised."""
    form = Form()
    fields = Fields(call.body, form)
    plan = ThreadPlan(
        name=fields.text("name", longest=MAX_NAME, shortest=1, required=True) or "",
        archive_after_minutes=_archive_minutes(fields),
        slowmode_s=fields.number("rate_limit_per_user", low=0, high=MAX_SLOWMODE_S) or 0,
        # Discord's own default is a private thread.
        private=fields.number("type") in {None, ChannelKind.PRIVATE_THREAD},
        invitable=fields.flag("invitable") is not False,
    )
    return plan, fields


def _finish(call: Call, fields: Fields) -> None:
    call.unknown += fields.form.unknown
    fields.form.raise_errors()


@router.route("POST", "/channels/{channel_id}/messages/{message_id}/threads", "start_thread")
def start_thread_from_message(call: Call) -> Reply:
    message = find_message(call)
    plan, fields = _thread_form(call)
    _finish(call, fields)
    bot = call.state.bot
    thread = threads.start_from_message(call.state, message, bot, plan)
    return Reply(201, payloads.thread(thread, bot))


@router.route("POST", _CHANNEL + "/threads", "start_thread")
def start_thread(call: Call) -> Reply:
    """Start a thread without a message, or a forum post."""
    channel = find_channel(call)
    plan, fields = _thread_form(call)
    state, bot = call.state, call.state.bot
    if channel.kind is not ChannelKind.FORUM:
        _finish(call, fields)
        return Reply(201, payloads.thread(threads.start(state, channel, bot, plan), bot))
    fields.raw("applied_tags")
    body = fields.raw("message")
    if body is None:
        fields.required("message")
    _finish(call, fields)
    draft = drafts.read_draft(body, call.uploads)
    drafts.require_something(draft)
    call.unknown += draft.unknown
    thread, message = threads.start_post(state, channel, bot, plan, draft)
    return Reply(
        201, {**payloads.thread(thread, bot), "message": read_message(call, message, fresh=True)}
    )
