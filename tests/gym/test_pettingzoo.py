"""Tests for the PettingZoo environment, including PettingZoo's own tests."""

import doctest
import tomllib
from importlib.metadata import EntryPoint
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("pettingzoo", reason="the extra `gym` is not installed")

import numpy as np
from pettingzoo.test import api_test, seed_test

import dvonn.gym
import renderer
from dvonn import Color, IllegalMoveError, Position, parse_move, position_from_text
from dvonn.actions import ACTIONS, action_of, legal_actions
from dvonn.arrays import PLANES
from dvonn.gym import dvonn_v0
from dvonn.gym.pictures import PICTURES
from dvonn.gym.players import PLAYERS, player

ROOT = Path(__file__).resolve().parents[2]

PASSED_OVER = position_from_text("9/10/3WR6/2BWW5/9 W move")
"""After d3-d4 Black has no move, and White plays on."""


def play(env: Any, *texts: str) -> None:
    for text in texts:
        env.step(action_of(parse_move(text)))


def begun(position: Position | None = None, **arguments: Any) -> Any:
    env = dvonn_v0.env(**arguments)
    env.reset(seed=1, options=None if position is None else {"position": position})
    return env


@pytest.mark.filterwarnings("ignore:Observation:UserWarning")  # a mask needs a dict
def test_the_tests_of_pettingzoo_pass() -> None:
    api_test(dvonn_v0.env(), num_cycles=120)
    seed_test(lambda: dvonn_v0.env(start="balanced"), num_cycles=60)


def test_the_example_holds() -> None:
    result = doctest.testmod(dvonn.gym)
    assert result.attempted > 3
    assert result.failed == 0


def test_agents_see_the_board_as_their_own_and_only_the_mover_may_act() -> None:
    env = begun(Position.initial().after("a1", "b1", "c1", "d1"))  # White places the next
    mine, theirs = env.observe("player_0"), env.observe("player_1")
    own, other, white = (PLANES.index(name) for name in ("own", "other", "white"))
    assert env.agent_selection == "player_0"
    assert list(np.flatnonzero(mine["action_mask"])) == sorted(legal_actions(env.position))
    assert not theirs["action_mask"].any()
    assert mine["observation"][other].sum() == 1  # the first piece after the reds is black
    assert np.array_equal(mine["observation"][own], theirs["observation"][other])
    assert np.array_equal(mine["observation"][other], theirs["observation"][own])
    assert mine["observation"][white].all()
    assert not theirs["observation"][white].any()
    assert env.observation_space("player_1").contains(theirs)
    assert env.action_space("player_0").n == len(mine["action_mask"]) == ACTIONS


def test_an_agent_that_cannot_move_is_not_asked() -> None:
    env = begun(PASSED_OVER)
    play(env, "d3-d4")
    assert env.position.passed == (Color.BLACK,)
    assert env.agent_selection == "player_0"


def test_a_game_ends_with_a_win_and_a_loss_and_the_scores() -> None:
    env = begun(PASSED_OVER)
    play(env, "d3-d4", "e4-f4")  # which cuts d4 off
    assert env.rewards == {"player_0": 1.0, "player_1": -1.0}
    assert env.terminations == {"player_0": True, "player_1": True}
    assert [env.infos[agent]["score"] for agent in env.agents] == [2, 0]
    assert env.last()[1] == 1.0
    env.step(None)
    assert env.last()[1] == -1.0
    env.step(None)
    assert env.agents == []


def test_an_illegal_action_loses_and_the_bare_environment_refuses_it() -> None:
    env = begun(PASSED_OVER)
    env.step(0)
    assert env.rewards["player_0"] == -1
    bare = dvonn_v0.DvonnEnv()
    bare.reset(options={"position": PASSED_OVER})
    with pytest.raises(IllegalMoveError):
        bare.step(0)


def test_a_seed_sets_the_board_and_otherwise_it_is_random() -> None:
    env, boards = begun(start="balanced"), []
    for seed in (7, None, 7, 8):
        env.reset(seed=seed)
        boards.append(env.unwrapped.position)
    first, second, again, other = boards
    assert first == again
    assert len({first, second, other}) == 3
    assert len(first.stacks) == 49
    assert begun().unwrapped.position == Position.initial()


@pytest.mark.later("draws a board, as many tests of renderer do")
def test_an_environment_renders_texts_or_pictures(capsys: pytest.CaptureFixture[str]) -> None:
    assert begun(PASSED_OVER, render_mode="ansi").render() == str(PASSED_OVER)
    pixels = begun(PASSED_OVER, render_mode="rgb_array", picture=renderer.render).render()
    height, width, channels = pixels.shape
    assert (channels, pixels.dtype) == (3, np.uint8)
    assert width > height > 300
    assert len(np.unique(pixels.reshape(-1, 3), axis=0)) > 20
    env = begun(PASSED_OVER, render_mode="human")
    play(env, "d3-d4")
    assert capsys.readouterr().out == f"{env.position}\n\n"
    assert begun(PASSED_OVER, render_mode="svg").render() == PASSED_OVER.svg()
    assert begun().render() is None


@pytest.mark.later("draws a board, as many tests of renderer do")
def test_dvonn_bot_offers_its_pictures() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    ((name, value),) = project["entry-points"][PICTURES].items()
    picture = EntryPoint(name, value, PICTURES).load()
    assert picture(PASSED_OVER) == renderer.render(PASSED_OVER)


def test_impossible_requests_are_refused_in_text(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(ValueError, match="no render mode: 'png', only ansi, human, svg"):
        dvonn_v0.env("png")
    with pytest.raises(ValueError, match="no start: 'full', only empty, balanced"):
        dvonn_v0.env(start="full")
    with pytest.raises(ValueError, match="no player: 'level 18', only random, greedy, level 1"):
        player("level 18")
    monkeypatch.setattr("dvonn.gym.pictures.PICTURES", "dvonn.no-such-group")
    with pytest.raises(ValueError, match="needs a picture="):
        dvonn_v0.env("rgb_array")


@pytest.mark.parametrize(
    "name",
    [
        *("random", "greedy"),
        *(
            pytest.param(level, marks=pytest.mark.later("loads the machine player's engine"))
            for level in ("level 1", "level 7")
        ),
    ],
)
def test_players_play_legally_and_the_same_with_one_seed(name: str) -> None:
    if name.startswith("level"):
        pytest.importorskip("numba", reason="the extra `engine` is not installed")
    assert name in PLAYERS
    games = []
    for _ in range(2):
        choose, position = player(name, seed=3), Position.initial().after("f3", "a1")
        for _ in range(6):
            position = position.play(choose(position))
        games.append(position)
    assert games[0] == games[1]
