"""Time zones by name, such as Europe/Berlin, and times of day in them."""

import difflib
import re
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from functools import cache
from typing import Final
from zoneinfo import ZoneInfo, available_timezones

from bot.base.errors import InputError


class UnknownZone(InputError):  # noqa: N818
    """The name matches no time zone."""

    def __init__(self, text: str, suggestions: tuple[str, ...]) -> None:
        super().__init__(text)
        self.text = text
        self.suggestions = suggestions


LONGEST = 100
"""Maximum length of a search text. The longest zone name is a third of that."""
_MAX_SUGGESTIONS = 3
_MIN_SIMILARITY = 0.6
"""Minimum similarity (0 to 1) of a name suggested for an unknown one."""


_WELL_KNOWN = (
    "UTC",
    "Europe/London",
    "Europe/Lisbon",
    "Europe/Berlin",
    "Europe/Paris",
    "Europe/Rome",
    "Europe/Helsinki",
    "Europe/Moscow",
    "America/Halifax",
    "America/New_York",
    "America/Chicago",
    "America/Denver",
    "America/Los_Angeles",
    "America/Sao_Paulo",
    "Pacific/Honolulu",
    "Africa/Lagos",
    "Africa/Johannesburg",
    "Africa/Nairobi",
    "Asia/Karachi",
    "Asia/Kolkata",
    "Asia/Shanghai",
    "Asia/Seoul",
    "Asia/Tokyo",
    "Australia/Sydney",
    "Pacific/Auckland",
)
"""Suggestions shown before anything is typed."""


def read_zone(text: str) -> str:
    """Return a zone's canonical name.

    Case doesn't matter, and spaces count as underscores.

    Raises:
        UnknownZone: if there is no such zone. It contains similar names.
    """
    if len(text) > LONGEST:
        raise UnknownZone(text[:LONGEST], ())
    key = _plain(text)
    name = _zones().get(key)
    if name is None:
        raise UnknownZone(text, tuple(_similar_names(key)))
    return name


def suggest_zones(text: str, limit: int) -> list[str]:
    """Return the zone names with a word that begins with this text, cities first.

    If the text is an abbreviation such as "CET", the well-known zones with it come first.

    >>> suggest_zones("new y", 2)
    ['America/New_York']
    """
    if len(text) > LONGEST:
        return []
    prefix = _plain(text)
    if not prefix:
        return list(_WELL_KNOWN[:limit])
    begins = re.compile(rf"(?:^|[/_-]){re.escape(prefix)}")
    matches = [plain for plain in _zones() if begins.search(plain)]
    matches.sort(key=lambda plain: (not _city(plain).startswith(prefix), plain))
    names = [*_abbreviations().get(prefix, ()), *(_zones()[plain] for plain in matches)]
    return list(dict.fromkeys(names))[:limit]


@cache
def _abbreviations() -> dict[str, list[str]]:
    """Return the well-known zones by their winter and summer abbreviations."""
    zones: dict[str, list[str]] = {}
    for name in _WELL_KNOWN:
        moments = (datetime(2026, month, 1, tzinfo=ZoneInfo(name)) for month in (1, 7))
        for short in {moment.tzname() or "" for moment in moments}:
            zones.setdefault(short.casefold(), []).append(name)
    return zones


def _similar_names(key: str) -> list[str]:
    """Return suggestions for an unknown zone: zones of that city, or similar names."""
    if not key:
        return []
    if within := suggest_zones(key, _MAX_SUGGESTIONS):
        return within
    zones = _zones()
    names = {**{_city(plain): name for plain, name in zones.items()}, **zones}
    similar = difflib.get_close_matches(key, names, _MAX_SUGGESTIONS, _MIN_SIMILARITY)
    return list(dict.fromkeys(names[plain] for plain in similar))


@cache
def _zones() -> dict[str, str]:
    """Return the zones named after cities, and UTC, by their simplified names."""
    names = sorted(name for name in available_timezones() if "/" in name or name == "UTC")
    return {_plain(name): name for name in names if not name.startswith(("Etc/", "SystemV/"))}


def _plain(text: str) -> str:
    return "_".join(text.casefold().split())


def _city(plain: str) -> str:
    return plain.rpartition("/")[2]


_DAY: Final = timedelta(days=1)

_HOUR_MINUTES: Final = 60


@dataclass(frozen=True, slots=True)
class DailyTime:
    """A time of day in a time zone at which something is due each day."""

    minute: int
    """Minute of the day, 0 to 1439."""
    zone: str

    @classmethod
    def from_time(cls, hour: time, zone: str) -> "DailyTime":
        """Return a daily time, with seconds dropped."""
        return cls(hour.hour * _HOUR_MINUTES + hour.minute, zone)

    @property
    def hour(self) -> time:
        return time(*divmod(self.minute, _HOUR_MINUTES))

    def moment(self, day: date) -> datetime:
        """Return the due time on a day, in UTC.

        If a clock change skips that time, return the moment of the change. If the time occurs
        twice, return the first one.
        """
        zone = ZoneInfo(self.zone)
        local = datetime.combine(day, self.hour, zone)
        first, second = local.astimezone(UTC), local.replace(fold=1).astimezone(UTC)
        if second < first:  # the later offset is larger, so this time is skipped
            return _change_between(second, first, zone)
        return first

    def newest(self, now: datetime) -> date:
        """Return the last day whose due time has passed."""
        day = now.astimezone(ZoneInfo(self.zone)).date()
        while self.moment(day) > now:
            day -= _DAY
        return day

    def next(self, now: datetime) -> datetime:
        """Return the next due time after a moment, in UTC."""
        return self.moment(self.newest(now) + _DAY)


def _change_between(before: datetime, after: datetime, zone: ZoneInfo) -> datetime:
    """Return when clocks are put forward between two times, to the second."""
    offset = before.astimezone(zone).utcoffset()
    while after - before > timedelta(seconds=1):
        middle = before + (after - before) // 2
        middle = middle.replace(microsecond=0)
        if middle.astimezone(zone).utcoffset() == offset:
            before = middle
        else:
            after = middle
    return after


@dataclass(frozen=True, slots=True, kw_only=True)
class Interval:
    """A time interval. It is empty if its end is before its start."""

    begins: datetime
    ends: datetime
