"""Players' own choices, and the choices for places."""

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
    """Its key in the stored choices. It never changes, so it needs no column."""
    default: bool


MENTIONS: Final = OwnSwitch("mentions", default=True)
"""A board names the player to move so that Discord notifies them."""
AUTOMATIC: Final = OwnSwitch("automatic", default=False)
"""The only legal move is played automatically."""
SAVED: Final = OwnSwitch("auto_vacation", default=True)
"""Start a vacation before the player loses on time, as long as they have days left."""
PREVIEW: Final = OwnSwitch("preview", default=False)
"""The player sees the effects of a move before it is played."""
SIDE: Final = OwnSwitch("side", default=False)
"""The player sees their own side of a board at the bottom of private pictures."""

CHANCES: Final = OwnSwitch("chances", default=False)
"""The player reads chances to win in percent, where others read words such as "ahead"."""

WORDS: Final = OwnSwitch("words", default=False)
"""The player listens: boards come with their description, each turn in a new message."""


class RemindBy(StrEnum):
    """Ways to remind a player."""

    CHANNEL = "channel"
    """Mention in the game's channel."""
    DM = "dm"
    """Direct message, or in the channel if that does not arrive."""
    NONE = "none"


class RemindAhead(StrEnum):
    """Times of reminders, counted back from a player's deadline."""

    HALF = "half"
    """When half of the time is left that they had when the turn began."""
    DAY = "day"
    HOUR = "hour"


class NotificationMode(Enum):
    """Ways to notify the person that a message calls."""

    RINGS = auto()
    SILENT = auto()
    """Notification without a sound."""
    OFF = auto()
    """Name without a notification."""


@dataclass(frozen=True, slots=True)
class QuietHours:
    """The hours of each day without sounds of notifications. They may go past midnight."""

    begins: time
    ends: time

    def interval_around(self, moment: datetime, zone: str) -> Interval | None:
        """Return the quiet time around a moment in UTC, or None if it is not quiet then.

        Days begin at midnight in the zone.
        """
        today = moment.astimezone(ZoneInfo(zone)).date()
        for day in (today - timedelta(days=1), today):
            quiet = self._interval_on(day, zone)
            if quiet.begins <= moment < quiet.ends:
                return quiet
        return None

    def _interval_on(self, day: date, zone: str) -> Interval:
        """Return the quiet time that begins on a day."""
        last = day if self.begins < self.ends else day + timedelta(days=1)
        return Interval(
            begins=DailyTime.from_time(self.begins, zone).moment(day),
            ends=DailyTime.from_time(self.ends, zone).moment(last),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Preferences:
    """All choices of a player, at first the defaults."""

    switched: Mapping[str, bool] = field(default_factory=dict, hash=False)
    """Switches that the player has turned from their defaults, by their keys."""
    zone: str = "UTC"
    """The time zone of the quiet hours and of the digest."""
    quiet: QuietHours | None = None
    digest: time | None = None
    """The time of day of the digest, a direct message that lists all waiting games, if one is
    wanted."""
    remind_by: RemindBy = RemindBy.CHANNEL
    remind_at: frozenset[RemindAhead] = frozenset({RemindAhead.DAY, RemindAhead.HOUR})
    language: str | None = None
    """The user's language, as Discord names it, or None for their Discord's."""
    theme: str | None = None
    """Theme of the user's private pictures, or None for the place's."""
    coordinates: Coordinates | None = None
    """Names of spaces in the user's private texts, or None for the game's."""

    def is_on(self, switch: OwnSwitch) -> bool:
        return self.switched.get(switch.key, switch.default)

    def next_digest(self, now: datetime) -> datetime | None:
        """Return when the next digest comes, or None without digests."""
        return min((at for at in self._digests(now) if at > now), default=None)

    def last_digest(self, now: datetime) -> datetime | None:
        """Return when a digest was last due, or None without digests."""
        return max((at for at in self._digests(now) if at <= now), default=None)

    def _digests(self, now: datetime) -> Iterator[datetime]:
        """Yield when digests are due around a moment: never in quiet hours, but at their end."""
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

    def bell(self, now: datetime) -> NotificationMode:
        if not self.is_on(MENTIONS):
            return NotificationMode.OFF
        is_quiet = self.quiet is not None and self.quiet.interval_around(now, self.zone) is not None
        return NotificationMode.SILENT if is_quiet else NotificationMode.RINGS


@dataclass(frozen=True, slots=True, kw_only=True)
class Style:
    """The language and the look of boards of a place.

    None means the default of the place around it.
    """

    language: str | None = None
    """Language as Discord names it, such as "it" or "en-GB"."""
    theme: str | None = None
    """The name of a theme. A bot without that theme uses its default."""
    coordinates: Coordinates | None = None
    """Names of spaces in new games."""

    def merged_into(self, around: "Style") -> "Style":
        """Return the style of a place in another one: its own choices first."""
        return Style(
            language=self.language or around.language,
            theme=self.theme or around.theme,
            coordinates=self.coordinates or around.coordinates,
        )
