"""Starts threads: from a message, without a message, and as posts of a forum."""

from dataclasses import dataclass, replace

from sandbox import access, channels, messages
from sandbox.drafts import Draft
from sandbox.errors import thread_exists, too_many_threads, wrong_channel_type
from sandbox.kinds import ORDINARY_KINDS, ChannelKind, MessageFlag, MessageKind
from sandbox.model import Channel, Message, Reference, Thread, User
from sandbox.permissions import Permission
from sandbox.state import State

ARCHIVE_MINUTES = (60, 1440, 4320, 10080)
MAX_ACTIVE = 1000
_DEFAULT_ARCHIVE = 4320
_PARENTS = frozenset({ChannelKind.TEXT, ChannelKind.ANNOUNCEMENT})


@dataclass(frozen=True, slots=True)
class ThreadPlan:
    """Settings of a new thread. Without an archive duration, the channel's default applies."""

    name: str
    archive_after_minutes: int | None = None
    slowmode_s: int = 0
    private: bool = False
    invitable: bool = True


def start_from_message(state: State, message: Message, owner: User, plan: ThreadPlan) -> Thread:
    """Start a public thread on a message, with the message's id.

    Raises:
        ApiError: 160004 (the message has a thread), 50024 (the channel can't have threads), 50001,
            50013 or 160006.
    """
    channel = message.channel
    if channel.kind not in _PARENTS:
        raise wrong_channel_type()
    access.require(channel, owner, Permission.CREATE_PUBLIC_THREADS)
    if message.id in state.channels:
        raise thread_exists()
    if message.kind not in ORDINARY_KINDS:
        raise wrong_channel_type()
    thread = _start(state, channel, owner, replace(plan, private=False), message.id)
    message.flags |= MessageFlag.HAS_THREAD
    messages.changed(state, message)
    starter = messages.Origin(
        kind=MessageKind.THREAD_STARTER_MESSAGE, reference=messages.reference_to(message)
    )
    messages.create(state, thread, owner, Draft(), origin=starter)
    return thread


def start(state: State, channel: Channel, owner: User, plan: ThreadPlan) -> Thread:
    """Start a thread without a message. A notice in the channel announces a public one.

    Raises:
        ApiError: 50024, 50001, 50013, 160006.
    """
    private = plan.private
    if channel.kind not in _PARENTS or (private and channel.kind is not ChannelKind.TEXT):
        raise wrong_channel_type()
    needed = Permission.CREATE_PRIVATE_THREADS if private else Permission.CREATE_PUBLIC_THREADS
    access.require(channel, owner, needed)
    thread = _start(state, channel, owner, plan)
    if not private:
        notice = messages.Origin(
            kind=MessageKind.THREAD_CREATED,
            reference=Reference(thread.id, guild_id=channel.home.id),
        )
        messages.create(state, channel, owner, Draft(content=plan.name), origin=notice)
    return thread


def start_post(
    state: State, forum: Channel, owner: User, plan: ThreadPlan, draft: Draft
) -> tuple[Thread, Message]:
    """Start a forum's post: a thread whose first message has its id.

    Raises:
        ApiError: 50024, 50001, 50013, 160006.
    """
    if forum.kind is not ChannelKind.FORUM:
        raise wrong_channel_type()
    access.require(forum, owner, Permission.SEND_MESSAGES)
    thread = _start(state, forum, owner, replace(plan, private=False))
    message = messages.create(state, thread, owner, draft, origin=messages.Origin(id=thread.id))
    return thread, message


def _start(
    state: State, parent: Channel, owner: User, plan: ThreadPlan, thread_id: int | None = None
) -> Thread:
    places = parent.home.channels.values()
    active = sum(isinstance(place, Thread) and not place.archived for place in places)
    if active >= MAX_ACTIVE:
        raise too_many_threads()
    kind = ChannelKind.PRIVATE_THREAD if plan.private else ChannelKind.PUBLIC_THREAD
    if parent.kind is ChannelKind.ANNOUNCEMENT:
        kind = ChannelKind.ANNOUNCEMENT_THREAD
    now = state.now()
    thread = Thread(
        state.directory,
        state.next_id() if thread_id is None else thread_id,
        kind,
        plan.name,
        parent.home,
        parent,
        slowmode_s=plan.slowmode_s,
        owner_id=owner.id,
        created_at=now,
        archived_at=now,
        invitable=plan.invitable,
        archive_after_minutes=(
            plan.archive_after_minutes or parent.auto_archive_minutes or _DEFAULT_ARCHIVE
        ),
        members={owner.id: now},
    )
    channels.add(state, thread)
    channels.schedule_auto_archive(state, thread)
    channels.publish(state, "THREAD_CREATE", thread, newly_created=True)
    return thread


def rename(state: State, thread: Thread, user: User, name: str) -> None:
    """Rename a thread, with a notice in it."""
    thread.name = name
    channels.updated(state, thread)
    notice = messages.Origin(kind=MessageKind.CHANNEL_NAME_CHANGE)
    messages.create(state, thread, user, Draft(content=name), origin=notice)
