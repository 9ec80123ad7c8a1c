"""Changes to a guild's scheduled events, and the gateway events about them."""

from sandbox import payloads
from sandbox.events import Event, Intent
from sandbox.kinds import EventStatus
from sandbox.model import Guild, ScheduledEvent
from sandbox.state import State

MOST = 100
"""Maximum number of scheduled and active events per guild."""
FOLLOWS = {
    EventStatus.SCHEDULED: {EventStatus.ACTIVE, EventStatus.CANCELED},
    EventStatus.ACTIVE: {EventStatus.COMPLETED},
    EventStatus.COMPLETED: set[EventStatus](),
    EventStatus.CANCELED: set[EventStatus](),
}
"""For each status, the statuses that may follow."""


def create(state: State, guild: Guild, event: ScheduledEvent) -> None:
    guild.events[event.id] = event
    _publish(state, guild, event, "GUILD_SCHEDULED_EVENT_CREATE")


def updated(state: State, guild: Guild, event: ScheduledEvent) -> None:
    """Announce an event's change. Remove the event if it is over."""
    if not FOLLOWS[event.status]:
        del guild.events[event.id]
    _publish(state, guild, event, "GUILD_SCHEDULED_EVENT_UPDATE")


def delete(state: State, guild: Guild, event: ScheduledEvent) -> None:
    """Delete an event."""
    del guild.events[event.id]
    _publish(state, guild, event, "GUILD_SCHEDULED_EVENT_DELETE")


def _publish(state: State, guild: Guild, event: ScheduledEvent, name: str) -> None:
    data = payloads.scheduled_event(guild, event)
    state.publish(Event(name, data, guild.id, Intent.GUILD_SCHEDULED_EVENTS))
