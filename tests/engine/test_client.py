"""Tests for the client, which survives whatever an engine does."""

import asyncio
import os
import sys
import textwrap
from pathlib import Path
from time import monotonic

import pytest

from dvonn import DvonnError, Position
from dvonn.engine.client import AsyncUciEngine, EngineFailedError, UciEngine
from dvonn.engine.uci import UciInfo, UciLimits
from tests.games import positions_of, random_game

GAME = random_game(4)
MIDDLE = positions_of(GAME)[70]
SILENT = "out = open(1, 'w', buffering=9999)\nfor _ in open(0): print('uciok', file=out)"
BASELINE = [sys.executable, "-m", "dvonn.engine", "uci", "--baseline"]
_SOON_S = 30.0
"""Far less than an engine below would take, and more than a busy machine needs."""


def engine_that(does: str) -> list[str]:
    """An engine in ten lines. The last ones answer `go`."""
    program = """
    import os, signal, subprocess, sys, time
    def say(*lines): print(*lines, sep="\\n", flush=True)
    for line in sys.stdin:
        words = line.split()
        if words[0] == "uci": say("id name x", "uciok")
        if words[0] == "isready": say("readyok")
        if words[0] == "quit": break
        if words[0] == "go":
    """
    return [sys.executable, "-c", textwrap.dedent(program) + textwrap.indent(does, " " * 8)]


def test_a_client_plays() -> None:
    told: list[UciInfo] = []
    with UciEngine(BASELINE) as engine:
        assert engine.name.startswith("dvonn baseline")
        assert engine.options["Seed"].startswith("spin")
        engine.set("Seed", 3)
        engine.new_game()
        found = engine.go(Position.initial(), "depth 1", GAME[:70], on_info=told.append)
        assert found.move in MIDDLE.legal_moves()
        assert found.best.moves == (str(found.move),)
        assert told == [found.best]
        assert engine.go(MIDDLE, UciLimits(depth=1, seconds=60)).move in MIDDLE.legal_moves()


def test_a_client_needs_no_with_and_says_when_it_was_closed() -> None:
    engine = UciEngine(BASELINE)
    assert engine.ready() == []
    engine.close()
    engine.close()
    with pytest.raises(EngineFailedError, match="closed"):
        engine.go(MIDDLE, "depth 1")


def test_a_client_of_an_event_loop() -> None:
    async def play() -> None:
        async with await AsyncUciEngine.start(BASELINE) as engine:
            found = await engine.go(MIDDLE, "depth 1")
            assert found.move in MIDDLE.legal_moves()

    asyncio.run(play())


def test_a_report_may_stop_the_search() -> None:
    does = """
say("info depth 1 pv a1")
for line in sys.stdin:
    if line == "stop\\n": break
say("bestmove a1")
"""
    with UciEngine(engine_that(does)) as engine:
        found = engine.go(Position.initial(), "infinite", on_info=lambda _: engine.stop())
    assert str(found.move) == "a1"


@pytest.mark.parametrize(
    ("does", "why"),
    [
        ("while True: say('info depth 1'); time.sleep(0.01)", "no bestmove within 0.5 s"),
        ("while True: say('info depth 1 ' * 100)", "no bestmove within 0.5 s"),
        ("time.sleep(999)", "no bestmove within 0.5 s"),
        ("sys.exit('no luck')", "it has ended: no luck"),
        ("say('bestmove so')", "bestmove so"),
        ("say('bestmove')", "not a move"),
        ("say('x' * 3_000_000)", "a line of more than"),
        ("os.write(1, b'\\xff\\n'); say('bestmove \\u0661')", "not a move"),
    ],
)
def test_any_misbehavior_of_an_engine_is_one_error_in_time(does: str, why: str) -> None:
    begun = monotonic()
    with UciEngine(engine_that(does)) as engine, pytest.raises(EngineFailedError, match=why):
        engine.go(Position.initial(), "nodes 1", patience_s=0.5 if "within" in why else _SOON_S)
    assert monotonic() - begun < 2 * _SOON_S
    assert issubclass(EngineFailedError, DvonnError)


def test_unknown_protocol_lines_are_ignored() -> None:
    does = (
        "say('hm', 'info nps 7 depth 2 x pv a1 b1', 'info score mate 1', 'bestmove a1 ponder b1')"
    )
    with UciEngine(engine_that(does)) as engine:
        found = engine.go(Position.initial())
    assert (str(found.move), found.best) == ("a1", UciInfo(depth=2, moves=("a1", "b1")))


def test_an_answer_that_comes_too_late_is_not_the_next_one() -> None:
    does = """
if "first" in words:
    time.sleep(1)
    say("bestmove a1")
else: say("bestmove b1")
"""
    with UciEngine(engine_that(does)) as engine:
        with pytest.raises(EngineFailedError, match="within"):
            engine.go(Position.initial(), "first", patience_s=0.2)
        assert str(engine.go(Position.initial(), "second").move) == "b1"


@pytest.mark.parametrize("command", [["no-such-engine"], [], [sys.executable, "-c", "1"], ["\0"]])
def test_a_program_that_is_not_an_engine_raises_the_same_error(command: list[str]) -> None:
    with pytest.raises(EngineFailedError, match=r"cannot be started|has ended"):
        UciEngine(command)


def test_an_engine_that_does_not_flush_gets_a_hint() -> None:
    silent = [sys.executable, "-c", SILENT]
    with pytest.raises(EngineFailedError, match="flush"):
        UciEngine(silent, patience_s=0.3)


def test_several_lines_are_not_sent_as_one() -> None:
    with UciEngine(BASELINE) as engine:
        with pytest.raises(EngineFailedError, match="more than one line"):
            engine.go(MIDDLE, "nodes 1\nquit")
        assert engine.go(MIDDLE, "depth 1").move in MIDDLE.legal_moves()


@pytest.mark.skipif(not hasattr(os, "killpg"), reason="there are no groups of processes here")
def test_the_processes_of_an_engine_end_with_it() -> None:
    does = """
child = subprocess.Popen(["sleep", "9999"])
say(f"info nodes {child.pid} pv a1", "bestmove a1")
signal.signal(signal.SIGTERM, signal.SIG_IGN)
"""
    command = ["sh", "-c", '"$@"; sleep 9999', "sh", *engine_that(does)]
    begun = monotonic()
    with UciEngine(command) as engine:
        child = engine.go(Position.initial()).best.nodes
    assert monotonic() - begun < _SOON_S
    assert child is not None
    stat = Path(f"/proc/{child}/stat")
    state = stat.read_text("utf-8").rpartition(") ")[2][:1] if stat.exists() else "gone"
    assert state in {"gone", "Z", "X"}
