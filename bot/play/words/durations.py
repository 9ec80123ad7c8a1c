"""Clocks in words."""

from bot.base.formats import duration
from bot.base.locales import Reader
from bot.play.model.clock import TimeControl


def control(reader: Reader, clock: TimeControl | None) -> str:
    """Return a time control: "1 day per move", "10 minutes + 5 seconds per move, live".

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
    """Say what each player begins with, what moves add, and up to what."""
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
    """Return the line that tells what clock a game has; none for a game without one."""
    if clock is None:
        return []
    return [reader.gettext("Clock: {clock}.").format(clock=control(reader, clock))]
