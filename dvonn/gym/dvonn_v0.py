"""DVONN as a PettingZoo environment, with a mask of the legal actions."""

from typing import Any, Final

from gymnasium.utils.seeding import np_random
from pettingzoo import AECEnv
from pettingzoo.utils import wrappers

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

AGENTS: Final = {"player_0": Color.WHITE, "player_1": Color.BLACK}
"""The agents and their colors. White places first and moves first."""

_COLORS: Final = {color: agent for agent, color in AGENTS.items()}


def env(
    render_mode: str | None = None, *, start: str = "empty", picture: Picture | None = None
) -> Any:
    """Return the environment in PettingZoo's wrappers.

    An illegal action loses the game.

    Args:
        render_mode: "ansi", "svg", "rgb_array" or "human", or None to render nothing.
        start: "empty", or "balanced" for a full board, which `reset`'s seed chooses.
        picture: Function that draws for "rgb_array", or None to use dvonn-bot's if it is installed.

    Raises:
        ValueError: if the mode or start is unknown, or no drawing function is available.
    """
    bare = DvonnEnv(render_mode, start=start, picture=picture)
    checked = wrappers.AssertOutOfBoundsWrapper(wrappers.TerminateIllegalWrapper(bare, -1))
    return wrappers.OrderEnforcingWrapper(checked)


class DvonnEnv(AECEnv):  # type: ignore[misc] # PettingZoo's types are not used
    """The PettingZoo environment without wrappers. `env` documents its arguments.

    Attributes:
        position: Current position of the game.
        render_mode: Mode of `render`.
    """

    metadata: dict[str, Any] = {  # noqa: RUF012 - PettingZoo's own name
        "name": "dvonn_v0",
        "render_modes": modes(),
        "render_fps": 1,
        "is_parallelizable": False,
    }

    def __init__(
        self,
        render_mode: str | None = None,
        *,
        start: str = "empty",
        picture: Picture | None = None,
    ) -> None:
        super().__init__()
        check_start(start)
        if picture is not None:
            self.metadata = {**self.metadata, "render_modes": modes(picture)}
        self.render_mode = render_mode
        self.possible_agents = list(AGENTS)
        self.position = Position.initial()
        self._start = start
        self._render = renderer_of(render_mode, picture)
        self._observation_spaces = {agent: observation_space() for agent in AGENTS}
        self._action_spaces = {agent: action_space() for agent in AGENTS}
        self._chance: Any = np_random()[0]

    def observation_space(self, agent: str) -> Any:
        return self._observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        return self._action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin a game.

        Args:
            seed: Seed of the board, if it is random, or None to continue the random sequence.
            options: `{"position": position}` begins the game at that position.
        """
        if seed is not None:
            self._chance = np_random(seed)[0]
        self.position = begin(self._start, self._chance, options)
        self.agents = list(AGENTS)
        self._cumulative_rewards = dict.fromkeys(AGENTS, 0.0)
        self.truncations = dict.fromkeys(AGENTS, False)
        self._look()

    def step(self, action: int | None) -> None:
        """Play the action of the agent to move, or None for an agent whose game is over.

        Raises:
            ValueError: if the number is not an action of this position.
            IllegalMoveError: if the action is not legal.
        """
        if action is None or self.terminations[self.agent_selection]:
            self._was_dead_step(action)
            return
        self.position = self.position.play(move_of(int(action), self.position))
        self._cumulative_rewards[self.agent_selection] = 0.0
        self._look()
        self._accumulate_rewards()
        if self.render_mode == "human":
            self.render()

    def observe(self, agent: str) -> Observation:
        return observe(self.position, AGENTS[agent])

    def render(self) -> Any:
        return self._render(self.position)

    def _look(self) -> None:
        """Update the agent to move, the terminations and the rewards."""
        position, turn = self.position, self.position.turn
        self.agent_selection = _COLORS[turn or Color.WHITE]
        self.terminations = dict.fromkeys(AGENTS, turn is None)
        self.rewards = {agent: reward(position, color) for agent, color in AGENTS.items()}
        self.infos = {agent: {"score": position.score(color)} for agent, color in AGENTS.items()}
