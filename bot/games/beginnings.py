"""Reading when something begins: "in 2 hours", "18:00", "2026-12-24 18:00", in a zone's time."""

import re
from datetime import UTC, date, datetime, timedelta
from typing import Final
from zoneinfo import ZoneInfo

from bot.games.preferences import read_time
from bot.model import time_words
from bot.model.refusals import BadBeginning, BadTime

LONGEST_TEXT: Final = 60
_AHEAD: Final = re.compile(
    rf"(?:(?:in|tra|fra|dans|over|en|dentro de)\s+)?(?P<ahead>{time_words.DURATION})"
)
_DATED: Final = re.compile(r"(?P<day>[0-9]{4}-[0-9]{2}-[0-9]{2})[t,]?\s+(?P<time>.+)")


def read_beginning(text: str, *, now: datetime, zone: str) -> datetime:
    """The moment that somebody means, to the minute; a time without a date is the next such.

    Args:
        text: What they typed.
        now: The present.
        zone: By which clocks they write.

    Raises:
        BadBeginning: if it says of no moment.
    """
    plain = time_words.plain(text[: LONGEST_TEXT + 1])
    if not plain or len(plain) > LONGEST_TEXT:
        raise BadBeginning(text)
    if match := _AHEAD.fullmatch(plain):
        return (now + time_words.read_duration(match["ahead"])).replace(second=0, microsecond=0)
    where = ZoneInfo(zone)
    dated = _DATED.fullmatch(plain)
    try:
        at = read_time(plain if dated is None else dated["time"])
        if dated is not None:
            return datetime.combine(date.fromisoformat(dated["day"]), at, where).astimezone(UTC)
    except (BadTime, ValueError) as error:
        raise BadBeginning(text) from error
    moment = datetime.combine(now.astimezone(where).date(), at, where).astimezone(UTC)
    if moment > now:
        return moment
    tomorrow = now.astimezone(where).date() + timedelta(days=1)
    return datetime.combine(tomorrow, at, where).astimezone(UTC)


def read_length(text: str) -> timedelta | None:
    """A length of time; None where the text says of none."""
    plain = time_words.plain(text[: LONGEST_TEXT + 1])
    whole = re.fullmatch(time_words.DURATION, plain)
    return time_words.read_duration(plain) if whole else None
