"""Those whom the bot speaks with: what they are called, and in which language they read.

Names are heard in passing, kept in memory for a while, and never stored. Discord tells one with
each interaction and message, and with each mention in one: the bot's own boards mention both
players. So nobody is asked for it, and no picture waits; until a name has been heard, White is
called White.
"""

from collections import OrderedDict
from typing import Any

import discord

from bot.locales import IN_ENGLISH, Reader, reader
from bot.messages import Seats
from bot.model.ids import NO_GUILD, GuildId, UserId

_KEPT = 10_000
"""So many names take about 2 MiB."""

AnyUser = discord.User | discord.Member


class Names:
    """The names that were heard last, by server: a person may have another in each."""

    def __init__(self, *, kept: int = _KEPT) -> None:
        self._names: OrderedDict[tuple[GuildId, UserId], str] = OrderedDict()
        self._kept = kept

    def hear(self, *people: AnyUser) -> None:
        """Learn what people are called where they have just been heard of."""
        for person in people:
            guild = person.guild.id if isinstance(person, discord.Member) else NO_GUILD
            key = GuildId(guild), UserId(person.id)
            self._names[key] = person.display_name
            self._names.move_to_end(key)
            if len(self._names) > self._kept:
                self._names.popitem(last=False)

    def of(self, seats: Seats) -> tuple[str, str]:
        """What White and Black are called in their server; empty where that was not heard."""
        return self._of(seats.guild, seats.white), self._of(seats.guild, seats.black)

    def _of(self, guild: GuildId, user: UserId) -> str:
        # Whoever has no name of their own in a server is told of without one now and then.
        return self._names.get((guild, user)) or self._names.get((NO_GUILD, user), "")


def asker(interaction: discord.Interaction[Any]) -> Reader:
    """Whoever gives a command or presses a button, in the language of their Discord."""
    return reader(str(interaction.locale.value))


def everybody() -> Reader:
    """All who read a channel or thread; as yet no server can choose its language."""
    return IN_ENGLISH


def recipient() -> Reader:
    """Whoever gets a direct message unasked: Discord does not tell their language."""
    return IN_ENGLISH
