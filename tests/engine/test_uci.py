"""Tests of the protocol like UCI: session, client, and conformance check."""

import io
import json
import sys
import textwrap
import threading
import urllib.error
import urllib.request
from collections.abc import Iterator

import pytest

from dvonn import GameRecord, Move, Position, position_to_text, to_diagram
from dvonn.engine import jsonlines
from dvonn.engine.__main__ import main
from dvonn.engine.baseline import PlainThinker
from dvonn.engine.client import EngineFailedError, UciEngine, read_info
from dvonn.engine.conformance import CHECKS, conform
from dvonn.engine.uci import UciInfo, UciLimits, UciSession, read_limits
from dvonn.formats import FORMATS
from dvonn.link import encode
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


def said(*lines: str, thinker: PlainThinker | None = None) -> list[str]:
    out = io.StringIO()
    asked = io.StringIO("".join(f"{line}\n" for line in lines))
    UciSession(thinker or PlainThinker(), lines=asked, out=out).run()
    return out.getvalue().splitlines()


def test_a_session_answers() -> None:
    first, _, option, last = said("uci")
    assert first.startswith("id name dvonn baseline ")
    assert option == "option name Seed type spin default 0 min 0 max 2147483647"
    assert last == "uciok"
    assert said("", "isready", "quit", "isready") == ["readyok"]


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("hello", "unknown command hello"),
        ("go far", "unknown limit far"),
        ("go nodes", "invalid literal"),
        ("go nodes 0", "nodes 0 is too little"),
        ("setoption name Hash value 1", "unknown option Hash"),
        ("setoption name Seed value -1", "Seed is 0 to"),
        ("position", "position startpos or"),
        ("position startpos d2", "position startpos or"),
        ("position line 9/9 W place", "not a position"),
        ("position startpos moves d2 d2", "illegal move"),
    ],
)
def test_what_is_wrong_is_answered_and_changes_nothing(line: str, why: str) -> None:
    complaint, *rest = said("position startpos moves d2", line, "go depth 1")
    assert complaint.startswith("info string ")
    assert why in complaint
    assert rest[-1].startswith("bestmove ")
    assert rest[-1] != "bestmove d2"


def test_while_a_search_runs_only_some_words_are_heard() -> None:
    told = said(
        "go infinite",
        "position startpos",
        "go nodes 1",
        "isready",
        "stop",
        thinker=StoppedThinker(),
    )
    assert told == [
        "info string a search runs: position came too early",
        "info string a search runs: go came too early",
        "readyok",
        "bestmove a1",
    ]


def test_time_ends_a_search_that_goes_on() -> None:
    slow = StoppedThinker()
    out = io.StringIO()

    def lines() -> Iterator[str]:
        yield "go movetime 1"
        assert slow.stopped.wait(60), "nobody has stopped it"

    UciSession(slow, lines=lines(), out=out).run()
    assert out.getvalue() == "bestmove a1\n"


def test_an_error_in_the_engine_is_told_and_answered() -> None:
    class BrokenThinker(PlainThinker):
        def think(self, *_: object) -> Move:
            raise RuntimeError("no idea")

    assert said("go depth 1", thinker=BrokenThinker()) == [
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
    for wrong in ("info depth", "info depth x", "info wings 2", "info score mate 1"):
        with pytest.raises(EngineFailedError, match="not an info line"):
            read_info(wrong)


def test_the_baseline_conforms() -> None:
    out = io.StringIO()
    assert conform(BASELINE, out), out.getvalue()
    assert out.getvalue().splitlines() == [f"{name}: ok" for name in CHECKS]


def test_a_client_plays() -> None:
    with UciEngine.start(BASELINE) as engine:
        assert engine.name.startswith("dvonn baseline")
        engine.set("Seed", 3)
        found = engine.go(Position.initial(), "depth 1", GAME[:70])
        assert found.move in MIDDLE.legal_moves()
        assert found.best.moves == (str(found.move),)


def engine_that(does: str) -> list[str]:
    """An engine in ten lines, of which the last ones do something wrong."""
    program = """
    import sys
    for line in sys.stdin:
        words = line.split()
        if words[0] == "uci": print("id name x\\nuciok", flush=True)
        if words[0] == "isready": print("readyok", flush=True)
        if words[0] == "quit": break
    """
    return [sys.executable, "-c", textwrap.dedent(program) + textwrap.indent(does, "    ")]


@pytest.mark.parametrize(
    ("does", "failed"),
    [
        ("if words[0] == 'go': print('bestmove a1', flush=True)", "plays a game"),
        ("if words[0] == 'go': print('bestmove so', flush=True)", "heeds no nonsense"),
        ("if words[0] == 'go': sys.exit(1)", "heeds no nonsense"),
    ],
)
def test_an_engine_that_does_wrong_is_found_out(does: str, failed: str) -> None:
    out = io.StringIO()
    assert not conform(engine_that(does), out)
    assert f"{failed}: FAILED: " in out.getvalue()


def test_an_engine_that_is_none_is_told_of() -> None:
    with pytest.raises(EngineFailedError, match="has ended"):  # noqa: SIM117 - so it reads
        with UciEngine.start([sys.executable, "-c", ""]):
            pass
    out = io.StringIO()
    assert not conform(["no-such-engine"], out)
    assert out.getvalue().count("FAILED") == len(CHECKS)


def test_the_engine_conforms() -> None:
    pytest.importorskip("numba", reason="the extra `engine` is not installed")
    out = io.StringIO()
    assert conform([sys.executable, "-m", "dvonn.engine", "uci"], out), out.getvalue()


def test_several_lines_and_levels_and_threads() -> None:
    pytest.importorskip("numba", reason="the extra `engine` is not installed")
    with UciEngine.start([sys.executable, "-m", "dvonn.engine", "uci"]) as engine:
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
    lines = [*map(json.dumps, asked), "no json", ""]
    shown, *wrong = map(json.loads, jsonlines.answers(lines))
    assert shown["id"] == 7
    assert shown["position"] == position_to_text(MIDDLE)
    assert shown["legal"] == [str(move) for move in MIDDLE.legal_moves()]
    assert shown["score"] == {"W": MIDDLE.score("W"), "B": MIDDLE.score("B")}  # type: ignore[arg-type]  # a StrEnum
    assert len(wrong) == 5
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
    ],
    ids=lambda line: line[:40],
)
def test_json_lines_go_on_after_whatever_was_asked(line: str) -> None:
    wrong, right = (json.loads(one.encode()) for one in jsonlines.answers([line, "{}"]))
    assert "error" in wrong
    assert right["turn"] == "W"


def test_json_lines_read_games_in_any_format_and_positions_in_both() -> None:
    record = GameRecord(GAME)
    texts = [FORMATS[name].text(record) for name in FORMATS]
    links = [encode(record), f"https://e.org/x.html#{encode(record)}&White=Ann"]
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

    def ask(origin: str | None, method: str = "POST") -> tuple[int, str | None, bytes]:
        headers = {} if origin is None else {"Origin": origin}
        body = b'{"moves": ["d2"]}\n{}' if method == "POST" else None
        request = urllib.request.Request(address, body, headers, method=method)
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
        assert ask("https://bad.example") == (403, None, b"")
        assert ask("https://good.example", "OPTIONS") == (204, "https://good.example", b"")
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def test_the_command_line_holds_engines_to_it(capsys: pytest.CaptureFixture[str]) -> None:
    for dashes in ([], ["--"]):
        assert main(["conform", *dashes, sys.executable, "-c", ""]) == 1
        assert "introduces itself: FAILED: it has ended" in capsys.readouterr().out
