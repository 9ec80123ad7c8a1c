"""DVONN as a Gymnasium environment: one agent against a built-in player.

>>> import gymnasium
>>> env = gymnasium.make("dvonn.gym.solo:Dvonn-v0", opponent="greedy", color="B")
>>> observation, info = env.reset(seed=1)
"""

from typing import Any, Final

import gymnasium

from dvonn._rules.pieces import Color
from dvonn._rules.position import Position
from dvonn.actions import move_of
from dvonn.gym.game import (
    Observation,
    action_space,
    begin,
    check_start,
    observation_space,
    observe,
    reward,
)
from dvonn.gym.pictures import Picture, modes, renderer_of
from dvonn.gym.players import player

_SEEDS: Final = 2**32


class SoloEnv(gymnasium.Env):  # type: ignore[misc] # Gymnasium's types are not used
    """A game of one agent against a built-in player.

    Args:
        render_mode: As in `dvonn_v0.env`, like `start` and `picture`.
        opponent: Name of a player, see `players.player`.
        color: The agent's color, "W" or "B", or None for a random one at each `reset`.

    Attributes:
        position: Current position. It is the agent's turn, or the game is over.
        color: The agent's color in this game.

    Raises:
        ValueError: if the mode, player, color or start is unknown, or no drawing function is
            available.
    """

    metadata: dict[str, Any] = {"render_modes": modes(), "render_fps": 1}  # noqa: RUF012 - Gymnasium's own name

    def __init__(
        self,
        render_mode: str | None = None,
        *,
        opponent: str = "random",
        color: str | None = None,
        start: str = "empty",
        picture: Picture | None = None,
    ) -> None:
        check_start(start)
        player(opponent)
        if picture is not None:
            self.metadata = {**self.metadata, "render_modes": modes(picture)}
        self.render_mode = render_mode
        self.observation_space = observation_space()
        self.action_space = action_space()
        self.position = Position.initial()
        self._colors = tuple(Color) if color is None else (Color(color),)
        self.color = self._colors[0]
        self._opponent, self._start = opponent, start
        self._render = renderer_of(render_mode, picture)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Begin a game. With `options={"position": position}`, it begins at that position."""
        super().reset(seed=seed)
        chance = self.np_random
        self.position = begin(self._start, chance, options)
        self.color = self._colors[int(chance.integers(len(self._colors)))]
        self._play = player(self._opponent, int(chance.integers(_SEEDS)))
        return self._answered()

    def step(self, action: int) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Play an action and the opponent's replies. An illegal action loses the game."""
        mask = self.action_masks()
        if not (0 <= action < len(mask) and mask[action]):
            return observe(self.position, self.color), -1.0, True, False, {"illegal": True}
        self.position = self.position.play(move_of(int(action), self.position))
        observation, info = self._answered()
        over = self.position.turn is None
        return observation, reward(self.position, self.color), over, False, info

    def render(self) -> Any:
        return self._render(self.position)

    def action_masks(self) -> Any:
        """Return the mask of the legal actions. Learning libraries expect this name."""
        return observe(self.position, self.color)["action_mask"]

    def _answered(self) -> tuple[Observation, dict[str, Any]]:
        """Play the opponent's moves until it is the agent's turn. Return the observation."""
        while self.position.turn is self.color.opponent:
            self.position = self.position.play(self._play(self.position))
        if self.render_mode == "human":
            self.render()
        return observe(self.position, self.color), {"score": self.position.score(self.color)}


gymnasium.register(id="Dvonn-v0", entry_point=SoloEnv)
