"""Tests for the command line, called as a function."""

import importlib
import io
import os
import sys
import time
from collections.abc import Callable
from typing import Any

import pytest

from dvonn import Color, Position
from dvonn.engine import __main__ as command_line
from dvonn.engine.__main__ import main
from dvonn.engine.baseline import Baseline
from dvonn.engine.codecup_text import move_text, state_text
from dvonn.engine.protocol import GameTime, MoveTime, Player, Table, Timing
from dvonn.machine import LEVELS
from tests.games import positions_of, random_game

MIDDLE = Position.from_stacks(positions_of(random_game(5))[60].stacks, turn=Color.WHITE)

Say = Callable[..., tuple[int, list[str], list[str]]]


@pytest.fixture
def say(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Say:
    """Run a command with lines as its input. Return its status, output and error output."""

    def run(*words: str, lines: bytes = b"Start\n") -> tuple[int, list[str], list[str]]:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(lines)))
        status = main(words)
        told = capsys.readouterr()
        return status, told.out.splitlines(), told.err.splitlines()

    return run


@pytest.fixture
def timings(monkeypatch: pytest.MonkeyPatch) -> list[Timing]:
    """The time limits of the games that are started. Nothing is said in them."""
    found: list[Timing] = []

    def noted(_player: Player, timing: Timing, **_options: object) -> Table:
        found.append(timing)
        return Table(Baseline(), timing, lines=io.StringIO(), out=sys.stdout, errors=sys.stderr)

    monkeypatch.setattr(command_line, "Table", noted)
    return found


def needs_numba() -> None:
    pytest.importorskip("numba", reason="the extra `engine` is not installed")


def refused(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    """Return the error message about invalid arguments."""
    with pytest.raises(SystemExit) as ended:
        main(words)
    assert ended.value.code == 2
    return capsys.readouterr().err.splitlines()[-1]


@pytest.mark.parametrize("seed", [0, 1, 7])
def test_the_baseline_plays_by_its_seed_and_depth(say: Say, seed: int) -> None:
    start = ("baseline", "--state", state_text(MIDDLE), "--seed", str(seed))
    for depth in (1, 2, 3):
        status, out, errors = say(*start, "--depth", str(depth))
        assert (status, errors) == (0, [])
        assert out == [move_text(Baseline(depth=depth, seed=seed).choose(MIDDLE))]
    assert say(*start)[1] == [move_text(Baseline(seed=seed).choose(MIDDLE))]
    first = move_text(Baseline(seed=seed).choose(Position.initial()))
    assert say("baseline", "--seed", str(seed))[1] == [first]


def test_without_a_state_a_game_begins_at_its_beginning(say: Say) -> None:
    first = move_text(Baseline(seed=0).choose(Position.initial()))
    assert say("baseline", lines=b"\xff\xfeStart\nStart\nQuit\n") == (
        0,
        [first],
        ["? not a move: not_a_point: '\ufffd\ufffdStart'"],
    )


def test_a_level_plays_by_its_seed(say: Say) -> None:
    needs_numba()
    from dvonn.engine.player import player_at  # noqa: PLC0415 - it loads numba

    for level in (1, 8):
        for seed in (0, 3):
            words = ("play", "--state", state_text(MIDDLE), "--level", str(level))
            expected = move_text(player_at(level, seed).choose(MIDDLE))
            assert say(*words, "--seed", str(seed)) == (0, [expected], [])
            if seed == 0:
                assert say(*words)[1] == [expected]


def test_the_engine_uses_the_given_number_of_cores(
    say: Say, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    needs_numba()
    from dvonn.engine import player, searcher  # noqa: PLC0415 - they load numba

    threads = []

    class Noted(searcher.Searcher):
        """Record the number of threads."""

        def __init__(self, **options: Any) -> None:
            threads.append(options["threads"])
            super().__init__(**options)

    monkeypatch.setattr(player, "Searcher", Noted)
    words = ("play", "--state", state_text(MIDDLE), "--movetime", "0.01")
    for more in ((), ("--threads", "3")):
        status, moves, errors = say(*words, *more)
        assert (status, len(moves), errors) == (0, 1, [])
    assert threads == [1, 3]
    assert "not allowed with argument --level" in refused(
        capsys, "play", "--threads", "2", "--level", "1"
    )
    for wrong in ("0", "65", "x"):
        assert "argument --threads" in refused(capsys, "play", "--threads", wrong)


def test_how_long_it_may_think(say: Say, timings: list[Timing]) -> None:
    needs_numba()
    for words in ((), ("--movetime", "0.3"), ("--level", "2"), ("--level", "2", "--movetime", "4")):
        say("play", *words)
    say("baseline")
    assert all(isinstance(timing, MoveTime) for timing in timings)
    shares = [timing.share(Position.initial()) for timing in timings]
    assert shares == [1.0, 0.3, None, 4.0, None]


def test_the_clock_of_a_tournament_runs_since_the_process_started(
    say: Say, timings: list[Timing]
) -> None:
    needs_numba()
    before = time.process_time()
    say("play", "--gametime", "1000")
    (timing,) = timings
    assert isinstance(timing, GameTime)
    assert timing.share(Position.initial()) == 1000 * GameTime.PLACEMENT_SHARE
    spent = 1000 - timing.share(MIDDLE) * GameTime.DECISIVE_MOVES
    assert before <= spent + 1e-6
    assert spent <= time.process_time() + 1e-6


def test_texts_that_it_does_not_understand(capsys: pytest.CaptureFixture[str]) -> None:
    for seconds in ("0", "-1", "inf", "nan"):
        for limit in ("--movetime", "--gametime"):
            told = refused(capsys, "play", f"{limit}={seconds}")
            assert told.endswith(f"argument {limit}: {seconds} is not more than 0")
    both = refused(capsys, "play", "--movetime", "1", "--gametime", "5")
    assert both.endswith("argument --gametime: not allowed with argument --movetime")
    assert f"invalid choice: {LEVELS.stop}" in refused(capsys, "play", "--level", str(LEVELS.stop))
    assert "--depth: invalid int value: 'x'" in refused(capsys, "baseline", "--depth", "x")
    assert "--seed: invalid int value: 'x'" in refused(capsys, "play", "--seed", "x")
    state = refused(capsys, "baseline", "--state", "C")
    assert state.endswith("argument --state: not a movement-phase state: 'C'")
    nothing = refused(capsys)
    assert nothing.endswith("the following arguments are required: command")
    assert nothing.startswith("python -m dvonn.engine: error: ")


def test_the_bench(say: Say) -> None:
    needs_numba()
    status, out, errors = say("bench", lines=b"")
    assert (status, errors) == (0, [])
    assert [line.split()[::2] for line in out] == [["nodes", "nps"]]


@pytest.mark.parametrize("package", ["numba", "llvmlite.binding", "numpy"])
@pytest.mark.parametrize("command", ["play", "bench"])
def test_missing_parts_are_reported(
    say: Say, monkeypatch: pytest.MonkeyPatch, command: str, package: str
) -> None:
    monkeypatch.setattr(importlib, "import_module", missing(package))
    status, out, errors = say(command)
    assert (status, out) == (2, [])
    assert errors == [command_line.MISSING_NUMBA]


@pytest.mark.parametrize("package", ["scipy", None])
def test_our_own_error_is_not_reported_as_a_missing_package(
    say: Say, monkeypatch: pytest.MonkeyPatch, package: str | None
) -> None:
    monkeypatch.setattr(importlib, "import_module", missing(package))
    with pytest.raises(ModuleNotFoundError):
        say("bench")


def missing(package: str | None) -> Callable[[str], object]:
    def import_module(name: str) -> object:
        raise ModuleNotFoundError(name, name=package)

    return import_module


def test_a_missing_table(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its output goes nowhere afterwards, so that nothing fails at the exit."""
    theirs, ours = os.pipe()
    os.close(theirs)
    with os.fdopen(ours, "w", encoding="utf-8") as out:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"Start\n")))
        monkeypatch.setattr(sys, "stdout", out)
        assert main(["baseline"]) == 1
        out.write("and more")
        out.flush()


def test_an_interrupt_is_the_status_of_a_shell(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(Table, "play", interrupted)
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO()))
    assert main(["baseline"]) == 130
