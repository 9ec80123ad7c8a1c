"""Tests for the vector environment."""

from typing import Any

import pytest

pytest.importorskip("gymnasium", reason="the extra `gym` is not installed")
pytest.importorskip("numba", reason="the extra `engine` is not installed")

import numpy as np

from dvonn import DvonnError
from dvonn.batch import BLACK, WHITE
from dvonn.gym.vector import DvonnVectorEnv


def first_legal(_planes: Any, masks: Any) -> Any:
    return masks.argmax(axis=1)


def played(env: DvonnVectorEnv, steps: int) -> list[Any]:
    seen, _ = env.reset(seed=3)
    told: list[Any] = []
    for _ in range(steps):
        told.append(env.step(first_legal(None, seen["action_mask"])))
        seen = told[-1][0]
        assert env.observation_space.contains(seen)
    return told


@pytest.mark.parametrize(
    "start",
    [
        "empty",
        pytest.param("balanced", marks=pytest.mark.later("full boards: it makes each at random")),
    ],
)
def test_games_are_played_to_their_ends_and_restart(start: str) -> None:
    env = DvonnVectorEnv(8, start=start)
    seen, _ = env.reset(seed=1)
    ended = np.zeros(8, bool)
    finished = 0
    for _ in range(150):
        actions = first_legal(None, seen["action_mask"])
        seen, rewards, terminations, truncations, _ = env.step(actions)
        signs = np.where(env.colors == WHITE, 1, -1)
        assert np.array_equal(rewards, np.where(terminations, env.batch.outcomes * signs, 0))
        assert not truncations.any()
        assert not (ended & terminations).any()  # the step after the end starts a game
        assert (seen["action_mask"].any(axis=1) == ~terminations).all()
        mine = np.where(terminations, env.colors, env.batch.turns)
        assert np.array_equal(mine, env.colors)
        assert np.array_equal(seen["observation"][:, 8, 0, 0] == 1, env.colors == WHITE)
        own, other = (seen["observation"][:, plane] for plane in (1, 2))
        lead = ((own.astype(int) - other) * seen["observation"][:, 4]).sum(axis=(1, 2))
        assert np.array_equal(lead, env.batch.margins * signs)
        ended = terminations
        finished += int(terminations.sum())
    assert finished > 8


def test_the_same_seed_plays_the_same_games() -> None:
    one, other = (played(DvonnVectorEnv(4, color="B"), 60) for _ in range(2))
    for (seen, *rest), (again, *others) in zip(one, other, strict=True):
        assert np.array_equal(seen["observation"], again["observation"])
        assert np.array_equal(rest[0], others[0])


def test_an_illegal_action_forfeits_only_its_own_game() -> None:
    env = DvonnVectorEnv(3, color="W", opponent=first_legal)
    env.reset(seed=1)
    _, rewards, terminations, _, _ = env.step([0, 400, -1])
    assert rewards.tolist() == [0, -1, -1]
    assert terminations.tolist() == [False, True, True]
    seen, rewards, terminations, _, _ = env.step([2, 0, 0])
    assert rewards.tolist() == [0, 0, 0]
    assert not terminations.any()
    assert seen["observation"][:, 4].sum(axis=(1, 2)).tolist() == [4, 0, 0]
    assert (env.colors == WHITE).all()
    assert (DvonnVectorEnv(2, color="B").reset(seed=1)[0]["observation"][:, 4].sum()) == 2
    assert BLACK == 1


def test_missing_things_are_refused() -> None:
    for options in ({"color": "X"}, {"start": "chess"}):
        with pytest.raises(DvonnError):
            DvonnVectorEnv(1, **options)  # type: ignore[arg-type]  # any option
