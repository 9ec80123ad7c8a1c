"""Profiles in the changes of games: the end of a game counts in its players' records."""

from sqlalchemy.ext.asyncio import AsyncConnection

from bot.features.profiles.store.records import count
from bot.play.hooks import Aftermath, GameHook, InTransaction, Turn
from bot.play.model.game import GameRow


class RecordHook(GameHook):
    """Counts how games have gone."""

    async def at_end(self, turn: Turn) -> InTransaction | None:
        """Count a game that has just ended."""
        outcome = turn.after.outcome
        assert outcome is not None  # it has ended  # noqa: S101

        async def put(connection: AsyncConnection, row: GameRow) -> Aftermath | None:
            await count(connection, row, outcome, turn.at)
            return None

        return put
