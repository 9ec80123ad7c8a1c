"""Where the games are kept: SQLite or PostgreSQL, through one schema."""

from sqlalchemy.ext.asyncio import AsyncEngine

from bot.store.badges import BadgeTable
from bot.store.blocks import BlockTable
from bot.store.calls import CallTable
from bot.store.challenges import ChallengeTable
from bot.store.changes import Changes
from bot.store.dailies import DailyTable
from bot.store.damage import Watch
from bot.store.database import Conflict, Database
from bot.store.deliveries import DeliveryTable
from bot.store.engine import create_engine, migrate, schema_is_current
from bot.store.games import GameTable
from bot.store.guilds import GuildTable
from bot.store.identifies import IdentifyTable
from bot.store.leaderboards import LeaderboardTable
from bot.store.lessons import LessonTable
from bot.store.listening import ListeningTable, OutageTable
from bot.store.neighbours import Neighbours
from bot.store.pauses import PauseTable
from bot.store.pings import PingTable
from bot.store.plans import PlansChanged, PlanTable
from bot.store.players import PlayerTable
from bot.store.practice import PracticeTable
from bot.store.privacy import PrivacyTable
from bot.store.profiles import ProfileTable
from bot.store.puzzles import PuzzleTable
from bot.store.ratings import RatingTable
from bot.store.records import RecordTable
from bot.store.retention import RetentionTable
from bot.store.reviews import ReviewTable
from bot.store.seasons import SeasonTable
from bot.store.server_puzzles import ServerPuzzleTable
from bot.store.statistics import Statistics
from bot.store.styles import StyleTable
from bot.store.timers import TimerTable
from bot.store.tournaments import TournamentTable
from bot.store.vacations import VacationTable
from bot.store.votes import VoteTable

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
        self.badges = BadgeTable(self._database)
        self.blocks = BlockTable(self._database)
        self.calls = CallTable(self._database)
        self.challenges = ChallengeTable(self._database)
        self.changes = Changes(self._database)
        self.dailies = DailyTable(self._database)
        self.deliveries = DeliveryTable(self._database)
        self.games = GameTable(self._database)
        self.guilds = GuildTable(self._database)
        self.identifies = IdentifyTable(self._database)
        self.leaderboards = LeaderboardTable(self._database)
        self.lessons = LessonTable(self._database)
        self.neighbours = Neighbours(engine)
        self.listening = ListeningTable(self._database, self.neighbours)
        self.outages = OutageTable(self._database)
        self.pauses = PauseTable(self._database)
        self.pings = PingTable(self._database)
        self.plans = PlanTable(self._database)
        self.players = PlayerTable(self._database)
        self.practice = PracticeTable(self._database)
        self.privacy = PrivacyTable(self._database)
        self.profiles = ProfileTable(self._database)
        self.puzzles = PuzzleTable(self._database)
        self.records = RecordTable(self._database)
        self.ratings = RatingTable(self._database)
        self.retention = RetentionTable(self._database)
        self.reviews = ReviewTable(self._database)
        self.seasons = SeasonTable(self._database)
        self.styles = StyleTable(self._database)
        self.server_puzzles = ServerPuzzleTable(self._database)
        self.damage = Watch(self._database)
        self.timers = TimerTable(self._database)
        self.tournaments = TournamentTable(self._database)
        self.statistics = Statistics(self._database)
        self.vacations = VacationTable(self._database)
        self.votes = VoteTable(self._database)

    async def close(self) -> None:
        """Close every connection."""
        await self._database.close()
