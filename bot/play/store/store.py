"""The tables of games: SQLite or PostgreSQL, through one schema."""

from collections.abc import Callable
from typing import TypeVar

from sqlalchemy.ext.asyncio import AsyncEngine

from bot.connection.store import IdentifyTable, ListeningTable, OutageTable
from bot.database.damage import DamageMonitor
from bot.database.database import Database
from bot.database.deliveries import DeliveryTable
from bot.database.other_processes import OtherProcesses
from bot.play.store.blocks import BlockTable
from bot.play.store.challenges import ChallengeTable
from bot.play.store.changes import Changes
from bot.play.store.games import GameTable
from bot.play.store.guilds import GuildTable
from bot.play.store.pings import PingTable
from bot.play.store.plans import PlanTable
from bot.play.store.players import PlayerTable, StyleTable
from bot.play.store.privacy import PrivacyTable
from bot.play.store.retention import RetentionTable
from bot.play.store.row_counts import Statistics
from bot.play.store.timers import TimerTable
from bot.play.store.vacations import PauseTable, VacationTable
from bot.play.store.votes import VoteTable

T = TypeVar("T")


class Store:
    """The database as the rest of the bot sees it. Every method of its parts is one transaction."""

    def __init__(self, engine: AsyncEngine) -> None:
        self._database = Database(engine)
        self.blocks = BlockTable(self._database)
        self.challenges = ChallengeTable(self._database)
        self.changes = Changes(self._database)
        self.deliveries = DeliveryTable(self._database)
        self.games = GameTable(self._database)
        self.guilds = GuildTable(self._database)
        self.identifies = IdentifyTable(self._database)
        self.other_processes = OtherProcesses(engine)
        self.listening = ListeningTable(self._database, self.other_processes)
        self.outages = OutageTable(self._database)
        self.pauses = PauseTable(self._database)
        self.pings = PingTable(self._database)
        self.plans = PlanTable(self._database)
        self.players = PlayerTable(self._database)
        self.privacy = PrivacyTable(self._database)
        self.retention = RetentionTable(self._database)
        self.styles = StyleTable(self._database)
        self.damage = DamageMonitor(self._database)
        self.timers = TimerTable(self._database)
        self.statistics = Statistics(self._database)
        self.vacations = VacationTable(self._database)
        self.votes = VoteTable(self._database)

    def of(self, queries: Callable[[Database], T]) -> T:
        """Return a feature's queries over this database, such as `store.of(GuessTable)`."""
        return queries(self._database)

    async def close(self) -> None:
        """Close every connection."""
        await self._database.close()
