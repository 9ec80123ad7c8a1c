"""Parses clocks as players type them: "1 day per move", "10+5", "3 days + 1 day".

A text is read in any of the bot's languages, whose words are in `bot.base.time_words`.
"""

import re
from dataclasses import replace
from datetime import timedelta

from bot.base import time_words
from bot.base.time_words import any_of, read_duration
from bot.base.zones import read_zone
from bot.play.model.clock import LIVE_BELOW, NONE, TimeControl
from bot.play.model.refusals import BadClock, ClockProblem

LEAST_BANK = timedelta(minutes=1)
MOST_BANK = timedelta(days=60)
MOST_INCREMENT = timedelta(days=30)
LONGEST_TEXT = 100
"""Maximum number of characters in a clock text. Longer ones are refused."""
_LONGEST_WITH_BLANKS = 1_000

PRESETS = (
    "1 day per move",
    "3 days per move",
    "10+5",
    "15+10",
    "none",
    "7 days per move",
    "3 days + 1 day",
    "240 hours + 36 hours",
    "15 minutes",
)
"""Suggested clocks: common ones first, then the clocks of DVONN tournaments."""

CAPPED_FROM = timedelta(days=1)
"""A bank this large is also the cap, unless the text says otherwise."""

_WORDS = tuple(time_words.ALL.values())
_DURATION = time_words.DURATION
_PER = any_of(words.per for words in _WORDS)
_MOVE = any_of(words.move for words in _WORDS)
_EACH_MOVE = rf"(?:\s*/|\s{_PER}\s)\s*{_MOVE}"
_EACH = any_of(words.each for words in _WORDS)
_IN_ALL = any_of(words.in_all for words in _WORDS)
_PLUS = any_of(words.plus for words in _WORDS)
_UP_TO = any_of(words.up_to for words in _WORDS)
_LIVE = rf"(?:,?\s*{any_of(words.live for words in _WORDS)})?\.?"
# `re` compiles these three when the first clock is typed, which takes 25 ms, and caches them.
_PER_MOVE = rf"(?P<each>{_DURATION}){_EACH_MOVE}{_LIVE}"
_FISCHER = re.compile(r"(?P<minutes>[0-9]{1,5})\s*[+|]\s*(?P<seconds>[0-9]{1,5})")
_CLOCK = (
    rf"(?:{_EACH}\s)?(?P<bank>{_DURATION})(?:\s{_EACH})?(?:\s{_IN_ALL})?"
    rf"(?:\s*(?:\+|{_PLUS})\s*"
    rf"(?P<increment>{_DURATION})(?:{_EACH_MOVE})?)?"
    rf"(?:[\s,(]*(?:/|{_UP_TO})\s*(?P<cap>{_DURATION})\)?)?{_LIVE}"
)
_BARE = rf"{_DURATION}\.?"


def read_time_control(text: str, weekends: str | None) -> TimeControl | None:
    """Parse a clock text.

    Return None for a game without a clock.

    "1 day per move" gives each move a day, and so does "1 day". "10+5" means 10 minutes plus 5
    seconds per move. If a text with an increment has no cap, a bank of `CAPPED_FROM` or more gets a
    cap: the bank or the increment, whichever is larger.

    >>> read_time_control("10+5", None).to_text()
    '10m+5s'
    >>> read_time_control("1 day per move", "Europe/Berlin").to_text()
    '1d+1d/1d~Europe/Berlin'
    >>> read_time_control("none", None) is None
    True

    Raises:
        BadClock: if it can't be parsed or exceeds a limit.
        UnknownZone: if there is no such time zone.
    """
    control = _parse(time_words.plain(text) if len(text) <= _LONGEST_WITH_BLANKS else "")
    return control if weekends is None else _with_weekends(control, weekends)


def typed_form(control: TimeControl | None) -> str:
    """Return a short text that `read_time_control` reads back, without the weekends."""
    if control is None:
        return NONE
    text = replace(control, weekends=None).to_text()
    return text if control.increment else f"{text}+0s"


def readings(text: str) -> tuple[TimeControl | None, ...]:
    """Return the possible meanings of a text, starting with what `read_time_control` returns.

    A duration of `LIVE_BELOW` or more can be a time per move or a time for the whole game.

    Raises:
        BadClock: like `read_time_control`.
    """
    first = read_time_control(text, None)
    if first is None or first.is_live or not _is_bare(time_words.plain(text)):
        return (first,)
    if first.is_per_move:
        return first, TimeControl(bank=first.bank)
    return first, TimeControl(bank=first.bank, increment=first.bank, cap=first.bank)


def _parse(plain: str) -> TimeControl | None:
    if plain in time_words.NONE:
        return None
    if len(plain) > LONGEST_TEXT:
        raise BadClock(ClockProblem.UNREADABLE)
    bank, increment, cap = _amounts(plain)
    _check(bank, increment, cap)
    return TimeControl(bank=bank, increment=increment, cap=cap if increment else None)


def _amounts(plain: str) -> tuple[timedelta, timedelta, timedelta | None]:
    """Return the bank, the increment and the cap in a text.

    Raises:
        BadClock: if it can't be parsed.
    """
    if match := re.fullmatch(_PER_MOVE, plain):
        duration = read_duration(match["each"])
        return duration, duration, duration
    if match := _FISCHER.fullmatch(plain):
        return timedelta(minutes=int(match[1])), timedelta(seconds=int(match[2])), None
    match = re.fullmatch(_CLOCK, plain)
    if match is None:
        raise BadClock(ClockProblem.UNREADABLE)
    bank, increment = read_duration(match["bank"]), read_duration(match["increment"])
    if match["cap"]:
        return bank, increment, read_duration(match["cap"])
    if bank >= CAPPED_FROM and _is_bare(plain):
        return bank, bank, bank
    return bank, increment, max(bank, increment) if bank >= CAPPED_FROM else None


def _is_bare(plain: str) -> bool:
    """Return True if a text is only a duration, which does not say what it is for."""
    return re.fullmatch(_BARE, plain) is not None


def chosen_clock(
    text: str | None, weekends: str | None, default: TimeControl | None
) -> TimeControl | None:
    """Return the time control that a player asks for.

    `default` fills in missing parts.

    Raises:
        BadClock, UnknownZone: like `read_time_control`.
    """
    if text is not None:
        return read_time_control(text, weekends)
    return default if weekends is None else _with_weekends(default, weekends)


def _with_weekends(control: TimeControl | None, weekends: str) -> TimeControl:
    """Return a time control whose clocks are paused on weekends in a time zone.

    Raises:
        BadClock: if there is no clock, or it is too short for pauses.
        UnknownZone: if there is no such time zone.
    """
    if control is None:
        raise BadClock(ClockProblem.WEEKENDS_WITHOUT_CLOCK)
    if control.is_live:
        raise BadClock(ClockProblem.LIVE_WEEKENDS, LIVE_BELOW)
    return replace(control, weekends=read_zone(weekends))


def _check(bank: timedelta, increment: timedelta, cap: timedelta | None) -> None:
    if bank < LEAST_BANK:
        raise BadClock(ClockProblem.BANK_TOO_SHORT, LEAST_BANK)
    if bank > MOST_BANK:
        raise BadClock(ClockProblem.BANK_TOO_LONG, MOST_BANK)
    if increment > MOST_INCREMENT:
        raise BadClock(ClockProblem.INCREMENT_TOO_LONG, MOST_INCREMENT)
    if bank < LIVE_BELOW and increment > bank:
        raise BadClock(ClockProblem.LIVE_INCREMENT, bank)
    if cap is not None and cap < bank:
        raise BadClock(ClockProblem.CAP_BELOW_BANK, bank)
    if cap is not None and cap > MOST_BANK:
        raise BadClock(ClockProblem.CAP_TOO_LONG, MOST_BANK)
