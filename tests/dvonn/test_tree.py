"""Tests for trees of moves, and of their texts."""

import copy
import random
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dvonn import (
    Coordinates,
    DvonnError,
    GameRecord,
    IllegalMoveError,
    Node,
    Position,
    RecordError,
    RecordProblem,
    parse_move,
)
from dvonn._records.record import records_of
from dvonn.formats import FORMATS, read_records, write_records
from tests.games import positions_of, random_game
from tests.tiers import share_of

A, B, C, D = (parse_move(point) for point in ("d2", "c3", "f5", "h4"))
TEXT = """\
[White "Ann"]
[Coordinates "standard"]
[Result "*"]

{Before the first move.} 1. d2 {quiet} (1. f5 {also good} 2. c3 (2. h4) 3. h4)
(1. h4) 2. c3 {a brace \\} and a \\\\ here} 3. f5
*
"""
_comments = st.text(st.characters(exclude_categories=["Cs"]), max_size=30)


@st.composite
def trees(draw: st.DrawFn) -> Node:
    """Generate trees of legal moves that leave the game of a seed at any ply, with comments."""
    seed = draw(st.integers(0, 200))
    game = random_game(seed)[: draw(st.integers(0, 97))]
    tree = Node.line(game).with_line((), draw(_comments))
    rng = random.Random(seed)
    for _ in range(draw(st.integers(0, 6))):
        line = game[: rng.randint(0, len(game))]
        position = Position.initial().after(*line)
        for _ in range(draw(st.integers(0, 3))):
            if not (legal := position.legal_moves()):
                break
            line = [*line, rng.choice(legal)]
            position = position.play(line[-1])
        tree = tree.with_line(line, draw(_comments))
    return tree


def test_lines_are_added_found_promoted_and_taken_out() -> None:
    tree = Node.line([A, B]).with_line([A, C], " other ").with_line([D]).with_line([A], "said")
    assert [node.move for node in tree.mainline()] == [A, B]
    assert [path for path, _ in tree.walk()] == [(A,), (A, B), (A, C), (D,)]
    other = tree.at([A, C])
    assert other is not None
    assert (other.comment, other.variations) == ("other", ())
    assert tree.at([A]) is tree.next
    assert tree.at([B]) is None
    assert tree.at([A, B, C]) is None
    assert [node.move for node in tree.promoted([A, C]).mainline()] == [A, C]
    assert tree.promoted([D]).promoted([A]) == tree
    assert tree.without([A, C]).without([D]).with_line([A], "") == Node.line([A, B])
    for missing in ([], [B], [A, D]):
        with pytest.raises(DvonnError):
            tree.without(missing)
    with pytest.raises(DvonnError):
        tree.promoted([B])


def test_a_tree_is_a_value() -> None:
    tree = Node.line([A, B]).with_line([C], "x")
    assert tree == Node.line([A, B]).with_line([C], "x") == copy.deepcopy(tree)
    assert len({tree, Node.line([A, B]).with_line([C], "x"), tree.with_line([C], "y")}) == 2
    # The same nodes in the same order, but at different depths.
    assert Node.line([A, B]).with_line([C]) != Node.line([A, B, C])
    assert tree != "tree"
    with pytest.raises(ValueError, match="begin with a different move"):
        Node(variations=(Node(A), Node(A)))
    with pytest.raises(ValueError, match="begin with a different move"):
        Node(variations=(Node(),))


def test_a_record_keeps_a_tree() -> None:
    record = GameRecord.from_text(TEXT)
    assert record.moves == (A, B, C)
    assert record.tree.comment == "Before the first move."
    variation = record.tree.at([C])
    assert variation is not None
    assert variation.comment == "also good"
    assert [node.move for node in variation.mainline()] == [B, D]
    brace = record.tree.at([A, B])
    assert brace is not None
    assert brace.comment == "a brace } and a \\ here"
    assert record.to_text() == TEXT
    assert record != GameRecord(record.moves, record.headers)
    assert GameRecord(record.moves).tree == Node.line(record.moves)
    assert GameRecord(Node.line(record.moves)) == GameRecord(record.moves)


@given(trees(), st.sampled_from(Coordinates))
@settings(max_examples=share_of(60))
def test_the_text_keeps_comments_and_variations(tree: Node, coordinates: Coordinates) -> None:
    record = GameRecord(tree, {"White": "Ann"}, coordinates)
    text = record.to_text()
    assert record.tree == tree
    assert GameRecord.from_text(text) == record
    assert list(records_of(text.replace("\n", "\r\n") + text)) == [record, record]
    assert all(
        len(line) <= 80 or len(re.split(r"(?<=\S) (?=\S)", line)) < 3
        for line in text.splitlines()
        if not line.startswith("[")
    )


@given(trees())
@settings(max_examples=share_of(40))
def test_boardspaces_files_keep_comments_and_variations(tree: Node) -> None:
    said = {"White": "Ann", "Black": "Bob", "Event": "Cup", "Site": "Here", "Round": "2"}
    record = GameRecord(tree, said | {"Date": "2026", "Annotator": "Eve"})
    text = FORMATS["boardspace"].write([record, record])
    for read in (*read_records(text), *read_records(text.replace("\n", "\r\n"))):
        assert (read.moves, read.headers) == (record.moves, record.headers)
    assert [read.tree for read in read_records(text)] == [tree, tree]


def test_a_variation_of_gestures_may_begin_with_a_stack_in_hand() -> None:
    text = """(; GM[Dvonn]SU[dvonn 0]P0[id "Ann"]P1[id "Bob"]; P0[0 Start P0]C[hello]
        (; P0[1 pick W 0]; P0[2 dropb D 2]C[main] ; P0[3 done]; P1[4 resign]; P1[5 done]C[end])
        (; P0[1 dropb C 3] (; P0[2 done]C[a]; P1[3 dropb F 5]; P1[4 done])
            (; P0[2 pickb C 3]; P0[3 dropb H 4]; P0[4 done]; P1[5 resign]; P1[6 done])))"""
    (record,) = read_records(text)
    assert record.result == "1-0"
    assert record.tree == Node(
        None, "hello", (Node(A, "main end"), Node(B, "a", (Node(C),)), Node(D))
    )


def test_a_comment_may_have_several_lines_and_precede_a_variation() -> None:
    text = "{one\n two\\nthree} 1. d2 (  {first} 1. f5 {C:\\dvonn} {more} ) (1. f5 2. h4) *"
    tree = GameRecord.from_text(text).tree
    assert tree.comment == "one  two\nthree first"
    assert tree == Node(
        None, "one  two\nthree first", (Node(A), Node(C, "C:\\dvonn more", (Node(D),)))
    )


def test_a_record_on_a_ready_made_board_keeps_its_tree_from_the_empty_board() -> None:
    game = random_game(3)
    start = Position.initial().after(*game[:49])
    tree = Node.line(game[49:60]).with_line(game[49:51], "good").with_line((), "dealt")
    whole = GameRecord(tree, {"White": "Ann"}, start=start).from_empty_board()
    assert len(whole.moves) == 60
    assert sorted(node.comment for _, node in whole.tree.walk() if node.comment) == [
        "dealt",
        "good",
    ]


@pytest.mark.parametrize(
    ("moves", "reason", "found"),
    [
        ("(1. d2) *", RecordProblem.BAD_VARIATION, "("),
        ("1. d2 () *", RecordProblem.BAD_VARIATION, ")"),
        ("1. d2 ((1. f5)) *", RecordProblem.BAD_VARIATION, "("),
        ("1. d2 ) *", RecordProblem.BAD_VARIATION, ")"),
        ("1. d2 (1. f5 *", RecordProblem.NOT_A_MOVE, "*"),
        ("1. d2 (1. f5", RecordProblem.NO_RESULT, ""),
        ("1. d2 (2. f5) *", RecordProblem.MOVE_NUMBER, "2."),
        ("1. d2 (1. f5 2. f5) *", RecordProblem.ILLEGAL_MOVE, "f5"),
    ],
)
def test_a_bad_variation_is_refused(moves: str, reason: RecordProblem, found: str) -> None:
    with pytest.raises(RecordError) as caught:
        GameRecord.from_text(moves)
    assert (caught.value.reason, caught.value.part) == (reason, found)


def test_an_illegal_variation_makes_no_record() -> None:
    with pytest.raises(IllegalMoveError):
        GameRecord(Node.line([A, B]).with_line([A, A]))


@pytest.mark.parametrize("kind", ["dvonn", "pgn", "boardspace"])
def test_clocks_stay_with_their_moves_in_all_formats_with_comments(kind: str) -> None:
    shown = [90.5, 3599.5, None, 0.0, 36000.0]
    moves = random_game(2)[: len(shown)]
    tree = Node(comment="a rapid game")
    for move, seconds in zip(reversed(moves), reversed(shown), strict=True):
        below = Node(move, "hm  [ok]", tree.variations).with_clock(seconds)
        tree = tree.replace(variations=(below,))
    (record,) = read_records(write_records([GameRecord(tree)], kind))
    nodes = list(record.root.mainline())
    assert [node.clock for node in nodes] == shown
    assert {node.node.remark.split()[0] for node in nodes} == {"hm"}
    assert [node.move for node in nodes] == list(moves)
    assert [node.position for node in nodes] == list(positions_of(moves))[1:]


def test_a_clock_is_a_part_of_the_comment() -> None:
    text = "1. d2 $1 { [%clk 0:09:59] well  played } 2. c3 {[%clk 1:2] no clock} *"
    first, second = GameRecord.from_text(text).root.mainline()
    assert (first.clock, first.node.remark, first.nags) == (599.0, "well  played", (1,))
    assert (second.clock, second.node.remark) == (None, "[%clk 1:2] no clock")
    assert first.node.with_clock(5).comment == "[%clk 0:00:05] well  played"
    assert first.node.with_clock(None).comment == "well  played"
    for seconds in (-1, 36_000_000, float("nan"), float("inf")):
        with pytest.raises(DvonnError, match="a clock can't show"):
            first.node.with_clock(seconds)


def test_nodes_of_a_record_know_their_parents_and_positions() -> None:
    record = GameRecord.from_text("{so} 1. d2 (1. f5 $1 {also} 2. c3) 2. e4 *")
    root = record.root
    assert (root.move, root.parent, root.position, root.comment) == (
        *(None, None, Position.initial()),
        "so",
    )
    main = list(root.mainline())
    assert [node.position for node in main] == list(record.positions()[1:])
    assert [str(move) for move in main[-1].line()] == ["d2", "e4"]
    side = root.variations[1]
    assert (side.comment, side.nags, side.parent) == ("also", (1,), root)
    last = side.next
    assert last is not None
    assert last.position == Position.initial().after("f5", "c3")
    assert last.parent is side
    assert last.next is None
    assert repr(last) == "<GameNode f5 c3>"
