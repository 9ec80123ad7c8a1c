"""The ladder of levels and the fairness of starts: a few quick games of each."""

import json
from pathlib import Path

import pytest

pytest.importorskip("numba")

from benchmarks.matches import fairness, frozen, ladder
from benchmarks.matches.settings import ROOT
from benchmarks.matches.starts import STARTS
from dvonn import Color, Position, parse_move
from dvonn.engine.baseline import Baseline
from dvonn.engine.searcher import Searcher


def test_a_rung_is_played_with_both_colours() -> None:
    one, other = (ladder.play(2, 1, "balanced", number) for number in range(2))
    assert (one.color, other.color) == (Color.WHITE, Color.BLACK)
    assert one == ladder.play(2, 1, "balanced", 0)


def test_a_board_is_played_twice_and_then_another(monkeypatch: pytest.MonkeyPatch) -> None:
    boards: list[int] = []
    balanced = STARTS["balanced"]

    def noted(seed: int) -> Position:
        boards.append(seed)
        return balanced(seed)

    monkeypatch.setitem(STARTS, "balanced", noted)
    for number in range(4):
        ladder.play(2, 1, "balanced", number)
    assert boards[0] == boards[1] != boards[2] == boards[3]


def test_the_lowest_levels_are_measured_against_the_baseline_too() -> None:
    assert [ladder.rungs_of(level) for level in (1, 2, 3)] == [(0,), (0, 1), (2,)]
    assert isinstance(ladder.player_of(ladder.BASELINE, seed=1), Baseline)


def test_pairs_of_games() -> None:
    margins = (3, -1, 0, 2)
    rungs = [
        ladder.Rung(level=1, against=0, number=number, color=Color.WHITE, margin=margin)
        for number, margin in enumerate(margins)
    ]
    assert ladder.pairs(rungs) == [0.5, 0.75]


@pytest.mark.thorough("a benchmark, which no bot runs")
def test_fairness_of_a_start(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "fairness.jsonl"
    options = ["--games", "2", "--nodes", "200", "--kinds", "balanced", "standard"]
    fairness.main([*options, "--out", str(out)])

    first, *games, last = [json.loads(line) for line in out.read_text("utf-8").splitlines()]
    assert first["nodes"] == 200
    assert [game["kind"] for game in games] == ["balanced"] * 2 + ["standard"] * 2
    assert all(game["board"]["farther"] in {2, 3, 4} for game in games[:2])
    balanced = [game["white_margin"] for game in games[:2]]
    assert last["result"]["balanced_white_margin_pieces"] == sum(balanced) / 2
    assert capsys.readouterr().out.splitlines()[-1].startswith("RESULT bench=fairness ")


@pytest.mark.thorough("a benchmark, which no bot runs")
def test_fairness_of_a_pie(tmp_path: Path) -> None:
    out = tmp_path / "fairness.jsonl"
    options = ["--games", "4", "--nodes", "200", "--kinds", "pie", "--out", str(out)]
    fairness.main(options)

    _, *games, last = [json.loads(line) for line in out.read_text("utf-8").splitlines()]
    assert {game["chooser"] for game in games} == {"W", "B"}
    assert all(game["white_margin"] for game in games)  # a draw would count half
    won = [(game["white_margin"] > 0) == (game["chooser"] == "W") for game in games]
    assert last["result"]["pie_chooser_ratio"] == sum(won) / 4


@pytest.mark.parametrize(("seed", "number", "chosen"), [(3, 0, Color.BLACK), (6, 1, Color.WHITE)])
def test_of_a_pie_the_most_even_board_is_picked_and_its_better_side_chosen(
    seed: int, number: int, chosen: Color
) -> None:
    searcher = Searcher()
    boards = [STARTS["balanced"](3 * seed + number) for number in range(3)]
    values = []
    for board in boards:
        searcher.clear()
        values.append(searcher.search(board, nodes=300).value)
    assert abs(values[number]) == min(abs(value) for value in values)
    assert (values[number] > 0) == (chosen is Color.WHITE)
    assert fairness.pie(300, seed) == (boards[number], chosen)


@pytest.mark.thorough("a benchmark, which no bot runs")
def test_two_versions_play_a_game_in_processes_of_their_own() -> None:
    with frozen.frozen("none", ROOT) as folder:
        assert folder == ROOT
        with frozen.Side.running(folder) as ours, frozen.Side.running(folder) as theirs:
            games = [frozen.play("random", number, 0.001, ours, theirs) for number in (6, 7)]
    for game in games:
        position = STARTS["random"](3)
        for move in game.moves:
            position = position.play(parse_move(move))
        assert game.margin == position.score(game.color) - position.score(game.color.opponent)
        assert position.turn is None
        assert min(game.ours_s, game.theirs_s) > 0
    assert [game.color for game in games] == [Color.WHITE, Color.BLACK]


def test_figures_of_a_match_of_two_versions() -> None:
    games = [
        frozen.FrozenGame(
            kind=kind,
            number=number,
            color=Color.WHITE,
            margin=margin,
            moves=(),
            ours_s=1.0,
            theirs_s=3.0,
        )
        for kind, margins in (("random", (4, 0)), ("own", (-1, 2)))
        for number, margin in enumerate(margins)
    ]
    found = frozen.figures(games)
    assert (found["random_ratio"], found["own_ratio"], found["all_ratio"]) == (0.75, 0.5, 0.625)
    assert (found["games"], found["all_ours_s"], found["own_theirs_s"]) == (4, 1.0, 3.0)
