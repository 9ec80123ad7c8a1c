"""Opponents for evaluating an agent."""

import random
from collections.abc import Callable
from typing import Final

from dvonn import machine
from dvonn._rules.errors import DvonnError
from dvonn._rules.move import Move
from dvonn._rules.position import Position

Player = Callable[[Position], Move]

LEVELS: Final = tuple(f"level {number}" for number in machine.LEVELS)
"""The names of the engine's levels, weakest first. They need the extra `engine`."""

PLAYERS: Final = ("random", "greedy", *LEVELS)
"""The names of all players: random legal moves, the largest immediate gain, or an engine level."""


def player(name: str, seed: int = 0) -> Player:
    """Return a player by name. It can play several games, one after another.

    Args:
        name: One of `PLAYERS`.
        seed: Seed of its random choices.

    Raises:
        DvonnError: if there is no such player.
        ModuleNotFoundError: if it is an engine level and the engine is not installed.
    """
    if name in LEVELS:
        from dvonn.engine.player import player_at  # noqa: PLC0415 - it loads numba

        return player_at(1 + LEVELS.index(name), seed).choose
    if name == "greedy":
        from dvonn.engine.baseline import Baseline  # noqa: PLC0415 - the engine's folder

        return Baseline(depth=1, seed=seed).choose
    if name != "random":
        raise DvonnError(f"no player: {name!r}, only {', '.join(PLAYERS)}")
    rng = random.Random(seed)  # noqa: S311 - no secrets
    return lambda position: rng.choice(position.legal_moves())
