"""Creates readers of the bot's texts from settings and languages, and caches names.

The language of a user's Discord app comes with each interaction. It is kept in memory and never
stored. Until it is known, a direct message is answered in the language that it seems to be in.
Settings of people and places are in the database. A small query loads them for each answer and each
board, because they may have just changed.
"""

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any

import discord

from bot.base.errors import StoreError
from bot.base.ids import NO_GUILD, ChannelId, GuildId, UserId, is_team, team_channel
from bot.base.language_guess import language_of
from bot.base.languages import IN_ENGLISH, Reader, reader_for, theme_of
from bot.connection.bounded_cache import BoundedCache
from bot.connection.channel_requests import Channels
from bot.play.model.game import GameRow
from bot.play.model.preferences import CHANCES, SIDE, WORDS, Preferences, Style
from bot.play.store.store import Store


class Readers:
    """Creates the readers of the bot's texts.

    This never fails. While the database does not respond, every reader has the default settings.
    """

    def __init__(self, store: Store, channels: Channels) -> None:
        self._store = store
        self._channels = channels
        # Last received languages of people's Discord apps, which are never stored.
        self._locales: BoundedCache[UserId, str] = BoundedCache()
        # Languages of direct messages, for people who have used nothing else.
        self._guesses: BoundedCache[UserId, str] = BoundedCache()

    async def for_interaction(self, interaction: discord.Interaction[Any]) -> Reader:
        """Return the reader of a private answer: the user of a command or button.

        Their own settings come first, then their Discord language and the place's theme.
        """
        user, locale = UserId(interaction.user.id), str(interaction.locale.value)
        self._locales.put(user, locale)
        guild = GuildId(interaction.guild_id or NO_GUILD)
        preferences, style = await self._load(user, guild, ChannelId(interaction.channel_id or 0))
        return _reader(user, preferences, locale, style.theme)

    async def for_direct_message(self, user: UserId) -> Reader:
        """Return the reader of a direct message that the user did not request.

        The language is the one in their settings, or else the last one received from Discord, or
        else the one of their messages.
        """
        preferences, _ = await self._load(user, NO_GUILD, ChannelId(0))
        return _reader(user, preferences, self._locales.get(user) or self._guesses.get(user))

    async def for_channel(
        self,
        guild: GuildId,
        channel: ChannelId,
        *,
        recipient: UserId | None = None,
        begun_by: UserId | None = None,
    ) -> Reader:
        """Return the reader for a channel or thread, on behalf of everyone who reads it.

        The channel's own setting comes first, then the server's, then the server's language in
        Discord (which only a community server can set), then English. A group DM has none of these:
        there, the language of `begun_by` is used.

        Args:
            guild: The server, if it is known.
            channel: The channel or thread.
            recipient: The only reader, in direct messages. Their settings count, except for the
                notation of spaces, because moves typed there use the game's notation.
            begun_by: The person who started the game, in a group DM.
        """
        guild = guild or self._channels.guild_of(channel)
        if guild == NO_GUILD:
            if recipient is not None:
                return replace(await self.for_direct_message(recipient), coordinates=None)
            begins = None if begun_by is None else await self.for_direct_message(begun_by)
            return IN_ENGLISH if begins is None else reader_for(begins.locale)
        try:
            style = await self._store.styles.of_place(guild, channel, self._channels.home(channel))
        except StoreError:
            style = Style()
        return self._in_server(guild, style)

    def _in_server(self, guild: GuildId, style: Style) -> Reader:
        language = style.language or self._channels.language_of(guild)
        return replace(reader_for(language), theme=theme_of(style.theme))

    async def for_reply(self, message: discord.Message) -> Reader:
        """Return the reader of a reply to a message, on behalf of everyone who reads it."""
        guild = NO_GUILD if message.guild is None else GuildId(message.guild.id)
        channel, author = ChannelId(message.channel.id), UserId(message.author.id)
        if guild == NO_GUILD and (language := language_of(message.content)) is not None:
            self._guesses.put(author, language)
        return await self.for_channel(guild, channel, recipient=author)

    async def for_game(self, game: GameRow) -> Reader:
        recipient = begun_by = None
        if game.machine is not None and not game.visiting:
            recipient = game.white if game.machine == game.black else game.black
        elif game.guild == NO_GUILD:
            with suppress(StoreError):
                begun_by = await self._store.games.beginner(game)
        reader = await self.for_channel(
            game.guild, game.channel, recipient=recipient, begun_by=begun_by
        )
        if recipient is None:
            return reader
        return replace(reader, uses_screen_reader=await self.any_uses_screen_reader(recipient))

    async def any_uses_screen_reader(self, *people: UserId) -> bool:
        """Return True if one of these people uses a screen reader."""
        with suppress(StoreError):
            return any([(await self._store.players.get(user)).is_on(WORDS) for user in people])
        return False

    async def for_game_and(
        self, game: GameRow, pinged: Sequence[UserId]
    ) -> tuple[Reader, dict[UserId, Preferences]]:
        """Return the reader of a game's board, and the preferences of the person it pings.

        In a server, one query reads both. Elsewhere, or if several people are pinged, no
        preferences are read.
        """
        guild, channel = game.guild or self._channels.guild_of(game.channel), game.channel
        if guild == NO_GUILD or len(pinged) != 1:
            return await self.for_game(game), {}
        home = self._channels.home(channel)
        try:
            preferences, style = await self._store.styles.of_person(pinged[0], guild, channel, home)
        except StoreError:
            return self._in_server(guild, Style()), {}
        return self._in_server(guild, style), {pinged[0]: preferences}

    async def _load(
        self, user: UserId, guild: GuildId, channel: ChannelId
    ) -> tuple[Preferences, Style]:
        try:
            return await self._store.styles.of_person(
                user, guild, channel, self._channels.home(channel)
            )
        except StoreError:
            return Preferences(), Style()


def _reader(
    user: UserId, preferences: Preferences, locale: str | None, theme: str | None = None
) -> Reader:
    return replace(
        reader_for(preferences.language or locale or IN_ENGLISH.locale),
        theme=theme_of(preferences.theme or theme),
        coordinates=preferences.coordinates,
        player=user if preferences.is_on(SIDE) else None,
        reads_chances=preferences.is_on(CHANCES),
        uses_screen_reader=preferences.is_on(WORDS),
    )


AnyUser = discord.User | discord.Member


class NameCache:
    """People's last known names in each server.

    Discord sends names with each interaction, message and mention, so pictures need no requests for
    them. Until a name is known, the player is called White or Black.
    """

    def __init__(self, channel_name: Callable[[ChannelId], str] = str) -> None:
        """Create a cache. Teams are named after channels, so `channel_name` returns those names."""
        self._channel_name = channel_name
        self._names: BoundedCache[tuple[GuildId, UserId], str] = BoundedCache()  # about 2 MiB

    def record(self, *people: AnyUser) -> None:
        """Store the names that people have in the server of their latest message."""
        for person in people:
            guild = person.guild.id if isinstance(person, discord.Member) else NO_GUILD
            self._names.put((GuildId(guild), UserId(person.id)), person.display_name)

    def name(self, guild: GuildId, user: UserId) -> str:
        """Return a user's name in a server, or "" if it is unknown."""
        if is_team(user):
            return self._channel_name(team_channel(user))
        # If no name in this server is known, the last one from elsewhere is used.
        return self._names.get((guild, user)) or self._names.get((NO_GUILD, user)) or ""
