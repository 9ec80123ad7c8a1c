"""When a turn's time stands still."""

from bot.model.clock import Interval
from bot.model.game import Game
from bot.store import Store


async def pauses(store: Store, game: Game) -> list[Interval]:
    """The pauses of the present turn; those known by now, also to come."""
    return await outages(store, game) + await vacations(store, game)


async def outages(store: Store, game: Game) -> list[Interval]:
    """When the bot was away in the present turn."""
    if game.turn_since is None or not game.is_running:
        return []
    return await store.outages.of(game.row.guild, game.turn_since)


async def vacations(store: Store, game: Game) -> list[Interval]:
    """When the player to move is away in his turn. In a live game nobody is."""
    control, player = game.row.clock, game.to_move
    if game.turn_since is None or player is None or (control is not None and control.is_live):
        return []
    return await store.vacations.of(player, game.turn_since)
