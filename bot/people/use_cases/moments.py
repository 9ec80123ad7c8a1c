"""Parses moments and durations: "in 2 hours", "tomorrow 8 pm", "Saturday 18:00", "3 days"."""

import re
from datetime import UTC, date, datetime, time, timedelta
from typing import Final
from zoneinfo import ZoneInfo

from bot.base import time_words
from bot.base.day_words import possible_days
from bot.people.model import BadLength, BadMoment, BadTime
from bot.people.use_cases.choices import read_time

LONGEST_TEXT: Final = 60
USUAL_TIME: Final = time(18)
"""Time of day for a text that names only the day."""
_AHEAD: Final = re.compile(
    rf"(?:(?:in|tra|fra|dans|over|en|dentro de)\s+)?(?P<ahead>{time_words.DURATION})"
)
_AT: Final = re.compile(rf"{time_words.any_of(words.at for words in time_words.ALL.values())}\s*")
_HALF_HOUR: Final = re.compile(
    rf"\b{time_words.any_of(words.half_hour for words in time_words.ALL.values())}"
)
_TONIGHT: Final = re.compile(
    rf"\b{time_words.any_of(words.tonight for words in time_words.ALL.values())}"
)
# In two languages, it is part of the word for the day: "samstagabend".
_LATE: Final = re.compile(time_words.any_of(words.late for words in time_words.ALL.values()))
_EARLY: Final = re.compile(time_words.any_of(words.early for words in time_words.ALL.values()))
_NOON_H: Final = 12
_ISO_T: Final = re.compile(r"(?<=[0-9])t(?=[0-9])")


def read_moment(text: str, *, now: datetime, zone: str, language: str = "en") -> datetime:
    """Return the next moment that a text can mean, to the minute.

    A day without a time means its early evening. `language`, a Discord locale, resolves ambiguous
    forms such as 3/4.

    >>> from datetime import UTC
    >>> now = datetime(2026, 11, 29, 12, tzinfo=UTC)
    >>> str(read_moment("tomorrow 8 pm", now=now, zone="Europe/Berlin"))
    '2026-11-30 19:00:00+00:00'

    Raises:
        BadMoment: if it can't be parsed.
    """
    plain = time_words.plain(text[: LONGEST_TEXT + 1])
    if not plain or len(plain) > LONGEST_TEXT:
        raise BadMoment
    moment = _moment(plain, now, ZoneInfo(zone), language)
    if moment is None:
        raise BadMoment
    return moment


def read_length(text: str) -> timedelta:
    """Parse a duration.

    >>> str(read_length("3 days"))
    '3 days, 0:00:00'

    Raises:
        BadLength: if the text isn't one.
    """
    plain = time_words.plain(text[: LONGEST_TEXT + 1])
    if not re.fullmatch(time_words.DURATION, plain):
        raise BadLength
    return time_words.read_duration(plain)


def _moment(plain: str, now: datetime, zone: ZoneInfo, language: str) -> datetime | None:
    """Return the first moment that a text can mean: a time from now on, or a day and a time."""
    if match := _AHEAD.fullmatch(_HALF_HOUR.sub("30 min", plain)):
        return (now + time_words.read_duration(match["ahead"])).replace(second=0, microsecond=0)
    today = time_words.ENGLISH.today.partition(",")[0]
    plain, tonight = _TONIGHT.subn(today, plain)
    plain, late = _LATE.subn(" ", plain)
    words = _EARLY.sub(" ", _ISO_T.sub(" ", plain)).replace(",", " ").split()
    is_late = bool(tonight or late)
    for cut in range(len(words) + 1):
        first, second = " ".join(words[:cut]), " ".join(words[cut:])
        for day, hour in ((first, second), (second, first)):
            moment = _next_moment(day, hour, now, zone, language, is_late=is_late)
            if moment is not None:
                return moment
    return None


def _next_moment(
    day: str, hour: str, now: datetime, zone: ZoneInfo, language: str, *, is_late: bool
) -> datetime | None:
    """Return the next moment with an optional day and time of day, or else the last one."""
    today = now.astimezone(zone).date()
    days = possible_days(day, today, language) if day else [today, today + timedelta(days=1)]
    at = _time(hour) if hour else USUAL_TIME
    if is_late and at is not None and 0 < at.hour < _NOON_H:
        at = at.replace(hour=at.hour + _NOON_H)
    if at is None or not days:
        return None
    moments = [_as_utc(weekday, at, zone) for weekday in days]
    return next((moment for moment in moments if moment > now), moments[-1])


def _as_utc(day: date, at: time, zone: ZoneInfo) -> datetime:
    return datetime.combine(day, at, zone).astimezone(UTC)


def _time(text: str) -> time | None:
    try:
        return read_time(_AT.sub("", text, count=1) if _AT.match(text) else text)
    except BadTime:
        return None
