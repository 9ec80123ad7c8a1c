"""Parts shared by the environments: spaces, starts, observations and rewards."""

from typing import Any, Final

import numpy as np
from gymnasium import spaces

from dvonn._rules.board import COLUMNS, POINTS, ROWS
from dvonn._rules.errors import DvonnError
from dvonn._rules.pieces import Color
from dvonn._rules.position import Position
from dvonn.actions import ACTIONS, action_mask
from dvonn.arrays import PLANES, planes
from dvonn.starts import balanced_start

Observation = dict[str, Any]
"""`observation`: uint8 array (9, 5, 11), see `dvonn.arrays`. `action_mask`: (343,), 1 if legal."""

STARTS: Final = {
    "empty": lambda _seed: (),
    "balanced": balanced_start,
}
"""Maps each kind of start to a function from a seed to its placements."""

_SHAPE: Final = (len(PLANES), ROWS, COLUMNS)
_OWN, _OTHER, _WHITE = (PLANES.index(name) for name in ("own", "other", "white"))
_SEEDS: Final = 2**32


def observation_space() -> Any:
    """Return a new observation space. Agents don't share one, because it has a random generator."""
    return spaces.Dict(
        {
            "observation": spaces.Box(0, len(POINTS), _SHAPE, np.uint8),
            "action_mask": spaces.Box(0, 1, (ACTIONS,), np.int8),
        }
    )


def action_space() -> Any:
    """Return a new action space."""
    return spaces.Discrete(ACTIONS)


def begin(start: str, chance: Any, options: dict[str, Any] | None) -> Position:
    """Return the first position of a game.

    Args:
        start: One of `STARTS`.
        chance: numpy random generator, which chooses the board.
        options: Options of `reset`. A `position` overrides the start.
    """
    moves = STARTS[start](int(chance.integers(_SEEDS)))
    position: Position | None = (options or {}).get("position")
    return Position.initial().after(*moves) if position is None else position


def observe(position: Position, color: Color) -> Observation:
    """Return a position as a player's observation.

    `own` means the player's stacks even when the opponent is to move.

    Only the player to move has legal actions.
    """
    observation = np.array(planes(position))
    if color is not (position.turn or Color.WHITE):
        observation[[_OWN, _OTHER]] = observation[[_OTHER, _OWN]]
        observation[_WHITE] = color is Color.WHITE
    mask = action_mask(position) if position.turn is color else bytearray(ACTIONS)
    return {"observation": observation, "action_mask": np.frombuffer(mask, np.int8)}


def reward(position: Position, color: Color) -> float:
    """Return 1 if the player won, -1 if they lost, and 0 for a draw or an unfinished game."""
    winner = position.winner
    return 0.0 if winner is None else 1.0 if winner is color else -1.0


def check_start(start: str) -> None:
    """Raise DvonnError if a name is not in `STARTS`."""
    if start not in STARTS:
        raise DvonnError(f"no start: {start!r}, only {', '.join(STARTS)}")
