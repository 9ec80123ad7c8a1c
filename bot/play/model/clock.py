"""Clocks of games: how much time players have. Nothing here knows the current time.

A player's clock holds a bank of time, runs while they are to move, and gains the increment with
each move, up to the cap. `bot.play.model.pauses` knows when it is paused.
"""

import re
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from enum import StrEnum

from bot.base import time_words
from bot.base.time_words import any_of, read_duration
from bot.base.zones import read_zone
from bot.play.model.refusals import BadClock, ClockProblem
from dvonn import Color

LIVE_BELOW = timedelta(hours=1)
"""A game with a shorter bank is live: both players stay at the board."""

_ZERO = timedelta(0)
_DAY = timedelta(days=1)
_GIFTS = 7
"""Maximum time above a full clock, in gifts."""
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
_NONE = "none"


@dataclass(frozen=True, slots=True, kw_only=True)
class TimeControl:
    """Time that each player has, in whole seconds."""

    bank: timedelta
    """Time of each player at the start."""
    increment: timedelta = _ZERO
    """Time that each move adds to its player's clock."""
    cap: timedelta | None = None
    """Maximum time that increments can raise a clock to, or None without a limit."""
    weekends: str | None = None
    """Time zone of the weekends that pause clocks (Saturday 0:00 to Monday 0:00), or None."""

    @property
    def is_live(self) -> bool:
        """True if it makes the game live: no pauses, no takebacks, no reminders."""
        return self.bank < LIVE_BELOW

    @property
    def is_per_move(self) -> bool:
        """True if each move has the same time, and unused time does not carry over."""
        return self.bank == self.increment == self.cap

    @property
    def gift(self) -> timedelta:
        """The time of one gift: a day, or half of a short bank."""
        return _DAY if self.bank >= _DAY else self.bank / 2

    @property
    def most(self) -> timedelta:
        """Maximum clock that gifts can lead to."""
        return max(self.bank, self.cap or _ZERO) + _GIFTS * self.gift

    def to_text(self) -> str:
        """Return its short form of at most 60 characters, such as "3d+1d/3d~Europe/Berlin"."""
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
        """Read the output of `to_text` or `clock_text`.

        Raises:
            ValueError: if it is not in this form.
        """
        if text == _NONE:
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
    """Return a time control in the form of the database: "none" for a game without clocks."""
    return _NONE if control is None else control.to_text()


@dataclass(frozen=True, slots=True, kw_only=True)
class Clock:
    """The time that both players had left when the current turn's clock started."""

    white: timedelta
    black: timedelta
    since: datetime

    @classmethod
    def start(cls, control: TimeControl, at: datetime) -> "Clock":
        """Return full banks for the beginning of a game."""
        return cls(white=control.bank, black=control.bank, since=at)

    def time_left(self, color: Color) -> timedelta:
        """Return the time that a player had left at that time, at least 0."""
        return self.white if color is Color.WHITE else self.black

    def given(self, color: Color, time: timedelta) -> "Clock":
        """Return the clocks after a player gets more time, even above the cap."""
        if color is Color.WHITE:
            return replace(self, white=self.white + time)
        return replace(self, black=self.black + time)

    def spend(self, color: Color, used: timedelta, control: TimeControl, at: datetime) -> "Clock":
        """Return the clocks after a player's action that their clock ran for.

        The increment is added up to the cap, but the cap never lowers a clock.
        """
        left = max(self.time_left(color) - used, _ZERO)
        gained = left + control.increment
        if control.cap is not None:
            gained = max(left, min(gained, control.cap))
        if color is Color.WHITE:
            return replace(self, white=gained, since=at)
        return replace(self, black=gained, since=at)


def _short(duration: timedelta) -> str:
    """Return a number of whole seconds in the largest unit that divides it: "36h"."""
    letter, unit = next(pair for pair in _UNITS if not duration % pair[1])
    return f"{duration // unit}{letter}"


def _long(text: str) -> timedelta:
    return int(text[:-1]) * dict(_UNITS)[text[-1]]


LEAST_BANK = timedelta(minutes=1)
MOST_BANK = timedelta(days=60)
MOST_INCREMENT = timedelta(days=30)
LONGEST_TEXT = 100
"""Maximum length of a text in characters. Longer ones are refused."""
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
"""Suggested clocks: well-known ones first, then the clocks of DVONN tournaments."""

CAPPED_FROM = timedelta(days=1)
"""Smallest bank that is also the clock's maximum, unless the text says otherwise."""

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
_PER_MOVE = re.compile(rf"(?P<each>{_DURATION}){_EACH_MOVE}{_LIVE}")
_FISCHER = re.compile(r"(?P<minutes>[0-9]{1,5})\s*[+|]\s*(?P<seconds>[0-9]{1,5})")
_CLOCK = re.compile(
    rf"(?:{_EACH}\s)?(?P<bank>{_DURATION})(?:\s{_EACH})?(?:\s{_IN_ALL})?"
    rf"(?:\s*(?:\+|{_PLUS})\s*"
    rf"(?P<increment>{_DURATION})(?:{_EACH_MOVE})?)?"
    rf"(?:[\s,(]*(?:/|{_UP_TO})\s*(?P<cap>{_DURATION})\)?)?{_LIVE}"
)
_BARE = re.compile(rf"{_DURATION}\.?")


def read_time_control(text: str, weekends: str | None) -> TimeControl | None:
    """Return the time control that a player asks for, or None for a game without clocks.

    "1 day per move" gives each move a day, and so does a bare "1 day". "10+5" is 10 minutes, and 5
    seconds more each move. If an increment comes without a cap, clocks of `CAPPED_FROM` or more
    rise to the bank, or to the increment if that is more.

    Raises:
        BadClock: if it cannot be read, or exceeds a limit.
        UnknownZone: if there is no such time zone.
    """
    control = _read(time_words.plain(text) if len(text) <= _LONGEST_WITH_BLANKS else "")
    return control if weekends is None else _resting(control, weekends)


def text_to_read(control: TimeControl | None) -> str:
    """Return a short text that `read_time_control` reads back, without the weekends."""
    if control is None:
        return _NONE
    text = replace(control, weekends=None).to_text()
    return text if control.increment else f"{text}+0s"


def readings(text: str) -> tuple[TimeControl | None, ...]:
    """Return the possible meanings of a text, the one of `read_time_control` first.

    A bare length of `LIVE_BELOW` or more is a time per move as well as for the whole game.

    Raises:
        BadClock: as `read_time_control`.
    """
    first = read_time_control(text, None)
    if first is None or first.is_live or not _is_bare(time_words.plain(text)):
        return (first,)
    if first.is_per_move:
        return first, TimeControl(bank=first.bank)
    return first, TimeControl(bank=first.bank, increment=first.bank, cap=first.bank)


def _read(plain: str) -> TimeControl | None:
    if plain in time_words.NONE:
        return None
    if len(plain) > LONGEST_TEXT:
        raise BadClock(ClockProblem.UNREADABLE)
    bank, increment, cap = _amounts(plain)
    _check(bank, increment, cap)
    return TimeControl(bank=bank, increment=increment, cap=cap if increment else None)


def _amounts(plain: str) -> tuple[timedelta, timedelta, timedelta | None]:
    """Return the bank, the increment and the cap of a text.

    Raises:
        BadClock: if it cannot be read.
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
    if bank >= CAPPED_FROM and _is_bare(plain):
        return bank, bank, bank
    return bank, increment, max(bank, increment) if bank >= CAPPED_FROM else None


def _is_bare(plain: str) -> bool:
    """Return True if a text is only a length, without its purpose."""
    return _BARE.fullmatch(plain) is not None


def chosen_clock(
    text: str | None, weekends: str | None, usual: TimeControl | None
) -> TimeControl | None:
    """Return the time control that a player asks for. The usual one fills the missing parts.

    Raises:
        BadClock, UnknownZone: as `read_time_control`.
    """
    if text is not None:
        return read_time_control(text, weekends)
    return usual if weekends is None else _resting(usual, weekends)


def _resting(control: TimeControl | None, weekends: str) -> TimeControl:
    """Return a time control whose clocks are paused at the weekends of a zone.

    Raises:
        BadClock: if there is no clock, or it is too short for that.
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


class Pace(StrEnum):
    """The paces. Each has its own ratings, because a quick player is not always thorough."""

    LIVE = "live"
    """Games with a bank of less than an hour."""
    SLOW = "slow"
    """Games over days, and games without a clock."""


def pace_of(clock: TimeControl | None) -> Pace:
    """Return the rating's pace for a game with such a clock."""
    return Pace.LIVE if clock is not None and clock.is_live else Pace.SLOW
