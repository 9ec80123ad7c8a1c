"""Tests for the match runner: referee, statistics, result files."""

import asyncio
import json
import random
import shlex
import sys
from pathlib import Path

import pytest

from dvonn import Color, GameRecord, Position, fairness, position_to_text
from dvonn.__main__ import main
from dvonn.engine.codecup_text import state_text
from dvonn.engine.matches.match import Limits, Match
from dvonn.engine.matches.program import CodecupProgram, Command
from dvonn.engine.matches.referee import MatchResult, RefereedGame
from dvonn.engine.matches.starts import STARTS, starts_of
from dvonn.engine.matches.statistics import MatchScore, Sprt, estimate, rank_correlation
from dvonn.formats import read_games
from tests.games import random_game

WAITING = [sys.executable, "-c", "import sys; sys.stdin.read()"]


def saying(*lines: str, then: str = "import sys; sys.stdin.read()") -> list[str]:
    """A program that says these lines, whatever input it gets."""
    return [sys.executable, "-c", f"print({chr(10).join(lines)!r}, flush=True); {then}"]


def game(white: list[str], black: list[str], *, gametime_s: float | None = None) -> MatchResult:
    async def play() -> MatchResult:
        async with CodecupProgram.running(white) as program, CodecupProgram.running(black) as other:
            programs = {Color.WHITE: program, Color.BLACK: other}
            referee = RefereedGame(programs, start=Position.initial(), gametime_s=gametime_s)
            return await referee.play()

    return asyncio.run(play())


@pytest.mark.parametrize(
    ("line", "why"),
    [("A1B2", "illegal move: 'A1B2', wrong_phase"), ("Hello", "no move"), ("C1", "occupied")],
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
    assert outcome.forfeit == "white: it has ended: no luck"


def test_a_forfeit_on_time_loses() -> None:
    outcome = game(WAITING, WAITING, gametime_s=0.05)
    assert outcome.forfeit is not None
    assert outcome.forfeit.startswith("white: no move within 0.05 s")


PYTHON = shlex.quote(sys.executable)
PLAIN = f"uci[depth 1]:{PYTHON} -m dvonn.engine uci --baseline"
CODECUP = f"codecup:{PYTHON} -m dvonn.engine baseline --depth 1 --seed {{seed}}"


def test_both_colors_are_played_from_each_start_and_recorded(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out, records = tmp_path / "match.jsonl", tmp_path / "games.txt"
    silent, hasty = (f"codecup:{shlex.join(words)}" for words in (saying("Hello"), saying("C1")))
    files = ["--out", str(out), "--records", str(records)]
    engines = [f"silent={silent}", f"hasty={hasty}"]
    options = ["--games", "4", "--seed", "5", "--jobs", "2", "--sprt", "0.4", "0.6"]
    assert main(["match", *engines, *options, *files]) == 0
    games = [json.loads(line) for line in out.read_text("utf-8").splitlines()]
    games.sort(key=lambda one: int(one["game"]))
    assert [row["white"] for row in games] == ["silent", "hasty"] * 2
    assert [row["start"] for row in games] == [5, 5, 6, 6]
    assert [row["white_points"] for row in games] == [0, 1, 0, 1]
    with records.open(encoding="utf-8") as file:
        read = list(read_games(file))
    assert sorted(record.headers["Round"] for record in read) == ["1", "2", "3", "4"]
    assert {record.result for record in read} == {"0-1", "1-0"}
    assert all("no move: 'Hello'" in record.headers["Termination"] for record in read)
    told = capsys.readouterr()
    assert told.err.count("no move: 'Hello'") == 4
    best, worst = (line.split() for line in told.out.splitlines()[1:])
    assert best[:6] == ["hasty", "4", "4", "0", "0", "0"]
    assert worst[:6] == ["silent", "4", "0", "0", "4", "4"]


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (["cat"], "needs two engines"),
        (["cat", "cat"], "the same name"),
        (["a=", "b=cat"], "no command"),
        (["a=cat", 'b="cat'], "quotation"),
        (["a=cat", "b=cat", "c=cat", "--sprt", "0.4", "0.6"], "two engines only"),
        (["a=cat", "b=cat", "--games", "0"], "less than 1"),
        (["a=cat", "b=cat", "--margin", "nan"], "not more than 0"),
    ],
)
def test_a_match_that_cannot_be_is_refused(
    arguments: list[str], why: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        main(["match", *arguments])
    assert why in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        ([PLAIN, "no=no-such-engine"], "no: cannot be started"),
        ([PLAIN, f"no={PYTHON} -c 'raise SystemExit(5)'"], "no: it has ended"),
        ([PLAIN, f"b={CODECUP}", "--starts", "missing.txt"], "missing.txt"),
        ([PLAIN, f"b={CODECUP}", "--starts", "half.txt"], "no start in the placement"),
        ([PLAIN, f"b={CODECUP}", "--starts", "over.txt"], "start 1 is over"),
        ([PLAIN, f"b={CODECUP}", "--starts", "empty.txt"], "no start"),
    ],
)
def test_a_match_that_cannot_begin_says_why(
    arguments: list[str],
    why: str,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("PYTHONPATH", str(Path(__file__).parents[2]))
    monkeypatch.chdir(tmp_path)
    (tmp_path / "half.txt").write_text(position_to_text(Position.initial().after("d2")))
    (tmp_path / "over.txt").write_text(GameRecord(random_game(3)).to_text())
    (tmp_path / "empty.txt").write_text("\n")
    assert main(["match", *arguments]) == 2
    assert why in capsys.readouterr().err


def test_games_begin_at_the_positions_of_a_file(tmp_path: Path) -> None:
    game = random_game(3)
    later = [Position.initial().after(*game[:plies]) for plies in (49, 60)]
    lines = tmp_path / "lines.txt"
    lines.write_text("\n".join(map(position_to_text, later)) + "\n")
    games = tmp_path / "games.txt"
    texts = [GameRecord(game[:plies]).to_text() for plies in (49, 60)]
    games.write_text("\n".join(texts))
    for path in (lines, games):
        starts = starts_of(str(path))
        assert [starts(number) for number in range(3)] == [*later, later[0]]


def test_an_engine_that_oversteps_its_time_loses() -> None:
    slow = """
import sys, time
for line in sys.stdin:
    if line.startswith("uci"): print("uciok", flush=True)
    if line.startswith("isready"): print("readyok", flush=True)
    if line.startswith("go"):
        while True: print("info depth 1", flush=True); time.sleep(0.01)
"""
    text = f"slow=uci[movetime 10]:{shlex.join([sys.executable, '-c', slow])}"
    commands = [Command.parse(text), Command.parse(f"plain={PLAIN}")]
    match = Match(commands, starts=STARTS["empty"], games=2, limits=Limits(margin_s=0.2))
    asyncio.run(match.play())
    assert [game.result.forfeit for game in match.played] == [
        f"{color}: no bestmove within 0.21 s" for color in ("white", "black")
    ]
    assert match.figures(commands[0])["forfeits"] == 2


def test_a_tournament_has_a_table(capsys: pytest.CaptureFixture[str]) -> None:
    bad = f"bad=codecup:{shlex.join(saying('Hello'))}"
    worse = f"worse=codecup:{shlex.join(saying())}"
    engines = [bad, worse, f"plain={PLAIN}"]
    assert main(["match", *engines, "--games", "2", "--patience", "30"]) == 0
    rows = [line.split() for line in capsys.readouterr().out.splitlines()[1:]]
    assert sorted(row[:2] for row in rows) == [["bad", "4"], ["plain", "4"], ["worse", "4"]]
    assert rows[0][:5] == ["plain", "4", "4", "0", "0"]


@pytest.mark.parametrize("name", ["random", "balanced", "even"])
def test_starts_are_full_boards_and_come_from_their_numbers(name: str) -> None:
    start = STARTS[name]
    assert start(1) == start(1) != start(2)
    assert state_text(start(1))[0] == "C"
    assert len(start(1).stacks) == 49
    assert fairness(STARTS["balanced"](1)).is_balanced


def test_estimates() -> None:
    assert estimate([0.5, 1.0, 0.0, 0.5] * 25).score == 0.5
    # The standard deviation is 0.354; two pairs without a result make it a little more.
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


@pytest.mark.parametrize("starts", ["empty", "random"])
def test_programs_of_both_protocols_meet(starts: str) -> None:
    commands = [Command.parse(f"one={CODECUP}"), Command.parse(f"other={PLAIN}")]
    match = Match(commands, starts=STARTS[starts], games=2)
    asyncio.run(match.play())
    assert [game.result.forfeit for game in match.played] == [None, None]
    assert all(game.result.used_s[color] > 0 for game in match.played for color in Color)
    record = match.played[0].result.record({"White": "one"})
    assert record.positions()[-1].turn is None
    assert GameRecord.from_text(record.to_text()) == record


def test_an_engine_that_ends_in_a_game_loses() -> None:
    ended = f"ended={PYTHON} -c \"print('uciok', 'readyok', sep=chr(10), flush=True)\""
    commands = [Command.parse(ended), Command.parse(f"other={PLAIN}")]
    match = Match(commands, starts=STARTS["empty"], games=1)
    asyncio.run(match.play())
    (game,) = match.played
    assert (game.result.white_points, game.result.forfeit) == (0, "white: it has ended")


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("./x --a 1", ("x", "./x --a 1", "movetime 300")),
        ("n=x --a=1", ("n", "x --a=1", "movetime 300")),
        ("uci[depth 2]:/a/x", ("x", "/a/x", "depth 2")),
        ("n=codecup:x", ("n", "x", None)),
    ],
)
def test_a_command_names_its_program_and_protocol(
    text: str, told: tuple[str, str, str | None]
) -> None:
    command = Command.parse(text)
    assert (command.name, command.text, command.go) == told


def test_a_score_is_a_difference_of_ratings() -> None:
    assert MatchScore(0.5, 0.0).elo == 0
    assert MatchScore(0.76, 0.0).elo == pytest.approx(200, abs=1)
    assert MatchScore(0.5, 0.1).elo_error == pytest.approx(70, abs=1)
    assert MatchScore(1.0, 0.5).elo < 2000


def test_the_package_has_commands(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([]) == 2
    assert "python -m dvonn match A B" in capsys.readouterr().err
    assert main(["--help"]) == 0
    assert main(["engine", "conform", "no-such-engine"]) == 1


@pytest.mark.parametrize(
    ("other", "coefficient"),
    [((10, 20, 20, 1000), 1), ((9, 4, 4, 1), -1), ((1, 3, 3, 2), 1 / 3)],
)
def test_ranks_are_compared_and_those_alike_share_theirs(
    other: tuple[float, ...], coefficient: float
) -> None:
    assert rank_correlation((1, 2, 2, 3), other) == pytest.approx(coefficient)
