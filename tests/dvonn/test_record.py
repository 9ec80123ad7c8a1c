import re
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dvonn import (
    Color,
    Coordinates,
    GameRecord,
    IllegalMoveError,
    Move,
    Phase,
    Point,
    Position,
    RecordError,
    RecordProblem,
    balanced_start,
    parse_move,
    position_to_text,
)
from dvonn._records.position_text import printed_from_text
from dvonn._records.record import records_of
from dvonn.link import decode, encode
from tests.dvonn.strategies import games
from tests.games import positions_of, random_game
from tests.tiers import share_of

SHORT = """\
[White "Ann"]
[Black "Bob"]
[Coordinates "standard"]
[Result "*"]

1. d2 2. c3 3. f5
*
"""

EMPTY = "9/10/11/10/9 W place"

WITH_PASSES = next(
    moves
    for moves in map(random_game, range(1000))
    if any(position.passed for position in positions_of(moves))
)

_texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)
_headers = st.dictionaries(
    st.from_regex(r"[A-Z][A-Za-z0-9_]{0,8}", fullmatch=True).filter(
        lambda tag: tag not in {"Coordinates", "Result", "Score"}
    ),
    _texts,
    max_size=4,
)


def test_a_short_record() -> None:
    moves = tuple(map(parse_move, ("d2", "c3", "f5")))
    record = GameRecord(moves, {"White": "Ann", "Black": "Bob"})
    assert record.to_text() == str(record) == SHORT
    assert record == GameRecord.from_text(SHORT)
    assert record.result == "*"
    assert record.coordinates is Coordinates.STANDARD
    assert [position.plies for position in record.positions()] == [0, 1, 2, 3]


def test_an_empty_record() -> None:
    text = GameRecord([]).to_text()
    assert text == '[Coordinates "standard"]\n[Result "*"]\n\n*\n'
    assert GameRecord.from_text(text).positions() == (Position.initial(),)


def test_a_whole_game_with_passes_in_pergioco() -> None:
    record = GameRecord(WITH_PASSES, {"White": "Ann"}, Coordinates.PERGIOCO)
    text = record.to_text()
    final = record.positions()[-1]
    white, black = final.score(Color.WHITE), final.score(Color.BLACK)
    assert record.headers["Score"] == f"{white}-{black}"
    assert record.headers["Coordinates"] == "pergioco"
    assert record.result == {Color.WHITE: "1-0", Color.BLACK: "0-1", None: "1/2-1/2"}[final.winner]
    passed = [color for position in record.positions() for color in position.passed]
    assert text.count(" passes}") == len(passed) > 0
    for ply, position in enumerate(record.positions()[1:], start=1):
        told = "".join(f" {{{color.name.capitalize()} passes}}" for color in position.passed)
        assert f"{ply}. " in text
        if told:
            after = text.split(f"{ply}. ")[1].split(f" {ply + 1}. ")[0]
            assert told.strip() in after
    assert GameRecord.from_text(text) == record


def test_placements_and_movements_start_on_lines_of_their_own() -> None:
    lines = GameRecord(WITH_PASSES).to_text().splitlines()
    assert any(line.startswith("1. ") for line in lines)
    assert any(line.startswith("50. ") for line in lines)


@pytest.mark.parametrize(("seed", "result"), [(0, "1-0"), (1, "0-1"), (14, "1/2-1/2")])
def test_a_finished_game_has_the_result_and_score_of_its_last_board(seed: int, result: str) -> None:
    record = GameRecord(random_game(seed))
    stacks = record.positions()[-1].stacks.values()
    white, black = (sum(len(s) for s in stacks if s.endswith(color)) for color in "WB")
    assert record.headers["Score"] == f"{white}-{black}"
    assert record.result == result
    assert record.to_text().endswith(f"\n{result}\n")


def test_lines_are_as_full_as_80_columns_allow() -> None:
    text = GameRecord(random_game(0), coordinates=Coordinates.PERGIOCO).to_text()
    lines = [line for line in text.splitlines() if re.match(r"[0-9]+\. ", line)]
    assert max(map(len, lines)) == 80
    for line, following in pairwise(lines):
        ply = re.split(r" (?=[0-9]+\.)", following)[0]
        assert len(f"{line} {ply}") > 80 or ply.startswith("50. ")


@given(games(), st.integers(0, 97), _headers, st.sampled_from(Coordinates))
@settings(max_examples=share_of(60))
def test_records_are_read_back(
    moves: list[Move], length: int, headers: dict[str, str], coordinates: Coordinates
) -> None:
    record = GameRecord(moves[:length], headers, coordinates)
    text = record.to_text()
    assert GameRecord.from_text(text) == record
    assert GameRecord.from_text(text.replace("\n", "\r\n")) == record
    assert GameRecord.from_text(text).to_text() == text
    assert {tag: record.headers[tag] for tag in headers} == headers
    assert record.positions() == tuple(positions_of(list(record.moves)))
    in_headers = [line.startswith("[") for line in text.split("\n")]
    assert all(len(line) <= 80 for line in text.split("\n") if not line.startswith("["))
    assert in_headers == sorted(in_headers, reverse=True)


def test_a_record_cannot_be_changed() -> None:
    record = GameRecord.from_text(SHORT)
    with pytest.raises(AttributeError):
        record.coordinates = Coordinates.PERGIOCO  # type: ignore[misc]  # what the test is about
    with pytest.raises(TypeError):
        record.headers["White"] = "Eve"  # type: ignore[index]  # the same
    assert len({record, GameRecord.from_text(SHORT)}) == 1


@given(games(), st.integers(0, 97), st.integers(0, 40), st.sampled_from(Coordinates))
@settings(max_examples=share_of(40))
def test_a_record_may_begin_anywhere(
    moves: list[Move], ply: int, length: int, coordinates: Coordinates
) -> None:
    begun = min(ply, len(moves))
    start = positions_of(moves)[begun]
    record = GameRecord(moves[begun : begun + length], {}, coordinates, start=start)
    assert record.positions()[0] == record.start == start
    assert list(record.positions()) == positions_of(moves)[begun : begun + length + 1]
    text = record.to_text()
    assert ("[Start " in text) == (start != Position.initial())
    assert GameRecord.from_text(text) == record
    assert GameRecord(record.moves, record.headers, coordinates) == record


def test_a_start_and_its_header_agree() -> None:
    start = positions_of(WITH_PASSES)[49]
    with pytest.raises(RecordError) as caught:
        GameRecord([], {"Start": EMPTY}, start=start)
    assert (caught.value.line, caught.value.reason) == (None, RecordProblem.WRONG_START)
    assert GameRecord([], {"Start": EMPTY}).headers["Start"] == EMPTY


def test_the_moves_on_a_ready_made_board_are_numbered_from_one() -> None:
    placed = positions_of(list(balanced_start(seed=5)))[-1]
    record = GameRecord(placed.legal_moves()[:1], start=placed)
    lines = record.to_text().splitlines()
    assert lines[1:] == [
        f'[Start "{position_to_text(placed)}"]',
        '[Result "*"]',
        "",
        lines[-2],
        "*",
    ]
    assert lines[-2] == f"1. {record.moves[0]}"


@pytest.mark.parametrize("ply", [0, 20, 49])
def test_a_placed_start_may_be_written_as_placements(ply: int) -> None:
    start = positions_of(WITH_PASSES)[ply]
    whole = GameRecord(WITH_PASSES[ply:], {"White": "Ann"}, start=start).from_empty_board()
    assert whole.start == Position.initial()
    assert "Start" not in whole.headers
    assert whole.headers["White"] == "Ann"
    assert len(whole.moves) == len(WITH_PASSES)
    assert whole.positions()[ply:] == tuple(positions_of(WITH_PASSES)[ply:])


def test_no_placements_lead_into_the_middle_of_a_game() -> None:
    start = positions_of(WITH_PASSES)[55]
    with pytest.raises(RecordError) as caught:
        GameRecord([], start=start).from_empty_board()
    assert caught.value.reason is RecordProblem.FOREIGN_START
    assert caught.value.part == position_to_text(start)


def test_a_text_may_hold_several_records() -> None:
    records = [
        GameRecord(WITH_PASSES[:50], {"White": "Ann"}, Coordinates.PERGIOCO),
        GameRecord(WITH_PASSES),
        GameRecord(WITH_PASSES[49:60], start=positions_of(WITH_PASSES)[49]),
    ]
    assert list(records_of("\n{next}\n".join(record.to_text() for record in records))) == records
    with pytest.raises(RecordError) as caught:
        list(records_of("next\n".join(record.to_text() for record in records)))
    assert (caught.value.reason, caught.value.part) == (RecordProblem.NOT_A_MOVE, "next")
    with pytest.raises(RecordError) as caught:
        list(records_of(SHORT + SHORT.replace("c3", "c6")))
    assert (caught.value.line, caught.value.part) == (13, "c6")


def test_headers_are_escaped() -> None:
    name = 'A "b" \\ c\nd\re \\n'
    text = GameRecord([], {"White": name}).to_text()
    assert text.splitlines()[0] == r'[White "A \"b\" \\ c\nd\re \\n"]'
    assert GameRecord.from_text(text).headers["White"] == name


def test_a_resignation_needs_a_termination() -> None:
    headers = {"Result": "0-1", "Termination": "resignation"}
    record = GameRecord([parse_move("d2")], headers)
    assert record.result == "0-1"
    assert GameRecord.from_text(record.to_text()) == record
    aborted = GameRecord([parse_move("d2")], {"Termination": "aborted"})
    assert aborted.result == "*"


@pytest.mark.parametrize(
    ("length", "headers", "reason", "found"),
    [
        (3, {"White Player": "Ann"}, RecordProblem.BAD_HEADER, "White Player"),
        (3, {"": "Ann"}, RecordProblem.BAD_HEADER, ""),
        (3, {"White": 5}, RecordProblem.BAD_HEADER, "White 5"),
        (3, {"White": "\ud800"}, RecordProblem.BAD_HEADER, r"White '\ud800'"),
        (3, {"Coordinates": "pergioco"}, RecordProblem.WRONG_COORDINATES, "pergioco"),
        (3, {"Result": "1-0"}, RecordProblem.NO_TERMINATION, "1-0"),
        (3, {"Result": "2-0", "Termination": "x"}, RecordProblem.WRONG_RESULT, "2-0"),
        (3, {"Score": "1-0"}, RecordProblem.WRONG_SCORE, "1-0"),
        (None, {"Result": "*"}, RecordProblem.WRONG_RESULT, "*"),
        (None, {"Result": "*", "Termination": "aborted"}, RecordProblem.WRONG_RESULT, "*"),
        (None, {"Score": "49-49"}, RecordProblem.WRONG_SCORE, "49-49"),
        (3, {"Start": "chess"}, RecordProblem.WRONG_START, "chess"),
    ],
)
def test_headers_that_contradict_the_moves(
    length: int | None, headers: dict[str, str], reason: RecordProblem, found: str
) -> None:
    with pytest.raises(RecordError) as caught:
        GameRecord(WITH_PASSES[:length], headers)
    assert (caught.value.line, caught.value.reason, caught.value.part) == (None, reason, found)


def test_an_illegal_move_is_refused_as_such() -> None:
    with pytest.raises(IllegalMoveError):
        GameRecord([Move(target=Point("d2")), Move(target=Point("d2"))])


def test_the_headers_of_a_game_that_is_over_may_be_given() -> None:
    record = GameRecord(WITH_PASSES)
    assert record.positions()[-1].phase is Phase.OVER
    assert GameRecord(WITH_PASSES, record.headers) == record


@pytest.mark.parametrize(
    "text",
    [
        "d2 c3 f5 *",
        "1. d2 2. c3 3. f5 *",
        "1.\nd2 2. c3\n\n3. f5\n*\n",
        "1. D2 2. C3 3. F5 *",
        '{a comment} 1. d2 {another\n[with "lines"] 9. k9} 2. c3 {}3. f5{x}* {done}',
        '[Coordinates "pergioco"]\n1. d4 2. c3 3. a6 *',
        '[Result "*"]\n\n[Coordinates "standard"]\n1. d2 2. c3 3. f5 *',
    ],
)
def test_other_ways_to_write_the_same_moves(text: str) -> None:
    assert GameRecord.from_text(text).moves == tuple(map(parse_move, ("d2", "c3", "f5")))


@pytest.mark.parametrize(
    ("old", "new", "line", "reason", "found"),
    [
        ('"Ann"', "Ann", 1, RecordProblem.BAD_HEADER, "[White Ann]"),
        ('"Ann"', '"A"n"', 1, RecordProblem.BAD_HEADER, '[White "A"n"]'),
        ('"Ann"', '"A\n"', 1, RecordProblem.BAD_HEADER, '[White "A'),
        ("[White", "[White+", 1, RecordProblem.BAD_HEADER, '[White+ "Ann"]'),
        ("[Black", "[White", 2, RecordProblem.HEADER_TWICE, "White"),
        ('"Bob"]', '"Bob"]\n[Start "9/9"]', 3, RecordProblem.WRONG_START, "9/9"),
        ('"Bob"]', f'"Bob"]\n[Start " {EMPTY}"]', 3, RecordProblem.WRONG_START, f" {EMPTY}"),
        ("f5\n*", 'f5\n*\n[White "Eve"]', 8, RecordProblem.AFTER_RESULT, "[White"),
        ('"standard"', '"chess"', 3, RecordProblem.WRONG_COORDINATES, "chess"),
        ("2. c3", "3. c3", 6, RecordProblem.MOVE_NUMBER, "3."),
        ("3. f5", "4. f5", 6, RecordProblem.MOVE_NUMBER, "4."),
        ("3. f5", f"{'9' * 5000}. f5", 6, RecordProblem.MOVE_NUMBER, "9" * 60),
        ("c3", "c6", 6, RecordProblem.NOT_A_MOVE, "c6"),
        ("c3", "c3 $256", 6, RecordProblem.NOT_A_MOVE, "$256"),
        ("c3", "pass", 6, RecordProblem.NOT_A_MOVE, "pass"),
        ("c3", "c3}", 6, RecordProblem.NOT_A_MOVE, "}"),
        ("c3", "d2", 6, RecordProblem.ILLEGAL_MOVE, "d2"),
        ("c3", "d2-d4", 6, RecordProblem.ILLEGAL_MOVE, "d2-d4"),
        ("c3", "c3 {x", 6, RecordProblem.UNCLOSED_COMMENT, ""),
        ("f5\n*\n", "f5", 6, RecordProblem.NO_RESULT, ""),
        ("f5\n*", "f5", 7, RecordProblem.NO_RESULT, ""),
        ("f5\n*", "f5\n* d4", 7, RecordProblem.AFTER_RESULT, "d4"),
        ("f5\n*", "f5\n* *", 7, RecordProblem.AFTER_RESULT, "*"),
        ("f5\n*", "f5\n1-0", 7, RecordProblem.WRONG_RESULT, "1-0"),
        ('"*"', '"1-0"', 7, RecordProblem.WRONG_RESULT, "*"),
        ('"*"', '"?"', 7, RecordProblem.WRONG_RESULT, "*"),
        ('[Result "*"]', '[Score "1-0"]', 4, RecordProblem.WRONG_SCORE, "1-0"),
    ],
)
def test_a_corrupt_record_is_refused_with_its_line(
    old: str, new: str, line: int, reason: RecordProblem, found: str
) -> None:
    assert SHORT.count(old) == 1
    with pytest.raises(RecordError) as caught:
        GameRecord.from_text(SHORT.replace(old, new))
    assert (caught.value.line, caught.value.reason, caught.value.part) == (line, reason, found)


def test_a_wrong_result_of_a_finished_game_is_found_in_its_header() -> None:
    record = GameRecord(WITH_PASSES)
    other = "0-1" if record.result == "1-0" else "1-0"
    text = record.to_text().replace(f'"{record.result}"', f'"{other}"')
    text = text.replace(f"\n{record.result}\n", f"\n{other}\n")
    with pytest.raises(RecordError) as caught:
        GameRecord.from_text(text)
    assert (caught.value.line, caught.value.reason) == (2, RecordProblem.WRONG_RESULT)


def test_a_start_may_be_a_printed_position() -> None:
    """Assumed pieces stay marked, even in a link. The order of unknown pieces means nothing."""
    told = "?????Br?WW6/1R8/11/10/9 W move"
    printed = printed_from_text(told)
    record = GameRecord(printed.position.legal_moves()[:1], start=printed)
    assert record.assumed == printed.assumed == ("a1", "b1")
    assert record.headers["Start"] == told
    for again in (GameRecord.from_text(record.to_text()), decode(encode(record))):
        assert again == record
        assert again.assumed == printed.assumed
    assert GameRecord.from_text(record.to_text().replace("r?W", "?rW")) == record
    with pytest.raises(RecordError):
        GameRecord([], {"Start": told}, start=Position.initial())
