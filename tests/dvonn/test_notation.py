import pytest
from hypothesis import given
from hypothesis import strategies as st

from dvonn import (
    POINTS,
    Coordinates,
    Move,
    NotationError,
    NotationProblem,
    format_move,
    parse_move,
    parse_moves,
    parse_point,
)
from tests.dvonn.strategies import move_like_texts

ALL_MOVES = [Move(target=target, source=source) for target in POINTS for source in (None, *POINTS)]


@pytest.mark.parametrize("coordinates", Coordinates)
def test_every_move_can_be_written_and_read(coordinates: Coordinates) -> None:
    assert len(ALL_MOVES) == 49 * 49 + 49
    for move in ALL_MOVES:
        text = format_move(move, coordinates)
        assert parse_move(text, coordinates) is move
        assert parse_move(text.replace("-", "").upper(), coordinates) is move


def test_standard_text_is_the_default() -> None:
    for move in ALL_MOVES:
        assert format_move(move) == str(move)
        assert parse_move(str(move)) is move


def test_the_same_text_means_another_move_in_the_other_coordinates() -> None:
    assert str(parse_move("d2-d4")) == "d2-d4"
    assert str(parse_move("d2-d4", Coordinates.PERGIOCO)) == "b2-d2"
    assert format_move(parse_move("b2-d2"), Coordinates.PERGIOCO) == "d2-d4"


@pytest.mark.parametrize(
    "text",
    [
        "d2-d4",
        "D2-D4",
        "d2d4",
        "d2 d4",
        " d2 - d4 ",
        "d2\u00a0-\u00a0d4",
        "\u202fd2\u202fd4",
        "d2\td4",
        "d2–d4",
        "d2—d4",
        "d2−d4",
        "d2\u2011d4",
        "d2\u2010d4",
        "d2->d4",
        "d2 -> d4",
        "d2→d4",
        "d2 to d4",
        "d2tod4",
        "D2 TO D4",
        "d2xd4",
        "d2 X d4",
        "d2-d4.",
        "`d2-d4`",
        "`d2-d4`.",
        "`d2-d4.`",
        "``d2 d4``",
        "d2-d4\n",
    ],
)
def test_one_movement_in_many_spellings(text: str) -> None:
    assert str(parse_move(text)) == "d2-d4"


@pytest.mark.parametrize("text", ["d2", "D2", " d2 ", "`d2`", "d2.", "d2 .", "\n d2"])
def test_one_placement_in_many_spellings(text: str) -> None:
    assert str(parse_move(text)) == "d2"


@pytest.mark.parametrize("text", ["c7-c10", "c7c10", "C7 to C10", "c7→c10"])
def test_two_digits_in_pergioco(text: str) -> None:
    assert str(parse_move(text, Coordinates.PERGIOCO)) == "g3-j3"


@pytest.mark.parametrize(
    ("text", "problem", "at"),
    [
        ("", NotationProblem.EMPTY, 0),
        (" \u00a0\n", NotationProblem.EMPTY, 3),
        ("``", NotationProblem.EMPTY, 2),
        (".", NotationProblem.EMPTY, 0),
        ("pass", NotationProblem.PASS, 0),
        (" Pass. ", NotationProblem.PASS, 1),
        ("passed", NotationProblem.NOT_A_POINT, 0),
        ("hello", NotationProblem.NOT_A_POINT, 0),
        ("d", NotationProblem.NOT_A_POINT, 0),
        ("2d", NotationProblem.NOT_A_POINT, 0),
        ("-d2", NotationProblem.NOT_A_POINT, 0),
        ("d 2", NotationProblem.NOT_A_POINT, 0),
        ("Xd2", NotationProblem.NOT_A_POINT, 0),
        ("d02", NotationProblem.NOT_A_POINT, 0),
        ("d0", NotationProblem.NOT_A_POINT, 0),
        ("d\u00b2", NotationProblem.NOT_A_POINT, 0),
        ("d\uff12", NotationProblem.NOT_A_POINT, 0),
        ("d\u0662", NotationProblem.NOT_A_POINT, 0),
        ("\u212a3", NotationProblem.NOT_A_POINT, 0),  # the Kelvin sign, whose lowercase is k
        ("d2-d02", NotationProblem.NOT_A_POINT, 3),
        ("d2--d4", NotationProblem.NOT_A_POINT, 3),
        ("d2-pass", NotationProblem.NOT_A_POINT, 3),
        ("d2 - x", NotationProblem.NOT_A_POINT, 5),
        ("a4", NotationProblem.OFF_BOARD, 0),
        ("c7", NotationProblem.OFF_BOARD, 0),
        ("z1", NotationProblem.OFF_BOARD, 0),
        ("d99999999999999999999", NotationProblem.OFF_BOARD, 0),
        ("d2-d24", NotationProblem.OFF_BOARD, 3),
        ("d2l3", NotationProblem.OFF_BOARD, 2),
        ("d2-", NotationProblem.INCOMPLETE, 3),
        (" d2 to ", NotationProblem.INCOMPLETE, 6),
        ("d2 ->.", NotationProblem.INCOMPLETE, 5),
        ("d2,d4", NotationProblem.SEVERAL_MOVES, 3),
        ("d2\nd4", NotationProblem.SEVERAL_MOVES, 3),
        ("b2 d2-d4", NotationProblem.SEVERAL_MOVES, 6),
        ("d2-d4 d4-d5", NotationProblem.SEVERAL_MOVES, 6),
        ("d2-d4-d5", NotationProblem.SEVERAL_MOVES, 6),
        ("d2-d4!", NotationProblem.TRAILING_TEXT, 5),
        ("d2-d4-", NotationProblem.TRAILING_TEXT, 5),
        ("d2-d4..", NotationProblem.TRAILING_TEXT, 5),
        ("d2 hello", NotationProblem.TRAILING_TEXT, 3),
        ("d2!", NotationProblem.TRAILING_TEXT, 2),
        ("d2-d4X", NotationProblem.TRAILING_TEXT, 5),
        ("d2 d", NotationProblem.TRAILING_TEXT, 3),
        ("d2-d4 please", NotationProblem.TRAILING_TEXT, 6),
    ],
)
def test_refused_texts(text: str, problem: NotationProblem, at: int) -> None:
    with pytest.raises(NotationError) as caught:
        parse_move(text)
    assert (caught.value.text, caught.value.problem, caught.value.at) == (text, problem, at)


@pytest.mark.parametrize(
    ("text", "at"), [("a1", 0), ("b1", 0), ("c12", 0), ("f3", 0), ("k3", 0), ("c7-a2", 3)]
)
def test_points_that_pergioco_lacks(text: str, at: int) -> None:
    with pytest.raises(NotationError) as caught:
        parse_move(text, Coordinates.PERGIOCO)
    assert (caught.value.problem, caught.value.at) == (NotationProblem.OFF_BOARD, at)


def test_one_point() -> None:
    assert parse_point(" D2. ") == "d2"
    assert parse_point("c10", Coordinates.PERGIOCO) == "j3"
    for text, problem in {
        "": NotationProblem.EMPTY,
        "d2-d4": NotationProblem.SEVERAL_MOVES,
        "d2?": NotationProblem.TRAILING_TEXT,
        "a4": NotationProblem.OFF_BOARD,
    }.items():
        with pytest.raises(NotationError) as caught:
            parse_point(text)
        assert caught.value.problem is problem


def _move_or_error(text: str, coordinates: Coordinates) -> Move | NotationError:
    try:
        return parse_move(text, coordinates)
    except NotationError as error:
        return error


def _read_several(text: str, coordinates: Coordinates) -> tuple[Move, ...] | NotationError:
    try:
        return parse_moves(text, coordinates)
    except NotationError as error:
        return error


@given(move_like_texts(), st.sampled_from(Coordinates))
def test_any_text_is_one_move_or_a_notation_error(text: str, coordinates: Coordinates) -> None:
    read = _move_or_error(text, coordinates)
    if isinstance(read, NotationError):
        assert read.text == text
        assert 0 <= read.at <= len(text)
    else:
        told = format_move(read, coordinates).split("-")
        said = "".join(char for char in text.lower() if char.isascii() and char.isalnum())
        assert said in {"".join(told), "x".join(told), "to".join(told)}


MANY = ["d2", "d2-d4", "e3"]


@pytest.mark.parametrize(
    ("text", "moves"),
    [
        ("d2", ["d2"]),
        (" D2. ", ["d2"]),
        ("d2-d4", ["d2-d4"]),
        ("d2 d4", ["d2", "d4"]),
        ("d2d4", ["d2", "d4"]),
        ("d2, d4; e3 / f3.", ["d2", "d4", "e3", "f3"]),
        ("`d2` `d4`", ["d2", "d4"]),
        ("d2\nd4\n", ["d2", "d4"]),
        ("d2 d2", ["d2", "d2"]),
        ("d2,,d4,", ["d2", "d4"]),
        ("d2 d2-d4 e3", MANY),
        ("D2, d2 \u2192 d4, E3", MANY),
        ("d2 d2tod4 e3", MANY),
        ("d2d2xd4e3", MANY),
        ("d2\u00a0to\u00a0d4", ["d2-d4"]),
    ],
)
def test_lists_in_many_spellings(text: str, moves: list[str]) -> None:
    assert [str(move) for move in parse_moves(text)] == moves


@pytest.mark.parametrize(
    ("text", "problem", "at"),
    [
        ("", NotationProblem.EMPTY, 0),
        (" . ", NotationProblem.EMPTY, 1),
        (" pass", NotationProblem.PASS, 1),
        ("hello", NotationProblem.NOT_A_POINT, 0),
        (",d2", NotationProblem.NOT_A_POINT, 0),
        ("d2 hello", NotationProblem.NOT_A_POINT, 3),
        ("d2 d4!", NotationProblem.NOT_A_POINT, 5),
        ("d2 d4 pass", NotationProblem.NOT_A_POINT, 6),
        ("d2-d4-d5", NotationProblem.NOT_A_POINT, 5),
        ("d2--d4", NotationProblem.NOT_A_POINT, 3),
        ("d2 z9", NotationProblem.OFF_BOARD, 3),
        ("d2 d4-c7", NotationProblem.OFF_BOARD, 6),
        ("d2 d4 -", NotationProblem.INCOMPLETE, 7),
        ("d2 d4 to .", NotationProblem.INCOMPLETE, 8),
    ],
)
def test_refused_lists(text: str, problem: NotationProblem, at: int) -> None:
    with pytest.raises(NotationError) as caught:
        parse_moves(text)
    assert (caught.value.text, caught.value.problem, caught.value.at) == (text, problem, at)


@given(
    st.lists(st.sampled_from(ALL_MOVES), min_size=1, max_size=60),
    st.sampled_from([" ", ", ", ",", "; ", "\n", "/", " . ", ""]),
    st.sampled_from(["-", "\u2013", " \u2192 ", " to ", "x"]),
)
def test_any_list_can_be_written_and_read(moves: list[Move], between: str, joint: str) -> None:
    pergioco = Coordinates.PERGIOCO
    text = between.join(format_move(move, pergioco).replace("-", joint) for move in moves)
    assert list(parse_moves(text, pergioco)) == moves


@given(move_like_texts(), st.sampled_from(Coordinates))
def test_any_text_is_a_list_or_a_notation_error(text: str, coordinates: Coordinates) -> None:
    one, several = _move_or_error(text, coordinates), _read_several(text, coordinates)
    if isinstance(several, NotationError):
        assert several.text == text
        assert 0 <= several.at <= len(text)
        assert isinstance(one, NotationError)
    elif isinstance(one, Move):
        as_two = (Move(target=one.source or one.target), Move(target=one.target))
        assert several in {(one,), as_two}
    else:
        assert len(several) > 1 or one.problem is NotationProblem.TRAILING_TEXT
