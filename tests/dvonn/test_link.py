"""Tests for games as links: one character per ply, and parsing restores the game exactly."""

import doctest
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import dvonn._rules.packed_moves
import dvonn.link
from dvonn import (
    POINTS,
    Color,
    Coordinates,
    GameRecord,
    LinkError,
    LinkProblem,
    Move,
    Position,
    RecordError,
)
from dvonn.link import LONGEST, decode, encode
from tests.dvonn.strategies import games
from tests.games import drawn, random_game
from tests.tiers import share_of

_texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)


def test_the_example_holds() -> None:
    assert doctest.testmod(dvonn.link) == (0, 5)
    assert doctest.testmod(dvonn._rules.packed_moves) == (0, 2)


@given(games(), st.integers(0, 97), _texts, st.sampled_from(Coordinates))
@settings(max_examples=share_of(30))
def test_a_game_is_one_character_a_ply(
    game: list[Move], length: int, name: str, coordinates: Coordinates
) -> None:
    record = GameRecord(game[:length], {"White": name.replace("~", ""), "Event": "x"}, coordinates)
    text = encode(record)
    assert set(decode(text).headers.items()) == set(record.headers.items())
    assert decode("https://example.org/?overlay#" + text).moves == record.moves
    plies, _, _ = text.partition("&")
    assert len(plies.removesuffix("~")) - 1 == len(record.moves) + plies.count("_")
    for cut in range(len(text)):
        with pytest.raises(LinkError):
            decode(text[:cut])
    assert text.isascii()
    assert not set(text) & set(' "<>#')


def test_ends_and_ready_made_boards_are_kept() -> None:
    board = drawn(3)
    headers = {"Result": "1-0", "Termination": "resignation"}
    record = GameRecord(board.legal_moves()[:1], headers, start=board)
    again = decode(encode(record))
    assert (again.start, again.moves) == (board, record.moves)
    assert again.result == "1-0"
    assert "Score" not in encode(GameRecord(random_game(1)))


@pytest.mark.parametrize(
    ("text", "at", "problem"),
    [
        ("", 0, LinkProblem.VERSION),
        ("10", 2, LinkProblem.CUT),
        ("x#2AB", 2, LinkProblem.VERSION),
        ("10.~", 2, LinkProblem.CHARACTER),
        ("10_~", 3, LinkProblem.CHARACTER),
        ("1n~", 1, LinkProblem.NO_SUCH_MOVE),
        ("1_0~", 2, LinkProblem.NO_SUCH_MOVE),
        ("10&White~", 2, LinkProblem.HEADER),
        ("10&White=a&White=b~", 10, LinkProblem.HEADER),
        ("10&Coordinates=b~", 16, LinkProblem.HEADER),
        ("1" * (LONGEST + 1), LONGEST, LinkProblem.TOO_LONG),
    ],
)
def test_nothing_else_is_read(text: str, at: int, problem: LinkProblem) -> None:
    with pytest.raises(LinkError) as caught:
        decode(text)
    assert (caught.value.at, caught.value.problem) == (at, problem)
    assert str(problem) in str(caught.value)


def test_a_header_may_not_contradict_the_game() -> None:
    with pytest.raises(RecordError):
        decode("10&Result=1-0~")
    with pytest.raises(RecordError):
        decode("10&Start=nonsense~")


def test_a_move_beyond_the_63rd_has_two_characters() -> None:
    points = random.Random(3).sample(POINTS, 40)
    stacks = {point: "RRR".ljust(26, "W").ljust(40, "B")[n] for n, point in enumerate(points)}
    start = Position.from_stacks(stacks, turn=Color.WHITE)
    legal = start.legal_moves()
    assert len(legal) == 88
    for move in legal[60:]:
        text = encode(GameRecord([move], start=start))
        assert decode(text).moves == (move,)
        assert text.partition("&")[0].count("_") == (legal.index(move) >= 63)
