"""Channels and messages of games, and changes by messages: for readers of channels."""

from datetime import datetime

from bot.base.ids import (
    ChannelId,
    GameId,
    GuildId,
    MessageId,
    Revision,
    RunningChannel,
    Shards,
    SourceId,
)
from bot.play.model.game import GameRow
from bot.play.store.tables import Store


class GameLocations:
    """Answers from the rows of games, without replaying one."""

    def __init__(self, store: Store) -> None:
        self._store = store

    async def played_by(self, shards: Shards) -> list[RunningChannel]:
        """Return the channels of these shards' running games; the longest untouched comes first."""
        return await self._store.games.running_channels(shards)

    async def played_in(self, guild: GuildId) -> list[RunningChannel]:
        """Return the channels of a server's running games; the longest untouched comes first."""
        return await self._store.games.running_channels_in(guild)

    async def with_machine(self, shards: Shards) -> list[GameId]:
        """Return the running games of these shards in which the machine plays."""
        return [row.id for row in await self._store.games.with_machine(shards)]

    async def game(self, game: GameId) -> GameRow | None:
        """Return a game, running or not; None where there is no such number."""
        return await self._store.games.get(game)

    async def running_in(self, channel: ChannelId) -> GameRow | None:
        """Return the game that is being played in a channel."""
        return await self._store.games.running_in(channel)

    async def newest_in(self, channel: ChannelId, *, since: datetime) -> GameRow | None:
        """Return the game that is being played in a channel, or that has ended there last."""
        return await self.running_in(channel) or await self._store.games.ended_in(channel, since)

    async def running_in_server(self, guild: GuildId) -> list[GameRow]:
        """Return the games that are being played in a server."""
        return await self._store.games.running_in_guild(guild)

    async def is_unknown(self, channel: ChannelId, game: GameId, revision: Revision) -> bool:
        """Tell whether a board in a channel shows an unknown turn of its running game."""
        row = await self.running_in(channel)
        return row is not None and row.id == game and row.revision < revision

    async def board(self, game: GameId) -> tuple[ChannelId, MessageId] | None:
        """Return the place of a game's newest board that was sent."""
        return await self._store.deliveries.newest_board(game)

    async def was_played(self, source: SourceId) -> bool:
        """Tell whether this message or interaction has changed a game."""
        return await self._store.games.has_source(source)

    async def was_done(self, source: SourceId) -> bool:
        """Tell whether this message or interaction has changed a game, or made a challenge."""
        return await self.was_played(source) or await self._store.challenges.has_source(source)
