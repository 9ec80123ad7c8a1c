"""Parse a day: "tomorrow", "Saturday", "24 December", "2026-12-24", in the bot's languages.

Names of weekdays and months come from Unicode's CLDR. Three letters are enough. Ambiguous texts
such as "mar 24" or "3/4" are read by the rules of the writer's language.
"""

import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import date, timedelta
from functools import cache
from typing import Final

from babel import Locale

from bot.base import time_words

_SHORTEST: Final = 3
"""Minimum number of letters that identify a name."""
_WEEK: Final = 7
_MAX_DATE_WORDS: Final = 2
"""Maximum number of words after the first in a date such as "24 December 2026"."""
_DAY: Final = re.compile(r"(?P<day>[0-9]{1,2})(?:st|nd|rd|th|er|[.o])?")
_YEAR: Final = re.compile(r"[0-9]{4}")
_ISO: Final = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_DOTTED: Final = re.compile(
    r"(?P<day>[0-9]{1,2})\.\s?(?P<month>[0-9]{1,2})\.\s?(?P<year>[0-9]{4})?"
)
_NUMBERS: Final = re.compile(
    r"(?P<one>[0-9]{1,2})[-/](?P<other>[0-9]{1,2})(?:[-/](?P<year>[0-9]{4}))?"
)
_MONTH_FIRST: Final = frozenset({"en", "en-US"})
"""Languages that write 12/24 for the 24th of December."""
_MONTHS_AHEAD: Final = 3
"""Number of months to search for a day of the month. One of them always has 31 days."""
_DAYS_AHEAD: Final = {"today": 0, "tomorrow": 1, "day_after": 2}


def possible_days(text: str, today: date, language: str = "en") -> list[date]:
    """Return the days that a text can mean, likeliest first, or an empty list.

    >>> possible_days("tomorrow", date(2026, 11, 29))
    [datetime.date(2026, 11, 30)]
    >>> possible_days("3/4", date(2026, 11, 29), "en-US")[0]
    datetime.date(2027, 3, 4)
    >>> possible_days("3/4", date(2026, 11, 29), "de")[0]
    datetime.date(2027, 4, 3)

    Args:
        text: Text in lowercase with single spaces (`time_words.plain`).
        today: Current date where the writer lives.
        language: The writer's language, as a Discord locale.
    """
    words = [word for word in without_accents(text).split() if word not in _fillers()]
    plain = " ".join(words)
    for days, names in _relative_days().items():
        if plain in names:
            return [today + timedelta(days=days)]
    weekday = _weekdays().get(words[0].removesuffix(".")) if words else None
    if weekday is None:
        return list(_dates(words, today, language))
    if len(words) == 1:
        first = today + timedelta(days=(weekday - today.weekday()) % _WEEK)
        return [first, first + timedelta(days=_WEEK)]
    # "mar" means Tuesday in three languages. In English a month may come first: "Mar 24".
    name, day = words[0].removesuffix("."), _next_day_of_month(words[1:], today)
    is_weekday = name not in _months() or name in _own_weekdays(language)
    if is_weekday and day is not None and day.weekday() == weekday:
        return [day]
    dates = [day for day in [*_dates(words[1:], today, language)][:1] if day.weekday() == weekday]
    return dates or list(_dates(words, today, language))


@cache
def known_words() -> frozenset[str]:
    """Return all words that occur in names of days, in all languages."""
    relative = (
        word for names in _relative_days().values() for name in names for word in name.split()
    )
    whole = (name for attribute in ("days", "months") for name, _ in _names(attribute, ["wide"]))
    return frozenset([*relative, *whole])


def without_accents(text: str) -> str:
    """Return a text without accents."""
    decomposed = unicodedata.normalize("NFKD", text)
    return "".join(letter for letter in decomposed if not unicodedata.combining(letter))


def _next_day_of_month(words: Sequence[str], today: date) -> date | None:
    """Return the next date whose day of the month is the given number, as in "24"."""
    number = _DAY.fullmatch(words[0]) if len(words) == 1 else None
    if number is None:
        return None
    for months in range(_MONTHS_AHEAD + 1):
        year, month = divmod(today.month - 1 + months, 12)
        with suppress(ValueError):
            candidate = date(today.year + year, month + 1, int(number["day"]))
            if candidate >= today:
                return candidate
    return None


def _dates(words: Sequence[str], today: date, language: str) -> Iterator[date]:
    """Yield the dates that the words could mean. Without a year, the next such date is meant."""
    text = " ".join(words)
    if _ISO.fullmatch(text):
        with suppress(ValueError):
            yield date.fromisoformat(text)
        return
    if dotted := _DOTTED.fullmatch(text):
        yield from _in_years(int(dotted["day"]), int(dotted["month"]), dotted["year"], today)
        return
    if numbers := _NUMBERS.fullmatch(text):
        first, second = int(numbers["one"]), int(numbers["other"])
        orders = [(first, second), (second, first)]  # day first, then month first
        for day_number, month_number in reversed(orders) if language in _MONTH_FIRST else orders:
            yield from _in_years(day_number, month_number, numbers["year"], today)
        return
    year = words[-1] if words and _YEAR.fullmatch(words[-1]) else None
    rest = words[:-1] if year else words
    if len(rest) != _MAX_DATE_WORDS:
        return
    for day, name in (rest, rest[::-1]):
        number, month = _DAY.fullmatch(day), _months().get(name.removesuffix("."))
        if number is not None and month is not None:
            yield from _in_years(int(number["day"]), month, year, today)


def _in_years(day: int, month: int, year: str | None, today: date) -> Iterator[date]:
    for number in (int(year),) if year else (today.year, today.year + 1):
        with suppress(ValueError):
            candidate = date(number, month, day)
            if year or candidate >= today:
                yield candidate


@cache
def _relative_days() -> Mapping[int, frozenset[str]]:
    """Return the words for days near today, by their distance from it in days."""
    languages = time_words.ALL.values()
    return {
        days: frozenset(
            " ".join(word for word in without_accents(name).split() if word not in _fillers())
            for words in languages
            for name in getattr(words, part).split(", ")
        )
        for part, days in _DAYS_AHEAD.items()
    }


@cache
def _fillers() -> frozenset[str]:
    """Return the filler words that may surround a day."""
    return frozenset(
        without_accents(word) for words in time_words.ALL.values() for word in words.on.split(", ")
    )


@cache
def _weekdays() -> Mapping[str, int]:
    """Return the weekdays by their names in all languages, from 0 for Monday."""
    return _unambiguous_names(_names("days"))


@cache
def _own_weekdays(language: str) -> frozenset[str]:
    """Return the weekday names of one language, in full and as three letters."""
    spoken = {language.partition("-")[0]} & time_words.ALL.keys()
    names = [name for name, _ in _names("days", languages=spoken)]
    return frozenset([*names, *(name[:_SHORTEST] for name in names)])


@cache
def _months() -> Mapping[str, int]:
    return _unambiguous_names(_names("months"))


def _names(
    attribute: str,
    widths: Iterable[str] = ("wide", "abbreviated"),
    languages: Iterable[str] = tuple(time_words.ALL),
) -> Iterator[tuple[str, int]]:
    for language in languages:
        forms = getattr(Locale.parse(language), attribute)
        for context in ("format", "stand-alone"):
            for width in widths:
                for number, name in forms[context][width].items():
                    yield without_accents(name.casefold()).removesuffix("."), number


def _unambiguous_names(names: Iterable[tuple[str, int]]) -> Mapping[str, int]:
    """Return the meaning of each name, and of each unambiguous prefix of a name."""
    meanings: dict[str, set[int]] = {}
    whole = list(names)
    for name, number in whole:
        for length in range(min(_SHORTEST, len(name)), len(name) + 1):
            meanings.setdefault(name[:length], set()).add(number)
    return {name: next(iter(numbers)) for name, numbers in meanings.items() if len(numbers) == 1}
