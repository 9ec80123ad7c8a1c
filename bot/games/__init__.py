"""The use cases: challenge, accept, play, resign and the rest. They know no Discord."""

from bot.games.games import Games
from bot.games.model import Game, Told, Update

__all__ = ["Game", "Games", "Told", "Update"]
