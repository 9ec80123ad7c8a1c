"""Tests for PGN: the import format is read completely, and the export format is written."""

import re
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dvonn import Color, GameRecord, Move, Node, RecordError, RecordProblem, parse_move
from dvonn.formats import detect, read_records, write_records
from tests.dvonn.strategies import games
from tests.dvonn.test_record import WITH_PASSES
from tests.dvonn.test_tree import trees
from tests.games import positions_of, random_game
from tests.tiers import share_of

G2, C1, F5, D1 = map(parse_move, ("g2", "c1", "f5", "d1"))
HEADERS = '[Event "Cup"]\n[White "Ann"]\n[Black "Bob"]\n[Result "*"]\n\n'


def moves_of(text: str) -> list[str]:
    (record,) = read_records(text)
    assert GameRecord.from_text(text) == record
    return [str(move) for move in record.moves]


@pytest.mark.parametrize(
    "text",
    [
        "1. g2 c1 2. f5 d1 *",
        "1.g2 c1 2.f5 d1 *",
        "1 g2 c1 2 f5 d1 *",
        "1 . g2 1 ... c1 2 . f5 2. ... d1 *",
        "1. g2 1... c1 2. f5 2... d1 *",
        "1.g2 1...c1 2.f5 2...d1*",
        "1. g2 1\u2026c1 2. f5 2\u2026 d1 *",
        "g2 c1 f5 d1 *",
        "1.g2 2.c1 3.f5 4.d1 *",
        "1. g2! c1?? 2. f5!? d1?! *",
        "1. g2 ! c1 $4 2. f5$5 d1\u203c *",
        "1. g2 $1 $20 {said} c1 2. f5 d1 $255 *",
        "1. g2 (1. c1 f5) c1 (1... f5 (1... d1 {x}) 2. c1) 2. f5 d1 *",
        "1. g2 ; everything from here on (\n c1 {and { here \n too} 2. f5\n% 3. a1 a2\n d1 *",
        "; before all\n% and this\n1. g2 c1 2. f5 d1 {end} * ; behind",
        '[Event "A"][Site "B"]\n[ White\n"Ann" ] {x} [Black "C:\\\\x \\"y\\""] 1. g2 c1 f5 d1 *',
        HEADERS.replace("\n", "\r\n") + "1. g2 c1\r\n2. f5 d1\r\n*\r\n",
        HEADERS + "1. g2 c1 2. f5 d1 3. *",
    ],
)
def test_the_import_format_is_read(text: str) -> None:
    assert moves_of(text) == ["g2", "c1", "f5", "d1"]


@pytest.mark.parametrize("dash", "-\u2010\u2011\u2012\u2013\u2014\u2212")
@pytest.mark.parametrize(
    ("written", "meant"),
    [("1-0", "1-0"), ("0 - 1", "0-1"), ("1/2-1/2", "1/2-1/2"), ("\u00bd-\u00bd", "1/2-1/2")],
)
def test_a_result_may_have_any_dash(dash: str, written: str, meant: str) -> None:
    result = written.replace("-", dash)
    for text in (f"1. g2 c1 {result}", f'[Result "{result}"]\n\n1. g2 c1 {result}'):
        (record,) = read_records(text)
        assert (record.result, len(record.moves)) == (meant, 2)
        assert record.headers["Termination"] == "unknown"


def test_marks_and_comments_are_kept() -> None:
    (record,) = read_records("{first} 1. g2!! {good} ; and more\n c1 $6 $20 (1... f5?) *")
    assert record.tree.comment == "first"
    assert record.tree == Node(
        None,
        "first",
        (Node(G2, "good and more", (Node(C1, "", (), (6, 20)), Node(F5, "", (), (2,))), (3,)),),
    )
    for name in ("dvonn", "pgn"):
        assert read_records(write_records([record], name))[0].tree == record.tree
    assert not record.tree.is_plain
    assert not Node(G2, nags=(1,)).is_plain


@pytest.mark.parametrize(
    ("comment", "said"),
    [
        ("{C:\\dvonn\\}", "C:\\dvonn\\"),
        ("{a \\} b}", "a } b"),
        ("{C:\\} {and this}", "C:\\ and this"),
        ("{a ( b ; c $1 [x] 1-0}", "a ( b ; c $1 [x] 1-0"),
        ("{a\r\n  b}", "a   b"),
        ("{}", ""),
    ],
)
def test_a_backslash_before_a_brace_is_read_as_it_was_meant(comment: str, said: str) -> None:
    (record,) = read_records(f"1. g2 {comment} *")
    assert record.tree.next is not None
    assert record.tree.next.comment == said


@pytest.mark.parametrize("said", ["a } { b", "}{", "C:\\ } {", "} {x", "\\}"])
def test_a_comment_of_ours_may_have_braces_in_any_order(said: str) -> None:
    record = GameRecord(Node.line([G2, C1]).with_line([G2], said))
    assert GameRecord.from_text(record.to_text()) == record


def test_games_follow_each_other_with_and_without_headers() -> None:
    text = f"{HEADERS}1. g2 c1 * {{behind}}\n\n1. f5 d1 1-0\n{HEADERS}1. d1 *\n*"
    records = read_records(text)
    assert [[str(move) for move in record.moves] for record in records] == [
        ["g2", "c1"],
        ["f5", "d1"],
        ["d1"],
        [],
    ]
    assert [record.headers.get("White") for record in records] == ["Ann", None, "Ann", None]


def test_a_pass_may_be_written_where_it_is_due() -> None:
    words = []
    for move, position in zip(WITH_PASSES, positions_of(WITH_PASSES)[1:], strict=True):
        words += [str(move), *("pass" for _ in position.passed)]
    assert "pass" in words
    (record,) = read_records(" ".join([*words, "*"]))
    assert record.moves == tuple(WITH_PASSES)
    assert record.result in {"1-0", "0-1", "1/2-1/2"}  # although the text ends in "*"
    with pytest.raises(RecordError):
        read_records("1. g2 pass *")


@pytest.mark.parametrize(
    ("text", "line", "column", "reason", "found"),
    [
        (HEADERS + "1. g2 c1\n2. f5  z9 *", 7, 8, RecordProblem.NOT_A_MOVE, "z9"),
        (HEADERS + "1. g2 c1 4. f5 *", 6, 10, RecordProblem.MOVE_NUMBER, "4."),
        (HEADERS + "1. g2 c1 1-0", 6, 10, RecordProblem.WRONG_RESULT, "1-0"),
        (HEADERS + "1. g2\n(1. c1", 7, 7, RecordProblem.NO_RESULT, ""),
        (HEADERS + "1. g2 {c1\n *", 6, 7, RecordProblem.UNCLOSED_COMMENT, ""),
        (HEADERS + f"1. g2\n{HEADERS}*", 7, 1, RecordProblem.NO_RESULT, "[Event"),
        (HEADERS + "1. g2 <c1> *", 6, 7, RecordProblem.NOT_A_MOVE, "<c1>"),
        (HEADERS + '1. g2 "c1" *', 6, 7, RecordProblem.NOT_A_MOVE, '"'),
        (HEADERS + "1. g2 (c1 (f5) d1 ) ) *", 6, 21, RecordProblem.BAD_VARIATION, ")"),
        ('[White "Ann"\n[Black "Bob"]\n*', 1, 1, RecordProblem.BAD_HEADER, '[White "Ann"'),
        ("1. g2 1. c1 3. f5 4. d1 *", 1, 13, RecordProblem.MOVE_NUMBER, "3."),
        ("1. g2 2. c1 2. f5 *", 1, 13, RecordProblem.MOVE_NUMBER, "2."),
    ],
)
def test_faults_are_reported_with_line_and_column(
    text: str, line: int, column: int, reason: RecordProblem, found: str
) -> None:
    with pytest.raises(RecordError) as caught:
        read_records(text)
    error = caught.value
    assert (error.line, error.column, error.reason) == (line, column, reason)
    assert error.part == found
    assert f"line {line}, column {column}" in str(error)


@given(trees(), st.data())
@settings(max_examples=share_of(60))
def test_exports_can_be_read_back(tree: Node, data: st.DataObject) -> None:
    nags = st.lists(st.integers(0, 255), max_size=2, unique=True).map(tuple)
    for path, _ in list(tree.walk()):
        if data.draw(st.booleans()) and (found := data.draw(nags)):
            tree = _marked(tree, path, found)
    record = GameRecord(tree, {"White": 'A "b" \\', "Black": "B\u00e9", "Zed": "z", "Also": "a"})
    text = write_records([record], "pgn")
    (read,) = read_records(text)
    assert detect(text).name == "pgn"
    assert read.moves == record.moves
    assert _plain(read.tree) == _plain(tree)
    assert write_records([read], "pgn") == text
    assert GameRecord.from_text(record.to_text()) == record


def _marked(tree: Node, path: tuple[Move, ...], nags: tuple[int, ...]) -> Node:
    if not path:
        return tree.replace(nags=nags)
    variations = (
        _marked(node, path[1:], nags) if node.move is path[0] else node for node in tree.variations
    )
    return tree.replace(variations=tuple(variations))


def _plain(tree: Node) -> list[object]:
    """Generate a tree that PGN can represent: comments without line breaks and closing braces."""
    return [
        (path, " ".join(node.comment.replace("}", ")").split()), node.nags)
        for path, node in (((), tree), *tree.walk())
    ]


@given(games(), st.integers(0, 97))
@settings(max_examples=share_of(40))
def test_the_export_format_follows_the_standard(game: list[Move], length: int) -> None:
    record = GameRecord(game[:length], {"White": "Ann", "Abc": "1", "Round": "2"})
    text = write_records([record], "pgn")
    headers, moves, rest = text.split("\n\n")
    assert rest == ""
    tags = re.findall(r'^\[([A-Za-z]+) "[^"\n]*"\]$', headers, re.MULTILINE)
    assert tags[:7] == ["Event", "Site", "Date", "Round", "White", "Black", "Result"]
    assert tags[7:] == sorted(tags[7:])
    assert len(tags) == headers.count("\n") + 1
    lines = moves.split("\n")
    assert all(0 < len(line) < 80 and line == line.strip() for line in lines)
    for line, following in pairwise(lines):
        assert len(f"{line} {following.split()[0]}") >= 80
    tokens = moves.split()
    assert tokens[-1] == record.result
    plain = re.sub(r"\{[^}]*\}", "", moves).split()[:-1]
    assert [token for token in plain if not token[0].isdigit()] == list(map(str, record.moves))
    numbers = [token for token in plain if token[0].isdigit() and not token.endswith("...")]
    by_white = sum(position.turn is Color.WHITE for position in record.positions()[:-1])
    assert len(numbers) == by_white


def test_black_gets_a_number_where_white_has_not_just_moved() -> None:
    tree = Node.line([G2, C1, F5, D1]).with_line([G2], "a").with_line([G2, C1, D1])
    text = write_records([GameRecord(tree)], "pgn")
    assert text.endswith("\n\n1. g2 {a} 1... c1 2. f5 (2. d1) 2... d1 *\n\n")
    start = positions_of(random_game(3))[50]
    record = GameRecord(start.legal_moves()[:1], start=start)
    number = "1..." if start.turn is Color.BLACK else "1."
    text = write_records([record], "pgn")
    assert f"\n\n{number} {record.moves[0]} *\n" in text
    (read,) = read_records(text)
    assert (read.start, read.moves) == (start, record.moves)


def test_no_line_of_an_exported_comment_is_passed_over() -> None:
    said = " ".join(f"%{number}" for number in range(60))
    tree = Node.line([G2]).with_line([G2], said)
    text = write_records([GameRecord(tree)], "pgn")
    assert not re.search(r"^%", text, re.MULTILINE)
    assert read_records(text)[0].tree == tree
