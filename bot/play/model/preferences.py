"""Choices of players for themselves, and those for places."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time, timedelta
from enum import Enum, StrEnum, auto
from typing import Final
from zoneinfo import ZoneInfo

from bot.base.zones import Interval
from dvonn import Coordinates


@dataclass(frozen=True, slots=True)
class OwnSwitch:
    """Something that somebody can turn on or off for themselves."""

    key: str
    """The name of its column in the table of what people have chosen."""
    default: bool


MENTIONS: Final = OwnSwitch("mentions", default=True)
"""A board names the player to move so that Discord notifies them."""
AUTOMATIC: Final = OwnSwitch("automatic", default=False)
"""An only legal move is played by itself."""
PREVIEW: Final = OwnSwitch("preview", default=False)
"""The player is shown what a move does before it is played."""
SIDE: Final = OwnSwitch("side", default=False)
"""The player sees their own side of a board at the bottom where they alone see it."""


class RemindBy(StrEnum):
    """Ways to remind somebody."""

    CHANNEL = "channel"
    """Mention where the game is played."""
    DM = "dm"
    """Direct message, or in the channel where that does not arrive."""
    NONE = "none"


class RemindAhead(StrEnum):
    """Times at which somebody is reminded, before their time is up."""

    HALF = "half"
    """When half of the time is left that they had when the turn began."""
    DAY = "day"
    HOUR = "hour"


class Bell(Enum):
    """Ways in which somebody is notified of a message that calls them."""

    RINGS = auto()
    SILENT = auto()
    """Notification without a sound."""
    OFF = auto()
    """Name without a notification."""


@dataclass(frozen=True, slots=True)
class QuietHours:
    """The hours of each day in which no phone is to ring; they may go past midnight."""

    begins: time
    ends: time

    def around(self, moment: datetime, zone: str) -> Interval | None:
        """Return the quiet time that a moment falls into, in UTC; None while it is not quiet.

        The days are those of the zone.
        """
        where = ZoneInfo(zone)
        today = moment.astimezone(where).date()
        for day in (today - timedelta(days=1), today):
            quiet = self._on(day, where)
            if quiet.begins <= moment < quiet.ends:
                return quiet
        return None

    def _on(self, day: date, where: ZoneInfo) -> Interval:
        """Return the quiet time that begins on a day."""
        last = day if self.begins < self.ends else day + timedelta(days=1)
        return Interval(
            begins=datetime.combine(day, self.begins, where).astimezone(UTC),
            ends=datetime.combine(last, self.ends, where).astimezone(UTC),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Preferences:
    """All choices of a player, at first the defaults."""

    switched: Mapping[str, bool] = field(default_factory=dict, hash=False)
    """Switches that the player has turned from their defaults, by their keys."""
    zone: str = "UTC"
    """The time zone of the quiet hours."""
    quiet: QuietHours | None = None
    remind_by: RemindBy = RemindBy.CHANNEL
    remind_at: frozenset[RemindAhead] = frozenset({RemindAhead.DAY, RemindAhead.HOUR})
    language: str | None = None
    """Language in which they are addressed, as Discord names it; None: the one of their Discord."""
    theme: str | None = None
    """Name of the theme of what they alone see; None: the place's."""
    coordinates: Coordinates | None = None
    """Names of spaces in what they alone read; None: as in the game."""

    def is_on(self, switch: OwnSwitch) -> bool:
        return self.switched.get(switch.key, switch.default)

    def bell(self, now: datetime) -> Bell:
        if not self.is_on(MENTIONS):
            return Bell.OFF
        is_quiet = self.quiet is not None and self.quiet.around(now, self.zone) is not None
        return Bell.SILENT if is_quiet else Bell.RINGS


@dataclass(frozen=True, slots=True, kw_only=True)
class Style:
    """The language and the look of boards of a place; None is as in the place around it."""

    language: str | None = None
    """Language as Discord names it, such as "it" or "en-GB"."""
    theme: str | None = None
    """The name of a theme; a bot that lacks it has its usual one instead."""
    coordinates: Coordinates | None = None
    """Names of spaces in new games."""

    def within(self, around: "Style") -> "Style":
        """Return the style of a place in another one: its own choices first."""
        return Style(
            language=self.language or around.language,
            theme=self.theme or around.theme,
            coordinates=self.coordinates or around.coordinates,
        )


BEFORE_QUIET = timedelta(minutes=5)
"""Time before quiet hours at which a player is reminded whose time is up within them."""

_JUST_BEGUN = 96
"""A level that passes within so small a part of itself after the turn began passed with it."""
_FIXED = {RemindAhead.DAY: timedelta(days=1), RemindAhead.HOUR: timedelta(hours=1)}


@dataclass(frozen=True, slots=True, kw_only=True)
class TimedTurn:
    """A turn with a limited time."""

    began: datetime
    left: timedelta
    """Time that the player's clock showed then."""
    deadline: datetime
    """Time when it is up, as far as pauses are known."""


@dataclass(frozen=True, slots=True)
class Reminding:
    """The next step in the reminders of a turn."""

    due: timedelta | None
    """Level of the reminder that is due now: its distance from the end of the time."""
    look_at: datetime | None
    """Time of the next look; None: not in this turn."""


def remind(
    turn: TimedTurn, wishes: Preferences, reminded: timedelta | None, now: datetime
) -> Reminding:
    """Tell whether a player is to be reminded now, and when to look next.

    Levels that have passed together, as while the bot was away, make one reminder: of the nearest.
    Nobody is reminded of a level that had passed when the turn began. In quiet hours a reminder
    waits for their end, unless the time is up before that: then it comes shortly before they begin,
    or at once if that was missed.

    The level of which they were reminded last in this turn is done, and those above it.
    """
    if wishes.remind_by is RemindBy.NONE or now >= turn.deadline:
        return Reminding(None, None)
    ahead = {
        level: _shifted(turn, wishes, turn.deadline - level)
        for level in _levels(turn, wishes)
        if reminded is None or level < reminded
    }
    passed = [level for level, at in ahead.items() if at <= now]
    if not passed:
        return Reminding(None, min(ahead.values(), default=None))
    quiet_until = _waits_until(turn, wishes, now)
    if quiet_until is not None:
        return Reminding(None, quiet_until)
    due = min(passed)
    return Reminding(due, min((at for level, at in ahead.items() if level < due), default=None))


def earliest(turn: TimedTurn) -> datetime:
    """Return a moment before which nobody is reminded of a turn, whatever they have chosen."""
    highest = max(*_FIXED.values(), turn.left / 2)
    # Quiet hours bring a reminder forward by less than a day.
    return max(turn.deadline - highest - timedelta(days=1), turn.began)


def _levels(turn: TimedTurn, wishes: Preferences) -> Iterator[timedelta]:
    """Return the levels that a player wants and that had not passed when the turn began."""
    for ahead in wishes.remind_at:
        level = _FIXED.get(ahead, turn.left / 2)
        # Who pauses their clock for a moment has just seen the board as well.
        if turn.deadline - level > turn.began + level / _JUST_BEGUN:
            yield level


def _shifted(turn: TimedTurn, wishes: Preferences, at: datetime) -> datetime:
    """Return the time of a reminder, in view of quiet hours."""
    quiet = None if wishes.quiet is None else wishes.quiet.around(at, wishes.zone)
    if quiet is None:
        return at
    if quiet.ends < turn.deadline:
        return quiet.ends
    before = quiet.begins - BEFORE_QUIET
    # Whoever had their turn only after that has just seen the board.
    return before if before > turn.began else at


def _waits_until(turn: TimedTurn, wishes: Preferences, now: datetime) -> datetime | None:
    """Return the end of the quiet hours of this moment, if it comes before the time is up."""
    quiet = None if wishes.quiet is None else wishes.quiet.around(now, wishes.zone)
    return quiet.ends if quiet is not None and quiet.ends < turn.deadline else None
