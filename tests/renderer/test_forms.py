"""Tests that the PNG, the SVG, the page and the text twin tell the same facts, by the rules."""

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from tests.games import positions_of, random_game
from tests.renderer.forms import NO_STACK, Stack, differences, paged, said, truth
from tests.tiers import share_of


@settings(max_examples=share_of(15))
@given(st.integers(0, 10**6), st.floats(0, 1))
@example(0, 1.0)
def test_all_forms_tell_what_the_rules_say(seed: int, share: float) -> None:
    moves = random_game(seed)
    positions = positions_of(moves)
    at = round(share * (len(positions) - 1))

    assert differences(positions, moves, at) == []


@settings(max_examples=share_of(4))
@given(st.integers(0, 10**6), st.floats(0.5, 1))
def test_a_page_tells_what_the_rules_say(seed: int, share: float) -> None:
    moves = random_game(seed)
    positions = positions_of(moves)
    at = round(share * (len(positions) - 1))
    wanted = truth(positions[at], moves[at - 1], positions[at - 1])

    told, counts = paged(positions, moves, at)

    assert counts == wanted.counts
    assert told._replace(movable=None) == wanted._replace(movable=None)


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
    told = said(f"{sentence} Bob to move. On the board: White c2 (2 tall, 1 red).")

    assert (set(map(str, told.ends)), told.landed) == (ends, landed)
