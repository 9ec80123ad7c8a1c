"""Names of people, as Discord told them last.

They are heard in passing, kept in memory for a while, and never stored. Discord tells one with each
interaction and message, and with each mention in one: the bot's own boards mention both players. So
nobody is asked for it, and no picture waits; until a name has been heard, White is called White.
"""

from collections.abc import Callable

import discord

from bot.base.ids import NO_GUILD, ChannelId, GuildId, UserId, home_of, is_team
from bot.connection.limits import BoundedCache

AnyUser = discord.User | discord.Member


class Names:
    """The names that were heard last, by server: a person may have another in each."""

    def __init__(self, channel_name: Callable[[ChannelId], str] = str) -> None:
        """A team has the name of its channel."""
        self._channel_name = channel_name
        self._names: BoundedCache[tuple[GuildId, UserId], str] = BoundedCache()  # about 2 MiB

    def hear(self, *people: AnyUser) -> None:
        """Learn what people are called where they have just been heard of."""
        for person in people:
            guild = person.guild.id if isinstance(person, discord.Member) else NO_GUILD
            self._names.learn((GuildId(guild), UserId(person.id)), person.display_name)

    def name(self, guild: GuildId, user: UserId) -> str:
        """Return what somebody is called in a server; empty where that was not heard."""
        if is_team(user):
            return self._channel_name(home_of(user))
        # Whoever has no name of their own in a server is told of without one now and then.
        return self._names.get((guild, user)) or self._names.get((NO_GUILD, user)) or ""
