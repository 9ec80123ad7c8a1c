"""Time zones by their names in the tz database, such as Europe/Berlin."""

import difflib
from functools import cache
from zoneinfo import available_timezones

from bot.base.errors import PlayError


class UnknownZone(PlayError):  # noqa: N818
    """No time zone has this name."""

    def __init__(self, text: str, suggestions: tuple[str, ...]) -> None:
        super().__init__(text)
        self.text = text
        self.suggestions = suggestions


LONGEST = 100
"""No longer name is looked for; the longest there is has a third of that."""
_SUGGESTED = 3
_LIKE = 0.6
"""Likeness from 0 to 1 of a name that is suggested for one that does not exist."""


_WELL_KNOWN = (
    "UTC",
    "Europe/London",
    "Europe/Berlin",
    "Europe/Paris",
    "Europe/Rome",
    "Europe/Helsinki",
    "Europe/Moscow",
    "America/New_York",
    "America/Chicago",
    "America/Denver",
    "America/Los_Angeles",
    "America/Sao_Paulo",
    "Africa/Lagos",
    "Asia/Kolkata",
    "Asia/Shanghai",
    "Asia/Tokyo",
    "Australia/Sydney",
    "Pacific/Auckland",
)
"""Suggestions for somebody who has typed nothing yet."""


def read_zone(text: str) -> str:
    """Return a zone's name as it is written, from any case, with blanks for underscores.

    Raises:
        UnknownZone: There is no such zone; it carries names that are like it.
    """
    if len(text) > LONGEST:
        raise UnknownZone(text[:LONGEST], ())
    asked = _plain(text)
    name = _zones().get(asked)
    if name is None:
        raise UnknownZone(text, tuple(_resembling(asked)))
    return name


def zones_like(text: str, most: int) -> list[str]:
    """Return names of zones in which a text occurs, those first whose city begins with it."""
    if len(text) > LONGEST:
        return []
    asked = _plain(text)
    if not asked:
        return list(_WELL_KNOWN[:most])
    found = [plain for plain in _zones() if asked in plain]
    found.sort(key=lambda plain: (not _city(plain).startswith(asked), plain))
    return [_zones()[plain] for plain in found[:most]]


def _resembling(asked: str) -> list[str]:
    """Return what somebody may have meant: a city alone, or a slip of the pen."""
    if not asked:
        return []
    if within := zones_like(asked, _SUGGESTED):
        return within
    zones = _zones()
    names = {**{_city(plain): name for plain, name in zones.items()}, **zones}
    near = difflib.get_close_matches(asked, names, _SUGGESTED, _LIKE)
    return list(dict.fromkeys(names[plain] for plain in near))


@cache
def _zones() -> dict[str, str]:
    """Return the zones that are named after a place, and UTC: by their names in plain letters."""
    names = sorted(name for name in available_timezones() if "/" in name or name == "UTC")
    return {_plain(name): name for name in names if not name.startswith(("Etc/", "SystemV/"))}


def _plain(text: str) -> str:
    return "_".join(text.casefold().split())


def _city(plain: str) -> str:
    return plain.rpartition("/")[2]
