"""Tests of the match runner: referee, statistics, result files."""

import asyncio
import json
import random
import shlex
import sys
from pathlib import Path

import pytest

from benchmarks.matches.__main__ import main
from benchmarks.matches.program import Command, Program
from benchmarks.matches.referee import MatchResult, RefereedGame
from benchmarks.matches.starts import STARTS
from benchmarks.matches.statistics import Sprt, estimate, rank_correlation
from dvonn import Color, Position, fairness
from dvonn.engine.codecup_text import state_text

WAITING = [sys.executable, "-c", "import sys; sys.stdin.read()"]


def saying(*lines: str, then: str = "import sys; sys.stdin.read()") -> list[str]:
    """A program that says these lines, whatever it is sent."""
    return [sys.executable, "-c", f"print({chr(10).join(lines)!r}, flush=True); {then}"]


def game(white: list[str], black: list[str], *, gametime_s: float | None = None) -> MatchResult:
    async def play() -> MatchResult:
        async with Program.running(white) as program, Program.running(black) as other:
            programs = {Color.WHITE: program, Color.BLACK: other}
            referee = RefereedGame(programs, start=Position.initial(), gametime_s=gametime_s)
            return await referee.play()

    return asyncio.run(play())


@pytest.mark.parametrize(
    ("line", "why"),
    [("A1B2", "illegal: 'A1B2', wrong_phase"), ("Hello", "no move"), ("C1", "occupied")],
)
def test_a_wrong_line_loses(line: str, why: str) -> None:
    outcome = game(saying("C1"), saying(line))
    assert outcome.white_points == 1
    assert outcome.white_margin is None
    assert outcome.forfeit is not None
    assert outcome.forfeit.startswith("black")
    assert why in outcome.forfeit


def test_a_program_that_ends_loses_with_its_last_words() -> None:
    outcome = game([sys.executable, "-c", "raise SystemExit('no luck')"], saying("A1"))
    assert outcome.white_points == 0
    assert outcome.forfeit == "white: it ended without an answer; no luck"


def test_whoever_oversteps_the_time_of_the_game_loses() -> None:
    outcome = game(saying("A1", "B1"), WAITING, gametime_s=0.01)
    assert outcome.forfeit is not None
    assert "no answer within" in outcome.forfeit


def test_both_colours_are_played_from_each_start_and_all_is_written_down(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "match.jsonl"
    silent, hasty = (shlex.join(words) for words in (saying("Hello"), saying("C1", "C1")))
    played = main(
        [
            *("--one", f"silent={silent}", "--other", f"hasty={hasty}"),
            *(
                "--games",
                "4",
                "--seed",
                "5",
                "--jobs",
                "2",
                "--sprt",
                "0.4",
                "0.6",
                "--out",
                str(out),
            ),
        ]
    )
    figures = played.figures()
    assert [figures[name] for name in ("games", "won", "drawn", "lost")] == [4, 0, 0, 4]
    assert (figures["forfeits_one"], figures["forfeits_other"]) == (4, 0)
    assert (figures["score_ratio"], figures["white_ratio"]) == (0, 0.5)
    assert played.pairs == [0, 0]
    assert played.verdict is None  # two pairs are too few

    first, *games, last = [json.loads(line) for line in out.read_text("utf-8").splitlines()]
    assert {"date", "commit", "python", "machine", "gametime", "other"} - first.keys() == {
        "gametime"
    }
    assert (first["one"]["name"], first["seed"]) == ("silent", 5)
    assert last == {"result": figures, "verdict": None}
    games.sort(key=lambda one: int(one["game"]))
    assert [one["one"] for one in games] == ["W", "B", "W", "B"]
    assert [one["start_seed"] for one in games] == [5, 5, 6, 6]
    assert [one["white_points"] for one in games] == [0, 1, 0, 1]
    told = capsys.readouterr()
    assert told.err.count("no move: 'Hello'") == 4
    assert "4 games: silent 0.0 ± " in told.err
    assert told.out.splitlines()[-1].startswith("RESULT bench=match games=4 ")


@pytest.mark.parametrize("command", ["cat", "=cat", "a b=cat"])
def test_a_program_of_a_match_needs_a_name(command: str) -> None:
    with pytest.raises(SystemExit):
        main(["--one", command, "--other", "b=cat"])


@pytest.mark.parametrize("name", ["random", "balanced", "even"])
def test_starts_are_full_boards_and_come_from_their_numbers(name: str) -> None:
    start = STARTS[name]
    assert start(1) == start(1) != start(2)
    assert state_text(start(1))[0] == "C"
    assert len(start(1).stacks) == 49
    assert fairness(STARTS["balanced"](1)).is_balanced


def test_estimates() -> None:
    assert estimate([0.5, 1.0, 0.0, 0.5] * 25).score == 0.5
    # The standard deviation is 0.354; two pairs in doubt make it a little more.
    assert estimate([0.5, 1.0, 0.0, 0.5] * 250).error == pytest.approx(
        1.96 * 0.354 / 1000**0.5, rel=5e-3
    )


def test_the_sequential_test_decides_for_the_nearer_score() -> None:
    test = Sprt(0.5, 0.6)
    even, better = [0.5, 0.0, 1.0, 0.5], [0.5, 1.0, 1.0, 0.5, 0.0]
    assert test.verdict(even) is None
    assert test.verdict(even * 50) == "low"
    assert test.verdict(better * 50) == "high"
    assert test.log_ratio([0.5, 0.6] * 10) == pytest.approx(0, abs=1e-9)


def test_the_sequential_test_errs_as_seldom_as_it_says() -> None:
    rng = random.Random(1)
    wrong = 0
    for _ in range(200):
        scores: list[float] = []
        while (verdict := Sprt(0.4, 0.6).verdict(scores)) is None:
            scores.append(float(rng.random() < 0.4))
        wrong += verdict == "high"
    assert wrong <= 20


def test_programs_of_both_protocols_meet(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    baseline = f"{shlex.quote(sys.executable)} -m dvonn.engine baseline --depth 1 --seed {{seed}}"
    uci = f"uci[depth 1]:{shlex.quote(sys.executable)} -m dvonn.engine uci --baseline"
    played = main(
        [
            *("--one", f"plain={baseline}", "--other", f"asked={uci}"),
            *("--games", "2", "--out", str(tmp_path / "match.jsonl")),
        ]
    )
    assert played.figures()["games"] == 2
    assert all(one.outcome.forfeit is None for one in played.played)
    assert all(one.outcome.used_s[color] > 0 for one in played.played for color in Color)
    assert "2 games: " in capsys.readouterr().err


def test_an_engine_that_ends_loses() -> None:
    async def play() -> MatchResult:
        ended = f"uci:{shlex.quote(sys.executable)} -c \"print('uciok', flush=True)\""
        async with (
            Command(name="ended", text=ended).running(seed=1, state=None) as player,
            Program.running(saying("A1")) as other,
        ):
            programs = {Color.WHITE: player, Color.BLACK: other}
            return await RefereedGame(programs, start=Position.initial()).play()

    outcome = asyncio.run(play())
    assert (outcome.white_points, outcome.forfeit) == (0, "white: it has ended; ")


@pytest.mark.parametrize("text", ["uci:x --a 1", "uci[depth 2]:x --a 1"])
def test_a_command_names_its_protocol(text: str) -> None:
    assert Command(name="x", text=text).arguments(seed=1, state="C") == ["x", "--a", "1"]


@pytest.mark.parametrize(
    ("other", "coefficient"),
    [((10, 20, 20, 1000), 1), ((9, 4, 4, 1), -1), ((1, 3, 3, 2), 1 / 3)],
)
def test_ranks_are_compared_and_those_alike_share_theirs(
    other: tuple[float, ...], coefficient: float
) -> None:
    assert rank_correlation((1, 2, 2, 3), other) == pytest.approx(coefficient)
