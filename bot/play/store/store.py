"""The database, as the bot uses it: SQLite or PostgreSQL, with the same schema."""

from collections.abc import Callable
from datetime import datetime
from typing import NamedTuple, TypeVar

from sqlalchemy import func, select

from bot.connection.store import IdentifyTable, ListeningTable, OutageTable
from bot.database.connection import AsyncEngine
from bot.database.damage import DamageMonitor
from bot.database.database import Database, Queries
from bot.database.deliveries import DeliveryTable
from bot.database.delivery_rows import deliveries
from bot.database.other_processes import OtherProcesses
from bot.play.store.challenges import ChallengeTable, PingTable
from bot.play.store.changes import EventStore
from bot.play.store.games import GameTable
from bot.play.store.guilds import GuildTable
from bot.play.store.players import BlockTable, PlayerTable, StyleTable
from bot.play.store.schema import IS_OPEN, IS_RUNNING, challenges, games
from bot.play.store.server_blocks import ServerBlockTable
from bot.play.store.timers import PauseTable, TimerTable, VacationTable

_UNSENT = (deliveries.c.sent_at.is_(None), deliveries.c.dropped_at.is_(None))
_FAILING_ATTEMPTS = 2
"""Number of attempts after which a delivery counts as failing."""
_running = select(func.count()).select_from(games).where(IS_RUNNING)
_open = select(func.count()).select_from(challenges).where(IS_OPEN)
_unsent = select(func.count()).select_from(deliveries).where(*_UNSENT)
_oldest = select(func.min(deliveries.c.created_at)).where(*_UNSENT)
_due = select(func.min(deliveries.c.due_at)).where(*_UNSENT)
_failing = (
    select(func.count())
    .select_from(deliveries)
    .where(*_UNSENT, deliveries.c.tries > _FAILING_ATTEMPTS)
)


class Counts(NamedTuple):
    """Counts for the host's metrics."""

    running_games: int
    open_challenges: int
    unsent: int
    """Number of unsent deliveries."""
    oldest_unsent: datetime | None
    """When the oldest unsent delivery was queued."""
    due_since: datetime | None
    """When the oldest unsent delivery became due, or a future time if none is due."""
    failing: int
    """Number of deliveries that Discord has refused twice."""


class Statistics(Queries):
    """Counts rows, using indexes that contain few rows."""

    @property
    def problem(self) -> str | None:
        """The database's last problem as text, or None."""
        fault = self._database.fault
        return None if fault is None else fault.problem

    async def counts(self) -> Counts:
        queries = (_running, _open, _unsent, _oldest, _due, _failing)
        rows = [await self._database.first(query, {}) for query in queries]
        return Counts(*(row[0] for row in rows if row is not None))


T = TypeVar("T")


class Store:
    """The database as the rest of the bot sees it. Each method of its parts is one transaction."""

    def __init__(self, engine: AsyncEngine) -> None:
        self._database = Database(engine)
        self.blocks = BlockTable(self._database)
        self.challenges = ChallengeTable(self._database)
        self.changes = EventStore(self._database)
        self.deliveries = DeliveryTable(self._database)
        self.games = GameTable(self._database)
        self.guilds = GuildTable(self._database)
        self.identifies = IdentifyTable(self._database)
        self.other_processes = OtherProcesses(engine)
        self.listening = ListeningTable(self._database, self.other_processes)
        self.outages = OutageTable(self._database)
        self.pauses = PauseTable(self._database)
        self.pings = PingTable(self._database)
        self.players = PlayerTable(self._database)
        self.server_blocks = ServerBlockTable(self._database)
        self.styles = StyleTable(self._database)
        self.damage = DamageMonitor(self._database)
        self.timers = TimerTable(self._database)
        self.statistics = Statistics(self._database)
        self.vacations = VacationTable(self._database)

    def queries(self, queries: Callable[[Database], T]) -> T:
        """Return a feature's queries on this database, as in `store.queries(GuessTable)`."""
        return queries(self._database)

    async def close(self) -> None:
        await self._database.close()
