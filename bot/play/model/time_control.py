"""Reading the clock that a player asks for: "1 day per move", "10+5", "3 Tage + 1 Tag", "none"."""

import re
from dataclasses import replace
from datetime import timedelta

from bot.base import time_words
from bot.base.time_words import any_of, read_duration
from bot.base.zones import read_zone
from bot.play.model.clock import LIVE_BELOW, TimeControl, clock_text
from bot.play.model.refusals.times import BadClock, ClockProblem

LEAST_BANK = timedelta(minutes=1)
MOST_BANK = timedelta(days=60)
MOST_INCREMENT = timedelta(days=30)
LONGEST_TEXT = 100
"""No longer text is read."""
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
"""Suggested clocks: well-known ones first, then those of DVONN tournaments."""

CAPPED_FROM = timedelta(days=1)
"""Bank from which increments raise a clock to the bank only, if nothing else is said."""

_WORDS = tuple(time_words.ALL.values())
_DURATION = time_words.DURATION
_EACH_MOVE = (
    rf"(?:\s*/|\s{any_of(one.per for one in _WORDS)}\s)\s*{any_of(one.move for one in _WORDS)}"
)
_EACH = any_of(one.each for one in _WORDS)
_IN_ALL = any_of(one.in_all for one in _WORDS)
_LIVE = rf"(?:,?\s*{any_of(one.live for one in _WORDS)})?\.?"
_PER_MOVE = re.compile(rf"(?P<each>{_DURATION}){_EACH_MOVE}{_LIVE}")
_FISCHER = re.compile(r"(?P<minutes>[0-9]{1,5})\s*[+|]\s*(?P<seconds>[0-9]{1,5})")
_CLOCK = re.compile(
    rf"(?:{_EACH}\s)?(?P<bank>{_DURATION})(?:\s{_EACH})?(?:\s{_IN_ALL})?"
    rf"(?:\s*(?:\+|{any_of(one.plus for one in _WORDS)})\s*"
    rf"(?P<increment>{_DURATION})(?:{_EACH_MOVE})?)?"
    rf"(?:[\s,(]*(?:/|{any_of(one.up_to for one in _WORDS)})\s*(?P<cap>{_DURATION})\)?)?{_LIVE}"
)


def read_time_control(text: str, weekends: str | None) -> TimeControl | None:
    """Return the time control that a player asks for; None for a game without clocks.

    "1 day per move" gives each move a day; "10+5" is 10 minutes, and 5 seconds more each move.
    Where an increment comes without a cap, clocks of `CAPPED_FROM` or more rise to the bank, or to
    the increment if that is more.

    Args:
        text: What they typed, or chose from `PRESETS`.
        weekends: The name of the time zone in which clocks rest at weekends, if they do.

    Raises:
        BadClock: It cannot be read, or is beyond a limit.
        UnknownZone: There is no such time zone.
    """
    plain = time_words.plain(text) if len(text) <= _LONGEST_WITH_BLANKS else ""
    if plain in time_words.NONE:
        if weekends is not None:
            raise BadClock(ClockProblem.WEEKENDS_WITHOUT_CLOCK)
        return None
    if len(plain) > LONGEST_TEXT:
        raise BadClock(ClockProblem.UNREADABLE)
    bank, increment, cap = _amounts(plain)
    _check(bank, increment, cap)
    if bank < LIVE_BELOW and weekends is not None:
        raise BadClock(ClockProblem.LIVE_WEEKENDS, LIVE_BELOW)
    return TimeControl(
        bank=bank,
        increment=increment,
        cap=cap if increment else None,
        weekends=None if weekends is None else read_zone(weekends),
    )


def _amounts(plain: str) -> tuple[timedelta, timedelta, timedelta | None]:
    """Return the bank, the increment and the cap that a text tells.

    Raises:
        BadClock: It cannot be read.
    """
    if match := _PER_MOVE.fullmatch(plain):
        each = read_duration(match["each"])
        return each, each, each
    if match := _FISCHER.fullmatch(plain):
        return timedelta(minutes=int(match[1])), timedelta(seconds=int(match[2])), None
    match = _CLOCK.fullmatch(plain)
    if match is None:
        raise BadClock(ClockProblem.UNREADABLE)
    bank, increment = read_duration(match["bank"]), read_duration(match["increment"])
    if match["cap"]:
        return bank, increment, read_duration(match["cap"])
    return bank, increment, max(bank, increment) if bank >= CAPPED_FROM else None


def chosen_clock(
    text: str | None, weekends: str | None, usual: TimeControl | None
) -> TimeControl | None:
    """Return the time control that a player asks for, with the usual one's missing parts.

    Raises:
        BadClock, UnknownZone: as `read_time_control`.
    """
    if text is None and weekends is None:
        return usual
    if text is None:
        text = clock_text(None if usual is None else replace(usual, weekends=None))
    return read_time_control(text, weekends)


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
