"""Routes for a guild's scheduled events. Only events outside of voice channels are supported."""

from datetime import datetime
from typing import Final

from sandbox import payloads, scheduled_events
from sandbox.errors import Form, missing_permissions, too_many_events, unknown_event
from sandbox.forms import Fields
from sandbox.kinds import EventStatus
from sandbox.model import JSON, Guild, ScheduledEvent
from sandbox.permissions import Permission
from sandbox.rest.guilds import find_guild
from sandbox.router import NO_CONTENT, Call, Reply, Router

router = Router()

_ALL: Final = "/guilds/{guild_id}/scheduled-events"
_ONE: Final = _ALL + "/{guild_scheduled_event_id}"
_BUCKET: Final = "scheduled_events"
_NAME: Final = 100
_DESCRIPTION: Final = 1_000
_LOCATION: Final = 100
_EXTERNAL: Final = 3
_GUILD_ONLY: Final = 2


@router.route("GET", _ALL)
def list_events(call: Call) -> list[JSON]:
    """Return a guild's scheduled and active events."""
    guild = find_guild(call)
    return [_payload(call, guild, event) for event in guild.events.values()]


@router.route("GET", _ONE)
def get_event(call: Call) -> JSON:
    guild, event = _event(call)
    return _payload(call, guild, event)


@router.route("POST", _ALL, _BUCKET)
def create_event(call: Call) -> JSON:
    guild, bot = find_guild(call), call.state.bot
    if not guild.base_permissions(bot) & (Permission.CREATE_EVENTS | Permission.MANAGE_EVENTS):
        raise missing_permissions()
    form = Form()
    fields = Fields(call.body, form)
    name = fields.text("name", longest=_NAME, shortest=1, required=True)
    description = fields.text("description", longest=_DESCRIPTION)
    begins = _moment(fields, "scheduled_start_time")
    ends = _moment(fields, "scheduled_end_time")
    _check_fixed(fields, "entity_type", _EXTERNAL)
    _check_fixed(fields, "privacy_level", _GUILD_ONLY)
    location = _location(fields)
    _check_order(call, fields, begins, ends)
    for passed_over in ("image", "channel_id", "recurrence_rule"):
        fields.raw(passed_over)
    call.unknown += form.unknown
    form.raise_errors()
    if len(guild.events) >= scheduled_events.MOST:
        raise too_many_events(scheduled_events.MOST)
    event = ScheduledEvent(
        id=call.state.next_id(),
        creator_id=bot.id,
        name=name or "",
        description=description,
        location=location,
        starts_at=begins or "",
        ends_at=ends or "",
    )
    scheduled_events.create(call.state, guild, event)
    return payloads.scheduled_event(guild, event)


@router.route("PATCH", _ONE, _BUCKET)
def edit_event(call: Call) -> JSON:
    """Change, start, end or cancel an event."""
    guild, event = _own(call)
    form = Form()
    fields = Fields(call.body, form)
    name = fields.text("name", longest=_NAME, shortest=1)
    description = fields.text("description", longest=_DESCRIPTION)
    status = _status(fields, event)
    begins = fields.moment("scheduled_start_time") or event.starts_at
    ends = fields.moment("scheduled_end_time") or event.ends_at
    if "scheduled_start_time" in fields:
        _check_order(call, fields, begins, ends)
    location = _location(fields) if "entity_metadata" in fields else event.location
    for passed_over in ("image", "channel_id", "recurrence_rule", "entity_type", "privacy_level"):
        fields.raw(passed_over)
    call.unknown += form.unknown
    form.raise_errors()
    event.name = name or event.name
    event.description = description if "description" in fields else event.description
    event.starts_at, event.ends_at, event.location = begins, ends, location
    event.status = status
    scheduled_events.updated(call.state, guild, event)
    return payloads.scheduled_event(guild, event)


@router.route("DELETE", _ONE, _BUCKET)
def delete_event(call: Call) -> Reply:
    """Delete an event."""
    guild, event = _own(call)
    scheduled_events.delete(call.state, guild, event)
    return NO_CONTENT


def _event(call: Call) -> tuple[Guild, ScheduledEvent]:
    guild = find_guild(call)
    event = guild.events.get(call.params["guild_scheduled_event_id"])
    if event is None:
        raise unknown_event()
    return guild, event


def _own(call: Call) -> tuple[Guild, ScheduledEvent]:
    """Return an event that the bot may change: its own, or any if it has the permission."""
    guild, event = _event(call)
    needed = Permission.MANAGE_EVENTS
    if event.creator_id == call.state.bot.id:
        needed |= Permission.CREATE_EVENTS
    if not guild.base_permissions(call.state.bot) & needed:
        raise missing_permissions()
    return guild, event


def _payload(call: Call, guild: Guild, event: ScheduledEvent) -> JSON:
    answer = payloads.scheduled_event(guild, event)
    if call.query.get("with_user_count") in {"true", "1", "True"}:
        answer["user_count"] = 0
    return answer


def _moment(fields: Fields, name: str) -> str | None:
    value = fields.moment(name)
    if fields.raw(name) is None:
        fields.required(name)
    return value


def _check_fixed(fields: Fields, name: str, value: int) -> None:
    """Check a field that has only one supported value in the sandbox."""
    number = fields.number(name)
    if number is None:
        fields.required(name)
    elif number != value:
        fields.wrong(name, "BASE_TYPE_CHOICES", f"Value must be one of {{{value}}}.")


def _location(fields: Fields) -> str:
    about = fields.inner("entity_metadata")
    if about is None:
        fields.required("entity_metadata")
        return ""
    return about.text("location", longest=_LOCATION, shortest=1, required=True) or ""


def _status(fields: Fields, event: ScheduledEvent) -> EventStatus:
    status = fields.number("status", low=EventStatus.SCHEDULED, high=EventStatus.CANCELED)
    if status is None or status == event.status:
        return event.status
    if status not in scheduled_events.FOLLOWS[event.status]:
        fields.wrong("status", "TRANSITION_INVALID", "Invalid Guild Scheduled Event Status Update")
        return event.status
    return EventStatus(status)


def _check_order(call: Call, fields: Fields, begins: str | None, ends: str | None) -> None:
    """Note a fault if the start is in the past, or the end is not after the start."""
    if begins is None or ends is None:
        return
    first, last = datetime.fromisoformat(begins), datetime.fromisoformat(ends)
    if first.timestamp() <= call.state.now():
        fields.wrong(
            "scheduled_start_time",
            "GUILD_SCHEDULED_EVENT_SCHEDULE_PAST",
            "Cannot schedule event in the past.",
        )
    if last <= first:
        fields.wrong(
            "scheduled_end_time",
            "GUILD_SCHEDULED_EVENT_END_BEFORE_START",
            "Cannot schedule event to end before it starts.",
        )
