import io
import re
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from random import Random
from types import FrameType

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dvonn import (
    Color,
    Coordinates,
    GameRecord,
    Move,
    Node,
    RecordError,
    RecordProblem,
    balanced_start,
    position_to_text,
)
from dvonn.formats import (
    FORMATS,
    LONGEST,
    Format,
    detect,
    iter_records,
    read_games,
    read_headers,
    read_records,
    write_records,
)
from tests.dvonn.strategies import games
from tests.dvonn.test_record import WITH_PASSES
from tests.fuzz.mutations import mutated
from tests.games import positions_of, random_game
from tests.tiers import share_of

ROOT = Path(__file__).resolve().parents[2]
FOREIGN = [part for part in FORMATS.values() if part.name not in {"dvonn", "pgn"}]
NAMED = [part for part in FORMATS.values() if part.name != "dvonner"]
NAMES = {"White": "Ann Lee", "Black": "Bob"}

MUCH = 60_000

PLACED = balanced_start(seed=5)
"""The placement phase of the games in these texts."""

_names = st.text(st.characters(categories=["L", "N"]), min_size=1, max_size=12)


@contextmanager
def counted_calls() -> Iterator[Counter[str]]:
    """Count the calls of Python functions by name."""
    calls: Counter[str] = Counter()

    def note(frame: FrameType, event: str, _: object) -> None:
        calls[frame.f_code.co_name] += event == "call"

    sys.setprofile(note)
    try:
        yield calls
    finally:
        sys.setprofile(None)


every_format = pytest.mark.parametrize("one", FORMATS.values(), ids=list(FORMATS))
every_foreign = pytest.mark.parametrize("one", FOREIGN, ids=[part.name for part in FOREIGN])


def resigned(moves: list[Move], loser: Color) -> GameRecord:
    result = "0-1" if loser is Color.WHITE else "1-0"
    return GameRecord(moves, NAMES | {"Result": result, "Termination": "resignation"})


@every_format
@given(game=games(), white=_names, black=_names, coordinates=st.sampled_from(Coordinates))
@settings(max_examples=share_of(20))
def test_a_whole_game_is_read_back(
    one: Format, game: list[Move], white: str, black: str, coordinates: Coordinates
) -> None:
    record = GameRecord(game, {"White": white, "Black": black}, coordinates)
    text = one.write([record])
    assert detect(text) is one
    (read,) = read_records(text)
    assert read.moves == record.moves
    assert (read.result, read.headers.get("Score")) == (record.result, record.headers.get("Score"))
    if one in NAMED:
        assert {"White": white, "Black": black}.items() <= read.headers.items()
    assert one.write([read]) == text or coordinates is Coordinates.PERGIOCO
    assert read_records(text.replace("\n", "\r\n")) == (read,)


@every_format
@given(game=games(), length=st.integers(0, 97))
@settings(max_examples=share_of(20))
def test_the_beginning_of_a_game_is_read_back(one: Format, game: list[Move], length: int) -> None:
    record = GameRecord(game[:length])
    (read,) = one.read(one.write([record]))
    # If Little Golem has 48 placements, the last one follows automatically.
    assert read.moves[:length] == record.moves
    assert len(read.moves) == len(record.moves) + (one.name == "littlegolem" and length == 48)


@given(games(), st.integers(0, 97), st.permutations([*FORMATS]))
@settings(max_examples=share_of(30))
def test_a_game_goes_from_format_to_format(game: list[Move], length: int, names: list[str]) -> None:
    moves = tuple(game[: max(length, 49)])
    record = GameRecord(moves, NAMES)
    for name in names:
        (record,) = read_records(write_records([record], name))
        assert record.moves == moves


@every_format
def test_a_file_may_hold_many_games(one: Format) -> None:
    records = [
        resigned(random_game(1)[:70], Color.WHITE),
        GameRecord(random_game(2), NAMES | {"White": "Eve"}),
        GameRecord(WITH_PASSES, NAMES),
        GameRecord(random_game(3)[:60], NAMES),
        GameRecord([], NAMES),
    ]
    read = read_records(one.write(records))
    assert [game.moves for game in read] == [game.moves for game in records]
    if one in NAMED:
        assert [game.headers["White"] for game in read] == ["Ann Lee", "Eve", *["Ann Lee"] * 3]


@every_format
def test_a_resignation_is_written_if_the_format_has_one(one: Format) -> None:
    turns = {}
    for length in (3, 49, 50, 60, 61):
        position = positions_of(random_game(1))[length]
        assert position.turn is not None
        turns[length] = position.turn
        (read,) = one.read(one.write([resigned(random_game(1)[:length], position.turn)]))
        if one.name != "dvonner":
            assert read.result == ("0-1" if position.turn is Color.WHITE else "1-0")
            assert read.headers["Termination"] == "resignation"
    assert set(turns.values()) == set(Color)


@pytest.mark.parametrize("one", [o for o in FOREIGN if o in NAMED], ids=lambda one: one.name)
def test_a_player_who_must_pass_may_resign(one: Format) -> None:
    positions = positions_of(WITH_PASSES)
    ply, position = next((n, p) for n, p in enumerate(positions) if p.passed)
    assert position.turn is not None
    for loser in (*position.passed, position.turn):
        (read,) = one.read(one.write([resigned(WITH_PASSES[:ply], loser)]))
        assert read.result == ("0-1" if loser is Color.WHITE else "1-0")


@pytest.mark.parametrize("name", ["dvonn", "codecup", "boardspace"])
@pytest.mark.parametrize("result", ["1-0", "0-1", "1/2-1/2"])
@pytest.mark.parametrize("names", [NAMES, {}, {"White": "Lee", "Black": "Ann Lee"}])
def test_another_ending_is_announced(name: str, result: str, names: dict[str, str]) -> None:
    ending = {"Result": result, "Termination": "time, at last]"}
    record = GameRecord(random_game(1)[:60], names | ending)
    (read,) = read_records(write_records([record], name))
    assert ending.items() <= read.headers.items()


@every_foreign
def test_a_dealt_board_is_written_as_placements(one: Format) -> None:
    start = positions_of(list(PLACED))[-1]
    record = GameRecord(start.legal_moves()[:1], NAMES, start=start)
    (read,) = one.read(one.write([record]))
    assert read.moves[:49] == record.from_empty_board().moves[:49]
    assert read.positions()[-1] == record.positions()[-1]


@every_foreign
def test_a_start_in_the_middle_of_a_game_is_refused(one: Format) -> None:
    start = positions_of(WITH_PASSES)[60]
    with pytest.raises(RecordError) as caught:
        one.write([GameRecord([], start=start)])
    assert caught.value.reason is RecordProblem.FOREIGN_START
    assert caught.value.part == position_to_text(start)


@every_format
def test_names_cannot_break_a_text(one: Format) -> None:
    names = {"White": 'A ] [ " \\ # (;)\nB', "Black": "1. a1 *\r\nBREAK"}
    record = GameRecord(random_game(4), names | {"Event": "a]b\\", "Date": "]", "Site": "["})
    (read,) = read_records(one.write([record]))
    assert read.moves == record.moves


@every_format
@pytest.mark.parametrize("seed", range(share_of(75)))
def test_a_spoilt_text_is_read_or_refused_in_one_of_its_lines(one: Format, seed: int) -> None:
    rng = Random(f"{one.name} {seed}")
    whole = one.write([GameRecord(WITH_PASSES, NAMES), resigned(random_game(2)[:70], Color.BLACK)])
    others = [other.write([GameRecord(random_game(3))]) for other in FORMATS.values()]
    text = mutated(rng, whole, others)
    try:
        read = read_records(text)
    except RecordError as error:
        line = error.line
    else:
        assert read
        line = 1
    assert line is not None
    assert 1 <= line <= text.count("\n") + 1


@pytest.mark.parametrize(
    "text",
    [
        *("(" * MUCH, "(;" * (MUCH // 2), "(;C[" + "\\" * (MUCH - 4)),
        *("(;" + "[" * (MUCH - 2), "(;" + "a" * (MUCH - 2), "(;P0[" + "9 " * (MUCH // 2 - 3)),
        *("A [" * (MUCH // 3), "1." * (MUCH // 2), "1. " + "a" * (MUCH - 3)),
        *("1." + " " * (MUCH - 2), "A" * MUCH, "A [" + "x" * (MUCH - 3)),
        *("# " * (MUCH // 2), "#Player 1:" + " " * (MUCH - 10), "a1 " * (MUCH // 3)),
        *("BREAK " * (MUCH // 6), "[" * MUCH, '[A "' + "\\n" * (MUCH // 2 - 3), "{" * MUCH),
        *("\n" * (MUCH - 1) + "*", " " * MUCH, "*" * MUCH, "{" * (MUCH - 1) + "}"),
    ],
    ids=lambda text: repr(text[:8]),
)
def test_nothing_is_checked_repeatedly(text: str) -> None:
    """Each text would take hours to read if the time grew with the square of its length."""
    with suppress(RecordError):
        assert not any(record.moves for record in read_records(text))


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("(;" + "(" * 19_998, RecordProblem.TOO_DEEP),
        ("(;" * 10_000, RecordProblem.TOO_DEEP),
        ("(;C[x]" * 10_000, RecordProblem.TOO_DEEP),
        ('[A "b"]\na1 ' + "(b1 " * 10_000, RecordProblem.TOO_DEEP),
        ('[A "b"]\na1 ' + "(b1) " * 50_001, RecordProblem.TOO_MANY_MOVES),
    ],
    ids=lambda one: repr(one[:20]),
)
def test_variations_are_bounded_and_not_only_the_length(text: str, reason: RecordProblem) -> None:
    with pytest.raises(RecordError) as caught:
        read_records(text)
    assert caught.value.reason is reason


def test_of_many_marks_the_first_two_count() -> None:
    text = SHORT["codecup"].replace("F5", "F5?!" + "!" * 10_000)
    (record,) = read_records(text)
    assert [node.nags for node in record.tree.mainline()] == [(), (), (6,), ()]


def test_boardspaces_gestures_are_numbered_without_a_gap() -> None:
    text = write_records([GameRecord(WITH_PASSES, NAMES)], "boardspace")
    numbers = [int(number) for number in re.findall(r"; P[01]\[(\d+) ", text)]
    assert numbers == list(range(numbers[0], numbers[0] + len(numbers)))


def test_a_bracket_of_boardspace_copies_nothing() -> None:
    """Each bracket used to copy everything read so far, which took 100 ms for this text."""
    text = "(;" + "()" * 9_999
    with pytest.raises(RecordError) as caught, counted_calls() as calls:
        read_records(text)
    assert caught.value.reason is RecordProblem.BAD_TREE
    assert calls["fork"] == 0


def test_games_are_read_one_by_one() -> None:
    good = write_records([GameRecord(WITH_PASSES, NAMES)], "dvonn")
    records = iter_records(good + '\n[White "Ann"]\n\n1. z9 *\n')
    assert next(records).moves == tuple(WITH_PASSES)
    with pytest.raises(RecordError):
        next(records)


def test_too_long_a_text_is_not_read() -> None:
    text = GameRecord(WITH_PASSES).to_text()
    assert len(read_records(text, longest=len(text))) == 1
    with pytest.raises(RecordError) as caught:
        read_records(text, longest=len(text) - 1)
    assert (caught.value.line, caught.value.reason) == (text.count("\n"), RecordProblem.TOO_LONG)
    with pytest.raises(RecordError) as caught:
        read_records(" " * (LONGEST + 1))
    assert (caught.value.line, caught.value.reason) == (1, RecordProblem.TOO_LONG)


SHORT = {
    "littlegolem": "Event [L] White [Ann]\n1. g2 c1\n2. f5 d1\n",
    "codecup": "# Player 1: Ann\n# Player 2: Bob\nG2 C1\nF5, D1\n",
    "dvonner": "G2  C1\nF5  D1\nBREAK\n",
    "boardspace": """\
(;
GM[Dvonn]SU[dvonn 9]
P0[id "Ann"]
P1[id "Bob"];P0[0 Start P0]
;P0[1 pick wr 2];P0[2 dropb G 2];P0[3 done]
; P1[4 dropb C 3]; P1[5 pickb C 3]; P1[6 dropb C 1]; P1[7 done]
; P0[8 dropb F 5]; P0[9 done](; P1[10 dropb D 1]; P1[11 done])(; P1[10 dropb A 1])
)
""",
}
"""The same four placements, as text."""


@pytest.mark.parametrize("name", SHORT)
def test_a_short_text(name: str) -> None:
    (record,) = read_records("\ufeff\n" + SHORT[name])
    assert detect(SHORT[name]).name == name
    assert [str(move) for move in record.moves] == ["g2", "c1", "f5", "d1"]
    assert record.headers.get("White") == (None if name == "dvonner" else "Ann")
    assert record.result == "*"


@pytest.mark.parametrize("name", FORMATS)
def test_a_result_among_the_last_words_does_not_make_it_another_format(name: str) -> None:
    headers = {"White": "1-0", "Black": "*", "Result": "0-1", "Termination": "1-0"}
    text = write_records([GameRecord(random_game(3)[:60], headers)], name)
    assert detect(text).name == name


def test_the_documents_examples_match_the_output() -> None:
    paper = (ROOT / "docs" / "records.md").read_text(encoding="utf-8")
    assert [f"`{name}`" for name in FORMATS] == re.findall(r"^\| (`\w+`)", paper, re.MULTILINE)[
        -len(FORMATS) :
    ]
    folder = ROOT / "docs" / "records"
    (record,) = read_records((folder / "dvonn.txt").read_text(encoding="utf-8"))
    for name, one in FORMATS.items():
        text = (folder / f"{name}{one.suffix}").read_text(encoding="utf-8")
        assert detect(text) is one
        assert write_records([record], name) == text


_OF_WHOLE_GESTURES = {
    *(RecordProblem.ILLEGAL_MOVE, RecordProblem.NOT_A_PASS, RecordProblem.NOT_ON_TURN),
    *(RecordProblem.OTHER_GAME, RecordProblem.BAD_TREE, RecordProblem.NOT_A_MOVE),
}
"""Problems that boardspace's reader finds only after a whole value or gesture."""


@pytest.mark.parametrize(
    ("name", "old", "new", "line", "reason", "found"),
    [
        ("littlegolem", "c1", "c9", 2, RecordProblem.NOT_A_MOVE, "c9"),
        ("littlegolem", "c1", "g2", 2, RecordProblem.ILLEGAL_MOVE, "g2"),
        ("littlegolem", "c1", "pass", 2, RecordProblem.NOT_A_PASS, "pass"),
        ("littlegolem", "f5 d1", "resign d1", 3, RecordProblem.AFTER_RESULT, "d1"),
        ("littlegolem", "f5 d1", "resign pass", 3, RecordProblem.AFTER_RESULT, "pass"),
        ("littlegolem", "f5 d1", "resign resign", 3, RecordProblem.AFTER_RESULT, "resign"),
        ("littlegolem", "2.", "3.", 3, RecordProblem.MOVE_NUMBER, "3."),
        ("littlegolem", "f5 d1", "f5 3. d1", 3, RecordProblem.MOVE_NUMBER, "3."),
        ("littlegolem", "[Ann]\n1.", "[Ann 1.", 1, RecordProblem.BAD_HEADER, "White [Ann 1. g2 c1"),
        ("littlegolem", "[Ann]", "[Ann] White [Bob]", 1, RecordProblem.HEADER_TWICE, "White"),
        ("littlegolem", "f5", "[f5", 3, RecordProblem.NOT_A_MOVE, "[f5 d1"),
        ("codecup", "F5", "C1", 4, RecordProblem.ILLEGAL_MOVE, "c1"),
        ("codecup", "F5", "C1F5", 4, RecordProblem.ILLEGAL_MOVE, "c1-f5"),
        ("codecup", "F5", "--", 4, RecordProblem.NOT_A_MOVE, "--"),
        ("dvonner", "BREAK\n", "", 3, RecordProblem.NO_RESULT, ""),
        ("dvonner", "BREAK\n", "BREAK\nA1", 4, RecordProblem.NO_RESULT, ""),
        ("dvonner", "D1", "d", 2, RecordProblem.NOT_A_MOVE, "d"),
        ("boardspace", "GM[Dvonn]", "GM[Zertz]", 2, RecordProblem.OTHER_GAME, "Zertz"),
        ("boardspace", "[dvonn 9]", "[zertz 9]", 2, RecordProblem.OTHER_GAME, "zertz 9"),
        ("boardspace", "G 2]", "G 9]", 5, RecordProblem.NOT_A_MOVE, "g 9"),
        ("boardspace", "pick wr 2", "fly away", 5, RecordProblem.NOT_A_MOVE, "1 fly away"),
        ("boardspace", "P1[7 done]", "P0[7 done]", 6, RecordProblem.NOT_ON_TURN, "P0"),
        ("boardspace", "dropb C 1", "dropb G 2", 6, RecordProblem.ILLEGAL_MOVE, "g2"),
        ("boardspace", "dropb C 1", "pass", 6, RecordProblem.NOT_A_PASS, "pass"),
        ("boardspace", "dropb C 1", "reset", 6, RecordProblem.NOT_A_PASS, "pass"),
        ("boardspace", "GM[Dvonn]SU", "[Dvonn]SU", 2, RecordProblem.BAD_TREE, "Dvonn"),
        ("boardspace", "\n)\n", "\n)\n;", 9, RecordProblem.BAD_TREE, ";"),
    ],
)
def test_a_corrupt_text_is_refused_with_its_line(
    name: str, old: str, new: str, line: int, reason: RecordProblem, found: str
) -> None:
    assert SHORT[name].count(old) == 1
    text = SHORT[name].replace(old, new)
    with pytest.raises(RecordError) as caught:
        FORMATS[name].read(text)
    error = caught.value
    assert (error.line, error.reason, error.part) == (line, reason, found)
    assert error.column is not None
    rest = text.split("\n")[line - 1][error.column - 1 :]
    written = re.sub(r"[-\s]", "", rest).lower()
    if reason not in _OF_WHOLE_GESTURES:
        assert written.startswith(re.sub(r"[-\s]", "", found).lower())


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("[Ann]", "[Ann"),
        ("f5 d1", "f5 d1]"),
        ("f5 d1", "f5 d1 ])"),
        ("[L]", "[\\]L\\\\]"),
        ("1. g2 c1", "1.g2!? 1...c1 $2"),
        ("2. f5 d1", "2.f5?? d1!"),
    ],
)
def test_little_golems_texts_are_read_as_people_change_them(old: str, new: str) -> None:
    assert SHORT["littlegolem"].count(old) == 1
    (record,) = read_records(SHORT["littlegolem"].replace(old, new))
    assert [str(move) for move in record.moves] == ["g2", "c1", "f5", "d1"]
    assert record.headers["White"] == "Ann"
    assert record.headers["Event"] == ("]L\\" if "L" in new else "L")


@pytest.mark.parametrize("numbers", ["as before", "one more", "the same twice", "none"])
def test_little_golems_last_placement_may_be_written_out(numbers: str) -> None:
    game = random_game(6)
    text = write_records([GameRecord(game)], "littlegolem")
    (begin, end), last = re.split(r"(?= 25\. )", text), game[48]
    if numbers == "as before":
        told = f"{begin} 25. {last}{end.removeprefix(' 25.')}"
    elif numbers == "one more":
        more = re.sub(r"[0-9]+\.", lambda found: f"{int(found[0][:-1]) + 1}.", end)
        told = f"{begin} 25. {last}{more}"
    else:
        told = f"{begin} {'25. ' * (numbers != 'none')}{last}{end}"
    (record,) = read_records(told)
    assert record.moves == tuple(game)
    with pytest.raises(RecordError):
        read_records(told.replace(f" {last} ", f" {last} {last} "))


@pytest.mark.parametrize(
    ("old", "new"),
    [("A 1])\n)", "A 1])\n"), ("A 1])\n)", "A 1]"), ("A 1])\n)", "A 1])\n)\n)")],
)
def test_boardspaces_last_bracket_may_be_missing_or_there_twice(old: str, new: str) -> None:
    (whole,), (record,) = (
        read_records(SHORT["boardspace"]),
        read_records(SHORT["boardspace"].replace(old, new)),
    )
    assert record == whole


def boardspace_text(gestures: str, root: str = "") -> str:
    """A boardspace file in which White makes these gestures after 49 placements."""
    text = write_records([GameRecord(WITH_PASSES[:49], NAMES)], "boardspace")
    nodes = "".join(f"; P0[{gesture}]\n" for gesture in gestures.split(", "))
    return text.replace("SU[", f"{root}SU[").replace("\n)\n", f"\n{nodes})\n")


@pytest.mark.parametrize(
    "gestures",
    [
        "150 pickb {0}, 151 dropb {1}, 152 done",
        "150 move {0} {1}, 151 done",
        "150 pickb {0} 1, dropb {1}, 151 pickb {1}, 152 dropb {1}, 153 done",
        "150 pickb {2}, 151 dropb {2}, 152 pickb {0}, 153 dropb {1}, 154 done",
        "150 pickb {2}, 151 dropb {0}, reset, 152 pickb {0}, 153 dropb {1}, 154 done",
        "150 pickb {0}, 151 pickb {2}, 152 dropb {1}, 153 done",
        "150 resign, 151 resign, 152 move {0} {1}, 153 done, time 0:01:20, ranking 1500",
    ],
)
def test_gestures_count_once_the_player_is_done(gestures: str) -> None:
    first = WITH_PASSES[49]
    assert first.source is not None
    elsewhere = next(
        move.source
        for move in positions_of(WITH_PASSES)[49].legal_moves()
        if move.source not in {None, first.source, first.target}
    )
    cells = [
        f"{point[0].upper()} {point[1:]}" for point in (first.source, first.target, str(elsewhere))
    ]
    (record,) = read_records(boardspace_text(gestures.format(*cells)))
    assert record.moves == tuple(WITH_PASSES[:50])


@pytest.mark.parametrize(
    ("root", "result"),
    [
        ("RE[Game won by Bob]", "0-1"),
        ("RE[Ann Lee hat gewonnen]", "1-0"),
        ("RE[The game is a draw]", "1/2-1/2"),
        ("RE[Game won by Eve]", "*"),
        ("RE[]", "*"),
    ],
)
def test_boardspaces_results(root: str, result: str) -> None:
    (record,) = read_records(boardspace_text("150 edit", root))
    assert record.result == result
    assert record.headers.get("Termination") == (None if result == "*" else "unknown")


def test_the_score_of_a_log_matches_the_last_board() -> None:
    text = write_records([GameRecord(WITH_PASSES)], "codecup")
    line = text.count("\n")
    for other in ("# Score: 1 - 2. Player 2 won!", "# Score: 49 - 0"):
        with pytest.raises(RecordError) as caught:
            read_records("".join(text.splitlines(keepends=True)[:-1]) + other)
        assert (caught.value.line, caught.value.reason) == (line, RecordProblem.WRONG_SCORE)
    assert read_records("".join(text.splitlines(keepends=True)[:-1]) + "# Score: none")


def test_the_games_of_a_file_are_read_one_by_one() -> None:
    odd = Node.line(random_game(5)).replace(comment='[White "x"]\n{ ; }')
    records = [GameRecord(random_game(1)), GameRecord(odd, {"White": "a{b"}), GameRecord(())]
    text = "\ufeff" + "\n".join(map(GameRecord.to_text, records))
    taken = []

    def lines() -> Iterator[str]:
        for line in text.splitlines(keepends=True):
            taken.append(line)
            yield line

    games = read_games(lines())
    assert next(games) == records[0]
    assert len(taken) < len(text.splitlines()) / 2
    assert list(games) == records[1:]
    headers = list(read_headers(text.splitlines(keepends=True)))
    assert headers == [record.headers for record in records]


def test_a_comment_with_a_line_like_a_header_stays_in_its_game() -> None:
    first = '[White "Ann"]\n\n1. d2 {so\n[Black "x"]\n} 2. c3 ; {\n*\n'
    text = first + '\n[White "Bob"]\n\n1. d2 *\n'
    games = list(read_games(io.StringIO(text)))
    assert [record.headers["White"] for record in games] == ["Ann", "Bob"]
    assert [headers["White"] for headers in read_headers(io.StringIO(text))] == ["Ann", "Bob"]


def test_an_unreadable_game_in_a_file_is_reported_with_its_line() -> None:
    good = GameRecord(random_game(1)).to_text()
    lines = (good + '\n[White "Ann"]\n\n1. d2 d2 *\n').splitlines(keepends=True)
    games = read_games(lines)
    next(games)
    with pytest.raises(RecordError) as refused:
        next(games)
    assert refused.value.line == len(lines)
    with pytest.raises(RecordError):
        list(read_games([good], longest=10))


@pytest.mark.parametrize("name", FORMATS)
def test_files_of_all_formats_are_read_one_game_after_another(name: str) -> None:
    text = FORMATS[name].text(GameRecord(random_game(1)))
    (read,) = read_games(io.StringIO(text))
    assert read.moves == tuple(random_game(1))
    assert list(read_games([])) == []
