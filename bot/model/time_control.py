"""Reading the clock that a player asks for: "3 days + 1 day up to 3 days", "15 min", "none"."""

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
    "3 days + 1 day up to 3 days",
    "240 hours + 36 hours up to 240 hours",
    "10 minutes",
    "15 minutes",
    "none",
)
"""What is suggested: two for games over days, two as in DVONN tournaments, and no clock."""

_MINUTES = {"m": 1, "h": 60, "d": 24 * 60, "w": 7 * 24 * 60}
_MOST_MINUTES = 10**9
_AMOUNT = r"[0-9]{1,9}\s*(?:m(?:in(?:ute)?s?)?|h(?:(?:ou)?rs?)?|d(?:ays?)?|w(?:eeks?)?)(?![a-z])"
_DURATION = rf"{_AMOUNT}(?:\s*(?:and\s+)?{_AMOUNT})*"
_EACH = r"(?:\s*(?:a|per|each|every)\s+(?:move|turn|player))?"
_CLOCK = re.compile(
    rf"(?P<bank>{_DURATION}){_EACH}"
    rf"(?:\s*(?:\+|plus)\s*(?P<increment>{_DURATION}){_EACH})?"
    rf"(?:[\s,(]*(?:/|up\s+to|at\s+most|max(?:imum|\.)?|cap)\s*(?P<cap>{_DURATION})\)?)?\.?"
)
_NONE = re.compile(r"none|no|no\s+clocks?|off|without(?:\s+a\s+clock)?")


def read_time_control(text: str, weekends: str | None) -> TimeControl | None:
    """The time control that a player asks for; None for a game without clocks.

    Where an increment comes without a cap, clocks rise to the bank, or to the increment if that is
    more.

    Args:
        text: What he typed, or chose from `PRESETS`.
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
    match = _CLOCK.fullmatch(plain) if len(plain) <= LONGEST_TEXT else None
    if match is None:
        raise BadClock(ClockProblem.UNREADABLE)
    bank, increment = _read(match["bank"]), _read(match["increment"])
    cap = _read(match["cap"]) if match["cap"] else max(bank, increment)
    _check(bank, increment, cap)
    if bank < LIVE_BELOW:
        if increment:
            raise BadClock(ClockProblem.LIVE_INCREMENT, LIVE_BELOW)
        if weekends is not None:
            raise BadClock(ClockProblem.LIVE_WEEKENDS, LIVE_BELOW)
    return TimeControl(
        bank=bank,
        increment=increment,
        cap=cap if increment else None,
        weekends=None if weekends is None else read_zone(weekends),
    )


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


def _check(bank: timedelta, increment: timedelta, cap: timedelta) -> None:
    if bank < LEAST_BANK:
        raise BadClock(ClockProblem.BANK_TOO_SHORT, LEAST_BANK)
    if bank > MOST_BANK:
        raise BadClock(ClockProblem.BANK_TOO_LONG, MOST_BANK)
    if increment > MOST_INCREMENT:
        raise BadClock(ClockProblem.INCREMENT_TOO_LONG, MOST_INCREMENT)
    if cap < bank:
        raise BadClock(ClockProblem.CAP_BELOW_BANK, bank)
    if cap > MOST_BANK:
        raise BadClock(ClockProblem.CAP_TOO_LONG, MOST_BANK)


def _read(duration: str | None) -> timedelta:
    """The sum of amounts such as "1 day 12 hours"; nothing at all is zero."""
    amounts = re.findall(r"([0-9]+)\s*([mhdw])", duration or "")
    minutes = sum(int(number) * _MINUTES[unit] for number, unit in amounts)
    return timedelta(minutes=min(minutes, _MOST_MINUTES))
