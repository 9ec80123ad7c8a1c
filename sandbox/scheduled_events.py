"""Changes of a guild's scheduled events, and the events that the bot receives."""

from sandbox import payloads
from sandbox.events import Event, Intent
from sandbox.kinds import EventStatus
from sandbox.model import Guild, ScheduledEvent
from sandbox.state import State

MOST = 100
"""Maximum number of a guild's events that are scheduled or active."""
FOLLOWS = {
    EventStatus.SCHEDULED: {EventStatus.ACTIVE, EventStatus.CANCELED},
    EventStatus.ACTIVE: {EventStatus.COMPLETED},
    EventStatus.COMPLETED: set[EventStatus](),
    EventStatus.CANCELED: set[EventStatus](),
}
"""The statuses that may follow each status."""


def create(state: State, guild: Guild, event: ScheduledEvent) -> None:
    guild.events[event.id] = event
    _tell(state, guild, event, "GUILD_SCHEDULED_EVENT_CREATE")


def updated(state: State, guild: Guild, event: ScheduledEvent) -> None:
    """Announce a change of an event, and remove the event if it is over."""
    if not FOLLOWS[event.status]:
        del guild.events[event.id]
    _tell(state, guild, event, "GUILD_SCHEDULED_EVENT_UPDATE")


def delete(state: State, guild: Guild, event: ScheduledEvent) -> None:
    """Delete an event."""
    del guild.events[event.id]
    _tell(state, guild, event, "GUILD_SCHEDULED_EVENT_DELETE")


def _tell(state: State, guild: Guild, event: ScheduledEvent, name: str) -> None:
    data = payloads.scheduled_event(guild, event)
    state.publish(Event(name, data, guild.id, Intent.GUILD_SCHEDULED_EVENTS))
