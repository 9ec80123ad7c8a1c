"""Queues games for review when they end."""

from bot.database.connection import AsyncConnection
from bot.play.game_changes import BoardAddition, GameChange, GameHook, TransactionStep
from bot.play.model.game import Game, GameRow
from bot.play.use_cases.use_cases import UseCases
from school.reviews.model import REVIEWED, REVIEWED_HERE, is_reviewable
from school.reviews.store import queue


class ReviewHook(GameHook):
    """Queues ended games for review, if there is a machine that makes reviews."""

    def __init__(self, cases: UseCases) -> None:
        self._store = cases.store
        self._has_reviews = cases.has_reviews

    async def on_end(self, change: GameChange) -> TransactionStep | None:
        if not self._has_reviews or not await self._is_wanted(change.after):
            return None

        async def queue_review(connection: AsyncConnection, row: GameRow) -> BoardAddition | None:
            await queue(connection, row.id, row.guild, change.at, tells=True)
            return None

        return queue_review

    async def _is_wanted(self, game: Game) -> bool:
        """Return True if a game's server and all of its players want automatic reviews."""
        if not is_reviewable(game) or not (await self._store.guilds.rules(game.row.guild)).choice(
            REVIEWED_HERE
        ):
            return False
        people = {game.row.white, game.row.black} - {game.row.machine}
        return all([(await self._store.players.get(person)).is_on(REVIEWED) for person in people])
