"""Counts of rows for the host."""

from datetime import datetime
from typing import NamedTuple

from sqlalchemy import func, select

from bot.database.database import Database
from bot.database.schema import deliveries
from bot.play.store.schema import IS_OPEN, IS_RUNNING, challenges, games

_UNSENT = (deliveries.c.sent_at.is_(None), deliveries.c.dropped_at.is_(None))
_running = select(func.count()).select_from(games).where(IS_RUNNING)
_open = select(func.count()).select_from(challenges).where(IS_OPEN)
_unsent = select(func.count()).select_from(deliveries).where(*_UNSENT)
_oldest = select(func.min(deliveries.c.created_at)).where(*_UNSENT)


class Counts(NamedTuple):
    """The counts that a host watches."""

    running_games: int
    open_challenges: int
    unsent: int
    """Number of deliveries that are yet to be sent."""
    oldest_unsent: datetime | None
    """Time when the oldest of them was written down."""


class Statistics:
    """Counts rows, by indexes of few rows."""

    def __init__(self, database: Database) -> None:
        self._database = database

    @property
    def problem(self) -> str | None:
        """The database's problem that was met, in words; None if there is none."""
        ailment = self._database.ailment
        return None if ailment is None else ailment.problem

    async def counts(self) -> Counts:
        """Count."""
        running, open_, unsent, oldest = [
            row[0]
            for query in (_running, _open, _unsent, _oldest)
            if (row := await self._database.first(query, {})) is not None
        ]
        return Counts(running, open_, unsent, oldest)
