"""Where the games are kept: SQLite or PostgreSQL, through one schema."""

from sqlalchemy.ext.asyncio import AsyncEngine

from bot.store.blocks import Blocks
from bot.store.challenges import Challenges
from bot.store.damage import Watch
from bot.store.database import Conflict, Database
from bot.store.deliveries import Deliveries
from bot.store.engine import create_engine, migrate, schema_is_current
from bot.store.games import GameTable
from bot.store.guilds import Guilds
from bot.store.identifies import Identifies
from bot.store.listening import Listening
from bot.store.neighbours import Neighbours
from bot.store.outages import Outages
from bot.store.pings import Pings
from bot.store.plans import Plans, PlansChanged
from bot.store.players import Players
from bot.store.statistics import Statistics
from bot.store.timers import Timers
from bot.store.vacations import Vacations

__all__ = [
    "Conflict",
    "PlansChanged",
    "Store",
    "create_engine",
    "migrate",
    "schema_is_current",
]


class Store:
    """The database as the rest of the bot sees it. Every method of its parts is one transaction."""

    def __init__(self, engine: AsyncEngine) -> None:
        self._database = Database(engine)
        self.blocks = Blocks(self._database)
        self.challenges = Challenges(self._database)
        self.deliveries = Deliveries(self._database)
        self.games = GameTable(self._database)
        self.guilds = Guilds(self._database)
        self.identifies = Identifies(self._database)
        self.neighbours = Neighbours(engine)
        self.listening = Listening(self._database, self.neighbours)
        self.outages = Outages(self._database)
        self.pings = Pings(self._database)
        self.plans = Plans(self._database)
        self.players = Players(self._database)
        self.damage = Watch(self._database)
        self.timers = Timers(self._database)
        self.statistics = Statistics(self._database)
        self.vacations = Vacations(self._database)

    async def close(self) -> None:
        """Close every connection."""
        await self._database.close()
