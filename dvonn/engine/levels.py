"""Levels of strength, from a beginner's to the best there is. Each is a number of positions.

A level counts in positions, not in seconds, so that it plays alike on a slow machine.
"""

from typing import Final

from dvonn.engine.player import EnginePlayer

NODES: Final = (30, 150, 700, 3_000, 15_000, 70_000, 300_000, 1_500_000)
"""How many positions each level looks at for a move, from level 1 on."""


def player_at(level: int, seed: int) -> EnginePlayer:
    """A player of a level, 1 to 8.

    Raises:
        ValueError: if there is no such level.
    """
    if not 1 <= level <= len(NODES):
        raise ValueError(f"there is no level {level}")
    return EnginePlayer(seed=seed, nodes=NODES[level - 1])
