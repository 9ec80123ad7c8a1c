"""Tests for the conformance check: a good engine passes, each mistake is found and explained."""

import io
import re
import sys
from pathlib import Path

import pytest

from dvonn.engine.__main__ import main
from dvonn.engine.conformance import CHECKS, conform

SILENT = "out = open(1, 'w', buffering=9999)\nfor _ in open(0): print('uciok', file=out)"
BASELINE = [sys.executable, "-m", "dvonn.engine", "uci", "--baseline"]
PLAIN = Path(__file__).with_name("plain_uci.py")
PATIENT_S = 60.0


def checked(*command: str, patience_s: float = PATIENT_S) -> str:
    out = io.StringIO()
    passed = conform(command, out, patience_s=patience_s)
    assert passed != ("FAILED" in out.getvalue())
    return out.getvalue()


def test_the_baseline_conforms() -> None:
    assert checked(*BASELINE).splitlines() == [f"{name}: ok" for name in CHECKS]


@pytest.mark.later("the check's lines are held by the mistakes below, the engine by its session")
def test_the_engine_conforms() -> None:
    pytest.importorskip("numba", reason="the extra `engine` is not installed")
    assert "FAILED" not in checked(sys.executable, "-m", "dvonn.engine", "uci")


@pytest.mark.parametrize("mistake", ["none", "no-perft", "extra-words"])
def test_correct_translations_pass(mistake: str) -> None:
    assert "FAILED" not in checked(sys.executable, str(PLAIN), mistake)


MISTAKES = {
    "no-name": ("introduces itself", "there is no id name"),
    "bad-type": ("introduces itself", "has the type 'string'"),
    "refuses-default": ("accepts its options", "a default was refused"),
    "refused-position-remains": ("rejects invalid input", "after the refused"),
    "ignores-unknown": ("rejects invalid input", "must be answered by info string"),
    "answers-unknown-otherwise": ("rejects invalid input", "must be answered by info string"),
    "forgets-surrounded": ("counts moves", "perft 2 in"),
    "loses-nothing": ("counts moves", "perft 2 in"),
    "illegal-move": ("plays a game", "is not legal: occupied"),
    "passes": ("plays from any position", "had to pass, which isn't a move"),
    "wrong-pv": ("reports lines", "pv a1-a1: "),
    "no-pv": ("reports lines", "3 lines were asked for"),
    "one-line": ("reports lines", "3 lines were asked for"),
    "bad-number": ("reports lines", "depth 'two'"),
    "chance-in-percent": ("reports lines", "chance 50"),
    "answers-infinite": ("waits for stop", "bestmove came before stop"),
    "deaf-to-stop": ("waits for stop", "no bestmove within"),
    "answers-stray-stop": ("answers once", "stop without a search"),
    "answers-twice": ("answers once", "second bestmove"),
    "slow": ("keeps time", "movetime 50 took"),
    "moves-at-the-end": ("recognizes the end", "in a game that is over"),
    "bad-status": ("quits", "it ended with status 3"),
    "stays": ("quits", "no end within"),
    "bad-status-at-eof": ("ends with its input", "it ended with status 3"),
}


@pytest.mark.parametrize("mistake", MISTAKES)
def test_each_mistake_is_found_and_explained(mistake: str) -> None:
    check, why = MISTAKES[mistake]
    hangs = mistake in {"deaf-to-stop", "stays"}
    told = checked(sys.executable, str(PLAIN), mistake, patience_s=4 if hangs else PATIENT_S)
    found = told.split(f"\n{check}: ")[-1].split(": ok\n")[0]
    assert found.removeprefix(f"{check}: ").startswith("FAILED: ")
    assert why in found
    assert "\n    > uci" in found


def test_five_and_twenty_mistakes_are_known() -> None:
    text = PLAIN.read_text(encoding="utf-8")
    made = set(re.findall(r'MISTAKE [!=]= "([a-z-]+)"', text)) - {"no-perft", "extra-words"}
    assert made == {*MISTAKES, "never-moves"}  # this one has a test of its own
    assert len(made) == 25


def test_the_lines_repeat_a_mistake() -> None:
    told = checked(sys.executable, str(PLAIN), "illegal-move")
    lines = [line.removeprefix("    > ") for line in told.splitlines() if line.startswith("    > ")]
    assert lines[0] == "uci"
    assert lines[-2].startswith("position line ")
    assert lines[-1].startswith("go nodes ")
    told = checked(sys.executable, str(PLAIN), "answers-infinite")
    assert (
        "    > go infinite\n    > position line " in told
    )  # the mistake comes after a refused line


def test_a_silent_engine_ends_the_check_with_a_hint() -> None:
    told = checked(sys.executable, "-c", SILENT, patience_s=0.5)
    assert told.startswith("introduces itself: FAILED: no uciok within 0.5 s")
    assert "does it flush its output" in told
    assert len([line for line in told.splitlines() if "FAILED" in line]) == 1


def test_an_engine_that_never_moves_ends_the_check_in_time() -> None:
    for patience_s in (1, 5, 25):  # on a busy machine, the engine's start takes longer
        told = checked(sys.executable, str(PLAIN), "never-moves", patience_s=patience_s)
        if f"answers: FAILED: no bestmove within {4 * patience_s} s" in told:
            break
    assert f"answers: FAILED: no bestmove within {4 * patience_s} s" in told
    assert f"FAILED: not reached: {7 * patience_s} s are over" in told


def test_a_program_that_is_not_an_engine_is_reported() -> None:
    assert "introduces itself: FAILED: cannot be started" in checked("no-such-engine")


def test_the_command_line_checks_engines(capsys: pytest.CaptureFixture[str]) -> None:
    for dashes in ([], ["--"]):
        assert main(["conform", "--patience", "60", *dashes, sys.executable, "-c", ""]) == 1
        assert "introduces itself: FAILED: it has ended" in capsys.readouterr().out
