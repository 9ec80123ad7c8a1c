"""What a game that is over has brought in its tournament, as it is read again."""

from collections.abc import Sequence

from bot.features.tournaments.model.results import Brought, brought, decided_by
from bot.play.model.events import Told
from bot.play.model.game import Game
from bot.store import Store


async def brought_by(store: Store, game: Game, told: Sequence[Told]) -> Brought | None:
    """What a game has brought in its tournament; None where it is of none, or goes on.

    Args:
        store: Knows how the tournament stands.
        game: The game.
        told: What has happened in it, up to the event by which it has ended.
    """
    if game.is_running or game.row.tournament is None or not told:
        return None
    tournament = await store.tournaments.get(game.row.tournament)
    end = decided_by(game, told[-1].event)
    return None if tournament is None else brought(tournament, game.row.id, end)
