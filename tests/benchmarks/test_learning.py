"""Tests for the net that learns by self-play."""

import re
from pathlib import Path

import pytest

np = pytest.importorskip("numpy", reason="the extra `engine` is not installed")
pytest.importorskip("numba", reason="the extra `engine` is not installed")

from benchmarks import batch as batch_speed
from benchmarks.learning import play, train
from dvonn import Position, balanced_start
from dvonn.actions import legal_actions, move_of
from dvonn.arrays import planes
from dvonn.batch import Batch
from tests.games import positions_of, random_game

NUMBER = r"[0-9]+(?:\.[0-9]+)?"


def test_slopes_match_the_error() -> None:
    rng = np.random.default_rng(1)
    net = train.Net.fresh(rng)
    net.weights = [weight.astype(np.float64) for weight in net.weights]
    inputs = rng.random((6, len(net.weights[0])))
    targets = rng.uniform(-1, 1, 6)

    def error() -> float:
        return float(np.mean((net.layers(inputs)[-1][:, 0] - targets) ** 2) / 2)

    for weight, slopes in zip(net.weights, net.gradients(inputs, targets), strict=True):
        assert weight.shape == slopes.shape
        place = np.unravel_index(np.abs(slopes).argmax(), slopes.shape)
        weight[place] += 1e-5
        above = error()
        weight[place] -= 2e-5
        below = error()
        weight[place] += 1e-5
        assert (above - below) / 2e-5 == pytest.approx(slopes[place], rel=1e-4)


def test_it_chooses_the_legal_action_that_wins_most() -> None:
    """With an untrained net that likes nothing, only the end of the game counts."""
    net = train.Net.fresh(np.random.default_rng(1))
    net.weights = [np.zeros_like(weight) for weight in net.weights]
    end = positions_of(random_game(4))[-2]
    positions = [end, Position.initial(), Position.initial().after(*balanced_start(3))]
    games = np.arange(len(positions))
    actions = train.choose(net, Batch(len(positions), positions), games)
    for position, action in zip(positions, actions, strict=True):
        assert action in legal_actions(position)
    mover = end.turn
    assert mover is not None

    def lead(action: int) -> float:
        after = end.play(move_of(action, end))
        if not after.is_over:
            return 0.0
        ahead = after.score(mover) - after.score(mover.opponent)
        return float((np.sign(ahead) + np.tanh(ahead / 8)) / 2)

    assert lead(int(actions[0])) == max(map(lead, legal_actions(end)))


def test_inputs_are_seen_by_the_player_to_move() -> None:
    position = positions_of(random_game(4))[70]
    inputs = train.features(np.array(planes(position))[None])
    assert inputs.shape == (1, len(train.Net.fresh(np.random.default_rng(1)).weights[0]))
    own = [pieces for pieces in position.stacks.values() if pieces[-1] == position.turn]
    assert inputs[0, :49].sum() == len(own)
    assert inputs[0, 98:147].sum() * 4 == sum(map(len, own))
    assert inputs[0, -3:].tolist() == [0, 0, position.turn == "W"]


@pytest.mark.later("it plays 512 whole games")
def test_a_net_learns_and_plays(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    net = train.Net.fresh(np.random.default_rng(1))
    seen, targets = train.self_play(net, np.random.default_rng(1))
    assert np.abs(targets).max() <= 1
    before = np.std(net.estimate(seen) - targets)
    order = np.tile(np.random.default_rng(2).permutation(len(seen)), 3)
    for part in np.split(order, range(512, len(order), 512)):
        net.train(train.features(seen[part]), targets[part])
    assert np.std(net.estimate(seen) - targets) < 0.95 * before
    file = tmp_path / "net.npz"
    train.main([str(file), "--minutes", "0.001"])
    play.main([str(file), "--games", "2"])
    last = capsys.readouterr().out.splitlines()[-1]
    shown = f"score_percent={NUMBER} error_percent={NUMBER}"
    assert re.fullmatch(f"RESULT bench=learned games=2 {shown}", last)


def test_the_script_stays_short() -> None:
    assert len(Path(train.__file__).read_text(encoding="utf-8").splitlines()) <= 200


def test_the_benchmark_of_the_batch_ends_with_its_result(
    capsys: pytest.CaptureFixture[str],
) -> None:
    batch_speed.main(["--size", "8", "--rounds", "1"])
    last = capsys.readouterr().out.splitlines()[-1]
    figures = f"steps_per_s={NUMBER} position_steps_per_s={NUMBER} ratio={NUMBER}"
    assert re.fullmatch(f"RESULT bench=batch {figures}", last)
