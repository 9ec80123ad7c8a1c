"""Games without a clock that the player to move lets lie."""

from datetime import datetime, timedelta

from bot.games.pauses import pauses
from bot.model.clock import runs_out
from bot.model.game import Game
from bot.store import Store

PATIENCE = timedelta(days=14)
"""How long a game without a clock lies until the player to move counts as gone."""


async def deserted_at(store: Store, game: Game) -> datetime | None:
    """When the player to move counts as gone, as far as his vacations and outages are known.

    None where that does not happen: the game has ended, a clock says when his time is up, or
    nobody waits for him but the machine.
    """
    row, since = game.row, game.turn_since
    if row.clock is not None or row.machine is not None or game.turn is None or since is None:
        return None
    return runs_out(since, PATIENCE, await pauses(store, game), weekends=None)
