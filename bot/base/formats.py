"""Format numbers, lists and dates in a reader's language, with Unicode's CLDR."""

from collections.abc import Iterable
from datetime import date, datetime, timedelta
from math import inf
from typing import Any, Final, cast
from zoneinfo import ZoneInfo

from babel.dates import format_date, format_skeleton, format_time, format_timedelta
from babel.lists import format_list
from babel.numbers import format_decimal, format_percent
from babel.units import format_unit

from bot.base.languages import Reader

MAX_SHOWN: Final = 10
"""Maximum number of list items shown."""
_UNITS: Final = {
    timedelta(days=1): "day",
    timedelta(hours=1): "hour",
    timedelta(minutes=1): "minute",
    timedelta(seconds=1): "second",
}


def duration(reader: Reader, length: timedelta) -> str:
    """Format a duration in the largest unit that divides it evenly: "3 days", "36 hours".

    >>> from bot.base.languages import reader_for
    >>> duration(reader_for("en-US"), timedelta(hours=36))
    '36 hours'
    >>> duration(reader_for("de"), timedelta(days=3))
    '3 Tage'
    """
    unit = next((unit for unit in _UNITS if not length % unit), timedelta(seconds=1))
    return amount(reader, length // unit, _UNITS[unit])


def amount(reader: Reader, count: int, unit: str) -> str:
    """Format a number of days, hours, minutes or seconds.

    `unit` is the English singular: "hour".
    """
    name, words = f"duration-{unit}", ""
    for form in ("long", "short"):  # some languages have only the short form
        # Without thousands separators, so that a displayed clock can be typed.
        words = format_unit(count, name, form, "0", locale=reader.formats)
        if name not in words:
            break
    return words


def approximate_duration(reader: Reader, length: timedelta) -> str:
    """Format a duration in its largest unit and the next, rounded down: "2 days, 5 hours".

    >>> from bot.base.languages import reader_for
    >>> approximate_duration(reader_for("en-US"), timedelta(hours=53, minutes=20))
    '2 days, 5 hours'
    """
    units = tuple(_UNITS)
    largest = next((i for i, unit in enumerate(units) if length >= unit), len(units) - 1)
    smaller = units[min(largest + 1, len(units) - 1)]
    first, rest = divmod(length, units[largest])
    parts = [duration(reader, first * units[largest])]
    if rest >= smaller:
        parts.append(duration(reader, rest // smaller * smaller))
    patterns = reader.formats.list_patterns.get("unit")
    if patterns is not None and "2" not in patterns:  # Babel lacks it for Spanish
        return and_list(reader, parts)
    return format_list(parts, style="unit", locale=reader.formats)


def time_until_text(reader: Reader, count: int, unit: str) -> str:
    """Return the time until an event, such as "in 3 days", with correct grammatical case."""
    length, unit_name = timedelta(**{f"{unit}s": count}), cast("Any", unit)
    return format_timedelta(length, unit_name, inf, add_direction=True, locale=reader.formats)


def and_list(reader: Reader, things: Iterable[str]) -> str:
    """Return a list of things: "Ann, Bob, and Cid".

    >>> from bot.base.languages import reader_for
    >>> and_list(reader_for("en-US"), ["Ann", "Bob", "Cid"])
    'Ann, Bob, and Cid'
    >>> and_list(reader_for("fr"), ["Ann", "Bob", "Cid"])
    'Ann, Bob et Cid'
    """
    return format_list(list(things), locale=reader.formats)


def or_list(reader: Reader, things: Iterable[str]) -> str:
    """Join alternatives: "Rome, Paris, or Berlin"."""
    return format_list(list(things), style="or", locale=reader.formats)


def shortened_list(reader: Reader, names: Iterable[str], limit: int = MAX_SHOWN) -> str:
    """Return the first few spaces or moves of a long list: "a1, b1, and 3 more".

    >>> from bot.base.languages import reader_for
    >>> shortened_list(reader_for("en-US"), ["a1", "b1", "c1", "d1"], limit=2)
    'a1, b1, and 2 more'
    """
    first, rest = _few(names, limit)
    if not rest:
        return ", ".join(first)
    rest_text = reader.ngettext("{count} more", "{count} more", rest).format(count=rest)
    return and_list(reader, [*first, rest_text])


def shortened_people(reader: Reader, names: Iterable[str], limit: int = MAX_SHOWN) -> str:
    """Return the first few people or channels of a long list: "Ann, Bob, and 3 others"."""
    first, rest = _few(names, limit)
    if not rest:
        return and_list(reader, first)
    rest_text = reader.ngettext("{count} other", "{count} others", rest).format(count=rest)
    return and_list(reader, [*first, rest_text])


def with_explanation(reader: Reader, text: str, meaning: str) -> str:
    """Join a term and its explanation: "3 tall: to c1". French puts a space before the colon."""
    return reader.gettext("{text}: {meaning}").format(text=text, meaning=meaning)


def number_text(reader: Reader, count: int) -> str:
    return format_decimal(count, locale=reader.formats)


def percent_text(reader: Reader, hundredths: int) -> str:
    """Format hundredths as a percentage: "38%"."""
    return format_percent(hundredths / 100, locale=reader.formats)


def day_text(reader: Reader, day: date) -> str:
    return format_date(day, "medium", locale=reader.formats)


def day_as_typed(reader: Reader, day: date) -> str:
    """Format a day of the year as people type it: "December 24"."""
    return format_skeleton("MMMMd", day, locale=reader.formats)


def moment_text(reader: Reader, moment: datetime, zone: str) -> str:
    """Format a moment in a time zone: "Sat, Nov 28, 6:00 PM (Europe/Berlin)"."""
    local = moment.astimezone(ZoneInfo(zone))
    day = format_skeleton("MMMEd", local, locale=reader.formats)
    return f"{day}, {format_time(local, 'short', locale=reader.formats)} ({zone})"


def weekday_text(reader: Reader, number: int) -> str:
    return str(reader.formats.days["format"]["wide"][number])


def month_text(reader: Reader, day: date) -> str:
    return format_skeleton("yMMMM", day, locale=reader.formats)


def _few(names: Iterable[str], limit: int) -> tuple[list[str], int]:
    """Return the first few names, and the number of the others."""
    all_names = list(names)
    return all_names[:limit], max(len(all_names) - limit, 0)
