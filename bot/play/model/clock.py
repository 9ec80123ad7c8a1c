"""Game clocks: how much time players have.

This module doesn't read the current time.

A player's clock starts with a bank of time and runs while it is their turn. Each move adds the
increment, up to the cap. `bot.play.model.pauses` decides when a clock is paused, and
`bot.play.model.typed_clocks` parses the clocks that players type.
"""

import re
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from enum import StrEnum

from dvonn import Color

LIVE_BELOW = timedelta(hours=1)
"""A game with a shorter bank is live: both players stay at the board."""

_ZERO = timedelta(0)
_DAY = timedelta(days=1)
_GIFTS = 7
"""Maximum number of gifts that a full clock can receive."""
_UNITS = (
    ("d", timedelta(days=1)),
    ("h", timedelta(hours=1)),
    ("m", timedelta(minutes=1)),
    ("s", timedelta(seconds=1)),
)
_LENGTH = "[0-9]+[dhms]"
_TEXT = re.compile(
    rf"(?P<bank>{_LENGTH})(?:\+(?P<increment>{_LENGTH}))?(?:/(?P<cap>{_LENGTH}))?(?:~(?P<zone>.+))?"
)
NONE = "none"
"""Text for a game without a clock, in the database and in forms."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TimeControl:
    """The time that each player has, in whole seconds.

    >>> control = TimeControl(bank=timedelta(minutes=10), increment=timedelta(seconds=5))
    >>> control.to_text(), control.is_live
    ('10m+5s', True)
    >>> TimeControl.from_text("3d+1d/3d").is_live
    False
    """

    bank: timedelta
    """Time on each player's clock at the start."""
    increment: timedelta = _ZERO
    """Time that each move adds to the mover's clock."""
    cap: timedelta | None = None
    """Maximum time that increments can raise a clock to, or None for no limit."""
    weekends: str | None = None
    """Time zone of the weekends during which clocks are paused (Saturday 0:00 to Monday 0:00), or
    None.
    """

    @property
    def is_live(self) -> bool:
        """True if games with this time control are live: no pauses, takebacks or reminders."""
        return self.bank < LIVE_BELOW

    @property
    def is_per_move(self) -> bool:
        """True if each move has the same time and unused time is lost."""
        return self.bank == self.increment == self.cap

    @property
    def gift(self) -> timedelta:
        """The size of one gift of time: a day, or half of a short bank."""
        return _DAY if self.bank >= _DAY else self.bank / 2

    @property
    def most(self) -> timedelta:
        """The maximum that gifts can raise a clock to."""
        return max(self.bank, self.cap or _ZERO) + _GIFTS * self.gift

    def to_text(self) -> str:
        """Return a short form of at most 60 characters, such as "3d+1d/3d~Europe/Berlin"."""
        text = _short(self.bank)
        if self.increment:
            text += f"+{_short(self.increment)}"
        if self.cap is not None:
            text += f"/{_short(self.cap)}"
        if self.weekends is not None:
            text += f"~{self.weekends}"
        return text

    @classmethod
    def from_text(cls, text: str) -> "TimeControl | None":
        """Parse the output of `to_text` or `clock_text`.

        Raises:
            ValueError: if it is not in that form.
        """
        if text == NONE:
            return None
        match = _TEXT.fullmatch(text)
        if match is None:
            raise ValueError(f"no time control: {text!r}")
        return cls(
            bank=_long(match["bank"]),
            increment=_long(match["increment"]) if match["increment"] else _ZERO,
            cap=_long(match["cap"]) if match["cap"] else None,
            weekends=match["zone"],
        )


def clock_text(control: TimeControl | None) -> str:
    """Return a time control as the database stores it. A game without a clock has "none"."""
    return NONE if control is None else control.to_text()


@dataclass(frozen=True, slots=True, kw_only=True)
class Clock:
    """The time that both players had left at a given moment, when the current clock started."""

    white: timedelta
    black: timedelta
    since: datetime

    @classmethod
    def start(cls, control: TimeControl, at: datetime) -> "Clock":
        """Return full clocks for the start of a game."""
        return cls(white=control.bank, black=control.bank, since=at)

    def time_left(self, color: Color) -> timedelta:
        """Return the time that a player had left at that moment, at least 0."""
        return self.white if color is Color.WHITE else self.black

    def with_gift(self, color: Color, time: timedelta) -> "Clock":
        """Return the clocks after a player is given more time, which may exceed the cap."""
        if color is Color.WHITE:
            return replace(self, white=self.white + time)
        return replace(self, black=self.black + time)

    def spend(self, color: Color, used: timedelta, control: TimeControl, at: datetime) -> "Clock":
        """Return the clocks after an action that took the player's time.

        The increment is added up to the cap. The cap itself never lowers a clock.

        >>> from datetime import UTC
        >>> control = TimeControl(bank=timedelta(minutes=10), increment=timedelta(seconds=5))
        >>> noon = datetime(2026, 11, 29, 12, tzinfo=UTC)
        >>> clock, half = Clock.start(control, noon), timedelta(seconds=30)
        >>> after = clock.spend(Color.WHITE, half, control, noon)
        >>> str(after.time_left(Color.WHITE)), str(after.time_left(Color.BLACK))
        ('0:09:35', '0:10:00')
        """
        time_left = max(self.time_left(color) - used, _ZERO)
        gained = time_left + control.increment
        if control.cap is not None:
            gained = max(time_left, min(gained, control.cap))
        if color is Color.WHITE:
            return replace(self, white=gained, since=at)
        return replace(self, black=gained, since=at)


def _short(duration: timedelta) -> str:
    """Return a duration of whole seconds in the largest unit that divides it evenly: "36h"."""
    letter, unit = next(pair for pair in _UNITS if not duration % pair[1])
    return f"{duration // unit}{letter}"


def _long(text: str) -> timedelta:
    return int(text[:-1]) * dict(_UNITS)[text[-1]]


class Pace(StrEnum):
    """The paces of games. Each has its own ratings, because fast play is a skill of its own."""

    LIVE = "live"
    """Games with a bank of less than an hour."""
    SLOW = "slow"
    """Games with a longer bank, and games without a clock."""


def pace_of(clock: TimeControl | None) -> Pace:
    """Return the pace of games with a given clock, or without one."""
    return Pace.LIVE if clock is not None and clock.is_live else Pace.SLOW
