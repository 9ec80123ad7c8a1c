"""DVONN as an OpenSpiel game: `import dvonn.gym.openspiel`, then `load_game("python_dvonn")`.

It is meant for OpenSpiel's own algorithms. Player 0 is White. If speed matters, use
`dvonn.Position` directly.

    load_game("python_dvonn(start=balanced,seed=7)")
    load_game("python_dvonn", {"start": position.to_text()})

By default, a game begins on the empty board. With `start=balanced`, it begins on a full board
chosen by `seed`, so that an algorithm can learn movements without 49 placements. `start` can also
be any position.
"""

from typing import Any, Final

import numpy as np
import pyspiel
from open_spiel.python.observation import IIGObserverForPublicInfoGame

from dvonn._rules.board import COLUMNS, POINTS, ROWS
from dvonn._rules.errors import DvonnError
from dvonn._rules.pieces import Color
from dvonn._rules.position import Position
from dvonn.actions import ACTIONS, legal_actions, move_of
from dvonn.arrays import PLANES
from dvonn.gym.game import STARTS, observe, reward

_COLORS: Final = (Color.WHITE, Color.BLACK)
_EMPTY: Final = "empty"

_TYPE: Final = pyspiel.GameType(
    short_name="python_dvonn",
    long_name="DVONN",
    dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
    chance_mode=pyspiel.GameType.ChanceMode.DETERMINISTIC,
    information=pyspiel.GameType.Information.PERFECT_INFORMATION,
    utility=pyspiel.GameType.Utility.ZERO_SUM,
    reward_model=pyspiel.GameType.RewardModel.TERMINAL,
    max_num_players=len(_COLORS),
    min_num_players=len(_COLORS),
    provides_information_state_string=True,
    provides_information_state_tensor=False,
    provides_observation_string=True,
    provides_observation_tensor=True,
    parameter_specification={"start": _EMPTY, "seed": 1},
)
_INFO: Final = pyspiel.GameInfo(
    num_distinct_actions=ACTIONS,
    max_chance_outcomes=0,
    num_players=len(_COLORS),
    min_utility=-1.0,
    max_utility=1.0,
    utility_sum=0.0,
    max_game_length=2 * len(POINTS) - 1,  # each movement empties a point for good
)


class DvonnGame(pyspiel.Game):  # type: ignore[misc] # OpenSpiel's types are not used
    """DVONN as a `pyspiel.Game` with the parameters `start` and `seed`.

    Attributes:
        start: The start position of the game.

    Raises:
        DvonnError: if the start is neither in `game.STARTS` nor the text of a position.
    """

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        super().__init__(_TYPE, _INFO, params or {})
        chosen = self.get_parameters()
        start, seed = chosen.get("start", _EMPTY), chosen.get("seed", 1)
        if start in STARTS:
            self.start = Position.initial().after(*STARTS[start](seed))
        else:
            self.start = Position.from_text(start)

    def new_initial_state(self, state: object = None) -> "DvonnState":  # noqa: ARG002 - always None
        return DvonnState(self)

    def make_py_observer(
        self, iig_obs_type: Any = None, params: dict[str, Any] | None = None
    ) -> Any:
        if iig_obs_type is None or (iig_obs_type.public_info and not iig_obs_type.perfect_recall):
            return DvonnObserver(params)
        return IIGObserverForPublicInfoGame(iig_obs_type, params)


class DvonnState(pyspiel.State):  # type: ignore[misc] # the same
    """A position, with the history that OpenSpiel keeps.

    Attributes:
        position: Current position.
    """

    def __init__(self, game: DvonnGame) -> None:
        super().__init__(game)
        self.position = game.start

    def current_player(self) -> Any:
        turn = self.position.turn
        return pyspiel.PlayerId.TERMINAL if turn is None else _COLORS.index(turn)

    def _legal_actions(self, player: int) -> list[int]:
        return sorted(legal_actions(self.position)) if player == self.current_player() else []

    def _apply_action(self, action: int) -> None:
        self.position = self.position.play(move_of(action, self.position))

    def _action_to_string(self, player: int, action: int) -> str:  # noqa: ARG002 - same for both
        return str(move_of(action, self.position))

    def is_terminal(self) -> bool:
        return self.position.turn is None

    def returns(self) -> list[float]:
        return [reward(self.position, color) for color in _COLORS]

    def __str__(self) -> str:
        return str(self.position)


class DvonnObserver:
    """The planes of `dvonn.arrays`, as a player sees them.

    Attributes:
        tensor: All planes, flattened.
        dict: The same planes, unflattened, as "observation".
    """

    def __init__(self, params: dict[str, Any] | None) -> None:
        if params:
            raise DvonnError(f"an observation has no parameters: {params}")
        shape = (len(PLANES), ROWS, COLUMNS)
        self.tensor = np.zeros(len(PLANES) * ROWS * COLUMNS, np.float32)
        self.dict = {"observation": self.tensor.reshape(shape)}

    def set_from(self, state: DvonnState, player: int) -> None:
        self.dict["observation"][:] = observe(state.position, _COLORS[player])["observation"]

    def string_from(self, state: DvonnState, player: int) -> str:  # noqa: ARG002 - same for both
        return str(state)


pyspiel.register_game(_TYPE, DvonnGame)
