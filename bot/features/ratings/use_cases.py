"""Players' strength, asked for."""

from collections.abc import Callable, Collection, Mapping
from datetime import datetime

from bot.base.ids import GuildId, UserId
from bot.features.ratings.model.glicko import Pace, Rating
from bot.features.ratings.store.ratings import RatingTable
from bot.play.store.tables import Store


class Ratings:
    """Tells of ratings; games change them as they end. The time comes in as an argument."""

    def __init__(self, store: Store, *, now: Callable[[], datetime]) -> None:
        self._store = store
        self._now = now

    async def of(
        self, guild: GuildId, pace: Pace, players: Collection[UserId]
    ) -> Mapping[UserId, Rating]:
        """The ratings of people in a server as they are now, or in all of them as `NO_GUILD`.

        Whoever has played no rated game there is a new player.
        """
        now = self._now()
        known = await self._store.of(RatingTable).of(guild, pace, players)
        return {
            one: known[one].rating.by(now) if one in known else Rating.new(now) for one in players
        }
