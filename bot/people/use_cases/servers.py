"""Moderators' settings for their server."""

from typing import TypeVar, Unpack

from bot.base.ids import ChannelId, GuildId
from bot.play.model.terms import Defaults, GuildChoice, GuildRules, Place, Start
from bot.play.model.typed_clocks import chosen_clock
from bot.play.store.guilds import GuildChoices
from bot.play.store.store import Store
from dvonn import Coordinates

T = TypeVar("T")


class ServerSettings:
    """Use cases for a server's settings. The caller checks that the user may change them."""

    def __init__(self, store: Store) -> None:
        self._store = store

    async def allow(self, guild: GuildId, channel: ChannelId) -> GuildRules:
        """Allow games in a channel. From now on, games need a channel that is allowed this way."""
        await self._store.guilds.allow_channel(guild, channel)
        return await self._store.guilds.rules(guild)

    async def forbid(self, guild: GuildId, channel: ChannelId) -> GuildRules:
        """Remove a channel from the list.

        If the list becomes empty, games can be started anywhere.
        """
        await self._store.guilds.forbid_channel(guild, channel)
        return await self._store.guilds.rules(guild)

    async def allow_everywhere(self, guild: GuildId) -> GuildRules:
        await self._store.guilds.allow_every_channel(guild)
        return await self._store.guilds.rules(guild)

    async def choose(self, guild: GuildId, **choices: Unpack[GuildChoices]) -> GuildRules:
        await self._store.guilds.choose(guild, **choices)
        return await self._store.guilds.rules(guild)

    async def choose_for(self, guild: GuildId, choice: GuildChoice[T], value: T) -> GuildRules:
        await self._store.guilds.choose_for(guild, choice, value)
        return await self._store.guilds.rules(guild)

    async def set_defaults(
        self,
        guild: GuildId,
        *,
        start: Start | None = None,
        clock: str | None = None,
        weekends: str | None = None,
        coordinates: Coordinates | None = None,
        place: Place | None = None,
        rated: bool | None = None,
    ) -> GuildRules:
        """Set the defaults for new games in a server.

        None leaves a setting unchanged.

        Raises:
            BadClock, UnknownZone: if a clock or time zone is invalid.
        """
        before = (await self._store.guilds.rules(guild)).defaults
        after = Defaults(
            start=start or before.start,
            clock=chosen_clock(clock, weekends, before.clock),
            coordinates=coordinates or before.coordinates,
            place=place or before.place,
            rated=before.rated if rated is None else rated,
        )
        if after != before:
            await self._store.guilds.set_defaults(guild, after)
        return await self._store.guilds.rules(guild)
