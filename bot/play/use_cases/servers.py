"""Choices of moderators for their server, and its state."""

from bot.base.errors import PlayError
from bot.base.ids import ChannelId, GuildId
from bot.play.model.conduct import Venue, check_place
from bot.play.model.terms import Defaults, GuildRules, Place, PlacementBoards, Start
from bot.play.model.time_control import chosen_clock
from bot.play.store.tables import Store
from dvonn import Coordinates


class Servers:
    """The choices of servers. Whether somebody may make them is seen by who asks."""

    def __init__(self, store: Store) -> None:
        self._store = store

    async def rules(self, guild: GuildId) -> GuildRules:
        return await self._store.guilds.rules(guild)

    async def allow(self, guild: GuildId, channel: ChannelId) -> GuildRules:
        """Let games be started in a channel, and from now on only in those so named."""
        await self._store.guilds.allow_channel(guild, channel)
        return await self.rules(guild)

    async def forbid(self, guild: GuildId, channel: ChannelId) -> GuildRules:
        """Name a channel no more. Where none is named any more, games may be started anywhere."""
        await self._store.guilds.forbid_channel(guild, channel)
        return await self.rules(guild)

    async def allow_everywhere(self, guild: GuildId) -> GuildRules:
        """Let games be started in any channel."""
        await self._store.guilds.allow_every_channel(guild)
        return await self.rules(guild)

    async def limit(self, guild: GuildId, games: int) -> GuildRules:
        """Choose how many games one person may be playing at once, 1 to 25."""
        await self._store.guilds.set_games_per_person(guild, games)
        return await self.rules(guild)

    async def place_on(self, guild: GuildId, boards: PlacementBoards) -> GuildRules:
        """Choose what becomes of the last board when a piece is placed."""
        await self._store.guilds.set_placement_boards(guild, boards)
        return await self.rules(guild)

    async def review(self, guild: GuildId, *, on: bool) -> GuildRules:
        """Choose whether games are reviewed unasked."""
        await self._store.guilds.set_reviews(guild, on=on)
        return await self.rules(guild)

    async def let_organise(self, guild: GuildId, role: int | None) -> GuildRules:
        """Set the role that may create tournaments, besides managers; None: nobody's.

        The server's own number is the role of everybody.
        """
        await self._store.guilds.set_organisers(guild, role)
        return await self.rules(guild)

    async def play_by_default(
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
        """Choose how a game is where nobody says otherwise; None leaves a choice as it is.

        Args:
            guild: The server.
            start: How the board is filled.
            clock: A clock as people write it.
            weekends: The name of the time zone in whose weekends clocks rest.
            coordinates: How spaces are named.
            place: Where it is played.
            rated: Whether games between people count for ratings.

        Raises:
            BadClock, UnknownZone: if there is no such clock.
        """
        before = (await self.rules(guild)).defaults
        after = Defaults(
            start=start or before.start,
            clock=chosen_clock(clock, weekends, before.clock),
            coordinates=coordinates or before.coordinates,
            place=place or before.place,
            rated=before.rated if rated is None else rated,
        )
        if after != before:
            await self._store.guilds.set_defaults(guild, after)
        return await self.rules(guild)

    async def obstacle(self, guild: GuildId, venue: Venue) -> PlayError | None:
        """Return the reason why no game may or can be started at a place; None where one can."""
        try:
            check_place(await self.rules(guild), venue, Place.HERE)
        except PlayError as error:
            return error
        return None

    async def unsent(self, guild: GuildId) -> int:
        """Count the boards of a server that are written and not yet sent."""
        return await self._store.deliveries.unsent_of_guild(guild)
