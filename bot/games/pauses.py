"""When a clock stands still."""

from bot.clock import Interval
from bot.games.model import Game
from bot.store import Store


async def pauses(store: Store, game: Game) -> list[Interval]:
    """The pauses of the clock that runs, since it runs; those known by now, also to come."""
    return await outages(store, game) + await vacations(store, game)


async def outages(store: Store, game: Game) -> list[Interval]:
    """When the bot was away since the clock runs that runs now."""
    if game.row.clock is None or game.clock is None or not game.is_running:
        return []
    return await store.outages.of(game.row.guild, game.clock.since)


async def vacations(store: Store, game: Game) -> list[Interval]:
    """When the player to move is away since his clock runs. In a live game nobody is."""
    control, clock, player = game.row.clock, game.clock, game.to_move
    if control is None or control.is_live or clock is None or player is None:
        return []
    return await store.vacations.of(player, clock.since)
