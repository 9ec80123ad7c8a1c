"""Use cases for a user's own settings."""

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import datetime, time

from bot.base.ids import UserId
from bot.base.zones import read_zone
from bot.database.connection import AsyncConnection
from bot.people.model import BadTime, SameTime
from bot.play.model import preferences
from bot.play.store.players import set_digest
from bot.play.store.store import Store
from bot.play.switches import Switch
from bot.play.use_cases.ledger import retry_on_conflict
from dvonn import Coordinates

_TIME = re.compile(
    r"(?:(?:um|alle|ore|om)\s+)?(?P<hours>[0-9]{1,2})(?:\s*(?:[:.hu]|uhr)\s*(?P<minutes>[0-9]{2}))?"
    r"\s*(?:h|u|uhr|uur)?\s*(?P<half>[ap]\.?m\.?)?",
    re.IGNORECASE | re.ASCII,
)
_LONGEST_TIME = 20
_HALF_DAY_H = 12


class PersonalSettings:
    """Use cases for a user's own settings: switches, language, times and reminders."""

    def __init__(
        self, store: Store, *, now: Callable[[], datetime], switches: Sequence[Switch]
    ) -> None:
        self._store = store
        self._now = now
        self.switches = tuple(switches)
        """Switches in the form's order."""

    async def switch(self, player: UserId, **choices: bool) -> preferences.Preferences:
        """Turn switches on or off by name.

        Raises:
            ValueError: if a name is not a switch.
        """
        defaults = {switch.of.key: switch.of.default for switch in self.switches}
        if not choices.keys() <= defaults.keys():
            raise ValueError(f"no switches: {sorted(choices)}")

        def switched(settings: preferences.Preferences) -> preferences.Preferences:
            all_switches = {**settings.switched, **choices}
            changes = {
                key: is_on for key, is_on in all_switches.items() if is_on != defaults.get(key)
            }
            return replace(settings, switched=changes)

        return await self._change(player, switched)

    async def set_language(self, player: UserId, language: str | None) -> preferences.Preferences:
        return await self._change(player, lambda settings: replace(settings, language=language))

    async def set_theme(self, player: UserId, theme: str | None) -> preferences.Preferences:
        return await self._change(player, lambda settings: replace(settings, theme=theme))

    async def set_coordinates(
        self, player: UserId, coordinates: Coordinates | None
    ) -> preferences.Preferences:
        """Set the notation of spaces in the player's private views, or None for each game's own."""
        return await self._change(
            player, lambda settings: replace(settings, coordinates=coordinates)
        )

    async def set_times(
        self, player: UserId, begins: str, ends: str, zone: str, digest: str = ""
    ) -> preferences.Preferences:
        """Set the player's quiet hours, their time zone and the time of their digest.

        An empty `begins` turns quiet hours off, and an empty `digest` turns the digest off.

        Raises:
            UnknownZone: if there is no zone of this name.
            BadTime: if a text is not a time of day.
            SameTime: if quiet hours would start and end at the same time.
        """
        zone_name = read_zone(zone) if zone.strip() else preferences.Preferences().zone
        quiet = _read_quiet(begins, ends) if begins.strip() else None
        at = read_time(digest) if digest.strip() else None
        return await self._change(
            player, lambda settings: replace(settings, zone=zone_name, quiet=quiet, digest=at)
        )

    async def set_reminders(
        self,
        player: UserId,
        by: preferences.RemindBy | None = None,
        at: frozenset[preferences.RemindAhead] | None = None,
    ) -> preferences.Preferences:
        """Set how and when a player is reminded.

        None leaves a setting unchanged. One of the values of `by` turns reminders off.

        Raises:
            ValueError: if `at` is empty, which no form offers.
        """
        if at is not None and not at:
            raise ValueError("no time for reminders")

        def with_choices(settings: preferences.Preferences) -> preferences.Preferences:
            return replace(
                settings,
                remind_by=settings.remind_by if by is None else by,
                remind_at=settings.remind_at if at is None else at,
            )

        return await self._change(player, with_choices)

    async def _change(
        self, player: UserId, edit: Callable[[preferences.Preferences], preferences.Preferences]
    ) -> preferences.Preferences:
        async def after_write(
            connection: AsyncConnection,
            before: preferences.Preferences,
            after: preferences.Preferences,
        ) -> None:
            for switch in self.switches:
                if switch.turned_off and before.is_on(switch.of) and not after.is_on(switch.of):
                    await switch.turned_off(connection, player)
            if _digest_settings(before) != _digest_settings(after):
                await set_digest(connection, player, after.next_digest(self._now()))

        # A user's first setting may arrive twice at the same time.
        settings = await retry_on_conflict(
            self._store, lambda: self._store.players.change(player, edit, after_write)
        )
        # The times of their reminders may have changed.
        await self._store.timers.wake(player, self._now())
        return settings


def _digest_settings(settings: preferences.Preferences) -> tuple[object, ...]:
    """Return the settings that decide when a digest is sent."""
    return settings.digest, settings.zone, settings.quiet


def _read_quiet(begins: str, ends: str) -> preferences.QuietHours:
    quiet = preferences.QuietHours(read_time(begins), read_time(ends))
    if quiet.begins == quiet.ends:
        raise SameTime
    return quiet


def read_time(text: str) -> time:
    """Parse a time of day, such as "22:00", "22.30", "7" or "10 pm".

    Raises:
        BadTime: if the text is not a time of day.
    """
    match = _TIME.fullmatch(text.strip()) if len(text) <= _LONGEST_TIME else None
    if match is None:
        raise BadTime(text)
    hours, minutes = int(match["hours"]), int(match["minutes"] or 0)
    half = (match["half"] or "")[:1].lower()
    if half:
        if not 1 <= hours <= _HALF_DAY_H:
            raise BadTime(text)
        hours = hours % _HALF_DAY_H + (_HALF_DAY_H if half == "p" else 0)
    if (hours, minutes) == (24, 0):
        return time()
    try:
        return time(hours, minutes)
    except ValueError as error:
        raise BadTime(text) from error
