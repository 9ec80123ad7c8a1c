"""Lengths of time, and clocks, in words."""

from datetime import timedelta

from bot.locales import Reader
from bot.model.clock import TimeControl

_DAY = timedelta(days=1)
_HOUR = timedelta(hours=1)
_MINUTE = timedelta(minutes=1)
_SECOND = timedelta(seconds=1)


def duration(reader: Reader, length: timedelta) -> str:
    """A length of time in the largest unit that divides it: "3 days", "36 hours"; or in seconds."""
    if not length % _DAY:
        return reader.ngettext("{count} day", "{count} days", length // _DAY).format(
            count=length // _DAY
        )
    if not length % _HOUR:
        count = length // _HOUR
        return reader.ngettext("{count} hour", "{count} hours", count).format(count=count)
    if not length % _MINUTE:
        count = length // _MINUTE
        return reader.ngettext("{count} minute", "{count} minutes", count).format(count=count)
    count = length // _SECOND
    return reader.ngettext("{count} second", "{count} seconds", count).format(count=count)


def roughly(reader: Reader, length: timedelta) -> str:
    """A length of time in its largest unit and the next one, rounded down: "2 days 5 hours"."""
    units = (_DAY, _HOUR, _MINUTE, _SECOND)
    largest = next((i for i, unit in enumerate(units) if length >= unit), len(units) - 1)
    smaller = units[min(largest + 1, len(units) - 1)]
    first, rest = divmod(length, units[largest])
    parts = [duration(reader, first * units[largest])]
    if rest >= smaller:
        parts.append(duration(reader, rest // smaller * smaller))
    return " ".join(parts)


def control(reader: Reader, clock: TimeControl | None) -> str:
    """A time control: "1 day per move", "10 minutes + 5 seconds per move, live".

    In English `read_time_control` reads it again, but for the weekends.
    """
    if clock is None:
        return reader.gettext("no clock")
    words = _amounts(reader, clock)
    if clock.is_live:
        return reader.gettext("{clock}, live").format(clock=words)
    if clock.weekends is None:
        return words
    return reader.gettext("{clock}; paused at weekends ({zone})").format(
        clock=words, zone=clock.weekends
    )


def _amounts(reader: Reader, clock: TimeControl) -> str:
    """What each player begins with, what moves add, and up to what."""
    if clock.is_per_move:
        words = reader.gettext("{increment} per move")
    elif not clock.increment:
        words = (
            reader.gettext("{bank} each")
            if clock.is_live
            else reader.gettext("{bank} each for the whole game")
        )
    elif clock.cap is None:
        words = reader.gettext("{bank} + {increment} per move")
    else:
        words = reader.gettext("{bank} + {increment} per move (max {cap})")
    return words.format(
        bank=duration(reader, clock.bank),
        increment=duration(reader, clock.increment),
        cap="" if clock.cap is None else duration(reader, clock.cap),
    )


def clock_line(reader: Reader, clock: TimeControl | None) -> list[str]:
    """The line that tells what clock a game has; none for a game without one."""
    if clock is None:
        return []
    return [reader.gettext("Clock: {clock}.").format(clock=control(reader, clock))]
