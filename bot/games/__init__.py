"""The use cases: challenge, accept, play, resign and the rest. They know no Discord."""

from bot.games.archive import Archive
from bot.games.conduct import CHALLENGE_LIFE, Venue
from bot.games.games import Games
from bot.games.lobby import Lobby
from bot.games.model import LEASE, Game, Told, Update

__all__ = [
    "CHALLENGE_LIFE",
    "LEASE",
    "Archive",
    "Game",
    "Games",
    "Lobby",
    "Told",
    "Update",
    "Venue",
]
