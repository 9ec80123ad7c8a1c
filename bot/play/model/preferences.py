"""What was chosen: by a player for themselves, and for a place."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time, timedelta
from enum import Enum, StrEnum, auto
from typing import Final
from zoneinfo import ZoneInfo

from bot.base.intervals import Interval
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
    """How somebody wants to be reminded."""

    CHANNEL = "channel"
    """By a mention where the game is played."""
    DM = "dm"
    """By a direct message, or in the channel where that does not arrive."""
    NONE = "none"


class RemindAhead(StrEnum):
    """How long before their time is up somebody wants to be reminded."""

    HALF = "half"
    """When half of what they had when the turn began is left."""
    DAY = "day"
    HOUR = "hour"


class Bell(Enum):
    """How somebody hears of a message that calls them."""

    RINGS = auto()
    SILENT = auto()
    """They are notified without a sound."""
    OFF = auto()
    """They are only named."""


@dataclass(frozen=True, slots=True)
class QuietHours:
    """The hours of each day in which no phone is to ring; they may go past midnight."""

    begins: time
    ends: time

    def around(self, moment: datetime, zone: str) -> Interval | None:
        """The quiet time that a moment falls into, in UTC; None while it is not quiet.

        Args:
            moment: Any moment.
            zone: Whose days these are.
        """
        where = ZoneInfo(zone)
        today = moment.astimezone(where).date()
        for day in (today - timedelta(days=1), today):
            quiet = self._on(day, where)
            if quiet.begins <= moment < quiet.ends:
                return quiet
        return None

    def _on(self, day: date, where: ZoneInfo) -> Interval:
        """The quiet time that begins on a day."""
        last = day if self.begins < self.ends else day + timedelta(days=1)
        return Interval(
            begins=datetime.combine(day, self.begins, where).astimezone(UTC),
            ends=datetime.combine(last, self.ends, where).astimezone(UTC),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Preferences:
    """All that a player can choose, at first as the bot would have it."""

    switched: Mapping[str, bool] = field(default_factory=dict, hash=False)
    """By their keys, what the player has turned on or off other than by default."""
    zone: str = "UTC"
    """The time zone of the quiet hours."""
    quiet: QuietHours | None = None
    remind_by: RemindBy = RemindBy.CHANNEL
    remind_at: frozenset[RemindAhead] = frozenset({RemindAhead.DAY, RemindAhead.HOUR})
    language: str | None = None
    """In which they are spoken to, as Discord names it; None: that of their Discord."""
    theme: str | None = None
    """The name of the theme of what they alone see; None: that of the place."""
    coordinates: Coordinates | None = None
    """How spaces are named where they alone read it; None: as in the game."""

    def is_on(self, switch: OwnSwitch) -> bool:
        """Tell whether something is on."""
        return self.switched.get(switch.key, switch.default)

    def bell(self, now: datetime) -> Bell:
        """How the player hears at a moment that a game calls them."""
        if not self.is_on(MENTIONS):
            return Bell.OFF
        is_quiet = self.quiet is not None and self.quiet.around(now, self.zone) is not None
        return Bell.SILENT if is_quiet else Bell.RINGS


@dataclass(frozen=True, slots=True, kw_only=True)
class Style:
    """How a place is spoken to and what its boards look like; None is as in the place around it."""

    language: str | None = None
    """As Discord names it, such as "it" or "en-GB"."""
    theme: str | None = None
    """The name of a theme; a bot that lacks it has its usual one instead."""
    coordinates: Coordinates | None = None
    """How new games name spaces."""

    def within(self, around: "Style") -> "Style":
        """What holds in a place that lies in another: its own choices first."""
        return Style(
            language=self.language or around.language,
            theme=self.theme or around.theme,
            coordinates=self.coordinates or around.coordinates,
        )
