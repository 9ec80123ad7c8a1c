"""DVONN as a Gymnasium vector environment: one agent in many games at once, using `dvonn.batch`.

    from dvonn.gym.vector import DvonnVectorEnv

    env = DvonnVectorEnv(256)
    observations, infos = env.reset(seed=1)
    observations, rewards, terminations, truncations, infos = env.step(actions)

It needs numba in addition to the extra `gym`. A finished game starts over at the next step, which
ignores its action (Gymnasium's `AutoresetMode.NEXT_STEP`).
"""

from collections.abc import Callable
from typing import Any, Final

import gymnasium
import numpy as np
from gymnasium.vector import AutoresetMode
from gymnasium.vector.utils import batch_space

from dvonn._rules.pieces import Color
from dvonn._rules.position import Position
from dvonn.actions import ACTIONS
from dvonn.arrays import PLANES
from dvonn.batch import BLACK, OVER, WHITE, Batch
from dvonn.gym.game import STARTS, Observation, action_space, check_start, observation_space

Policy = Callable[[Any, Any], Any]
"""A function that takes planes (n, 9, 5, 11) and masks (n, 343), and returns n actions."""

_OWN, _OTHER, _WHITE = (PLANES.index(name) for name in ("own", "other", "white"))
_SEEDS: Final = 2**32
_NUMBERS: Final = {Color.WHITE: WHITE, Color.BLACK: BLACK}


class DvonnVectorEnv(gymnasium.vector.VectorEnv):  # type: ignore[misc] # read as if without types
    """Games of one agent against a policy.

    Args:
        num_envs: Number of games.
        opponent: The other player's policy, or None for random legal moves.
        color: The agent's color, "W" or "B", or None for a random one in each game.
        start: "empty", or "balanced" for a full board.

    Attributes:
        batch: The games.
        colors: The agent's color in each game, WHITE or BLACK of `dvonn.batch`.

    Raises:
        DvonnError: if the color or start does not exist.
        EngineMissingError: if numba is not installed.
    """

    metadata: Final = {"render_modes": [], "autoreset_mode": AutoresetMode.NEXT_STEP}

    def __init__(
        self,
        num_envs: int,
        *,
        opponent: Policy | None = None,
        color: str | None = None,
        start: str = "empty",
    ) -> None:
        check_start(start)
        self.num_envs = num_envs
        self.single_observation_space = observation_space()
        self.single_action_space = action_space()
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self.batch = Batch(num_envs)
        self.colors = np.zeros(num_envs, np.int64)
        self._choices = [WHITE, BLACK] if color is None else [_NUMBERS[Color(color)]]
        self._opponent, self._start = opponent, start
        self._ended = np.zeros(num_envs, np.bool_)

    def reset(
        self,
        *,
        seed: int | list[int | None] | None = None,
        options: dict[str, Any] | None = None,
    ) -> tuple[Observation, dict[str, Any]]:
        """Begin all games."""
        super().reset(seed=seed[0] if isinstance(seed, list) else seed, options=options)
        self._begin(np.arange(self.num_envs))
        return self._observe(), {}

    def step(self, actions: Any) -> tuple[Observation, Any, Any, Any, dict[str, Any]]:
        """Play an action and the opponent's replies in each game. An illegal action loses."""
        played = np.asarray(actions, np.int64)
        ended = np.flatnonzero(self._ended)
        running = np.flatnonzero(~self._ended)
        inside = np.clip(played, 0, ACTIONS - 1)
        legal = (inside == played) & (self.batch.masks[np.arange(self.num_envs), inside] == 1)
        illegal = running[~legal[running]]
        good = running[legal[running]]
        self.batch.step(played[good], good)
        self._begin(ended)
        self._reply(good)
        self._ended = self.batch.over.copy()
        self._ended[illegal] = True
        signs = np.where(self.colors == WHITE, 1, -1)
        rewards = np.where(self._ended, self.batch.outcomes * signs, 0).astype(np.float64)
        rewards[illegal] = -1.0
        truncations = np.zeros(self.num_envs, np.bool_)
        return self._observe(), rewards, self._ended.copy(), truncations, {}

    def _begin(self, games: Any) -> None:
        """Begin some games and play to the agent's first turn."""
        if not len(games):
            return
        count = len(games) if self._start != "empty" else 1
        seeds = [int(seed) for seed in self.np_random.integers(_SEEDS, size=count)]
        starts = [Position.initial().after(*STARTS[self._start](seed)) for seed in seeds]
        self.batch.reset(games, starts=starts)
        self.colors[games] = self.np_random.choice(self._choices, size=len(games))
        self._ended[games] = False
        self._reply(games)

    def _reply(self, games: Any) -> None:
        """Play the opponent's moves in some games until it is the agent's turn."""
        while True:
            turns = self.batch.turns[games]
            games = games[(turns != OVER) & (turns != self.colors[games])]
            if not len(games):
                return
            if self._opponent is None:
                seed = int(self.np_random.integers(_SEEDS))
                actions = self.batch.random_actions(seed)[games]
            else:
                actions = self._opponent(self.batch.planes[games], self.batch.masks[games])
            self.batch.step(actions, games)

    def _observe(self) -> Observation:
        """Return the agent's observation, from the agent's side even in finished games."""
        obs, masks = self.batch.planes.copy(), self.batch.masks.copy()
        swapped = np.flatnonzero(self.batch.over & (self.colors == BLACK))
        plane = obs[swapped, _OWN]
        obs[swapped, _OWN], obs[swapped, _OTHER] = obs[swapped, _OTHER], plane
        obs[swapped, _WHITE] = 0
        return {"observation": obs, "action_mask": masks}
