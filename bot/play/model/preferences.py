"""Users' own settings, and the language and look of servers and channels."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date, datetime, time, timedelta
from enum import Enum, StrEnum, auto
from typing import Final
from zoneinfo import ZoneInfo

from bot.base.zones import DailyTime, Interval
from dvonn import Coordinates


@dataclass(frozen=True, slots=True)
class OwnSwitch:
    """A switch that users can turn on or off for themselves."""

    key: str
    """Key in the stored settings, which must never change. A switch needs no column."""
    default: bool


MENTIONS: Final = OwnSwitch("mentions", default=True)
"""Notify the user when a new board says that it is their turn."""
AUTOMATIC: Final = OwnSwitch("automatic", default=False)
"""Play the only legal move automatically."""
SAVED: Final = OwnSwitch("auto_vacation", default=True)
"""Start a vacation before the player loses on time, while they have days left."""
PREVIEW: Final = OwnSwitch("preview", default=False)
"""Show the effects of a move before it is played."""
SIDE: Final = OwnSwitch("side", default=False)
"""Show the player's own side of the board at the bottom of private pictures."""

CHANCES: Final = OwnSwitch("chances", default=False)
"""Show winning chances in percent instead of in words such as "ahead"."""

WORDS: Final = OwnSwitch("words", default=False)
"""For screen readers: boards have a description, and each turn is a new message."""


class RemindBy(StrEnum):
    """Ways to remind a player."""

    CHANNEL = "channel"
    """By a mention in the game's channel."""
    DM = "dm"
    """By direct message, or in the channel if that can't be delivered."""
    NONE = "none"


class RemindAhead(StrEnum):
    """Times for reminders before a player's deadline."""

    HALF = "half"
    """When half of the time that they had at the start of the turn is left."""
    DAY = "day"
    HOUR = "hour"


class NotificationMode(Enum):
    """Ways to notify a user."""

    RINGS = auto()
    SILENT = auto()
    """A notification without a sound."""
    OFF = auto()
    """The name without a notification."""


@dataclass(frozen=True, slots=True)
class QuietHours:
    """Hours of each day without notification sounds. They may span midnight."""

    begins: time
    ends: time

    def interval_around(self, moment: datetime, zone: str) -> Interval | None:
        """Return the quiet period that contains a moment in UTC, or None.

        Days start at midnight in the zone.
        """
        today = moment.astimezone(ZoneInfo(zone)).date()
        for day in (today - timedelta(days=1), today):
            quiet = self._interval_on(day, zone)
            if quiet.begins <= moment < quiet.ends:
                return quiet
        return None

    def _interval_on(self, day: date, zone: str) -> Interval:
        """Return the quiet period that starts on a day."""
        last = day if self.begins < self.ends else day + timedelta(days=1)
        return Interval(
            begins=DailyTime.from_time(self.begins, zone).moment(day),
            ends=DailyTime.from_time(self.ends, zone).moment(last),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Preferences:
    """All of a player's settings, initially the defaults."""

    switched: Mapping[str, bool] = field(default_factory=dict, hash=False)
    """Switches that the player has changed from their defaults, by key."""
    zone: str = "UTC"
    """Time zone of the quiet hours and of the digest."""
    quiet: QuietHours | None = None
    digest: time | None = None
    """Time of day for the digest (a direct message that lists all waiting games), or None for no
    digest.
    """
    remind_by: RemindBy = RemindBy.CHANNEL
    remind_at: frozenset[RemindAhead] = frozenset({RemindAhead.DAY, RemindAhead.HOUR})
    language: str | None = None
    """The user's language as a Discord locale, or None for the one in their Discord settings."""
    theme: str | None = None
    """Theme of the user's private pictures, or None for the place's theme."""
    coordinates: Coordinates | None = None
    """Notation of spaces in the user's private texts, or None for the game's."""

    def is_on(self, switch: OwnSwitch) -> bool:
        return self.switched.get(switch.key, switch.default)

    def next_digest(self, now: datetime) -> datetime | None:
        """Return when the next digest is due, or None without digests."""
        return min((at for at in self._digests(now) if at > now), default=None)

    def last_digest(self, now: datetime) -> datetime | None:
        """Return when the last digest was due, or None without digests."""
        return max((at for at in self._digests(now) if at <= now), default=None)

    def _digests(self, now: datetime) -> Iterator[datetime]:
        """Yield the due times of digests around a moment.

        During quiet hours, a digest waits for their end.
        """
        if self.digest is None:
            return
        daily = DailyTime.from_time(self.digest, self.zone)
        newest = daily.newest(now)
        for days in (-1, 0, 1):
            at = daily.moment(newest + timedelta(days=days))
            quiet = None if self.quiet is None else self.quiet.interval_around(at, self.zone)
            yield at if quiet is None else quiet.ends

    def leaves_to_digest(self, now: datetime, deadline: datetime | None) -> bool:
        """Return True if the next digest announces a turn early enough before its deadline."""
        digest = self.next_digest(now)
        return digest is not None and (deadline is None or deadline > digest)

    def notification_mode(self, now: datetime) -> NotificationMode:
        if not self.is_on(MENTIONS):
            return NotificationMode.OFF
        is_quiet = self.quiet is not None and self.quiet.interval_around(now, self.zone) is not None
        return NotificationMode.SILENT if is_quiet else NotificationMode.RINGS


@dataclass(frozen=True, slots=True, kw_only=True)
class Style:
    """A place's language and the look of its boards.

    None means the default of the surrounding place.
    """

    language: str | None = None
    """Discord locale, such as "it" or "en-GB"."""
    theme: str | None = None
    """Name of a theme. If a bot doesn't have it, it uses its default."""
    coordinates: Coordinates | None = None
    """Notation of spaces in new games."""

    def merged_into(self, outer: "Style") -> "Style":
        """Return a place's style within another one: its own settings take precedence."""
        return Style(
            language=self.language or outer.language,
            theme=self.theme or outer.theme,
            coordinates=self.coordinates or outer.coordinates,
        )
