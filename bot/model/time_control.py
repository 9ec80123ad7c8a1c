"""Reading the clock that a player asks for: "1 day per move", "10+5", "3 days + 1 day", "none"."""

import re
from dataclasses import replace
from datetime import timedelta

from bot.model.clock import LIVE_BELOW, TimeControl, clock_text
from bot.model.refusals import BadClock, ClockProblem
from bot.model.zones import read_zone

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
"""What is suggested: what people know comes first, then what DVONN tournaments play with."""

CAPPED_FROM = timedelta(days=1)
"""With a bank of so much, increments raise a clock to the bank only, if nothing else is said."""

_SECONDS = {"s": 1, "m": 60, "h": 3_600, "d": 86_400, "w": 7 * 86_400}
_MOST_SECONDS = 10**9
_NUMBER = r"(?:[0-9]{1,9}\s*|\b(?:an?|one)\s+)"
_AMOUNT = (
    rf"{_NUMBER}(?:s(?:ec(?:ond)?s?)?|m(?:in(?:ute)?s?)?|h(?:(?:ou)?rs?)?|d(?:ays?)?|w(?:eeks?)?)"
    r"(?![a-z])"
)
_DURATION = rf"{_AMOUNT}(?:\s*(?:and\s+)?{_AMOUNT})*"
_EACH_MOVE = r"(?:\s*/|\s(?:for\s+)?(?:an?|per|each|every)\s)\s*(?:move|turn)"
_EACH_PLAYER = r"(?:\s(?:(?:for\s+)?(?:a|per|each|every)\s+player|each))"
_IN_ALL = r"(?:\s(?:for|in)\s+(?:the|a)\s+(?:whole\s+)?game)"
_PER_MOVE = re.compile(rf"(?P<each>{_DURATION}){_EACH_MOVE}(?:,?\s*live)?\.?")
_FISCHER = re.compile(r"(?P<minutes>[0-9]{1,5})\s*[+|]\s*(?P<seconds>[0-9]{1,5})")
_CLOCK = re.compile(
    rf"(?P<bank>{_DURATION}){_EACH_PLAYER}?{_IN_ALL}?"
    rf"(?:\s*(?:\+|plus)\s*(?P<increment>{_DURATION})(?:{_EACH_MOVE})?)?"
    rf"(?:[\s,(]*(?:/|up\s+to|at\s+most|max(?:imum|\.)?|cap)\s*(?P<cap>{_DURATION})\)?)?"
    r"(?:,?\s*live)?\.?"
)
_NONE = re.compile(r"none|no|no\s+clocks?|off|without(?:\s+a\s+clock)?")


def read_time_control(text: str, weekends: str | None) -> TimeControl | None:
    """The time control that a player asks for; None for a game without clocks.

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
    plain = " ".join(text.casefold().split()) if len(text) <= _LONGEST_WITH_BLANKS else ""
    if _NONE.fullmatch(plain):
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
    """The bank, the increment and the cap that a text tells.

    Raises:
        BadClock: It cannot be read.
    """
    if match := _PER_MOVE.fullmatch(plain):
        each = _read(match["each"])
        return each, each, each
    if match := _FISCHER.fullmatch(plain):
        return timedelta(minutes=int(match[1])), timedelta(seconds=int(match[2])), None
    match = _CLOCK.fullmatch(plain)
    if match is None:
        raise BadClock(ClockProblem.UNREADABLE)
    bank, increment = _read(match["bank"]), _read(match["increment"])
    if match["cap"]:
        return bank, increment, _read(match["cap"])
    return bank, increment, max(bank, increment) if bank >= CAPPED_FROM else None


def chosen_clock(
    text: str | None, weekends: str | None, usual: TimeControl | None
) -> TimeControl | None:
    """The time control that a player asks for, of which what they leave out is as usual.

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


def _read(duration: str | None) -> timedelta:
    """The sum of amounts such as "1 day 12 hours"; nothing at all is zero."""
    amounts = re.findall(rf"({_NUMBER})([smhdw])", duration or "")
    seconds = sum(_number(number) * _SECONDS[unit] for number, unit in amounts)
    return timedelta(seconds=min(seconds, _MOST_SECONDS))


def _number(text: str) -> int:
    """A number in digits; "a" and "one" are 1."""
    return int(text) if text.strip().isdecimal() else 1
