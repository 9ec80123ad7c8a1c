"""The choice of the board on which a game begins."""

from random import Random

from bot.base.ids import GuildId
from bot.play.model.openings import opening_seeds
from bot.play.model.terms import Start
from bot.play.store.games import GameTable


async def new_board(games: GameTable, start: Start, guild: GuildId, rng: Random) -> int:
    """Return the seed of a new board: none that the server has played, while there is one."""
    drawn = opening_seeds(start, rng)
    played = await games.played_seeds(guild, drawn)
    return next((seed for seed in drawn if seed not in played), drawn[0])
