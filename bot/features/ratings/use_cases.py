"""How strong players are."""

from collections.abc import Callable, Collection, Mapping, Sequence
from datetime import datetime

from bot.base.ids import GuildId, UserId
from bot.features.ratings.model.glicko import Pace, Rating
from bot.features.ratings.model.rated import RatedResult, Verdict, result_of
from bot.play.model.events import Told
from bot.play.model.game import Game
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


async def verdict_of(store: Store, game: Game, told: Sequence[Told]) -> Verdict | None:
    """What came of a game for ratings; None where it is not rated, or has no result yet.

    Args:
        store: Where that is known.
        game: The game.
        told: What has happened in it, up to the event by which it has ended.
    """
    outcome = game.outcome
    if not game.row.rated or outcome is None or not outcome.has_result:
        return None
    if changes := await store.ratings.changes(game.row.id):
        return changes
    found = result_of(game)
    if not isinstance(found, RatedResult):
        return found
    return await store.ratings.why_uncounted(found, told[-1].event.at)
