"""When a clock stands still."""

from bot.clock import Interval
from bot.games.model import Game
from bot.store import Store


async def pauses(store: Store, game: Game) -> list[Interval]:
    """The pauses of the clock that runs, since it runs; those known by now, also to come."""
    control, clock, to_move = game.row.clock, game.clock, game.to_move
    if control is None or clock is None or to_move is None:
        return []
    outages = await store.outages.of(game.row.guild, clock.since)
    if control.is_live:
        return outages
    return outages + await store.vacations.of(to_move, clock.since)
