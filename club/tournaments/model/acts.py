"""Acts of organizers, which everyone can read in the tournament's log."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from bot.base.ids import UserId


class ActKind(StrEnum):
    """Kinds of acts."""

    EDITED = "edited"
    ADDED = "added"
    REMOVED = "removed"
    STARTED = "started"
    CALLED_OFF = "called_off"
    STOPPED = "stopped"
    RESUMED = "resumed"
    EXTENDED = "extended"
    CORRECTED = "corrected"
    HELPER = "helper"
    """There is a second organizer, or no longer one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TournamentAct:
    """An act of an organizer."""

    kind: ActKind
    by: UserId
    player: UserId | None = None
    """The affected player, or the second organizer."""
    place: tuple[int, int] | None = None
    """Round and board of the affected game."""
    days: int | None = None
    at: datetime | None = None
    """None until it is stored."""
