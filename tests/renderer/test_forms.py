"""Tests that the PNG, the SVG, the page and the text twin show the facts that the rules give."""

import re
from dataclasses import replace
from html import escape

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from dvonn import Color, GameRecord, Move, Position
from renderer import (
    Caption,
    Ending,
    describe,
    render,
    replay_page,
    svg,
)
from tests.games import positions_of, random_game
from tests.renderer.forms import (
    CAPTION,
    NO_STACK,
    Stack,
    arrow_differences,
    choice_differences,
    differences,
    facts_in_text,
    page_differences,
    paged,
    truth,
)
from tests.tiers import share_of


@settings(max_examples=share_of(15))
@given(st.integers(0, 10**6), st.floats(0, 1))
@example(0, 1.0)
def test_all_forms_agree_with_the_rules(seed: int, share: float) -> None:
    moves = random_game(seed)
    positions = positions_of(moves)
    at = round(share * (len(positions) - 1))

    assert differences(positions, moves, at) == []


@settings(max_examples=share_of(4))
@given(st.integers(0, 10**6), st.floats(0.5, 1))
def test_a_page_agrees_with_the_rules(seed: int, share: float) -> None:
    moves = random_game(seed)
    positions = positions_of(moves)

    assert page_differences(positions, moves, round(share * (len(positions) - 1))) == []


ENDINGS = [
    replace(CAPTION, ending=Ending.RESIGNATION, winner=Color.WHITE),
    replace(CAPTION, ending=Ending.RESIGNATION, winner=Color.BLACK),
    replace(CAPTION, ending=Ending.TIME, winner=Color.WHITE),
    replace(CAPTION, ending=Ending.TIME, winner=Color.BLACK),
    replace(CAPTION, ending=Ending.TIME),
    replace(CAPTION, ending=Ending.AGREEMENT),
    replace(CAPTION, ending=Ending.ABORT),
]


@pytest.mark.parametrize("caption", ENDINGS)
@pytest.mark.parametrize("share", [0.2, 0.8])
def test_all_forms_have_the_end_of_a_game(share: float, caption: Caption) -> None:
    moves = random_game(ENDINGS.index(caption))
    positions = positions_of(moves)
    at = round(share * (len(positions) - 2))

    assert differences(positions, moves, at, caption) == []

    told, counts = paged(positions, moves, at, caption)
    wanted = truth(positions[at], moves[at - 1] if at else None, caption=caption)
    assert (told.won, told.marked, counts) == (wanted.won, wanted.marked, wanted.counts)


@settings(max_examples=share_of(10))
@given(st.integers(0, 10**6), st.floats(0, 0.9), st.integers(0, 10**6))
def test_all_forms_have_the_moves_to_choose_from(seed: int, share: float, number: int) -> None:
    position, move = in_movement(seed, share), movement(seed, share, number)
    assert move.source is not None

    assert choice_differences(position, move.source) == []


@settings(max_examples=share_of(10))
@given(st.integers(0, 10**6), st.floats(0, 0.9), st.integers(0, 10**6))
def test_all_forms_have_a_shown_move(seed: int, share: float, number: int) -> None:
    assert arrow_differences(in_movement(seed, share), movement(seed, share, number)) == []


def movement(seed: int, share: float, number: int) -> Move:
    """Return a move of that position."""
    moves = in_movement(seed, share).legal_moves()
    return moves[number % len(moves)]


def in_movement(seed: int, share: float) -> Position:
    """Return a movement-phase position of a random game that is not over."""
    running = [
        position for position in positions_of(random_game(seed))[49:] if position.turn is not None
    ]
    return running[round(share * (len(running) - 1))]


@pytest.mark.parametrize(
    ("name", "lettered"),
    [
        ("王小明", ""),
        ("עברית", ""),
        ("🙂", ""),
        ("Ann 王", "Ann…"),
        ("\uff37\uff49\uff44\uff45", "Wide"),
        ("<b>&amp;\u202e", "<b>&amp;"),
    ],
)
def test_a_name_missing_from_the_font_is_complete_in_text_page_and_svg(
    name: str, lettered: str
) -> None:
    """The pictures' font lacks the name's letters. Texts, the page and the SVG use other fonts."""
    moves = random_game(2)[:60]
    position, last = positions_of(moves)[-1], moves[-1]
    caption, plain = Caption(white=name, black="Bob"), Caption(white=lettered, black="Bob")
    whole = caption.name(Color.WHITE)
    assert whole.strip("\u2068\u2069") == name.removesuffix("\u202e")
    assert whole in describe(position, last=last, caption=caption)
    assert f"<bdi>{escape(whole)}</bdi>" in paged_counts(moves, caption)
    vector = svg(position, last=last, caption=caption)
    assert f">{escape(whole.strip(chr(0x2068) + chr(0x2069)))}</text>" in vector
    assert f"White: {escape(whole)}. Black: Bob." in vector
    shown = render(position, last=last, caption=caption)
    assert shown == render(position, last=last, caption=plain)


def paged_counts(moves: list[Move], caption: Caption) -> str:
    """Return the HTML of the players on a page."""
    page = replay_page(GameRecord(moves), caption=caption)
    found = re.search(r'<p id="counts">(.*?)</p>', page)
    assert found is not None
    return found[1]


@pytest.mark.parametrize(
    ("sentence", "ends", "landed"),
    [
        ("Last move h4.", {"h4"}, NO_STACK),
        ("Last move b2-c2, onto red.", {"b2", "c2"}, ("R", 1, 0)),
        ("Last move b2-c2, onto white.", {"b2", "c2"}, ("W", 1, 0)),
        ("Last move c2-h2, onto black (6 tall).", {"c2", "h2"}, ("B", 6, 0)),
        ("Last move d2-c2, onto white (3 tall, 2 red).", {"d2", "c2"}, ("W", 3, 2)),
        ("Ann to place a red piece.", set(), NO_STACK),
    ],
)
def test_each_form_of_the_last_move_can_be_read(
    sentence: str, ends: set[str], landed: Stack
) -> None:
    told = facts_in_text(f"{sentence} Bob to move. On the board: White c2 (2 tall, 1 red).")

    assert (set(map(str, told.ends)), told.landed) == (ends, landed)
