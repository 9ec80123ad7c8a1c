"""Digests: one direct message per day that lists all games in which it is a player's turn."""

from collections.abc import Iterable
from datetime import datetime
from typing import Final

from bot.base.ids import NO_GUILD, ChannelId, Shards, UserId
from bot.database.delivery_rows import DeliveryKind, DeliveryRoute, NewDelivery
from bot.play.use_cases.own_games import ListedGame
from bot.play.use_cases.use_cases import UseCases

DIGEST: Final = DeliveryKind("digest")
"""Kind of delivery for digests. The key is the player and the due time."""
_FIRST_SHARD: Final = 0
"""The shard that handles direct messages."""
_NO_CHANNEL: Final = ChannelId(0)


class Digests:
    """Queues due digests and reads their games."""

    def __init__(self, cases: UseCases) -> None:
        self._players, self._now = cases.store.players, cases.now
        self._own_games, self._vacations = cases.own_games, cases.vacations

    async def due(self, shards: Shards) -> Iterable[tuple[UserId, datetime]]:
        """Return the players whose digests are due, with the due times."""
        return await self._players.digests_due(self._now()) if _FIRST_SHARD in shards.ids else []

    async def write(self, item: tuple[UserId, datetime]) -> None:
        """Queue a digest to send immediately, and schedule the next one a day later."""
        (player, due_time), now = item, self._now()
        preferences = await self._players.get(player)
        new = NewDelivery(
            kind=DIGEST,
            key=f"{player}-{due_time.timestamp():.0f}",
            guild=NO_GUILD,
            channel=_NO_CHANNEL,
            player=player,
            route=DeliveryRoute.DM,
        )
        await self._players.reschedule_digest(
            player, due_time, preferences.next_digest(now), new, now
        )

    async def games(self, player: UserId) -> list[ListedGame]:
        """Return the games in a digest, nearest deadline first.

        There are none during a vacation, or after the player turned digests off.
        """
        if (await self._players.get(player)).digest is None:
            return []
        if (await self._vacations.summary(player)).running is not None:
            return []
        return await self._own_games.waiting(player)
