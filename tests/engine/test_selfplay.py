"""Tests for self-play data: the lines, and resuming a run."""

import json
import os
import subprocess
import sys
from dataclasses import asdict, replace
from pathlib import Path

import pytest

from dvonn import Color, Position
from dvonn.engine import selfplay
from dvonn.engine.seed_files import add_lines, read_lines
from dvonn.engine.selfplay import SelfPlaySettings, play_game, read_games

ROOT = Path(__file__).resolve().parents[2]
SAMPLE = ROOT / "docs" / "data" / "selfplay.jsonl"
QUICK = SelfPlaySettings(nodes=50, samples=4)


def test_an_interrupted_run_resumes_without_a_difference(tmp_path: Path) -> None:
    path, made = tmp_path / "lines.jsonl", []

    def make(seeds: "list[int]") -> "list[dict[str, int]]":
        made.extend(seeds)
        return [{"seed": seed, "square": seed * seed} for seed in seeds]

    assert [line["seed"] for line in add_lines([3, 4], make, path)] == [3, 4]  # type: ignore[arg-type]
    path.write_text(path.read_text() + '{"seed":5,"squ')
    list(add_lines([3, 4, 5, 6], make, path))  # type: ignore[arg-type]
    assert made == [3, 4, 5, 6]
    assert [line["square"] for line in read_lines(path)] == [9, 16, 25, 36]
    assert path.read_bytes().count(b"\n") == 4


def test_the_sample_is_whole_small_and_legal() -> None:
    lines, games = list(read_lines(SAMPLE)), list(read_games(SAMPLE))
    assert SAMPLE.stat().st_size <= 2_000_000
    assert [game.seed for game in games] == list(range(len(games)))
    assert all(line["made"] == lines[0]["made"] for line in lines)
    for game in games[::25]:
        position = Position.initial().after(*game.moves)
        assert position.turn is None
        assert len(game.values) == len(game.moves) - 49
        assert game.margin == position.score(Color.WHITE) - position.score(Color.BLACK)


class TestWithNumba:
    @pytest.fixture(autouse=True)
    def _numba(self) -> None:
        pytest.importorskip("numba", reason="the extra `engine` is not installed")

    def test_a_seed_makes_the_game_of_the_sample(self) -> None:
        for line in list(read_lines(SAMPLE))[7:9]:
            game = play_game(line["seed"], SelfPlaySettings(**line["made"]))
            assert " ".join(map(str, game.moves)) == line["moves"]
            assert [list(game.values), game.margin] == [line["values"], line["margin"]]

    def test_values_are_whites_and_the_last_is_proven(self) -> None:
        game = play_game(3, QUICK)
        assert abs(game.values[-1]) == 20_000 + abs(game.margin)
        assert (game.values[-1] > 0) is (game.margin > 0)

    @pytest.mark.parametrize("start", selfplay.STARTS)
    def test_starts_and_levels_make_other_games(self, start: str) -> None:
        settings = replace(QUICK, start=start, level=1, random=0.5)
        games = [play_game(seed, settings) for seed in (1, 2, 1)]
        assert games[0] == games[2]
        assert games[0].moves[:49] != games[1].moves[:49]

    def test_the_command_resumes_and_refuses_other_options(
        self, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        path = tmp_path / "games.jsonl"
        command = ["--nodes", "50", "--samples", "4", "--out", str(path)]
        assert selfplay.main([*command, "--games", "2"]) == 0
        first = path.read_bytes()
        assert selfplay.main([*command, "--games", "3"]) == 0
        assert path.read_bytes().startswith(first)
        assert [game.seed for game in read_games(path)] == [0, 1, 2]
        assert json.loads(first.splitlines()[0])["made"] == asdict(QUICK)
        assert len(capsys.readouterr().out.splitlines()) == 3
        with pytest.raises(SystemExit):
            selfplay.main([*command, "--games", "3", "--level", "2"])
        assert "holds games of other settings" in capsys.readouterr().err

    @pytest.mark.thorough("it starts two processes that load numba")
    def test_many_workers_write_the_same_file(self, tmp_path: Path) -> None:
        files = []
        for workers in ("1", "2"):
            path = tmp_path / f"{workers}.jsonl"
            common = ["--nodes", "50", "--samples", "4", "--games", "4", "--workers", workers]
            assert selfplay.main([*common, "--out", str(path)]) == 0
            files.append(path.read_bytes())
        assert files[0] == files[1]


def test_without_numba_the_missing_package_is_named(tmp_path: Path) -> None:
    (tmp_path / "numba.py").write_text("raise ModuleNotFoundError('numba', name='numba')")
    done = subprocess.run(
        [sys.executable, "-m", "dvonn.engine.selfplay", "--games", "1", "--out", "games.jsonl"],
        env=os.environ | {"PYTHONPATH": os.pathsep.join([str(tmp_path), str(ROOT)])},
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 2
    assert done.stderr == "the machine player needs numba: python -m pip install numba numpy\n"
