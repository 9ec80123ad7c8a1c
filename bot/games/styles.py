"""How the bot speaks and what boards look like: what was chosen for people and places, at once."""

from bot.model.ids import ChannelId, GuildId, UserId
from bot.model.preferences import Preferences
from bot.model.style import Style
from bot.store import Store


class Styles:
    """What holds for a person or a place. It is read anew each time: processes share nothing."""

    def __init__(self, store: Store) -> None:
        self._store = store

    async def of_place(self, guild: GuildId, channel: ChannelId, home: ChannelId) -> Style:
        """What holds in a channel or thread: its own choice, its channel's, its server's.

        Args:
            guild: The server.
            channel: The channel or thread.
            home: The channel that a thread is in; for a channel, itself.
        """
        return await self._store.styles.of_place(guild, channel, home)

    async def of_person(
        self, player: UserId, guild: GuildId, channel: ChannelId, home: ChannelId
    ) -> tuple[Preferences, Style]:
        """What somebody has chosen, and what holds where they are."""
        return await self._store.styles.of_person(player, guild, channel, home)

    async def of_channel(self, guild: GuildId, channel: ChannelId) -> Style:
        """What was chosen for a channel itself."""
        return await self._store.styles.of_channel(guild, channel)

    async def of_server(self, guild: GuildId) -> Style:
        """What was chosen for a server itself; its coordinates are those of its usual game."""
        return await self._store.styles.of_server(guild)

    async def choose_for_channel(self, guild: GuildId, channel: ChannelId, style: Style) -> None:
        """Choose anew for a channel."""
        await self._store.styles.choose_for_channel(guild, channel, style)

    async def choose_for_server(self, guild: GuildId, style: Style) -> None:
        """Choose language and theme anew for a server; its usual game has the coordinates."""
        await self._store.styles.choose_for_server(guild, style)
