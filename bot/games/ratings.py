"""How strong players are."""

from collections.abc import Callable, Collection, Mapping
from datetime import datetime

from bot.model.game import Game
from bot.model.ids import GuildId, UserId
from bot.model.rated import Verdict, why_uncounted
from bot.model.ratings import Pace, Rating
from bot.store import Store


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
        known = await self._store.ratings.of(guild, pace, players)
        return {
            one: known[one].rating.by(now) if one in known else Rating.new(now) for one in players
        }


async def verdict_of(store: Store, game: Game) -> Verdict | None:
    """What came of a game for ratings; None where it is not rated, or has no result yet."""
    outcome = game.outcome
    if not game.row.rated or outcome is None or not outcome.has_result:
        return None
    return await store.ratings.changes(game.row.id) or why_uncounted(game)
