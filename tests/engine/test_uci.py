"""Tests for the protocol like UCI: session, client, and conformance check."""

import importlib
import io
import json
import re
import signal
import subprocess
import sys
import threading
import urllib.error
import urllib.request
from collections.abc import Iterator

import pytest

from dvonn import GameRecord, Move, Position, position_to_text, to_diagram
from dvonn.engine import jsonlines
from dvonn.engine.baseline import PlainThinker
from dvonn.engine.client import EngineFailedError, UciEngine, read_info
from dvonn.engine.uci import (
    MOST_DEPTH,
    MOST_MS,
    MOST_NODES,
    UciInfo,
    UciLimits,
    UciSession,
    UciThinker,
    read_limits,
)
from dvonn.formats import FORMATS
from dvonn.link import encode
from dvonn.perft import divide, perft
from tests.games import positions_of, random_game

GAME = random_game(4)
BASELINE = [sys.executable, "-m", "dvonn.engine", "uci", "--baseline"]
MIDDLE = positions_of(GAME)[70]


class StoppedThinker(PlainThinker):
    """Thinks until it is stopped."""

    def __init__(self) -> None:
        super().__init__()
        self.stopped = threading.Event()

    def think(self, position: Position, *_: object) -> Move:
        self.stopped.wait()
        return position.legal_moves()[0]

    def stop(self) -> None:
        self.stopped.set()


def uci_output(*lines: str, thinker: UciThinker | None = None) -> list[str]:
    out = io.StringIO()
    asked = io.StringIO("".join(f"{line}\n" for line in lines))
    UciSession(thinker or PlainThinker(), lines=asked, out=out).run()
    return out.getvalue().splitlines()


def test_a_session_answers() -> None:
    first, _, option, last = uci_output("uci")
    assert first.startswith("id name dvonn baseline ")
    assert option == "option name Seed type spin default 0 min 0 max 2147483647"
    assert last == "uciok"
    assert uci_output("", "isready", "quit", "isready") == ["readyok"]


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("hello", "unknown command hello"),
        ("go far", "unknown limit far"),
        ("go nodes", "go nodes needs a whole number, not ''"),
        ("go nodes 1_0", "go nodes needs a whole number, not '1_0'"),
        ("go depth ٣", "needs a whole number"),
        ("go movetime 1.5", "needs a whole number"),
        ("go perft 0", "perft 0 is too small"),
        ("setoption name Seed value x", "Seed value needs a whole number, not 'x'"),
        ("go nodes 0", "nodes 0 is too small"),
        ("setoption name Hash value 1", "unknown option Hash"),
        ("setoption name Seed value -1", "Seed is 0 to"),
        ("position", "position startpos or"),
        ("position startpos d2", "position startpos or"),
        ("position line 9/9 W place", "not a position"),
        ("position startpos moves d2 d2", "illegal move"),
    ],
)
def test_wrong_requests_are_answered_and_change_nothing(line: str, why: str) -> None:
    complaint, *rest = uci_output("position startpos moves d2", line, "go depth 1")
    assert complaint.startswith("info string ")
    assert why in complaint
    assert rest[-1].startswith("bestmove ")
    assert rest[-1] != "bestmove d2"


def test_while_a_search_runs_only_some_commands_are_accepted() -> None:
    told = uci_output(
        "go infinite",
        "position startpos",
        "go nodes 1",
        "isready",
        "stop",
        thinker=StoppedThinker(),
    )
    assert told == [
        "info string a search is running: position came too early",
        "info string a search is running: go came too early",
        "readyok",
        "bestmove a1",
    ]


def test_time_ends_a_running_search() -> None:
    slow = StoppedThinker()
    out = io.StringIO()

    def lines() -> Iterator[str]:
        yield "go movetime 1"
        assert slow.stopped.wait(60), "nobody has stopped it"

    UciSession(slow, lines=lines(), out=out).run()
    assert out.getvalue() == "bestmove a1\n"


def test_an_engine_error_is_logged_and_answered() -> None:
    class BrokenThinker(PlainThinker):
        def think(self, *_: object) -> Move:
            raise RuntimeError("no idea")

    assert uci_output("go depth 1", thinker=BrokenThinker()) == [
        "info string RuntimeError: no idea",
        "bestmove none",
    ]


def test_limits() -> None:
    def seconds(words: str, position: Position = MIDDLE) -> float:
        found = read_limits(words.split(), position).seconds
        assert found is not None
        return found

    assert read_limits(["nodes", "5", "depth", "2", "infinite"], MIDDLE) == UciLimits(
        nodes=5, depth=2, infinite=True
    )
    assert seconds("") == 1
    assert seconds("movetime 1500") == 1.5
    assert seconds("wtime 1000 btime 2000", Position.initial()) == 0.008
    assert seconds("wtime 1000 btime 2000", Position.initial().after("d2")) == 0.016
    stacks = len(MIDDLE.stacks)
    shares = {"W": 1.0, "B": 2.0}
    assert MIDDLE.turn is not None
    assert seconds("wtime 1000 btime 2000") == shares[MIDDLE.turn] / (12 - (49 - stacks) // 4)
    assert seconds("wtime 0 btime 0") == 0.001


def test_info_lines_are_read_back() -> None:
    told = UciInfo(
        depth=3,
        nodes=20,
        time_ms=5,
        multipv=2,
        score=-12,
        chance=0.25,
        margin=-3.5,
        moves=("a1-b1", "b1-c1"),
    )
    assert read_info(str(told)) == told
    assert str(told).endswith("score cp -12 chance 0.250 margin -3.5 pv a1-b1 b1-c1")
    assert read_info("info score proven -4 string of words").proven == -4
    foreign = "info nps 9 depth 2 seldepth 5 hashfull 1 currmove a1 score mate 1 pv a1-b1"
    assert read_info(foreign) == UciInfo(depth=2, moves=("a1-b1",))
    for wrong in ("info depth", "info depth x", "info chance much"):
        assert read_info(wrong) == UciInfo()
        with pytest.raises(EngineFailedError, match=r"'' in|'x' in|'much' in"):
            read_info(wrong, strict=True)


def test_several_lines_and_levels_and_threads() -> None:
    pytest.importorskip("numba", reason="the extra `engine` is not installed")
    with UciEngine([sys.executable, "-m", "dvonn.engine", "uci"]) as engine:
        engine.set("MultiPV", 3)
        found = engine.go(MIDDLE, "depth 2")
        assert [line.multipv for line in found.lines] == [1, 2, 3]
        chances = [line.chance for line in found.lines if line.chance is not None]
        assert chances == sorted(chances, reverse=True)
        placed = engine.go(Position.initial().after(*GAME[:20]), "nodes 200")
        assert [line.multipv for line in placed.lines] == [1, 2, 3]
        engine.set("MultiPV", 1)
        engine.set("Level", 3)
        assert engine.go(MIDDLE, "movetime 500").move in MIDDLE.legal_moves()
        engine.set("Level", 0)
        engine.set("Threads", 2)
        assert engine.go(MIDDLE, "nodes 500").move in MIDDLE.legal_moves()
        solved = engine.go(Position.initial(), "nodes 300000", GAME[:-3]).best
        assert solved.proven == solved.margin
        assert solved.chance in {0.0, 0.5, 1.0}


def test_json_lines_answer() -> None:
    asked = [
        {"id": 7, "moves": [str(move) for move in GAME[:70]]},
        {"do": "fly"},
        {"position": "x"},
        [],
        {"moves": 3},
    ]
    lines = [*map(json.dumps, asked), "no json", "", "\n", "NaN"]
    shown, *wrong = map(json.loads, jsonlines.answers(lines))
    assert shown["id"] == 7
    assert shown["position"] == position_to_text(MIDDLE)
    assert shown["legal"] == [str(move) for move in MIDDLE.legal_moves()]
    assert shown["score"] == {"W": MIDDLE.score("W"), "B": MIDDLE.score("B")}
    assert len(wrong) == 8
    assert all(set(answer) == {"error"} for answer in wrong)


@pytest.mark.parametrize(
    "line",
    [
        "[" * 100_000,
        '{"do": []}',
        '{"do": {}}',
        '{"do": "choose", "level": 1e999}',
        '{"do": "choose", "seed": 1e400}',
        '{"id": "\\ud800", "do": "fly"}',
        '{"position": ["\\n"]}',
        '{"position": {}}',
        '{"record": [1]}',
        '{"moves": {"d2": [1]}, "ply": {}, "record": "1. d2 *"}',
        '{"moves": [["d2"]]}',
        '{"moves": {"d2": 1}}',
        '{"moves": "d2"}',
        '{"id": 1e999}',
        '{"id": NaN}',
        '{"id": [1]}',
        "1" * 5000,
        '{"do": "analyse", "nodes": -5}',
        '{"do": "analyse", "nodes": true}',
        '{"do": "analyse", "lines": -1}',
        '{"do": "choose", "level": 0}',
        '{"ply": 1}',
        '{"ply": -1, "record": "1. d2 *"}',
    ],
    ids=lambda line: line[:40],
)
def test_json_lines_continue_after_any_request(line: str) -> None:
    wrong, right = (json.loads(answer.encode()) for answer in jsonlines.answers([line, "{}"]))
    assert wrong.keys() <= {"id", "error"}
    assert not re.search("int |float|dict|object of|literal|attribute|fault", wrong["error"])
    assert right["turn"] == "W"


def test_json_lines_answer_after_a_fault_of_their_own(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(_: object) -> None:
        raise ZeroDivisionError("no idea")

    monkeypatch.setitem(jsonlines._DO, "show", fail)
    (told,) = map(json.loads, jsonlines.answers(['{"id": 1}']))
    assert told == {"id": 1, "error": "internal error: ZeroDivisionError: no idea"}


def test_json_lines_read_games_in_any_format_and_positions_in_both() -> None:
    record = GameRecord(GAME)
    texts = [FORMATS[name].text(record) for name in FORMATS]
    links = [encode(record), f"https://e.org/x.html#{encode(record)[:-1]}&White=Ann~"]
    asked: list[dict[str, object]] = [
        *({"record": text, "ply": 70, "moves": [str(GAME[70])]} for text in [*texts, *links]),
        {"position": to_diagram(MIDDLE), "moves": [str(GAME[70])]},
        {"record": texts[0], "position": position_to_text(MIDDLE)},
        {"record": texts[0] * 2},
        {"record": links[0] + "0"},
    ]
    answers = [json.loads(line) for line in jsonlines.answers(map(json.dumps, asked))]
    after = position_to_text(MIDDLE.play(GAME[70]))
    good = len(texts) + len(links) + 1
    assert [answer.get("position") for answer in answers] == [after] * good + [None] * 3
    assert [set(answer) for answer in answers[good:]] == [{"error"}] * 3


def test_json_lines_of_the_engine() -> None:
    pytest.importorskip("numba", reason="the extra `engine` is not installed")
    line = position_to_text(MIDDLE)
    asked = [
        {"do": "choose", "position": line, "level": 2, "seed": 1},
        {"do": "analyse", "position": line, "nodes": 500, "lines": 2},
        {"do": "review", "record": encode(GameRecord(GAME)), "ply": 60, "nodes": 50},
    ]
    chosen, analysed, reviewed = map(json.loads, jsonlines.answers(map(json.dumps, asked)))
    assert chosen["move"] in {str(move) for move in MIDDLE.legal_moves()}
    assert len(analysed["lines"]) == 2
    assert len(reviewed["plies"]) == 11


def test_a_page_may_ask_where_it_was_named() -> None:
    server = jsonlines.serve(0, ["https://good.example"])
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    address = f"http://127.0.0.1:{server.server_address[1]}/"

    def ask(
        origin: str | None,
        method: str = "POST",
        body: bytes = b'{"moves": ["d2"]}\n{}',
        length: str | None = None,
    ) -> tuple[int, str | None, bytes]:
        headers = {} if origin is None else {"Origin": origin}
        headers |= {} if length is None else {"Content-Length": length}
        told = body if method == "POST" else None
        request = urllib.request.Request(address, told, headers, method=method)
        try:
            with urllib.request.urlopen(request) as answer:  # noqa: S310 - it is ours
                allowed = answer.headers["Access-Control-Allow-Origin"]
                return answer.status, allowed, answer.read()
        except urllib.error.HTTPError as error:
            with error:
                return error.code, error.headers["Access-Control-Allow-Origin"], error.read()

    try:
        status, allowed, body = ask("https://good.example")
        assert (status, allowed) == (200, "https://good.example")
        assert [json.loads(line)["turn"] for line in body.splitlines()] == ["B", "W"]
        assert ask(None)[:2] == (200, None)
        odd = b'[]\n\n{"id": "\xe2\x80\xa8"}\n{"do": {}}\n'
        assert [set(json.loads(line)) >= {"error"} for line in ask(None, body=odd)[2].splitlines()]
        assert ask(None, body=odd)[2].count(b"\n") == 4
        for length, status in (("x", 400), ("-1", 400), ("9" * 12, 413)):
            answer = ask(None, length=length)
            assert answer[0] == status
            assert set(json.loads(answer[2])) == {"error"}
        assert ask("https://bad.example") == (403, None, b"")
        assert ask("https://good.example", "OPTIONS") == (204, "https://good.example", b"")
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


@pytest.mark.parametrize("plies", [0, 1, 2, 3, 20, 40])
def test_the_chosen_placement_is_the_best_by_its_own_numbers(plies: int) -> None:
    pytest.importorskip("numba", reason="the extra `engine` is not installed")
    thinker = importlib.import_module("dvonn.engine.thinking").EngineThinker()
    thinker.set("MultiPV", 60)
    position = Position.initial().after(*GAME[:plies])
    told: list[UciInfo] = []
    move = thinker.think(position, UciLimits(nodes=200), told.append)
    assert told[0].moves == (str(move),)
    assert [info.multipv for info in told] == [*range(1, len(position.legal_moves()) + 1)]
    chances = [info.chance or 0 for info in told]
    assert chances == sorted(chances, reverse=True)
    margins = [info.margin or 0 for info in told]
    assert margins == sorted(margins, reverse=True)


def test_an_uncountable_number_means_the_maximum() -> None:
    most = "9" * 40
    limits = read_limits(f"nodes {most} depth {most} movetime {most}".split(), MIDDLE)
    assert limits == UciLimits(nodes=MOST_NODES, depth=MOST_DEPTH, seconds=MOST_MS / 1000)
    assert read_limits([*f"wtime {most} btime {most}".split()], MIDDLE).seconds is not None


@pytest.mark.parametrize("limits", ["movetime 9999999999999", "nodes 9" + "9" * 30, "depth 90"])
@pytest.mark.parametrize("plain", [True, False])
def test_stop_ends_whatever_was_asked(limits: str, plain: bool) -> None:
    thinker: UciThinker = PlainThinker()
    if not plain:
        pytest.importorskip("numba", reason="the extra `engine` is not installed")
        thinker = importlib.import_module("dvonn.engine.thinking").EngineThinker()
    full = " ".join(map(str, GAME[:49]))
    told = uci_output(f"position startpos moves {full}", f"go {limits}", "stop", thinker=thinker)
    (move,) = [line for line in told if line.startswith("bestmove")]
    assert move.removeprefix("bestmove ") in map(str, positions_of(GAME)[49].legal_moves())
    assert not [line for line in told if "string" in line]


def test_lines_of_play_are_counted_until_stopped() -> None:
    out = io.StringIO()

    def lines() -> Iterator[str]:
        yield f"position line {position_to_text(MIDDLE)}"
        yield "go perft 2"
        while "total" not in out.getvalue():  # the end of the input would end the count
            yield ""

    UciSession(PlainThinker(), lines=lines(), out=out).run()
    told = dict(line.split()[1:] for line in out.getvalue().splitlines())
    assert told.pop("total") == str(perft(MIDDLE, 2))
    assert told == {str(move): str(count) for move, count in divide(MIDDLE, 2).items()}
    assert uci_output("go perft 60", "stop")[-1].startswith("perft total ")


@pytest.fixture
def heeds_ctrl_c() -> Iterator[None]:
    """Handle Ctrl-C, which background jobs of a shell and their processes ignore."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.usefixtures("heeds_ctrl_c")
def test_ctrl_c_ends_a_running_search() -> None:
    with subprocess.Popen(BASELINE, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        full = " ".join(map(str, GAME[:49]))
        process.stdin.write(f"position startpos moves {full}\ngo depth 90\nisready\n".encode())
        process.stdin.flush()
        assert process.stdout.readline() == b"readyok\n"
        process.send_signal(signal.SIGINT)
        assert process.wait(60) == 130
