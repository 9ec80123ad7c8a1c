"""The use cases: challenge, accept, play, resign and the rest. They know no Discord."""

from bot.games.archive import Archive
from bot.games.blocks import Blocks
from bot.games.calling import Calling, Standings
from bot.games.dailies import Dailies
from bot.games.deadlines import PATIENCE
from bot.games.fair_play import FairPlay
from bot.games.games import Games
from bot.games.history import EndedGames, History
from bot.games.ledger import Ledger
from bot.games.lobby import Lobby
from bot.games.offers import FREE_TAKEBACK, Offers
from bot.games.pie import Pie
from bot.games.planning import Planning
from bot.games.preferences import Choices, Styles
from bot.games.puzzles import Puzzles
from bot.games.ratings import Ratings
from bot.games.rematches import Rematches
from bot.games.reminders import Reminder, Reminders
from bot.games.retention import Housekeeping
from bot.games.reviews import Reviews
from bot.games.servers import Servers
from bot.games.standin import StandIn, may_go_on
from bot.games.timekeeper import Timekeeper
from bot.games.use_cases import UseCases
from bot.games.votes import Ballot, Votes

__all__ = [
    "FREE_TAKEBACK",
    "PATIENCE",
    "Archive",
    "Ballot",
    "Blocks",
    "Calling",
    "Choices",
    "Dailies",
    "EndedGames",
    "FairPlay",
    "Games",
    "History",
    "Housekeeping",
    "Ledger",
    "Lobby",
    "Offers",
    "Pie",
    "Planning",
    "Puzzles",
    "Ratings",
    "Rematches",
    "Reminder",
    "Reminders",
    "Reviews",
    "Servers",
    "StandIn",
    "Standings",
    "Styles",
    "Timekeeper",
    "UseCases",
    "Votes",
    "may_go_on",
]
