"""Lengths of time, and clocks, in words."""

from datetime import timedelta

from bot.locales import gettext as _
from bot.locales import ngettext
from bot.model.clock import TimeControl

_DAY = timedelta(days=1)
_HOUR = timedelta(hours=1)
_MINUTE = timedelta(minutes=1)
_SECOND = timedelta(seconds=1)


def duration(length: timedelta) -> str:
    """A length of time in the largest unit that divides it: "3 days", "36 hours"; or in seconds."""
    if not length % _DAY:
        return ngettext("{count} day", "{count} days", length // _DAY).format(count=length // _DAY)
    if not length % _HOUR:
        count = length // _HOUR
        return ngettext("{count} hour", "{count} hours", count).format(count=count)
    if not length % _MINUTE:
        count = length // _MINUTE
        return ngettext("{count} minute", "{count} minutes", count).format(count=count)
    count = length // _SECOND
    return ngettext("{count} second", "{count} seconds", count).format(count=count)


def roughly(length: timedelta) -> str:
    """A length of time in its largest unit and the next one, rounded down: "2 days 5 hours"."""
    units = (_DAY, _HOUR, _MINUTE, _SECOND)
    largest = next((i for i, unit in enumerate(units) if length >= unit), len(units) - 1)
    smaller = units[min(largest + 1, len(units) - 1)]
    first, rest = divmod(length, units[largest])
    parts = [duration(first * units[largest])]
    if rest >= smaller:
        parts.append(duration(rest // smaller * smaller))
    return " ".join(parts)


def control(clock: TimeControl | None) -> str:
    """A time control: "3 days, 1 day more each move, at most 3 days"."""
    if clock is None:
        return _("no clock")
    if clock.is_live:
        return _("{bank} for each player, live").format(bank=duration(clock.bank))
    if not clock.increment:
        words = _("{bank} for each player").format(bank=duration(clock.bank))
    elif clock.cap is None:
        words = _("{bank}, {increment} more each move").format(
            bank=duration(clock.bank), increment=duration(clock.increment)
        )
    else:
        words = _("{bank}, {increment} more each move, at most {cap}").format(
            bank=duration(clock.bank),
            increment=duration(clock.increment),
            cap=duration(clock.cap),
        )
    if clock.weekends is None:
        return words
    return _("{clock}; resting at weekends ({zone})").format(clock=words, zone=clock.weekends)


def clock_line(clock: TimeControl | None) -> list[str]:
    """The line that tells what clock a game has; none for a game without one."""
    if clock is None:
        return []
    return [_("Clock: {clock}.").format(clock=control(clock))]
