"""Players' strength, asked for."""

from collections.abc import Collection, Mapping

from bot.base.glicko import Rating
from bot.base.ids import GuildId, UserId
from bot.features.ratings.store import RatingTable
from bot.play.model.clock import TimeControl, pace_of
from bot.play.use_cases.registry import UseCases


class Ratings:
    """Tells of ratings; games change them as they end."""

    def __init__(self, cases: UseCases) -> None:
        self._store = cases.store
        self._now = cases.now

    async def of(
        self, guild: GuildId, clock: TimeControl | None, players: Collection[UserId]
    ) -> Mapping[UserId, Rating]:
        """Return people's ratings in a server now, or in all of them as `NO_GUILD`, with a clock.

        People without a rated game there are new players.
        """
        now = self._now()
        known = await self._store.of(RatingTable).of(guild, pace_of(clock), players)
        return {
            one: known[one].rating.by(now) if one in known else Rating.new(now) for one in players
        }
