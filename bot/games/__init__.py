"""The use cases: challenge, accept, play, resign and the rest. They know no Discord."""

from bot.games.archive import Archive
from bot.games.blocks import Blocks
from bot.games.conduct import CHALLENGE_LIFE, Venue
from bot.games.desertion import PATIENCE
from bot.games.games import Games
from bot.games.ledger import Ledger
from bot.games.lobby import Lobby
from bot.games.model import (
    LEASE,
    LISTED,
    ONLY,
    WITHDRAWN,
    Choosing,
    Game,
    Offered,
    Ply,
    Told,
    Update,
)
from bot.games.offers import FREE_TAKEBACK, Offers
from bot.games.pie import Pie
from bot.games.planning import Planning
from bot.games.preferences import Choices
from bot.games.reminding import Reminder, Reminders
from bot.games.standin import StandIn, may_go_on
from bot.games.timekeeper import Timekeeper

__all__ = [
    "CHALLENGE_LIFE",
    "FREE_TAKEBACK",
    "LEASE",
    "LISTED",
    "ONLY",
    "PATIENCE",
    "WITHDRAWN",
    "Archive",
    "Blocks",
    "Choices",
    "Choosing",
    "Game",
    "Games",
    "Ledger",
    "Lobby",
    "Offered",
    "Offers",
    "Pie",
    "Planning",
    "Ply",
    "Reminder",
    "Reminders",
    "StandIn",
    "Timekeeper",
    "Told",
    "Update",
    "Venue",
    "may_go_on",
]
