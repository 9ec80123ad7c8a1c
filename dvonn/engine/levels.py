"""Players by their levels, 1 for first games to 10 for the best there is."""

from dvonn.engine.player import EnginePlayer


def player_at(level: int, seed: int) -> EnginePlayer:
    """Return a player of a level, 1 to 10.

    Raises:
        ValueError: if there is no such level.
    """
    return EnginePlayer(level=level, seed=seed)
