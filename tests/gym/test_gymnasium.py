"""Tests for the Gymnasium environment, for one agent."""

import doctest
from typing import Any

import pytest

pytest.importorskip("pettingzoo", reason="the extra `gym` is not installed")

import gymnasium
import numpy as np
from gymnasium.utils.env_checker import check_env

from dvonn import Color
from dvonn.gym import solo
from dvonn.gym.pictures import modes


def make_environment(**arguments: Any) -> Any:
    return gymnasium.make("dvonn.gym.solo:Dvonn-v0", **arguments).unwrapped


def play_out(env: Any, seed: int) -> tuple[list[int], float]:
    """Return the actions of a random agent, and its rewards."""
    env.reset(seed=seed)
    chance, actions, over = np.random.default_rng(seed), [], env.position.turn is None
    got = 0.0
    while not over:
        actions.append(int(chance.choice(np.flatnonzero(env.action_masks()))))
        _, got, over, truncated, _ = env.step(actions[-1])
        assert not truncated
    return actions, got


def test_gymnasiums_own_check_passes_and_the_example_holds() -> None:
    check_env(make_environment())
    assert isinstance(gymnasium.make("Dvonn-v0").unwrapped, solo.SoloEnv)  # the import registers it
    assert doctest.testmod(solo).failed == 0


def test_only_possible_render_modes_are_advertised(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("dvonn.gym.pictures.PICTURES", "dvonn.no-such-group")
    monkeypatch.setattr(solo.SoloEnv, "metadata", {"render_modes": modes(), "render_fps": 1})
    assert modes() == ["ansi", "human", "svg"]
    check_env(make_environment())
    drawn = solo.SoloEnv(picture=lambda _: b"")
    assert drawn.metadata["render_modes"] == ["ansi", "human", "svg", "rgb_array"]
    assert solo.SoloEnv.metadata["render_modes"] == ["ansi", "human", "svg"]


@pytest.mark.parametrize("color", list(Color))
def test_a_game_is_played_to_its_end_with_either_color(color: Color) -> None:
    env = make_environment(color=color)
    actions, got = play_out(env, 5)
    assert env.color is color
    assert env.position.turn is None
    assert got == {None: 0, color: 1, color.opponent: -1}[env.position.winner]
    assert play_out(env, 5) == (actions, got)
    assert 35 < len(actions) < 60


def test_both_colors_occur_if_none_is_requested() -> None:
    env, colors = make_environment(start="balanced"), set()
    for seed in range(8):
        _, info = env.reset(seed=seed)
        colors.add(env.color)
        assert env.position.turn is env.color
        assert info["score"] == env.position.score(env.color)
    assert colors == set(Color)


@pytest.mark.later("plays six games to judge a player")
def test_the_greedy_player_beats_chance() -> None:
    env = make_environment(opponent="greedy", start="balanced")
    assert sum(play_out(env, seed)[1] for seed in range(6)) < -3


@pytest.mark.parametrize("action", [0, 343, 10**9, -1, -290])
def test_an_illegal_action_loses(action: int) -> None:
    env = make_environment(color="W", start="balanced")
    env.reset(seed=1)
    before = env.position
    assert env.step(action)[1:3] == (-1.0, True)
    assert env.position is before


def test_it_renders(capsys: pytest.CaptureFixture[str]) -> None:
    env = make_environment(color="W", render_mode="human")
    env.reset(seed=1)
    assert capsys.readouterr().out == f"{env.position}\n\n"
    env = make_environment(render_mode="ansi")
    env.reset(seed=1)
    assert env.render() == str(env.position)
    env = make_environment(render_mode="svg")
    env.reset(seed=1)
    assert env.render() == env.position.svg()


def test_unknown_players_and_colors_are_refused_at_once() -> None:
    with pytest.raises(ValueError, match="no player: 'chess'"):
        solo.SoloEnv(opponent="chess")
    with pytest.raises(ValueError, match="not a player: 'R'"):
        solo.SoloEnv(color="R")
