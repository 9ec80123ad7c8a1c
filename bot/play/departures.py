"""Checks whether the player to move is still in the server."""

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Final

from bot.base.ids import NO_GUILD, GuildId, UserId
from bot.connection.bounded_cache import BoundedCache
from bot.connection.channel_requests import Channels
from bot.play.game_changes import GameUpdate
from bot.play.model.game import Game
from bot.play.use_cases.endings import Endings

_RECHECK_AFTER: Final = timedelta(hours=1)
"""Delay before a player who was found in the server is checked again."""


class Departures:
    """Discord announces no departures to the bot, so it checks players when it addresses them."""

    def __init__(
        self, channels: Channels, endings: Endings, *, now: Callable[[], datetime]
    ) -> None:
        self._channels = channels
        self._endings = endings
        self._now = now
        self._seen: BoundedCache[tuple[GuildId, UserId], datetime] = BoundedCache()

    async def check(self, game: Game) -> GameUpdate | None:
        """Return an update if the player to move has left, or None if they are still there."""
        row, player = game.row, game.to_move
        is_here = row.visiting or row.guild == NO_GUILD or game.is_voted or player == row.machine
        if player is None or is_here or game.is_member_gone:
            return None
        checked_at = self._seen.get((row.guild, player))
        if checked_at is not None and self._now() - checked_at < _RECHECK_AFTER:
            return None
        if player in await self._channels.departed(row.guild, [player]):
            return await self._endings.note_departure(row.id, player)
        self._seen.put((row.guild, player), self._now())
        return None
